// Eigenvectors of real matrices as complex ones: a library gives two real columns for a pair of conjugate eigenvalues.
// Compiled offline to pairs.ptx (make-kernels.sh).
#include "PairParams.h"

template <typename Real> struct Pair {
  Real re, im;
};

// A block for one column after the other.
template <typename Real> __device__ void joinPairs(const PairParams &p) {
  for (int64_t at = blockIdx.x; at < p.count * p.n; at += gridDim.x) {
    int64_t number = at % p.n, first = at - number;
    auto *values = static_cast<const Pair<Real> *>(p.values) + first;
    auto *column = static_cast<const Real *>(p.columns) + at * p.n;
    auto *vector = static_cast<Pair<Real> *>(p.vectors) + at * p.n;
    bool isPaired = values[number].im != 0, isSecond = false;
    // It is the first of its pair or the second, as an even or an odd number of those before it are not real.
    for (int64_t k = 0; isPaired && k < number; k += blockDim.x)
      isSecond ^= __syncthreads_count(k + threadIdx.x < number && values[k + threadIdx.x].im != 0) & 1;
    isPaired &= isSecond || number + 1 < p.n;
    const Real *real = isSecond ? column - p.n : column, *imaginary = isSecond ? column : column + p.n;
    Real sign = isSecond ? -1 : 1;
    for (int64_t row = threadIdx.x; row < p.n; row += blockDim.x)
      vector[row] = {real[row], isPaired ? sign * imaginary[row] : Real(0)};
  }
}

extern "C" __global__ void npcc_pairs_float32(PairParams p) { joinPairs<float>(p); }
extern "C" __global__ void npcc_pairs_float64(PairParams p) { joinPairs<double>(p); }
