// A place in a stream, from which a distribution takes units for one number (numbers.cu). It also knows what is not sure of the number: on the host, a
// comparison of what comes of log, exp and pow may go the other way where both sides are about equal, and the last place of a number may be another.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_CURSOR_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_CURSOR_CUH
#include "RandomParams.h"
#include <cuda/std/type_traits>

//
// Most numbers are found in a few steps, and some need a logarithm or more. Threads of a warp would wait for the slowest of them: so a quick cursor stops where that
// would begin, and those numbers are found afterwards, side by side.
template <typename RealType, bool quick, int most = mostOfAttempt> struct Cursor {
  using Real = RealType;
  static constexpr bool isQuick = quick, isCounting = false; // whether only what is taken counts, not the number
  static constexpr bool isDouble = sizeof(Real) == 8;
  using Unit = cuda::std::conditional_t<isDouble, uint64_t, uint32_t>;
  /// Comparisons of what is not exact are not sure within so much of what they add up.
  static constexpr double doubt = isDouble ? 1e-13 : 1e-6;

  const NumberParams &p;
  const Unit *units; // from the number's first one on
  int taken = 0;
  bool isUnsure = false;  // how many units the number takes, or which whole number it is
  bool isInexact = false; // the number's last place
  bool isSlow = false;    // a quick cursor has stopped
  bool isNone = false;    // what was taken gives no number: the next units begin another attempt

  __device__ Cursor(const NumberParams &p, const Unit *units) : p(p), units(units) {}

  /// What the host has made of the distribution's parameters.
  __device__ double constant(int k) const { return p.constants[k]; }
  __device__ int64_t whole() const { return p.whole; }

  /// Whether to stop in front of what takes long.
  __device__ bool stops() {
    isSlow = quick;
    return quick;
  }
  /// Whether there is nothing more to find out.
  __device__ bool isOver() const { return isUnsure || isSlow; }

  __device__ Unit unit() {
    if (taken == most) {
      isUnsure = true; // ends all loops
      return 0;
    }
    return units[taken++];
  }
  __device__ Real uniform() {
    Unit word = unit();
    if constexpr (!isDouble)
      return float(word >> 8) * (1.0f / 16777216.0f);
    else if (p.from == UnitSource::Memory)
      return (uint32_t(word >> 37) * 67108864.0 + (uint32_t(word) >> 6)) / 9007199254740992.0;
    else
      return double(word >> 11) * (1.0 / 9007199254740992.0);
  }

  /// a < b, of which the sides are known to within `error`.
  __device__ bool isLess(double a, double b, double error) {
    if (fabs(a - b) <= error)
      isUnsure = true;
    return a < b;
  }
  /// The same of sides that are exact unless the number is not.
  __device__ bool isLess(double a, double b) {
    if (isInexact)
      return isLess(a, b, 8 * doubt * (fabs(a) + fabs(b)));
    return a < b;
  }
  /// The whole number that x, known to within `error`, is rounded down to.
  __device__ int64_t floorOf(double x, double error) {
    if (!(fabs(x) < 0x1p52)) {
      isUnsure = true;
      return 0;
    }
    if (error > 0 && fabs(x - rint(x)) <= error)
      isUnsure = true;
    return int64_t(floor(x));
  }

  /// The ziggurat method, as NumPy has it.
  __device__ Real normal() {
    const auto &table = [&]() -> const auto & {
      if constexpr (isDouble)
        return p.tables->normal64;
      else
        return p.tables->normal32;
    }();
    while (!isOver()) {
      Unit word = unit();
      int layer = int(word & 255);
      Unit magnitude = isDouble ? word >> 9 & 0x000fffffffffffffu : Unit(word >> 9 & 0x7fffffu);
      Real x = Real(magnitude) * table.w[layer];
      x = word >> 8 & 1 ? -x : x;
      if (magnitude < table.k[layer])
        return x;
      if (stops())
        break;
      if (layer == 0)
        return normalTail(magnitude >> 8 & 1);
      Real height = (table.f[layer - 1] - table.f[layer]) * uniform() + table.f[layer];
      double limit = exp(-0.5 * x * x);
      if (isLess(height, limit, 1e-14 * limit))
        return x;
    }
    return 0;
  }
  __device__ Real exponential() {
    const auto &table = [&]() -> const auto & {
      if constexpr (isDouble)
        return p.tables->exponential64;
      else
        return p.tables->exponential32;
    }();
    while (!isOver()) {
      Unit word = unit();
      int layer = int((isDouble ? word >> 3 : word >> 1) & 255);
      Unit magnitude = isDouble ? word >> 11 : word >> 9;
      Real x = Real(magnitude) * table.w[layer];
      if (magnitude < table.k[layer])
        return x;
      if (stops())
        break;
      if (layer == 0) {
        isInexact = true;
        return Real(7.69711747013104972) - Real(log1p(-double(uniform())));
      }
      Real height = (table.f[layer - 1] - table.f[layer]) * uniform() + table.f[layer];
      double limit = exp(-double(x));
      if (isLess(height, limit, (isDouble ? 1e-14 : 2e-7) * limit))
        return x;
    }
    return 0;
  }

private:
  /// Beyond the lowest layer's rectangle.
  __device__ Real normalTail(bool isNegative) {
    constexpr double end = 3.6541528853610088;
    while (!isOver()) {
      double x = -1 / end * log1p(-double(uniform())), y = -log1p(-double(uniform()));
      if (isLess(x * x, y + y, doubt * (y + y))) {
        isInexact = true;
        return Real(isNegative ? -(end + x) : end + x);
      }
    }
    return 0;
  }
};

#endif
