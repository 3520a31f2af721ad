// Matrices with elements that are not finite, of which a library says something else than LAPACK. Compiled offline to
// finite.ptx (make-kernels.sh).
#include "FiniteParams.h"

// Blocks go through the parts of all matrices. `components` numbers of an element: one, or the real and the imaginary
// part.
template <typename T, int components> __device__ void findParts(const FiniteParams &p) {
  __shared__ int32_t notFinite, nans, stopping;
  for (int64_t at = blockIdx.x; at < p.count * p.parts; at += gridDim.x) {
    if (threadIdx.x == 0)
      notFinite = nans = stopping = 0;
    __syncthreads();
    int64_t matrix = at / p.parts, elements = p.n * p.n;
    const T *numbers = static_cast<const T *>(p.matrices) + components * matrix * elements;
    for (int64_t k = (at % p.parts) * blockDim.x + threadIdx.x; k < elements; k += int64_t(p.parts) * blockDim.x) {
      int64_t column = k / p.n, row = k % p.n;
      bool isRead = p.triangle == allOfMatrix || (p.triangle == lowerOfMatrix ? row >= column : row <= column);
      T first = numbers[components * k], second = numbers[components * k + components - 1];
      // x - x is 0 of finite numbers alone.
      if (!isRead || (first - first) + (second - second) == 0)
        continue;
      notFinite = foundNotFinite;
      // The first column that is made zero begins with two elements: what is infinite in the corner spreads to no other
      // element, and neither does it beside the corner, where no complex number is turned to a real one. Of the upper
      // triangle it is the last column.
      int64_t beside = components == 1;
      bool isFirst =
          p.triangle == upperOfMatrix ? column + 1 == p.n && row + 1 + beside >= p.n : column == 0 && row <= beside;
      if (first != first || second != second)
        nans = foundNan;
      else if (!isFirst)
        stopping = foundStopping;
    }
    __syncthreads();
    if (threadIdx.x == 0)
      p.found[at] = notFinite | nans | stopping;
    __syncthreads();
  }
}

extern "C" __global__ void npcc_finite_float32(FiniteParams p) { findParts<float, 1>(p); }
extern "C" __global__ void npcc_finite_float64(FiniteParams p) { findParts<double, 1>(p); }
extern "C" __global__ void npcc_finite_complex64(FiniteParams p) { findParts<float, 2>(p); }
extern "C" __global__ void npcc_finite_complex128(FiniteParams p) { findParts<double, 2>(p); }

// A block for one matrix after the other.
template <typename T> __device__ void settle(const SettleParams &p) {
  for (int64_t matrix = blockIdx.x; matrix < p.count; matrix += gridDim.x) {
    int32_t found = 0;
    for (int32_t part = 0; part < p.parts; ++part)
      found |= p.found[matrix * p.parts + part];
    bool hasNone = p.mayHaveNone && (found & (foundNan | foundStopping));
    int32_t info = p.infos[matrix];
    __syncthreads(); // all have read it
    if (!found)
      continue;
    if (threadIdx.x == 0)
      p.infos[matrix] = hasNone;
    for (int result = 0; result < 2; ++result)
      if (!hasNone && (info || (p.spreadsNan && (found & foundNan))) && p.results[result])
        for (int64_t k = threadIdx.x; k < p.numbers[result]; k += blockDim.x)
          static_cast<T *>(p.results[result])[matrix * p.numbers[result] + k] = T(nan(""));
  }
}

extern "C" __global__ void npcc_settle_float32(SettleParams p) { settle<float>(p); }
extern "C" __global__ void npcc_settle_float64(SettleParams p) { settle<double>(p); }
