/* What libraries and the runtime do with whole arrays, inside a frame. */
#ifndef NPCC_ABI_ROUTINES_H
#define NPCC_ABI_ROUTINES_H
#include "runtime/abi/arrays.h"

NPCC_BEGIN_C

/* A routine of a library (runtime/Routines.h names them) on arrays of the frame's device; the first `inputs` of the
 * `count` operands are only read. Of each operand data, dtype, rank, shape and strides count. Returns the number,
 * from 1, of the first matrix for which there is no result; 0 if there is none. */
NPCC_EXPORT int64_t npcc_rt_routine(const char *name, int32_t inputs, int32_t count, const npcc_array *operands);
/* The same for a program that raises an error where a matrix has no result, and of which nobody sees until then what
 * it does behind: on a GPU the error goes to the record that kernels leave errors in, and the host does not wait. */
NPCC_EXPORT void npcc_rt_routine_or_error(const char *name, int32_t inputs, int32_t count, const npcc_array *operands,
                                          int32_t error, const char *message, const char *file, int32_t line);

/* numpy.reshape: fills base, data and strides of `to` (dtype, rank and shape are given): a view of `from` with one
 * more reference if its strides allow, a new buffer otherwise. flags: NPCC_RESHAPE_RAVEL, a view only of what is
 * C-contiguous; NPCC_RESHAPE_TRANSPOSED, `from` is, but NumPy's array has the axes in reverse in memory, and the result
 * is a view only where NumPy's is one. */
enum { NPCC_RESHAPE_RAVEL = 1, NPCC_RESHAPE_TRANSPOSED = 2 };
NPCC_EXPORT void npcc_rt_reshape(const npcc_array *from, npcc_array *to, int32_t flags);

/* The elements of contiguous lines, or (positions) where in their line they stood (int64, stable), in NumPy's order:
 * NaN last. bound: all elements are integers from 0 to below it; 0: not known. */
NPCC_EXPORT void npcc_rt_sort(int32_t dtype, int32_t positions, int64_t lines, int64_t length, int64_t bound,
                              const void *in, void *out);

NPCC_END_C
#endif
