// Eigenvalues and eigenvectors of stacks of Hermitian matrices up to 32 by 32 (Hermitian.cuh): a block is a warp, which
// has one matrix or several at a time. Compiled offline to hermitian.ptx (make-kernels.sh).
#include "ErrorRecord.cuh"
#include "Hermitian.cuh"

extern __shared__ __align__(16) char sharedMemory[];

template <typename T> __device__ void findSpectra(const HermitianParams &p, int64_t first) {
  int team = threadIdx.x / p.lanes;
  Hermitian<T> matrix(p, first + team, sharedMemory + team * p.sharedBytes);
  matrix.run();
  if (matrix.hasNone && matrix.lane == 0)
    recordFailure(p.failure, matrix.number);
}

// `blocks` is how many a multiprocessor should have at a time: more would leave a thread too few registers for its row.
#define HERMITIAN(name, T, blocks)                                                                                     \
  extern "C" __global__ void __launch_bounds__(32, blocks) npcc_hermitian_##name(HermitianParams p) {                  \
    int groups = 32 / p.lanes;                                                                                         \
    for (int64_t first = int64_t(blockIdx.x) * groups; first < p.count; first += int64_t(gridDim.x) * groups)          \
      findSpectra<T>(p, first);                                                                                        \
  }
HERMITIAN(float32, float, 1)
HERMITIAN(float64, double, 16)
HERMITIAN(complex64, Complex<float>, 16)
HERMITIAN(complex128, Complex<double>, 12)
