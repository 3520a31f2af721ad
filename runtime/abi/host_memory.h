/* The user's own memory: page-locked, or moving between host and device. */
#ifndef NPCC_ABI_HOST_MEMORY_H
#define NPCC_ABI_HOST_MEMORY_H
#include "runtime/abi/arrays.h"

NPCC_BEGIN_C

/* Page-locked memory of the host (flags: the driver's; 2: kernels can reach it) and memory that moves between host
 * and device. */
NPCC_EXPORT npcc_status npcc_rt_host_alloc(int32_t device, int64_t bytes, int32_t flags, void **host);
NPCC_EXPORT void npcc_rt_host_free(int32_t device, void *host);
NPCC_EXPORT npcc_status npcc_rt_managed_alloc(int32_t device, int64_t bytes, void **memory);
NPCC_EXPORT void npcc_rt_managed_free(int32_t device, void *memory);
NPCC_EXPORT npcc_status npcc_rt_host_register(int32_t device, void *host, int64_t bytes, int32_t flags);
NPCC_EXPORT npcc_status npcc_rt_host_unregister(int32_t device, void *host);
/* Free bytes, what npcc keeps for later allocations included, and all bytes. */
NPCC_EXPORT npcc_status npcc_rt_memory_info(int32_t device, int64_t *free, int64_t *total);
/* npcc_rt_copy that does not wait where both are contiguous and one is in (page-locked) host memory: the host's
 * array stays alive and alone until the stream is synchronised. */
NPCC_EXPORT npcc_status npcc_rt_copy_async(npcc_array *to, const npcc_array *from);

NPCC_END_C
#endif
