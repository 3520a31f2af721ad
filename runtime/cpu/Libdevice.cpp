// What threads on the CPU compute in the place of libdevice's functions (npcc.cuda.libdevice): `npcc_rt_nv_NAME` for
// each row of Libdevice.def.
#include "runtime/abi/export.h"
#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numbers>

namespace {

/// The value, which is not known before.
template <typename Value> Value opaque(Value value) {
  volatile Value held = value;
  return held;
}

/// `function` of the values with a direction of rounding. What is opaque is not computed before the direction is set,
/// nor after it is set back.
template <int direction, typename Function, typename... Values> auto rounded(Function function, Values... values) {
  int before = std::fegetround();
  std::fesetround(direction);
  auto result = opaque(function(opaque(values)...));
  std::fesetround(before);
  return result;
}

/// As cvt does it on a GPU: what is too large for the type is its nearest number. NaN is the highest bit alone, but 0
/// where both have 32 bits.
template <int direction, typename Integer, typename Float> Integer toInteger(Integer, Float value) {
  Float whole = direction == FE_DOWNWARD     ? std::floor(value)
                : direction == FE_UPWARD     ? std::ceil(value)
                : direction == FE_TOWARDZERO ? std::trunc(value)
                                             : std::nearbyint(value);
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(whole))
    return sizeof(Float) == 4 && sizeof(Integer) == 4 ? 0 : Integer(uint64_t(1) << (8 * sizeof(Integer) - 1));
  if (whole >= std::ldexp(Float(1), Limits::digits))
    return Limits::max();
  return whole < Float(Limits::min()) ? Limits::min() : Integer(whole);
}

/// Of x half turns, which have no error, at multiples of a quarter turn above all.
template <typename Float> Float sinPi(Float x) {
  Float rest = std::remainder(x, Float(2)); // -1 to 1
  if (std::fabs(rest) > Float(0.5))
    rest = std::copysign(1 - std::fabs(rest), rest);
  return rest == 0 ? std::copysign(Float(0), x) : Float(std::sin(std::numbers::pi * double(rest)));
}
template <typename Float> Float cosPi(Float x) {
  Float rest = std::fabs(std::remainder(x, Float(2))); // 0 to 1
  return Float(std::sin(std::numbers::pi * (0.5 - double(rest))));
}

double exp10Of(double x) { return std::pow(10.0, x); }
float exp10Of(float x) { return float(std::pow(10.0, double(x))); }

template <int order, typename Float> Float besselJ(Float x) { return Float(order ? ::j1(x) : ::j0(x)); }
template <int order, typename Float> Float besselY(Float x) { return Float(order ? ::y1(x) : ::y0(x)); }

template <typename Float> Float logGamma(Float x) {
  int sign; // std::lgamma keeps it in a variable that all threads share
  return Float(::lgamma_r(x, &sign));
}

/// exp(x^2) erfc(x). The square's own rounding error is put back into the exponential; where erfc has no numbers left,
/// the asymptotic series.
double scaledErfcOf(double x) {
  if (x < 25) {
    double square = x * x, rest = std::fma(x, x, -square);
    double grown = std::exp(square);
    return std::isinf(grown) ? grown : grown * (1 + rest) * std::erfc(x);
  }
  double inverse = 1 / (2 * x * x), series = 1;
  for (int k = 9; k >= 1; k -= 2)
    series = 1 - k * inverse * series;
  return series / (x * std::sqrt(std::numbers::pi));
}
template <typename Float> Float scaledErfc(Float x) { return Float(scaledErfcOf(x)); }

/// The x whose erfc is y, by Halley's steps from Winitzki's approximation (S. Winitzki, "A handy approximation for the
/// error function and its inverse", 2008).
double inverseErfcOf(double y) {
  if (std::isnan(y) || y < 0 || y > 2)
    return std::numeric_limits<double>::quiet_NaN();
  if (y == 0 || y == 2)
    return y == 0 ? HUGE_VAL : -HUGE_VAL;
  if (y > 1)
    return -inverseErfcOf(2 - y);
  constexpr double a = 0.147;
  double log = std::log(y) + std::log(2 - y), half = 2 / (std::numbers::pi * a) + log / 2;
  double x = std::sqrt(std::max(std::sqrt(half * half - log / a) - half, 0.0));
  for (int step = 0; step < 4; ++step) {
    // erfc(x) - y over the derivative, both times exp(x^2), so that small y keep their digits.
    double slope = -2 / std::sqrt(std::numbers::pi), error = (scaledErfcOf(x) - std::exp(x * x + std::log(y))) / slope;
    x -= error / (1 + error * x);
  }
  return x;
}
double inverseErfOf(double y) {
  if (std::fabs(y) > 0.5 || std::isnan(y))
    return std::copysign(inverseErfcOf(1 - std::fabs(y)), y);
  double x = y * std::sqrt(std::numbers::pi) / 2;
  for (int step = 0; step < 4; ++step) {
    double error = (std::erf(x) - y) * std::sqrt(std::numbers::pi) / 2 * std::exp(x * x);
    x -= error / (1 + error * x);
  }
  return x;
}
template <typename Float> Float inverseErfc(Float y) { return Float(inverseErfcOf(y)); }
template <typename Float> Float inverseErf(Float y) { return Float(inverseErfOf(y)); }
template <typename Float> Float normalCdf(Float x) { return Float(std::erfc(-double(x) / std::numbers::sqrt2) / 2); }
template <typename Float> Float inverseNormalCdf(Float y) {
  return Float(-std::numbers::sqrt2 * inverseErfcOf(2 * double(y)));
}

template <typename Bits> Bits reverseBits(Bits bits) {
  Bits reversed = 0;
  for (int place = 0; place < std::numeric_limits<Bits>::digits; ++place)
    reversed = reversed << 1 | (bits >> place & 1);
  return reversed;
}

/// Four of the eight bytes of a and b, as the lowest three bits of each of four hexadecimal digits of the selector say.
int32_t permuteBytes(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t chosen = 0;
  for (int place = 0; place < 4; ++place)
    chosen |= uint32_t(bytes >> 8 * (selector >> 4 * place & 7) & 0xFF) << 8 * place;
  return int32_t(chosen);
}

} // namespace

#define NV(name, result, parameters, ...)                                                                              \
  extern "C" NPCC_EXPORT result npcc_rt_nv_##name parameters { __VA_ARGS__ }
#include "runtime/Libdevice.def"
