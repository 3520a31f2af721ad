// Products of stacks of small matrices. Compiled offline to stack.ptx (make-kernels.sh).
//
// A thread for each element of the result: threads beside each other share rows of A and columns of B, which the cache has, and write what lies side by side. A
// library has a block for each product, most of whose threads have nothing to do.
#include "MatmulNumbers.cuh"
#include "StackParams.h"

template <typename Kind, typename Index> __device__ void multiplyStack(const StackParams &p) {
  using T = typename Kind::Element;
  Index size = Index(p.m) * Index(p.n), all = Index(p.count) * size, step = Index(gridDim.x) * blockDim.x;
  for (Index element = Index(blockIdx.x) * blockDim.x + threadIdx.x; element < all; element += step) {
    Index matrix = element / size, place = element - matrix * size, row = place / Index(p.n), column = place - row * Index(p.n);
    const T *a = static_cast<const T *>(p.a.data) + int64_t(matrix) * p.a.matrix + int64_t(row) * p.a.row;
    const T *b = static_cast<const T *>(p.b.data) + int64_t(matrix) * p.b.matrix + int64_t(column) * p.b.column;
    typename Kind::Sum sum = Kind::zero();
#pragma unroll 4
    for (int k = 0; k < p.k; ++k) {
      Kind::add(sum, Kind::load(*a), Kind::load(*b));
      a += p.a.column;
      b += p.b.row;
    }
    static_cast<T *>(p.c.data)[int64_t(matrix) * p.c.matrix + int64_t(row) * p.c.row + int64_t(column) * p.c.column] = Kind::store(sum);
  }
}

// Elements are counted in 32 bits where that is enough: divisions of 64 bits take several times as long.
#define STACK(name, Kind)                                                                                              \
  extern "C" __global__ void __launch_bounds__(256) npcc_stack_##name##_i32(StackParams p) { multiplyStack<Kind, uint32_t>(p); } \
  extern "C" __global__ void __launch_bounds__(256) npcc_stack_##name##_i64(StackParams p) { multiplyStack<Kind, uint64_t>(p); }
using Float32 = Number<float, float>;
using Float64 = Number<double, double>;
STACK(float32, Float32)
STACK(float64, Float64)
STACK(complex64, Complex<float>)
STACK(complex128, Complex<double>)
