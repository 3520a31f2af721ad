#include "runtime/Counters.h"
#include "runtime/abi/counters.h"

namespace npcc::rt {
Counters counters;
}

using npcc::rt::counters;

void npcc_rt_counters(npcc_counters *out) {
  out->allocations = counters.allocations.get();
  out->bytes_allocated = counters.bytesAllocated.get();
  out->bytes_in_use = counters.bytesInUse.get();
  out->bytes_cached = counters.bytesCached.get();
  out->peak_bytes_in_use = counters.peakBytesInUse.load(std::memory_order_relaxed);
  out->launches = counters.launches.get();
  out->parallel_regions = counters.parallelRegions.get();
  out->replays = counters.replays.get();
  out->bytes_host_to_device = counters.bytesHostToDevice.get();
  out->bytes_device_to_host = counters.bytesDeviceToHost.get();
  out->bytes_device_to_device = counters.bytesDeviceToDevice.get();
  out->live_buffers = counters.liveBuffers.get();
}
