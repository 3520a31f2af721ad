// A lock for sections of a few instructions (a table probe, a list link). Yields when it is held for long, so that it is
// also right with more threads than cores.
#ifndef NPCC_RUNTIME_SPINLOCK_H
#define NPCC_RUNTIME_SPINLOCK_H

#include <atomic>
#include <sched.h>

namespace npcc::rt {

inline void cpuRelax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

class SpinLock {
public:
  void lock() {
    for (int spins = 0; flag.exchange(true, std::memory_order_acquire);) {
      while (flag.load(std::memory_order_relaxed)) {
        if (++spins < 256)
          cpuRelax();
        else
          sched_yield();
      }
    }
  }
  void unlock() { flag.store(false, std::memory_order_release); }

private:
  std::atomic<bool> flag{false};
};

} // namespace npcc::rt

#endif
