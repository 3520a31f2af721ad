// Matrix products of what cuBLAS does not know, and of everything where there is no cuBLAS. Compiled offline to matmul.ptx,
// as copy.cu is.
#include <cstdint>
#include <cuda_fp16.h>

// A mirror of the struct in Kernels.h.
struct MatmulParams {
  const void *a, *b;
  void *c;
  int64_t m, n, k;
  int64_t aRow, aColumn, bRow, bColumn, cRow, cColumn;
};

// How an element enters and leaves the sum: as cpu/Matmul.cpp has it.
template <typename T, typename S>
struct Number {
  using Element = T;
  using Sum = S;
  static __device__ Sum zero() { return 0; }
  static __device__ Sum load(T value) { return Sum(value); }
  static __device__ T store(Sum sum) { return T(sum); }
  static __device__ void add(Sum &sum, Sum x, Sum y) { sum += x * y; }
};
struct Bool : Number<uint8_t, uint32_t> {
  static __device__ Sum load(uint8_t value) { return value != 0; }
  static __device__ void add(Sum &sum, Sum x, Sum y) { sum |= x & y; }
};
// Narrow floats, summed in float.
struct Half {
  using Element = __half;
  using Sum = float;
  static __device__ Sum zero() { return 0; }
  static __device__ Sum load(__half value) { return __half2float(value); }
  static __device__ __half store(Sum sum) { return __float2half_rn(sum); }
  static __device__ void add(Sum &sum, Sum x, Sum y) { sum += x * y; }
};
struct Bfloat {
  using Element = uint16_t;
  using Sum = float;
  static __device__ Sum zero() { return 0; }
  static __device__ Sum load(uint16_t value) { return __uint_as_float(uint32_t(value) << 16); }
  static __device__ uint16_t store(Sum sum) {
    uint32_t bits = __float_as_uint(sum);
    return uint16_t(sum != sum ? (bits >> 16 & 0x8000) | 0x7fc0 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  static __device__ void add(Sum &sum, Sum x, Sum y) { sum += x * y; }
};
// The same with the sums themselves as the result.
template <typename Kind>
struct Widening : Kind {
  static __device__ float store(float sum) { return sum; }
};
template <typename R>
struct Complex {
  struct Element {
    R re, im;
  };
  using Sum = Element;
  static __device__ Sum zero() { return {0, 0}; }
  static __device__ Sum load(Element value) { return value; }
  static __device__ Element store(Sum sum) { return sum; }
  static __device__ void add(Sum &sum, Sum x, Sum y) {
    sum = {sum.re + (x.re * y.re - x.im * y.im), sum.im + (x.re * y.im + x.im * y.re)};
  }
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
