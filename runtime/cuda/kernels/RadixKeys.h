// Elements as unsigned integers whose order is NumPy's, and back. The mirror of radix.cu for tests includes this too.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_RADIX_KEYS_H
#define NPCC_RUNTIME_CUDA_KERNELS_RADIX_KEYS_H
#include "RadixParams.h"
#ifndef __CUDACC__
#define __device__ static inline
#endif

// The element's bits, in the lowest ones.
__device__ uint64_t bitsAt(const void *in, int64_t at, int bytes) {
  switch (bytes) {
  case 1:
    return static_cast<const uint8_t *>(in)[at];
  case 2:
    return static_cast<const uint16_t *>(in)[at];
  case 4:
    return static_cast<const uint32_t *>(in)[at];
  default:
    return static_cast<const uint64_t *>(in)[at];
  }
}
__device__ void setBits(void *out, int64_t at, int bytes, uint64_t value) {
  switch (bytes) {
  case 1:
    static_cast<uint8_t *>(out)[at] = uint8_t(value);
    break;
  case 2:
    static_cast<uint16_t *>(out)[at] = uint16_t(value);
    break;
  case 4:
    static_cast<uint32_t *>(out)[at] = uint32_t(value);
    break;
  default:
    static_cast<uint64_t *>(out)[at] = value;
  }
}

__device__ uint64_t lowest(int bits) { return bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }
// The bits of infinity among `bits` bits of a float.
__device__ uint64_t infinityOf(int bits) {
  return bits == 16 ? 0x7c00 : bits == 32 ? 0x7f800000 : uint64_t(0x7ff) << 52;
}

// All NaN are one key, the last.
__device__ uint64_t floatKey(uint64_t value, int bits, bool isExact) {
  uint64_t sign = uint64_t(1) << (bits - 1), size = value & ~sign;
  if (size > infinityOf(bits))
    return lowest(bits);
  if (size == 0 && !isExact)
    value = 0;
  return value & sign ? ~value & lowest(bits) : value | sign;
}
__device__ uint64_t floatOf(uint64_t key, int bits) {
  uint64_t sign = uint64_t(1) << (bits - 1);
  if (key == lowest(bits))
    return infinityOf(bits) | infinityOf(bits) >> 1;
  return key & sign ? key & ~sign : ~key & lowest(bits);
}

// Whether sorted bits of floats are those of NaN: with the sign they come before all numbers.
__device__ bool isNanAt(const void *in, int64_t at, int bytes) {
  uint64_t sign = uint64_t(1) << (8 * bytes - 1);
  return (bitsAt(in, at, bytes) & ~sign) > infinityOf(8 * bytes);
}
// How many NaN are before the numbers, of `count` sorted floats.
__device__ int64_t nansBefore(const void *in, int64_t count, int bytes) {
  int64_t low = 0, high = count;
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (isNanAt(in, middle, bytes) && bitsAt(in, middle, bytes) >> (8 * bytes - 1))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// npcc_dtype: bool, int8 to int64, uint8 to uint64, float16 to float64, complex64, complex128.
__device__ int bytesOfKey(int dtype) {
  switch (dtype) {
  case 0:
  case 1:
  case 5:
    return 1;
  case 2:
  case 6:
  case 9:
    return 2;
  case 3:
  case 7:
  case 10:
  case 12:
    return 4;
  default:
    return 8;
  }
}
__device__ bool isSignedInteger(int dtype) { return dtype >= 1 && dtype <= 4; }
__device__ bool isFloat(int dtype) { return dtype >= 9; }

__device__ uint64_t elementKey(const void *in, int64_t at, int dtype, bool isExact) {
  int bits = 8 * bytesOfKey(dtype);
  uint64_t value = bitsAt(in, at, bits / 8);
  return isFloat(dtype)           ? floatKey(value, bits, isExact)
         : isSignedInteger(dtype) ? value ^ uint64_t(1) << (bits - 1)
                                  : value;
}
__device__ uint64_t elementOfKey(uint64_t key, int dtype) {
  int bits = 8 * bytesOfKey(dtype);
  return isFloat(dtype) ? floatOf(key, bits) : isSignedInteger(dtype) ? key ^ uint64_t(1) << (bits - 1) : key;
}

__device__ uint64_t radixKey(const RadixParams &p, int64_t at) {
  int bits = 8 * bytesOfKey(p.dtype);
  switch (p.part) {
  case imaginaryPart:
    return floatKey(bitsAt(p.in, 2 * at + 1, bits / 8), bits, false);
  case realPart:
    return floatKey(bitsAt(p.in, 2 * at, bits / 8), bits, false);
  case whichAreNan:
    return 2 * (floatKey(bitsAt(p.in, 2 * at, bits / 8), bits, false) == lowest(bits)) +
           (floatKey(bitsAt(p.in, 2 * at + 1, bits / 8), bits, false) == lowest(bits));
  case numberOfLine:
    return uint64_t(at / p.length);
  default: {
    uint64_t key = elementKey(p.in, at, p.dtype, p.isExact);
    return p.lines == 1 || p.elementBits == 64 ? key : key | uint64_t(at / p.length) << p.elementBits;
  }
  }
}

#endif
