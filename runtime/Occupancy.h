#ifndef NPCC_RUNTIME_OCCUPANCY_H
#define NPCC_RUNTIME_OCCUPANCY_H
#include "runtime/npcc_rt.h"

#ifdef __cplusplus
extern "C" {
#endif
/* How many blocks of an own kernel (npcc_rt_module_function), each of so many threads with so many bytes of dynamic
 * shared memory, run side by side on its whole device. */
NPCC_EXPORT npcc_status npcc_rt_function_blocks(void *kernel, int64_t threads, int64_t shared_bytes, int64_t *blocks);
#ifdef __cplusplus
}
#endif
#endif
