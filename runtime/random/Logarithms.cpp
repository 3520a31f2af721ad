#include "runtime/random/Logarithms.h"
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>

namespace npcc::rt::random {
namespace {

bool isAsExpected(double x) {
  double logarithm = std::log(x);
  long double exact = std::log(static_cast<long double>(x));
  double place = std::ldexp(1.0, std::ilogb(logarithm) - DBL_MANT_DIG + 1);
  long double unknown = std::fabs(exact) * LDBL_EPSILON; // of the wider logarithm itself
  return std::fabs(exact - logarithm) <= 0.5 * place + std::min(0.02 * place, 0x1p-61) + unknown;
}

bool lookAtSome() {
  if (LDBL_MANT_DIG <= DBL_MANT_DIG)
    return false; // there is nothing to compare with
  uint64_t state = 1;
  for (int k = 0; k < 6000; ++k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    double part = 1 + double(state >> 12) * 0x1p-52;                    // from 1 to 2
    double logarithm = std::ldexp(k & 1 ? part : -part, k / 2 % 8 - 4); // from 1/16 to 16
    if (!isAsExpected(std::exp(logarithm)))
      return false;
  }
  return true;
}

} // namespace

bool roundsLogarithms() {
  static const bool does = lookAtSome();
  return does;
}

} // namespace npcc::rt::random
