#ifndef NPCC_RUNTIME_CUDA_KERNELS_FINITE_PARAMS_H
#define NPCC_RUNTIME_CUDA_KERNELS_FINITE_PARAMS_H
#include <cstdint>

// What the kernels of finite.cu take: column-major n x n matrices. A matrix is looked at in parts, and each part has an
// entry in `found`, of bits.
struct FiniteParams {
  const void *matrices;
  int64_t n, count;
  int32_t parts;    // of each matrix
  int32_t triangle; // MatrixPart
  int32_t *found;
};
enum MatrixPart : int32_t { allOfMatrix, lowerOfMatrix, upperOfMatrix };
// An element that is not finite; a NaN; an infinity where LAPACK's iterations for eigenvalues do not converge, if there
// is no NaN: a matrix of infinities is scaled by zero first, which leaves NaN where they were.
enum FoundInPart : int32_t { foundNotFinite = 1, foundNan = 2, foundStopping = 4 };

// What a library has said of each matrix (0: it has a result), which is made what LAPACK says of those with elements
// that are not finite: that all of their result is NaN, or, of eigenvalues, that they may have none. A solution is NaN
// wherever the matrix has one (`spreadsNan`): each row goes into all others.
struct SettleParams {
  const int32_t *found;
  int32_t *infos;
  int64_t count;
  int32_t parts;
  int32_t mayHaveNone, spreadsNan;
  void *results[2];   // null: none
  int64_t numbers[2]; // real ones of each matrix
};

#endif
