// QR factors of stacks of matrices up to 32 by 32 (Reflectors.cuh), each by as many lanes of a warp as it has columns,
// rounded up to a power of two. Compiled offline to reflectors.ptx (make-kernels.sh).
#include "ReflectorParams.h"
#include "Reflectors.cuh"

extern __shared__ __align__(16) char sharedMemory[];

/// A matrix of the stack on its way into shared memory and back.
template <typename T> struct Stacked {
  const ReflectorParams &p;
  const int64_t number;
  const bool isMatrix;
  Reflectors<T> inside;

  __device__ Stacked(const ReflectorParams &p, int64_t first)
      : p(p), number(first + threadIdx.x / p.lanes), isMatrix(number < p.count),
        inside(p.rows, p.lanes, reinterpret_cast<T *>(sharedMemory + threadIdx.x / p.lanes * p.sharedBytes),
               isMatrix ? static_cast<T *>(p.factors) + number * p.reflections : nullptr) {}
  __device__ T *matrix() const { return static_cast<T *>(p.matrices) + number * p.rows * p.columns; }

  __device__ void load(int count) {
    for (int k = inside.lane; isMatrix && k < p.rows * count; k += p.lanes)
      inside.at(k % p.rows, k / p.rows) = matrix()[k];
    __syncwarp();
  }
  __device__ void store(T *to, T *from, int count) {
    __syncwarp();
    for (int k = inside.lane; isMatrix && k < p.rows * count; k += p.lanes)
      to[k] = from[k / p.rows * inside.step + k % p.rows];
    __syncwarp();
  }
  __device__ void factorise() {
    load(p.columns);
    inside.factorise(p.columns, p.reflections);
    store(matrix(), inside.columns, p.columns);
  }
  __device__ void multiply() {
    load(p.reflections);
    T *products = inside.columns + p.reflections * inside.step;
    inside.multiply(products, p.productColumns, p.reflections);
    store(static_cast<T *>(p.products) + number * p.rows * p.productColumns, products, p.productColumns);
  }
};

template <typename T, typename Body> __device__ void forMatrices(const ReflectorParams &p, Body &&body) {
  int groups = 32 / p.lanes;
  for (int64_t first = int64_t(blockIdx.x) * groups; first < p.count; first += int64_t(gridDim.x) * groups) {
    Stacked<T> matrix(p, first);
    body(matrix);
  }
}
#define REFLECTORS(name, T)                                                                                            \
  extern "C" __global__ void __launch_bounds__(32) npcc_qr_raw_##name(ReflectorParams p) {                             \
    forMatrices<T>(p, [](Stacked<T> &matrix) { matrix.factorise(); });                                                 \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(32) npcc_qr_##name(ReflectorParams p) {                                 \
    forMatrices<T>(p, [](Stacked<T> &matrix) { matrix.multiply(); });                                                  \
  }
REFLECTORS(float32, float)
REFLECTORS(float64, double)
REFLECTORS(complex64, Complex<float>)
REFLECTORS(complex128, Complex<double>)
