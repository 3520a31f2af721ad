#include <cstdint>
#include <cuda_fp16.h>

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
