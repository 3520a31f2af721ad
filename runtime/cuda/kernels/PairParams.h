#ifndef NPCC_RUNTIME_CUDA_KERNELS_PAIR_PARAMS_H
#define NPCC_RUNTIME_CUDA_KERNELS_PAIR_PARAMS_H
#include <cstdint>

// What the kernels of pairs.cu take: of each matrix of a stack n eigenvalues, complex, and n columns of n real numbers.
struct PairParams {
  const void *values;  // those that are not real come in pairs of conjugate ones
  const void *columns; // of a pair the real and the imaginary part of the first one's eigenvector
  void *vectors;       // complex
  int64_t count, n;
};

constexpr int threadsOfColumn = 128;

#endif
