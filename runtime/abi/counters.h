/* Counters, for tests and `npcc explain`. */
#ifndef NPCC_ABI_COUNTERS_H
#define NPCC_ABI_COUNTERS_H
#include "runtime/abi/export.h"

NPCC_BEGIN_C

/* All since the process began, over all devices. */
typedef struct npcc_counters {
  int64_t allocations, bytes_allocated, bytes_in_use, bytes_cached, peak_bytes_in_use;
  int64_t launches, parallel_regions;
  int64_t bytes_host_to_device, bytes_device_to_host, bytes_device_to_device;
  int64_t live_buffers; /* buffers that somebody still holds a reference to */
  int64_t replays; /* runs of launches that went to a GPU as one graph; `launches` has each of them */
} npcc_counters;
NPCC_EXPORT void npcc_rt_counters(npcc_counters *out);

/* Fault injection for tests: the k-th allocation from now on this device fails as out of memory (0: off). */
NPCC_EXPORT void npcc_rt_fail_allocation(int32_t device, int64_t k);

NPCC_END_C
#endif
