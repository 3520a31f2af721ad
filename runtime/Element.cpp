#include "runtime/Element.h"
#include <bit>
#include <cmath>
#include <cstring>

namespace npcc::rt {

uint16_t halfFromDouble(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  uint16_t sign = static_cast<uint16_t>((bits >> 48) & 0x8000);
  double magnitude = std::fabs(value);
  if (std::isnan(value))
    return sign | 0x7e00;
  if (magnitude >= 65520) // halfway between the largest finite value and the next power of two
    return sign | 0x7c00;
  if (magnitude < std::ldexp(1.0, -14)) // subnormal: a multiple of 2^-24; nearbyint rounds to even
    return sign | static_cast<uint16_t>(std::nearbyint(std::ldexp(magnitude, 24)));
  int exponent;
  double fraction = std::frexp(magnitude, &exponent); // [0.5, 1)
  // Adding, not or-ing: a fraction that rounds up to 2 carries into the exponent, which is right.
  uint32_t mantissa = static_cast<uint32_t>(std::nearbyint(std::ldexp(fraction, 11))) - 1024;
  return sign | static_cast<uint16_t>((static_cast<uint32_t>(exponent + 14) << 10) + mantissa);
}

uint16_t bfloatFromFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return static_cast<uint16_t>((bits >> 16 & 0x8000) | 0x7fc0);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16); // a carry into the exponent is right
}

float bfloatToFloat(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

double halfToDouble(uint16_t bits) {
  double sign = bits & 0x8000 ? -1.0 : 1.0;
  int exponent = (bits >> 10) & 31;
  int mantissa = bits & 1023;
  if (exponent == 31)
    return mantissa ? std::copysign(std::nan(""), sign) : sign * HUGE_VAL;
  if (exponent == 0)
    return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(mantissa + 1024, exponent - 25);
}

template <typename T>
static void put(void *to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

template <typename T>
static T get(const void *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

void storeScalar(void *to, int32_t dtype, const npcc_value &value) {
  switch (dtype) {
  case NPCC_BOOL: put<uint8_t>(to, value.i != 0); break;
  case NPCC_INT8: put<int8_t>(to, static_cast<int8_t>(value.i)); break;
  case NPCC_INT16: put<int16_t>(to, static_cast<int16_t>(value.i)); break;
  case NPCC_INT32: put<int32_t>(to, static_cast<int32_t>(value.i)); break;
  case NPCC_INT64: put<int64_t>(to, value.i); break;
  case NPCC_UINT8: put<uint8_t>(to, static_cast<uint8_t>(value.u)); break;
  case NPCC_UINT16: put<uint16_t>(to, static_cast<uint16_t>(value.u)); break;
  case NPCC_UINT32: put<uint32_t>(to, static_cast<uint32_t>(value.u)); break;
  case NPCC_UINT64: put<uint64_t>(to, value.u); break;
  case NPCC_FLOAT16: put<uint16_t>(to, halfFromDouble(value.f)); break;
  case NPCC_FLOAT32: put<float>(to, static_cast<float>(value.f)); break;
  case NPCC_FLOAT64: put<double>(to, value.f); break;
  case NPCC_COMPLEX64:
    put<float>(to, static_cast<float>(value.c.re));
    put<float>(static_cast<char *>(to) + 4, static_cast<float>(value.c.im));
    break;
  case NPCC_COMPLEX128: put<npcc_complex>(to, value.c); break;
  case NPCC_BFLOAT16: put<uint16_t>(to, bfloatFromFloat(static_cast<float>(value.f))); break;
  }
}

npcc_value loadScalar(const void *from, int32_t dtype) {
  npcc_value value;
  value.c = {0, 0};
  switch (dtype) {
  case NPCC_BOOL: value.i = get<uint8_t>(from) != 0; break;
  case NPCC_INT8: value.i = get<int8_t>(from); break;
  case NPCC_INT16: value.i = get<int16_t>(from); break;
  case NPCC_INT32: value.i = get<int32_t>(from); break;
  case NPCC_INT64: value.i = get<int64_t>(from); break;
  case NPCC_UINT8: value.u = get<uint8_t>(from); break;
  case NPCC_UINT16: value.u = get<uint16_t>(from); break;
  case NPCC_UINT32: value.u = get<uint32_t>(from); break;
  case NPCC_UINT64: value.u = get<uint64_t>(from); break;
  case NPCC_FLOAT16: value.f = halfToDouble(get<uint16_t>(from)); break;
  case NPCC_FLOAT32: value.f = get<float>(from); break;
  case NPCC_FLOAT64: value.f = get<double>(from); break;
  case NPCC_COMPLEX64: value.c = {get<float>(from), get<float>(static_cast<const char *>(from) + 4)}; break;
  case NPCC_COMPLEX128: value.c = get<npcc_complex>(from); break;
  case NPCC_BFLOAT16: value.f = bfloatToFloat(get<uint16_t>(from)); break;
  }
  return value;
}

} // namespace npcc::rt

using namespace npcc::rt;

int64_t npcc_rt_dtype_size(npcc_dtype dtype) { return isDtype(dtype) ? elementSize(dtype) : 0; }

const char *npcc_rt_dtype_name(npcc_dtype dtype) {
  static const char *const names[NPCC_DTYPE_COUNT] = {"bool",   "int8",    "int16",   "int32",   "int64",
                                                      "uint8",  "uint16",  "uint32",  "uint64",  "float16",
                                                      "float32", "float64", "complex64", "complex128", "bfloat16"};
  return isDtype(dtype) ? names[dtype] : "?";
}
