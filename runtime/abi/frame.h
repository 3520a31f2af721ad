/* What generated code calls inside a frame, on the frame's device and stream: memory and failures. */
#ifndef NPCC_ABI_FRAME_H
#define NPCC_ABI_FRAME_H
#include "runtime/abi/export.h"

NPCC_BEGIN_C

NPCC_EXPORT void *npcc_rt_alloc(int64_t bytes);  /* a buffer with one reference; fails the frame with MemoryError */
NPCC_EXPORT void *npcc_rt_alloc_host(int64_t bytes);  /* the same in the memory of the host, whatever the frame's device */
/* The same with what an array of the frame's device holds. If the frame fails before the buffer is released, the array
 * gets what the buffer holds. */
NPCC_EXPORT void *npcc_rt_mirror(void *array, int64_t bytes);
NPCC_EXPORT NPCC_NORETURN void npcc_rt_fail(int32_t error, const char *message, const char *file, int32_t line);
/* RecursionError if the thread's stack is nearly used up. */
NPCC_EXPORT void npcc_rt_check_stack(const char *file, int32_t line);
/* Seconds of a clock of Python's module `time` ("time", "perf_counter", "monotonic", "process_time"), after the
 * device's work so far. */
NPCC_EXPORT double npcc_rt_clock(const char *kind);
/* IndexError in NumPy's words: "index 7 is out of bounds for axis 0 with size 5". */
NPCC_EXPORT NPCC_NORETURN void npcc_rt_fail_index(int64_t index, int64_t axis, int64_t size, const char *file,
                                                  int32_t line);
/* ValueError in NumPy's words: "operands could not be broadcast together with shapes (3,) (4,)". extents: ranks[0]
 * of the first, then ranks[1] of the second, ... */
NPCC_EXPORT NPCC_NORETURN void npcc_rt_fail_broadcast(int32_t operands, const int64_t *ranks, const int64_t *extents,
                                                      const char *file, int32_t line);
/* What an array is given by, which decides the words of a ValueError: "could not broadcast input array from shape
 * (3,) into shape (4,)", "non-broadcastable output operand with shape (4,) doesn't match the broadcast shape (3,)",
 * "shape mismatch: value array of shape (3,) could not be broadcast to indexing result of shape (4,)". */
enum { NPCC_STORE_ASSIGNMENT = 0, NPCC_STORE_OUTPUT = 1, NPCC_STORE_POSITIONS = 2 };
NPCC_EXPORT NPCC_NORETURN void npcc_rt_fail_broadcast_store(int32_t kind, int32_t from_rank, const int64_t *from,
                                                            int32_t to_rank, const int64_t *to, const char *file,
                                                            int32_t line);
/* `{0}`, `{1}`, ... of the format stand for the arguments. */
NPCC_EXPORT NPCC_NORETURN void npcc_rt_fail_format(int32_t error, const char *format, int32_t count,
                                                   const int64_t *args, const char *file, int32_t line);

/* Scalars between host code and the frame's device (a plain copy on the CPU). read waits for the stream. */
NPCC_EXPORT void npcc_rt_read(void *to, const void *from, int64_t bytes);
NPCC_EXPORT void npcc_rt_write(void *to, const void *from, int64_t bytes);

NPCC_END_C
#endif
