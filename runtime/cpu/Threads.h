// What generated code of threads calls besides npcc_rt_launch_threads and npcc_rt_thread_barrier (npcc_rt.h).
#ifndef NPCC_RUNTIME_CPU_THREADS_H
#define NPCC_RUNTIME_CPU_THREADS_H
#include "runtime/npcc_rt.h"

/* KiB of a thread's local arrays stand in npcc_grid::flags from this bit on. */
enum { NPCC_THREADS_LOCAL_SHIFT = 8 };
/* npcc_grid::flags: the kernel tells of its accesses, and races are looked for. */
enum { NPCC_THREADS_CHECKED = 1 << 7 };

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
/* The target "debug": the thread at (x, y, z) of its block reads (kind 0), writes (1) or updates in one step (2) bytes
 * at an address. RuntimeError for a race. */
NPCC_EXPORT void npcc_rt_thread_access(npcc_thread *thread, int64_t x, int64_t y, int64_t z, const void *address,
                                       int64_t bytes, int32_t kind, const char *file, int32_t line);
/* Hears of a fence of the thread, which orders what it did before. */
NPCC_EXPORT void npcc_rt_thread_fence(npcc_thread *thread, int64_t x, int64_t y, int64_t z);
/* The lanes of this warp that have not ended. */
NPCC_EXPORT int32_t npcc_rt_warp_active(npcc_thread *thread);
#ifdef __cplusplus
}
#endif
#endif
