#include "runtime/cpu/ThreadPool.h"
#include "runtime/SpinLock.h"
#include <algorithm>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <linux/futex.h>
#include <mutex>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace npcc::rt {

static std::atomic<ThreadPool *> instance{nullptr};
static SpinLock instanceLock;
static thread_local bool insideJob = false;

// About half a millisecond: loops that follow each other find the workers awake.
static constexpr int spinsBeforeSleep = 20000;
static constexpr uint32_t closed = UINT32_MAX;

static int32_t wantedThreads() {
  if (const char *text = getenv("NPCC_NUM_THREADS")) {
    long value = strtol(text, nullptr, 10);
    if (value > 0)
      return static_cast<int32_t>(std::min(value, 1024L));
  }
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
}

ThreadPool &ThreadPool::get() {
  ThreadPool *pool = instance.load(std::memory_order_acquire);
  if (pool)
    return *pool;
  std::lock_guard<SpinLock> guard(instanceLock);
  pool = instance.load(std::memory_order_acquire);
  if (!pool) {
    static bool registered = false;
    if (!registered) {
      // The child forgets the parent's pool, which may be in the middle of a job; it makes its own when it needs one.
      pthread_atfork([] { instanceLock.lock(); }, [] { instanceLock.unlock(); },
                     [] {
                       instance.store(nullptr, std::memory_order_relaxed);
                       insideJob = false;
                       instanceLock.unlock();
                     });
      registered = true;
    }
    pool = new ThreadPool(wantedThreads());
    instance.store(pool, std::memory_order_release);
  }
  return *pool;
}

ThreadPool::ThreadPool(int32_t threads) : threadCount(threads) {}

void ThreadPool::startWorkers() {
  // Signals belong to the application's threads.
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  for (int32_t k = 1; k < threadCount; ++k) {
    pthread_t thread;
    // With fewer threads than asked for, the others do the work.
    if (pthread_create(&thread, nullptr, workerMain, this) != 0)
      break;
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  started = true;
}

void *ThreadPool::workerMain(void *pool) {
  insideJob = true;
  static_cast<ThreadPool *>(pool)->work();
  return nullptr;
}

void ThreadPool::work() {
  uint32_t seen = 0;
  for (;;) {
    uint32_t now;
    for (int spins = 0; (now = epoch.load(std::memory_order_acquire)) == seen;) {
      if (++spins < spinsBeforeSleep && !resting.load(std::memory_order_relaxed)) {
        cpuRelax();
        continue;
      }
      sleepers.fetch_add(1);
      syscall(SYS_futex, &epoch, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
      sleepers.fetch_sub(1);
      spins = 0;
    }
    seen = now;
    drain(now);
  }
}

void ThreadPool::drain(uint32_t job) {
  uint64_t current = ticket.load(std::memory_order_acquire);
  for (;;) {
    uint32_t chunk = static_cast<uint32_t>(current);
    if (static_cast<uint32_t>(current >> 32) != job || chunk >= chunkCount.load(std::memory_order_relaxed))
      return;
    if (!ticket.compare_exchange_weak(current, current + 1, std::memory_order_acq_rel, std::memory_order_acquire))
      continue;
    task.load(std::memory_order_relaxed)(chunk, taskContext.load(std::memory_order_relaxed));
    finished.fetch_add(1, std::memory_order_release);
    current = ticket.load(std::memory_order_acquire);
  }
}

void ThreadPool::run(uint32_t chunks, Task newTask, void *context) {
  if (chunks <= 1 || threadCount == 1 || insideJob || busy.test_and_set(std::memory_order_acquire)) {
    for (uint32_t k = 0; k < chunks; ++k)
      newTask(k, context);
    return;
  }
  if (!started)
    startWorkers();
  uint32_t job = epoch.load(std::memory_order_relaxed) + 1;
  ticket.store(uint64_t(job) << 32 | closed);
  chunkCount.store(chunks, std::memory_order_relaxed);
  task.store(newTask, std::memory_order_relaxed);
  taskContext.store(context, std::memory_order_relaxed);
  finished.store(0, std::memory_order_relaxed);
  ticket.store(uint64_t(job) << 32);
  epoch.store(job);
  // Sequentially consistent with the worker's own pair: either it sees the new epoch or we see it sleep.
  if (int32_t asleep = sleepers.load(); asleep > 0)
    syscall(SYS_futex, &epoch, FUTEX_WAKE_PRIVATE, std::min<int32_t>(asleep, chunks - 1), nullptr, nullptr, 0);
  insideJob = true;
  drain(job);
  for (int spins = 0; finished.load(std::memory_order_acquire) != chunks;) {
    if (++spins < spinsBeforeSleep)
      cpuRelax();
    else
      sched_yield();
  }
  insideJob = false;
  busy.clear(std::memory_order_release);
}

Chunks cut(int64_t n, int64_t grain, int32_t threads) {
  grain = std::max<int64_t>(grain, 1);
  int64_t grains = (n + grain - 1) / grain;
  // Four chunks a thread even out unequal speeds; with few grains, as many chunks as threads can share evenly.
  int64_t parts = std::min<int64_t>(grains, int64_t(threads) * 4);
  int64_t perChunk = (grains + parts - 1) / parts;
  int64_t count = (grains + perChunk - 1) / perChunk;
  return {static_cast<uint32_t>(count), perChunk * grain};
}

} // namespace npcc::rt
