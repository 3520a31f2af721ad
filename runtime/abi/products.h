/* Products of matrices, inside a frame. */
#ifndef NPCC_ABI_PRODUCTS_H
#define NPCC_ABI_PRODUCTS_H
#include "runtime/abi/export.h"

NPCC_BEGIN_C

/* C[m,n] = A[m,k] B[k,n]; row and column strides in elements, dtype FLOAT32/64, COMPLEX64/128 (cuBLAS, OpenBLAS; an
 * own loop where no BLAS is found, or where neither stride of an operand is 1) and every other dtype (own loop,
 * NumPy's accumulation type). `dtype` is that of A and B; `result_dtype`, that of C, is the same, or FLOAT32 where
 * `dtype` is FLOAT16 or BFLOAT16: products of these are summed in float32, and rounded once if C is narrow. */
typedef struct npcc_matrix { void *data; int64_t row_stride, column_stride; } npcc_matrix;
/* flags: products of FLOAT32 may round their operands to 11 bits (TF32), where the device has units for that. */
enum { NPCC_MATMUL_TF32 = 1 };
NPCC_EXPORT void npcc_rt_matmul(int32_t dtype, int32_t result_dtype, int32_t flags, int64_t m, int64_t n, int64_t k,
                                const npcc_matrix *a, const npcc_matrix *b, const npcc_matrix *c);

/* What is done to the elements of a product before they are stored: activation(alpha A B + beta addend + bias). Sums
 * of narrow floats are rounded behind it, or before and behind it where no library does both at once. The addend is
 * a matrix as large as C, the bias has an element for each column; a stride of 0 means the same element all along.
 * Both have the dtype of C. C shares no memory with them, but the addend may be C itself: the product is added to
 * it. What is NULL is left out. */
enum { NPCC_ACTIVATION_NONE = 0, NPCC_ACTIVATION_RELU = 1 };
typedef struct npcc_epilogue {
  double alpha, beta;
  npcc_matrix addend;
  void *bias;
  int64_t bias_stride;
  int32_t activation;
} npcc_epilogue;

/* npcc_rt_matmul with an epilogue, for C of FLOAT16, BFLOAT16, FLOAT32 or FLOAT64. Where cuBLASLt is found it does
 * both at once. */
NPCC_EXPORT void npcc_rt_matmul_epilogue(int32_t dtype, int32_t result_dtype, int32_t flags, int64_t m, int64_t n,
                                         int64_t k, const npcc_matrix *a, const npcc_matrix *b, const npcc_matrix *c,
                                         const npcc_epilogue *epilogue);

/* npcc_rt_matmul for each matrix of stacks with `rank` axes of these extents. `a`, `b` and `c` are the first
 * matrices; the strides say how far, in elements, the next ones along each axis are: 0 where it is the same matrix. */
NPCC_EXPORT void npcc_rt_matmul_stack(int32_t dtype, int32_t result_dtype, int32_t flags, int64_t m, int64_t n,
                                      int64_t k, int32_t rank, const int64_t *extents, const npcc_matrix *a,
                                      const int64_t *a_strides, const npcc_matrix *b, const int64_t *b_strides,
                                      const npcc_matrix *c, const int64_t *c_strides);

NPCC_END_C
#endif
