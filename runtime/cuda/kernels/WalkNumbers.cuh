// Numbers of which each has parameters of its own. A class has what those of GammaNumbers.cuh have, and `Number` may be a line of numbers, which draw() stores itself.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_WALK_NUMBERS_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_WALK_NUMBERS_CUH
#include "RealNumbers.cuh"
#include "WholeNumbers.cuh"

/// A cursor that knows which number it draws. What the host computes of one distribution's parameters, is computed here of the number's own.
template <typename RealType, int limit> struct WalkCursor : Cursor<RealType, false, limit> {
  using Base = Cursor<RealType, false, limit>;
  const WalkParams &walk;
  int64_t number;
  bool isDrawn; // what is found is stored
  double constants[4];
  int64_t count;

  __device__ WalkCursor(const WalkParams &p, const typename Base::Unit *units, int64_t number, bool isDrawn)
      : Base(p, units), walk(p), number(number), isDrawn(isDrawn) {}
  __device__ double constant(int k) const { return constants[k]; }
  __device__ int64_t whole() const { return count; }
  __device__ double given(int k) const { return static_cast<const double *>(walk.given[k])[number + walk.first]; }
  __device__ int64_t givenWhole(int k) const { return static_cast<const int64_t *>(walk.given[k])[number + walk.first]; }
};

/// Of a class whose constants are the parameters themselves. An attempt that fails is followed by another.
template <typename Method, int parameters> struct OfGiven : Method {
  template <typename From> static __device__ typename Method::Number draw(From &from) {
    for (int k = 0; k < parameters; ++k)
      from.constants[k] = from.given(k);
    return untilOne<typename Method::Number>([&] { return Method::draw(from); }, from);
  }
};

struct WalkPoisson : OfWholes {
  template <typename From> static __device__ int64_t draw(From &from) { return poisson(from, from.given(0), 0); }
};

/// The shape is so many times the first parameter; without a second one, the scale is a constant.
template <typename RealType> struct WalkGamma : OfDoubles {
  using Real = RealType;
  using Number = RealType;
  template <typename From> static __device__ Real draw(From &from) {
    Real shape = Real(from.walk.constants[0] * from.given(0));
    if (shape == 0)
      return 0;
    Real number = standardGamma(from, shape);
    return sizeof(Real) == 8 ? Real((from.walk.given[1] ? from.given(1) : from.walk.constants[1]) * number) : number;
  }
};

struct WalkBeta : OfDoubles {
  template <typename From> static __device__ double draw(From &from) {
    double a = from.constants[0] = from.given(0), b = from.constants[1] = from.given(1);
    if (a <= 1 && b <= 1)
      return untilOne<double>([&] { return BetaByPowers::draw(from); }, from);
    return Beta::draw(from);
  }
};

struct WalkNoncentralChisquare : OfDoubles {
  template <typename From> static __device__ double draw(From &from) {
    double df = from.constants[0] = from.given(0), moved = from.constants[1] = from.given(1);
    if (moved == 0)
      return 2.0 * standardGamma(from, df / 2.0);
    return NoncentralChisquare::draw(from);
  }
};

/// One number, which takes no unit where there is nothing to draw, unless always; p and the logarithms are not as exact as the host's, so that comparisons have a margin.
template <typename From> __device__ int64_t binomialOf(From &from, double p, int64_t n, bool always = false) {
  if (!always && (n == 0 || p == 0))
    return 0;
  bool isFlipped = p > 0.5;
  if (isFlipped)
    p = 1.0 - p;
  if (!(p <= 0.5) || n < 0) { // of rounding errors, in lines; so may p be a bit less than 0, and then the number is 0
    from.isUnsure = true;
    return 0;
  }
  from.constants[0] = p;
  from.constants[2] = isFlipped;
  from.count = n;
  if (p * n > 30.0)
    return untilOne<int64_t>([&] { return BinomialByRejection::draw(from); }, from);
  from.constants[1] = exp(n * log(1.0 - p));
  return untilOne<int64_t>([&] { return BinomialByInversion::drawKnowing<false>(from); }, from);
}
/// constants[0]: of a RandomState.
struct WalkBinomial : OfWholes {
  template <typename From> static __device__ int64_t draw(From &from) { return binomialOf(from, from.given(0), from.givenWhole(1), from.walk.constants[0] != 0); }
};

struct WalkNegativeBinomial : OfWholes {
  template <typename From> static __device__ int64_t draw(From &from) {
    double p = from.given(1);
    from.constants[0] = from.given(0);
    from.constants[1] = (1 - p) / p;
    return NegativeBinomial::draw(from);
  }
};

struct WalkGeometric : OfWholes {
  template <typename From> static __device__ int64_t draw(From &from) {
    double p = from.constants[0] = from.given(0);
    if (p >= 0.333333333333333333333333)
      return GeometricBySearch::draw(from);
    double x = -from.exponential() / log1p(-p);
    from.floorOf(x, 1e-14 * x);
    from.isInexact = false;
    return int64_t(ceil(x));
  }
};
struct WalkLegacyGeometric : OfWholes {
  template <typename From> static __device__ int64_t draw(From &from) {
    double p = from.constants[0] = from.given(0);
    if (p >= 0.333333333333333333333333)
      return GeometricBySearch::draw(from);
    from.constants[1] = log(1 - p);
    return LegacyGeometric::draw(from);
  }
};

struct WalkLogSeries : OfWholes {
  template <typename From> static __device__ int64_t draw(From &from) {
    from.constants[0] = from.given(0);
    from.constants[1] = log1p(-from.constants[0]);
    return untilOne<int64_t>([&] { return LogSeries::draw(from); }, from);
  }
};

struct WalkZipf : OfWholes {
  template <typename From> static __device__ int64_t draw(From &from) {
    double less = from.given(0) - 1.0, b = pow(2.0, less), least = pow(9223372036854775807.0, -less);
    return untilOne<int64_t>([&] { return attempt(from, less, b, least); }, from);
  }

private:
  /// As Zipf's, but neither b nor the least number is exact.
  template <typename From> static __device__ int64_t attempt(From &from, double less, double b, double least) {
    double u = from.uniform(), v = from.uniform(), below = u * (least * (1 - 4e-15)) + (1 - u);
    u = u * (least * (1 + 4e-15)) + (1 - u);
    bool isNear = false;
    double power = nearestPow(u, -1.0 / less, isNear), x = floor(power);
    if (u != below || (isNear && fabs(power - rint(power)) <= 1e-15 * power))
      from.isUnsure = true;
    from.isNone = !(x < 0x1p63) || x < 1.0;
    if (from.isNone)
      return 0;
    double t = pow(1.0 + 1.0 / x, less), left = v * x * (t - 1.0) / (b - 1.0), right = t / b;
    from.isNone = from.isLess(right, left, 8e-15 * (v * x * t / (b - 1.0) + right));
    return int64_t(x);
  }
};

struct WalkHypergeometric : OfWholes {
  template <typename From> static __device__ int64_t draw(From &from) {
    for (int k = 0; k < 3; ++k)
      from.constants[k] = double(from.givenWhole(k));
    return untilOne<int64_t>([&] { return Hypergeometric::draw(from); }, from);
  }
};

/// A line of numbers, each binomial of what is left. n is the number of the line, of which one or each has one; so it is with the probabilities.
struct WalkMultinomial : OfWholes {
  static constexpr int limit = mostOfLine;
  template <typename From> static __device__ int64_t draw(From &from) {
    const WalkParams &p = from.walk;
    int64_t length = p.lineLength, line = from.number + p.first, left = static_cast<const int64_t *>(p.given[0])[p.constants[0] != 0 ? line : 0];
    const double *shares = static_cast<const double *>(p.given[1]) + (p.constants[1] != 0 ? line * length : 0);
    int64_t *out = from.isDrawn ? static_cast<int64_t *>(p.out) + from.number * length : nullptr;
    double rest = 1.0;
    for (int64_t k = 0; k < length; ++k) {
      int64_t found = 0;
      if (left > 0 && !from.isUnsure)
        found = k < length - 1 ? binomialOf(from, shares[k] / rest, left) : left;
      rest -= shares[k];
      left -= found;
      if (out)
        out[k] = found;
    }
    return 0;
  }
};

// Integers from 0 to a bound that is another one for each number, of units of 32 bits.
struct OfBounds : OfWholes {
  using Real = float;
};

/// The steps of shuffles of lines: each line has one number less than elements, and its bounds go down to 1. As many bits as the bound has are one attempt.
struct WalkMasked : OfBounds {
  template <typename From> static __device__ int64_t draw(From &from) {
    uint64_t steps = uint64_t(from.walk.lineLength), number = uint64_t(from.number + from.walk.first), line = number < steps ? 0 : number / steps;
    uint32_t bound = uint32_t(steps - (number - line * steps)), mask = ~0u >> __clz(int(bound)), found;
    do
      found = from.unit() & mask;
    while (found > bound && !from.isUnsure);
    return found;
  }
};

/// The steps of a choice: bounds that go up, from constants[0] on, `lineLength` of them, and then such that go down from constants[1] on. D. Lemire, "Fast Random
/// Integer Generation in an Interval", 2019.
struct WalkBelow : OfBounds {
  template <typename From> static __device__ int64_t draw(From &from) {
    int64_t number = from.number + from.walk.first, behind = number - from.walk.lineLength;
    uint32_t bound = uint32_t(behind < 0 ? int64_t(from.walk.constants[0]) + number : int64_t(from.walk.constants[1]) - behind), choices = bound + 1;
    if (bound == 0)
      return 0;
    uint64_t product = uint64_t(from.unit()) * choices;
    if (uint32_t(product) < choices) {
      uint32_t least = (~0u - bound) % choices;
      while (uint32_t(product) < least && !from.isUnsure)
        product = uint64_t(from.unit()) * choices;
    }
    return int64_t(product >> 32);
  }
};

#endif
