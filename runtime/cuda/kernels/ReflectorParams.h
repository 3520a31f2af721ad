#ifndef NPCC_RUNTIME_CUDA_KERNELS_REFLECTOR_PARAMS_H
#define NPCC_RUNTIME_CUDA_KERNELS_REFLECTOR_PARAMS_H
#include <cstdint>

// What the kernels of reflectors.cu take: stacks of column-major matrices. A block is one warp.
struct ReflectorParams {
  void *matrices; // become R, and below it the vectors of the reflections
  void *factors;  // of the reflections, a vector for each matrix
  void *products; // the first columns of Q
  int64_t count;
  int32_t rows, columns;  // of each matrix
  int32_t reflections;    // min(rows, columns)
  int32_t productColumns; // of Q
  int32_t lanes; // threads for each matrix, one for each column: a power of two, so that a warp has 32 / lanes matrices
  int32_t sharedBytes; // for each matrix
};

constexpr int largestReflector = 32;

#endif
