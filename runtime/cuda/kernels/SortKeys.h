// What sort.cu does with one element; its mirror for tests includes this too.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_SORT_KEYS_H
#define NPCC_RUNTIME_CUDA_KERNELS_SORT_KEYS_H
#include "SortParams.h"
#include <cmath>
#include <cstdint>
#include <cstring>
#ifndef __CUDACC__
#define __device__ static inline
#endif

__device__ uint64_t ordered(double value) {
  if (value != value)
    return ~uint64_t(0);
  if (value == 0)
    value = 0; // -0 and 0 are equal
  uint64_t bits;
  memcpy(&bits, &value, 8);
  return bits >> 63 ? ~bits : bits | uint64_t(1) << 63;
}
__device__ double half(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double size = exponent == 31 ? (fraction ? NAN : INFINITY) : exponent ? ldexp(1024.0 + fraction, exponent - 25) : ldexp(double(fraction), -24);
  return bits >> 15 ? -size : size;
}
__device__ uint64_t complexKey(double re, double im, int part) {
  return part == 0 ? ordered(im) : part == 1 ? ordered(re) : uint64_t(2 * (re != re) + (im != im));
}

__device__ uint64_t keyOf(const void *in, int64_t at, int dtype, int part) {
  const uint64_t sign = uint64_t(1) << 63;
  switch (dtype) {
  case 1: return uint64_t(int64_t(static_cast<const int8_t *>(in)[at])) ^ sign;
  case 2: return uint64_t(int64_t(static_cast<const int16_t *>(in)[at])) ^ sign;
  case 3: return uint64_t(int64_t(static_cast<const int32_t *>(in)[at])) ^ sign;
  case 4: return static_cast<const uint64_t *>(in)[at] ^ sign;
  case 0:
  case 5: return static_cast<const uint8_t *>(in)[at];
  case 6: return static_cast<const uint16_t *>(in)[at];
  case 7: return static_cast<const uint32_t *>(in)[at];
  case 8: return static_cast<const uint64_t *>(in)[at];
  case 9: return ordered(half(static_cast<const uint16_t *>(in)[at]));
  case 10: return ordered(static_cast<const float *>(in)[at]);
  case 11: return ordered(static_cast<const double *>(in)[at]);
  case 12: return complexKey(static_cast<const float *>(in)[2 * at], static_cast<const float *>(in)[2 * at + 1], part);
  default: return complexKey(static_cast<const double *>(in)[2 * at], static_cast<const double *>(in)[2 * at + 1], part);
  }
}

// Where element `at` of its run goes among the `count` elements of the other run; equal ones of the left run come first.
__device__ int64_t placeAmong(const uint64_t *other, int64_t count, uint64_t key, bool isLeft) {
  int64_t low = 0, high = count;
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (isLeft ? other[middle] < key : other[middle] <= key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

#endif
