// The order of elements that sorting and selecting go by, and numbers that have it.
#ifndef NPCC_RUNTIME_CPU_SORTKEYS_H
#define NPCC_RUNTIME_CPU_SORTKEYS_H

#include "runtime/cpu/VectorSort.h"
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace npcc::rt {

struct Half {
  uint16_t bits;
  bool isNaN() const { return (bits & 0x7fff) > 0x7c00; }
  int32_t rank() const { return bits & 0x8000 ? -(bits & 0x7fff) : bits; }
};
template <typename T> struct Complex {
  T re, im;
};

template <typename T> bool isBefore(T a, T b) { return a < b; }
template <> inline bool isBefore(float a, float b) { return a < b || (std::isnan(b) && !std::isnan(a)); }
template <> inline bool isBefore(double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); }
template <> inline bool isBefore(Half a, Half b) { return !a.isNaN() && (b.isNaN() || a.rank() < b.rank()); }
/// Numbers, then those with NaN as imaginary part, then those with NaN as real part, then those with both.
template <typename T> bool isBefore(Complex<T> a, Complex<T> b) {
  int first = 2 * std::isnan(a.re) + std::isnan(a.im), second = 2 * std::isnan(b.re) + std::isnan(b.im);
  if (first != second)
    return first < second;
  return a.re < b.re || (!(b.re < a.re) && isBefore(a.im, b.im));
}

template <typename T> struct Keyed {
  T key;
  int64_t position;
};

template <typename T> struct Before {
  bool operator()(const T &a, const T &b) const { return isBefore(a, b); }
  bool operator()(const Keyed<T> &a, const Keyed<T> &b) const {
    return isBefore(a.key, b.key) || (!isBefore(b.key, a.key) && a.position < b.position);
  }
};

/// Floats other than NaN as integers in the order of the numbers, and back: the vectors' sort of floats fills its
/// registers with the greatest finite number, which would take the place of infinity.
template <typename Word, typename Float> void turnNegatives(Float *first, int64_t count) {
  for (int64_t k = 0; k < count; ++k) {
    Word word = std::bit_cast<Word>(first[k]);
    first[k] = std::bit_cast<Float>(word ^ ((word >> (8 * sizeof(Word) - 1)) & std::numeric_limits<Word>::max()));
  }
}

/// An unsigned number in whose order the elements are: of floats with one zero and one NaN, which is last.
template <typename T> uint64_t orderedKey(T x) {
  if constexpr (std::is_same_v<T, Half>) {
    if (x.isNaN())
      return 0xffff;
    return static_cast<uint64_t>(x.rank() + 0x8000);
  } else if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    constexpr Bits sign = Bits(1) << (8 * sizeof(T) - 1);
    if (std::isnan(x))
      return static_cast<Bits>(-1);
    Bits bits = std::bit_cast<Bits>(x == 0 ? T(0) : x);
    return bits & sign ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | sign);
  } else {
    using Bits = std::make_unsigned_t<T>;
    Bits sign = std::is_signed_v<T> ? Bits(Bits(1) << (8 * sizeof(T) - 1)) : Bits(0);
    return static_cast<Bits>(static_cast<Bits>(x) ^ sign);
  }
}

/// What is sorted where positions are asked for: the elements with their positions behind them, so that equal ones stay
/// in their order.
template <typename T> struct Positioned {
  static constexpr bool isComplex = !std::is_arithmetic_v<T> && !std::is_same_v<T, Half>;
  using Type = std::conditional_t<isComplex, Keyed<T>, std::conditional_t<sizeof(T) <= 4, uint64_t, Wide>>;
};

} // namespace npcc::rt

#endif
