// Matrix products of what cuBLAS does not know, and of everything where there is no cuBLAS. Compiled offline to matmul.ptx,
// as copy.cu is.
#include "MatmulNumbers.cuh"

// A mirror of the struct in Kernels.h.
struct MatmulParams {
  const void *a, *b;
  void *c;
  int64_t m, n, k;
  int64_t aRow, aColumn, bRow, bColumn, cRow, cColumn;
};

// 16 x 16 tiles; every sum runs over k in order.
template <typename Kind>
__device__ void multiply(const MatmulParams &p) {
  using T = typename Kind::Element;
  using Sum = typename Kind::Sum;
  __shared__ Sum aTile[16][16], bTile[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  int64_t tileColumns = (p.n + 15) / 16, tiles = tileColumns * ((p.m + 15) / 16);
  for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    int64_t row = tile / tileColumns * 16 + y, column = tile % tileColumns * 16 + x;
    Sum sum = Kind::zero();
    for (int64_t start = 0; start < p.k; start += 16) {
      int64_t ka = start + x, kb = start + y;
      aTile[y][x] = row < p.m && ka < p.k
                        ? Kind::load(static_cast<const T *>(p.a)[row * p.aRow + ka * p.aColumn]) : Kind::zero();
      bTile[y][x] = column < p.n && kb < p.k
                        ? Kind::load(static_cast<const T *>(p.b)[kb * p.bRow + column * p.bColumn]) : Kind::zero();
      __syncthreads();
      int64_t left = p.k - start;
      // Not past k: zeros would turn an infinity into NaN, and -0 into 0.
#pragma unroll 4
      for (int i = 0; i < (left < 16 ? left : 16); ++i)
        Kind::add(sum, aTile[y][i], bTile[i][x]);
      __syncthreads();
    }
    if (row < p.m && column < p.n)
      static_cast<decltype(Kind::store(sum)) *>(p.c)[row * p.cRow + column * p.cColumn] = Kind::store(sum);
  }
}

#define MATMUL(name, ...)                                                                                              \
  extern "C" __global__ void __launch_bounds__(256) npcc_matmul_##name(MatmulParams p) { multiply<__VA_ARGS__>(p); }
MATMUL(bool, Bool)
MATMUL(int8, Number<uint8_t, uint32_t>)
MATMUL(int16, Number<uint16_t, uint32_t>)
MATMUL(int32, Number<uint32_t, uint32_t>)
MATMUL(int64, Number<uint64_t, uint64_t>)
MATMUL(float16, Half)
MATMUL(bfloat16, Bfloat)
MATMUL(float16_float32, Widening<Half>)
MATMUL(bfloat16_float32, Widening<Bfloat>)
MATMUL(float32, Number<float, float>)
MATMUL(float64, Number<double, double>)
MATMUL(complex64, Complex<float>)
MATMUL(complex128, Complex<double>)
