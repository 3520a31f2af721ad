// What generated code of threads calls besides npcc_rt_launch_threads and npcc_rt_thread_barrier (npcc_rt.h).
#ifndef NPCC_RUNTIME_CPU_THREADS_H
#define NPCC_RUNTIME_CPU_THREADS_H
#include "runtime/npcc_rt.h"

/* KiB of a thread's local arrays stand in npcc_grid::flags from this bit on. */
enum { NPCC_THREADS_LOCAL_SHIFT = 8 };

#ifdef __cplusplus
extern "C" {
#endif
/* ValueError for a grid, block or shared memory that no GPU has. */
NPCC_EXPORT void npcc_rt_check_grid(const npcc_grid *grid);
/* The lanes of `mask` meet. bits of those whose `value` is not 0. */
NPCC_EXPORT int32_t npcc_rt_warp_ballot(npcc_thread *thread, int32_t mask, int32_t value);
/* The lanes of `mask` with the same value. */
NPCC_EXPORT int32_t npcc_rt_warp_match(npcc_thread *thread, int32_t mask, int64_t value);
/* The value of another lane; `inside` is whether it was in the segment of `width` lanes, else the value is the lane's
 * own. kind: 0 a lane of the segment, 1 so many lanes below, 2 above, 3 exclusive or. */
NPCC_EXPORT int64_t npcc_rt_warp_shuffle(npcc_thread *thread, int32_t kind, int32_t mask, int64_t value, int32_t lane,
                                         int32_t width, int8_t *inside);
/* The lanes of this warp that have not ended. */
NPCC_EXPORT int32_t npcc_rt_warp_active(npcc_thread *thread);
#ifdef __cplusplus
}
#endif
#endif
