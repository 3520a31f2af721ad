#ifndef NPCC_RUNTIME_CUDA_KERNELS_TRIANGLE_PARAMS_H
#define NPCC_RUNTIME_CUDA_KERNELS_TRIANGLE_PARAMS_H
#include <cstdint>

// What the kernels of triangle.cu take: column-major n x n matrices, and the bits of TriangleParts that are found in any of them (none before).
struct TriangleParams {
  const void *matrices;
  int64_t n, count;
  uint32_t *found;
};

// What a matrix has: elements other than zero above and below its diagonal, zeros on it.
enum TriangleParts : uint32_t { aboveDiagonal = 1, belowDiagonal = 2, zeroOnDiagonal = 4 };

#endif
