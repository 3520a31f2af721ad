/* What code for the target "debug" calls besides. */
#ifndef NPCC_ABI_DEBUG_H
#define NPCC_ABI_DEBUG_H
#include "runtime/abi/export.h"

NPCC_BEGIN_C

/* The runtime keeps, for each frame, what it has heard of each byte of memory: whether it was ever written, and by
 * which iterations it was accessed last (runtime/debug/Shadow.h). It fails the frame with a RuntimeError
 *   where two iterations of one space access one place, one of them writing (updates that meet are none of that),
 *   where a place is updated, or read with all of its array, that was never written since its array was made,
 *   and where an array is accessed that was released.
 * Memory that it has not heard of counts as written.
 *
 * A space of iterations begins; spaces may be inside each other. ordered: next counts from 0; otherwise it gives
 * each number below `iterations` once, in random order, which the environment variable NPCC_SEED decides. */
NPCC_EXPORT void npcc_rt_debug_begin(int64_t iterations, int32_t ordered);
NPCC_EXPORT int64_t npcc_rt_debug_next(void);
NPCC_EXPORT void npcc_rt_debug_end(void);
/* A new array, and the one reference less that it is about to have. */
NPCC_EXPORT void npcc_rt_debug_new(const void *base, int64_t bytes);
NPCC_EXPORT void npcc_rt_debug_release(const void *base);
/* npcc_rt_reshape made `to` of `from`: a view of it, or an array of its own, of so many bytes, which counts as
 * written. */
NPCC_EXPORT void npcc_rt_debug_reshaped(const void *from, const void *to, int64_t bytes);
/* Was the element written since its array was made? A single read of one that was not is no failure: it may be a
 * copy. */
NPCC_EXPORT int32_t npcc_rt_debug_is_written(const void *address, int64_t bytes);
/* What was stored there was never written itself: so it is again. */
NPCC_EXPORT void npcc_rt_debug_forget(const void *address, int64_t bytes);
/* An access is about to be made. An update reads and writes; several iterations may do that to one place. */
NPCC_EXPORT void npcc_rt_debug_read(const void *address, int64_t bytes, const char *file, int32_t line);
NPCC_EXPORT void npcc_rt_debug_write(const void *address, int64_t bytes, const char *file, int32_t line);
NPCC_EXPORT void npcc_rt_debug_update(const void *address, int64_t bytes, const char *file, int32_t line);
/* Of all elements of an array; strides count elements. */
NPCC_EXPORT void npcc_rt_debug_read_all(const void *address, int64_t element_bytes, int64_t rank,
                                        const int64_t *extents, const int64_t *strides, const char *file, int32_t line);
NPCC_EXPORT void npcc_rt_debug_write_all(const void *address, int64_t element_bytes, int64_t rank,
                                         const int64_t *extents, const int64_t *strides, const char *file,
                                         int32_t line);

NPCC_END_C
#endif
