#ifndef NPCC_RUNTIME_CUDA_KERNELS_SMALL_PARAMS_H
#define NPCC_RUNTIME_CUDA_KERNELS_SMALL_PARAMS_H
#include "ErrorParams.h"

// What the kernels of small.cu take: stacks of column-major matrices.
struct SmallParams {
  void *matrices, *sides, *parities;
  int64_t count;
  int64_t columns; // of each right side
  int32_t n;
  int32_t hasRoom; // shared memory has room for right sides beside each matrix
  int32_t isOfRows; // the matrices are row-major
  int32_t lanes;   // threads for each matrix: a power of two, at least n
  FailureParams failure;
};

// What npcc_small_report takes: what a library has said of each matrix, 0 if that has a result.
struct ReportParams {
  const int32_t *infos;
  int64_t count;
  ErrorParams error;
};

constexpr int largestSmall = 32, smallThreads = 64;

#endif
