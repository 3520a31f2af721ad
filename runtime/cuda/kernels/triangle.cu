// Whether matrices are triangular. Compiled offline to triangle.ptx (make-kernels.sh).
#include "TriangleParams.h"

// A block goes down a column after the other. `components` numbers of an element: one, or the real and the imaginary part.
template <typename T, int components> __device__ void findParts(const TriangleParams &p) {
  for (int64_t k = blockIdx.x; k < p.count * p.n; k += gridDim.x) {
    uint32_t known = *static_cast<volatile uint32_t *>(p.found), found = 0;
    if ((known & aboveDiagonal && known & belowDiagonal) || known & zeroOnDiagonal)
      return; // not triangular, or not to be solved as it is
    const T *column = static_cast<const T *>(p.matrices) + components * k * p.n;
    int64_t diagonal = k % p.n;
#pragma unroll 4
    for (int64_t row = threadIdx.x; row < p.n; row += blockDim.x) {
      bool isZero = column[components * row] == 0 && column[components * row + components - 1] == 0;
      if (row == diagonal)
        found |= isZero ? zeroOnDiagonal : 0;
      else if (!isZero)
        found |= row < diagonal ? aboveDiagonal : belowDiagonal;
    }
    if (found & ~known)
      atomicOr(p.found, found);
  }
}

extern "C" __global__ void npcc_triangle_float32(TriangleParams p) { findParts<float, 1>(p); }
extern "C" __global__ void npcc_triangle_float64(TriangleParams p) { findParts<double, 1>(p); }
extern "C" __global__ void npcc_triangle_complex64(TriangleParams p) { findParts<float, 2>(p); }
extern "C" __global__ void npcc_triangle_complex128(TriangleParams p) { findParts<double, 2>(p); }
