#include "FakePtxNumbers.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace fake::ptx {

void die(const std::string &what) {
  fprintf(stderr, "fake PTX: %s\n", what.c_str());
  abort();
}

static double halfToDouble(uint16_t half) {
  int exponent = half >> 10 & 31, fraction = half & 1023;
  double magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                     : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                    : std::ldexp(fraction, -24);
  return half >> 15 ? -magnitude : magnitude;
}

static uint16_t doubleToHalf(double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  value = std::fabs(value);
  if (std::isnan(value))
    return 0x7fff;
  if (value >= 65520)
    return sign | 0x7c00;
  int exponent;
  std::frexp(value, &exponent);
  exponent = std::max(exponent, -13);
  double steps = std::nearbyint(std::ldexp(value, 11 - exponent)); // of the last place
  if (steps == 0)
    return sign;
  if (steps >= 2048)
    steps /= 2, ++exponent;
  return sign | (steps < 1024 ? uint16_t(steps) : uint16_t((exponent + 14) << 10 | (int(steps) - 1024)));
}

double toDouble(uint64_t raw, int bits) {
  if (bits == bfloatBits)
    return std::bit_cast<float>(uint32_t(raw) << 16);
  if (bits == 64)
    return std::bit_cast<double>(raw);
  return bits == 32 ? std::bit_cast<float>(uint32_t(raw)) : halfToDouble(uint16_t(raw));
}

uint64_t fromDouble(double value, int bits) {
  if (bits == bfloatBits) {
    uint32_t word = std::bit_cast<uint32_t>(float(value));
    return std::isnan(value) ? 0x7fff : uint16_t((word + 0x7fff + (word >> 16 & 1)) >> 16);
  }
  if (bits == 64)
    return std::bit_cast<uint64_t>(value);
  return bits == 32 ? std::bit_cast<uint32_t>(float(value)) : doubleToHalf(value);
}

static uint64_t integer(const Instruction &in, Word op, uint64_t a, uint64_t b, uint64_t c) {
  int bits = in.bits;
  bool isSigned = in.kind == 's';
  int64_t sa = extended(a, bits), sb = extended(b, bits);
  uint64_t ua = truncated(a, bits), ub = truncated(b, bits);
  if (op == "mul" || op == "mad") {
    __int128 product = isSigned ? __int128(sa) * sb : __int128((unsigned __int128)ua * ub);
    uint64_t value = in.has("hi") ? uint64_t(product >> bits) : uint64_t(product);
    return (op == "mad" ? value + c : value);
  }
  if (op == "add")
    return ua + ub;
  if (op == "sub")
    return ua - ub;
  if (op == "div")
    return !ub ? ~uint64_t(0) : isSigned ? (sb == -1 ? uint64_t(0) - ua : uint64_t(sa / sb)) : ua / ub;
  if (op == "rem")
    return !ub ? ua : isSigned ? (sb == -1 ? 0 : uint64_t(sa % sb)) : ua % ub;
  if (op == "min")
    return isSigned ? std::min(sa, sb) : std::min(ua, ub);
  if (op == "max")
    return isSigned ? std::max(sa, sb) : std::max(ua, ub);
  if (op == "neg")
    return uint64_t(0) - ua;
  if (op == "abs")
    return sa < 0 ? uint64_t(0) - ua : ua;
  if (op == "and")
    return ua & ub;
  if (op == "or")
    return ua | ub;
  if (op == "xor")
    return ua ^ ub;
  if (op == "not")
    return in.kind == 'p' ? !ua : ~ua;
  if (op == "shl")
    return uint32_t(b) >= unsigned(bits) ? 0 : ua << uint32_t(b);
  if (op == "shr") {
    unsigned count = std::min<uint32_t>(uint32_t(b), isSigned ? bits - 1 : 64);
    return isSigned ? uint64_t(sa >> count) : count >= unsigned(bits) ? 0 : ua >> count;
  }
  if (op == "popc")
    return std::popcount(ua);
  if (op == "clz")
    return std::countl_zero(ua) - (64 - bits);
  if (op == "bfind" && in.kind == 'u') { // where the highest bit is, or how far a shift puts it there
    int zeros = std::countl_zero(ua) - (64 - bits);
    return !ua ? ~uint64_t(0) : in.has("shiftamt") ? uint64_t(zeros) : uint64_t(bits - 1 - zeros);
  }
  if (op == "brev") {
    uint64_t reversed = 0;
    for (int bit = 0; bit < bits; ++bit)
      reversed |= (ua >> bit & 1) << (bits - 1 - bit);
    return reversed;
  }
  if (op == "bmsk") {
    uint64_t start = std::min<uint64_t>(uint32_t(a), 32), length = std::min<uint64_t>(uint32_t(b), 32);
    return truncated(truncated(~uint64_t(0), int(length)) << start, 32);
  }
  if (op == "lop3") {
    uint64_t table = in.operands[4].value, result = 0;
    for (int bit = 0; bit < bits; ++bit)
      result |= (table >> ((a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1)) & 1) << bit;
    return result;
  }
  if (op == "bfe") {
    uint64_t start = b & 255, length = c & 255, value = start >= 64 ? 0 : ua >> start;
    return isSigned ? uint64_t(extended(value, length ? int(length) : 1)) : truncated(value, int(length));
  }
  die("instruction " + in.text);
}

uint64_t arithmetic(const Instruction &in, Word op, uint64_t a, uint64_t b, uint64_t c) {
  if (in.kind != 'f')
    return integer(in, op, a, b, c);
  int bits = in.bits;
  double x = toDouble(a, bits), y = toDouble(b, bits), z = toDouble(c, bits);
  auto round = [&](double exact) { return fromDouble(exact, bits); };
  uint64_t sign = uint64_t(1) << (bits == bfloatBits ? 15 : bits - 1);
  bool givesNan = in.has("NaN") && (std::isnan(x) || std::isnan(y)); // min and max otherwise take the number
  // Sums and products of floats are rounded once: double holds the exact ones closely enough, but for the fused ones.
  if (op == "add")
    return bits == 32 ? fromDouble(float(x) + float(y), 32) : round(x + y);
  if (op == "sub")
    return bits == 32 ? fromDouble(float(x) - float(y), 32) : round(x - y);
  if (op == "mul")
    return bits == 32 ? fromDouble(float(x) * float(y), 32) : round(x * y);
  if (op == "div")
    return bits == 32 ? fromDouble(float(x) / float(y), 32) : round(x / y);
  if (op == "fma" || op == "mad")
    return bits == 32 ? fromDouble(std::fma(float(x), float(y), float(z)), 32) : round(std::fma(x, y, z));
  if (op == "neg")
    return a ^ sign;
  if (op == "abs")
    return a & ~sign;
  if (op == "min")
    return round(givesNan ? NAN : std::fmin(x, y));
  if (op == "max")
    return round(givesNan ? NAN : std::fmax(x, y));
  if (op == "sqrt")
    return round(bits == 32 ? double(std::sqrt(float(x))) : std::sqrt(x));
  if (op == "rsqrt")
    return round(1 / std::sqrt(x));
  if (op == "rcp")
    return round(1 / x);
  if (op == "ex2")
    return round(std::exp2(x));
  if (op == "lg2")
    return round(std::log2(x));
  if (op == "sin")
    return round(std::sin(x));
  if (op == "cos")
    return round(std::cos(x));
  if (op == "tanh")
    return round(std::tanh(x));
  if (op == "copysign")
    return round(std::copysign(y, x));
  die("instruction " + in.text);
}

uint64_t convert(const Instruction &in, uint64_t value) {
  if (in.fromKind == 'f') {
    double x = toDouble(value, in.fromBits);
    if (in.kind == 'f') {
      if (in.has("rzi"))
        x = std::trunc(x);
      else if (in.has("rni"))
        x = std::nearbyint(x);
      else if (in.has("rmi"))
        x = std::floor(x);
      else if (in.has("rpi"))
        x = std::ceil(x);
      return fromDouble(in.has("sat") ? std::isnan(x) ? 0 : std::clamp(x, 0.0, 1.0) : x, in.bits);
    }
    x = in.has("rni")   ? std::nearbyint(x)
        : in.has("rmi") ? std::floor(x)
        : in.has("rpi") ? std::ceil(x)
                        : std::trunc(x);
    double high = std::ldexp(1.0, in.kind == 's' ? in.bits - 1 : in.bits), low = in.kind == 's' ? -high : 0;
    if (std::isnan(x))
      return in.bits == 64 ? uint64_t(1) << 63 : 0;
    if (x >= high)
      return in.kind == 's' ? truncated(~uint64_t(0), in.bits - 1) : truncated(~uint64_t(0), in.bits);
    if (x < low)
      return in.kind == 's' ? uint64_t(1) << (in.bits - 1) : 0;
    return in.kind == 's' ? uint64_t(int64_t(x)) : uint64_t(x);
  }
  uint64_t wide = in.fromKind == 's' ? uint64_t(extended(value, in.fromBits)) : truncated(value, in.fromBits);
  if (in.kind != 'f')
    return in.kind == 's' ? uint64_t(extended(wide, in.bits)) : truncated(wide, in.bits);
  if (in.bits == 32)
    return std::bit_cast<uint32_t>(in.fromKind == 's' ? float(int64_t(wide)) : float(wide));
  return fromDouble(in.fromKind == 's' ? double(int64_t(wide)) : double(wide), in.bits);
}

bool compare(const Instruction &in, uint64_t a, uint64_t b) {
  Word how = in.suffixes[0];
  if (in.kind == 'f') {
    double x = toDouble(a, in.bits), y = toDouble(b, in.bits);
    bool unordered = std::isnan(x) || std::isnan(y);
    if (how == "nan" || how == "num")
      return unordered == (how == "nan");
    const struct {
      Word ordered, orUnordered;
      bool holds;
    } ways[] = {{"eq", "equ", x == y}, {"ne", "neu", x != y}, {"lt", "ltu", x < y},
                {"le", "leu", x <= y}, {"gt", "gtu", x > y},  {"ge", "geu", x >= y}};
    for (const auto &way : ways)
      if (how == way.ordered || how == way.orUnordered)
        return unordered ? how == way.orUnordered : way.holds;
    die("comparison " + in.text);
  }
  uint64_t ua = truncated(a, in.bits), ub = truncated(b, in.bits);
  int64_t sa = extended(a, in.bits), sb = extended(b, in.bits);
  bool less = in.kind == 's' ? sa < sb : ua < ub, equal = ua == ub;
  if (how == "eq")
    return equal;
  if (how == "ne")
    return !equal;
  if (how == "lt" || how == "lo")
    return less;
  if (how == "le" || how == "ls")
    return less || equal;
  if (how == "gt" || how == "hi")
    return !less && !equal;
  if (how == "ge" || how == "hs")
    return !less;
  die("comparison " + in.text);
}

} // namespace fake::ptx
