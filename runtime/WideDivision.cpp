// Division of 128 bits, under the names that LLVM calls it by. It makes such divisions of loops over 64 bits at times,
// and generated code links nothing but this library.

namespace {
using Unsigned = unsigned __int128;
using Signed = __int128;

/// Long division, bit by bit: what calls it does so rarely.
Unsigned divide(Unsigned dividend, Unsigned divisor, Unsigned &rest) {
  Unsigned quotient = 0;
  rest = 0;
  for (int bit = 127; bit >= 0; --bit) {
    rest = rest << 1 | (dividend >> bit & 1);
    if (rest >= divisor) {
      rest -= divisor;
      quotient |= Unsigned(1) << bit;
    }
  }
  return quotient;
}

Unsigned magnitude(Signed value) { return value < 0 ? -Unsigned(value) : Unsigned(value); }
} // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT Unsigned __udivti3(Unsigned dividend, Unsigned divisor) {
  Unsigned rest;
  return divide(dividend, divisor, rest);
}

EXPORT Unsigned __umodti3(Unsigned dividend, Unsigned divisor) {
  Unsigned rest;
  divide(dividend, divisor, rest);
  return rest;
}

/// As in C: towards zero.
EXPORT Signed __divti3(Signed dividend, Signed divisor) {
  Unsigned rest, quotient = divide(magnitude(dividend), magnitude(divisor), rest);
  return Signed((dividend < 0) != (divisor < 0) ? -quotient : quotient);
}

/// As in C: the sign is the dividend's.
EXPORT Signed __modti3(Signed dividend, Signed divisor) {
  Unsigned rest;
  divide(magnitude(dividend), magnitude(divisor), rest);
  return Signed(dividend < 0 ? -rest : rest);
}
