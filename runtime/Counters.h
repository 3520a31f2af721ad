// The counters of npcc_rt_counters. Relaxed atomics: each is exact, a snapshot of several is not one instant.
#ifndef NPCC_RUNTIME_COUNTERS_H
#define NPCC_RUNTIME_COUNTERS_H

#include <atomic>
#include <cstdint>

namespace npcc::rt {

struct Counter {
  std::atomic<int64_t> value{0};
  void add(int64_t amount) { value.fetch_add(amount, std::memory_order_relaxed); }
  int64_t get() const { return value.load(std::memory_order_relaxed); }
};

struct Counters {
  Counter allocations, bytesAllocated, bytesInUse, bytesCached, liveBuffers;
  Counter launches, parallelRegions, replays;
  Counter bytesHostToDevice, bytesDeviceToHost, bytesDeviceToDevice;
  std::atomic<int64_t> peakBytesInUse{0};

  void notePeak() {
    int64_t now = bytesInUse.get();
    int64_t peak = peakBytesInUse.load(std::memory_order_relaxed);
    while (now > peak && !peakBytesInUse.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
  }
};

extern Counters counters;

} // namespace npcc::rt

#endif
