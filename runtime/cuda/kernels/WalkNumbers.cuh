// Numbers of which each has parameters of its own. A class has what those of GammaNumbers.cuh have, and
//   constants, prepare(): so many float64 that follow of a number's parameters and are found once, for all places where the number is tried;
//   draw(): one attempt. If it gives no number (isNone), the next attempt begins behind it;
//   isPlain: there is nothing that takes long, so that no quick cursor is needed. limit: units of an attempt, if there may be more than usual.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_WALK_NUMBERS_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_WALK_NUMBERS_CUH
#include "RealNumbers.cuh"
#include "WholeNumbers.cuh"

/// A cursor that knows which number it draws, and what has been prepared of it.
template <typename RealType, bool quick, bool counts, int limit> struct WalkCursor : Cursor<RealType, quick, limit> {
  using Base = Cursor<RealType, quick, limit>;
  static constexpr bool isCounting = counts;
  const WalkParams &walk;
  int64_t number;
  const double *prepared;

  __device__ WalkCursor(const WalkParams &p, const typename Base::Unit *units, int64_t number, int constants)
      : Base(p, units), walk(p), number(number), prepared(p.prepared + number * constants) {}
  __device__ double constant(int k) const { return prepared[k]; }
  __device__ int64_t whole(int k) const { return __double_as_longlong(prepared[k]); }
};

/// The parameters of one number.
struct Given {
  const WalkParams &p;
  int64_t number;
  __device__ double real(int k) const { return static_cast<const double *>(p.given[k])[number + p.first]; }
  __device__ int64_t whole(int k) const { return static_cast<const int64_t *>(p.given[k])[number + p.first]; }
};

/// Of a class whose constants are the parameters themselves.
template <typename Method, int parameters> struct OfGiven : Method {
  static constexpr int constants = parameters;
  static __device__ void prepare(const Given &given, double *constants) {
    for (int k = 0; k < parameters; ++k)
      constants[k] = given.real(k);
  }
};
struct WalkTriangular : OfGiven<Triangular, 3> {
  static constexpr bool isPlain = true;
};

struct WalkPoisson : OfWholes {
  static constexpr int constants = 5;
  static __device__ void prepare(const Given &given, double *constants) {
    double mean = given.real(0);
    constants[0] = mean;
    if (mean < 10) {
      constants[1] = exp(-mean);
      return;
    }
    PoissonHat hat(mean);
    constants[1] = hat.logMean;
    constants[2] = hat.b;
    constants[3] = hat.inverseAlpha;
    constants[4] = hat.height;
  }
  template <typename From> static __device__ int64_t draw(From &from) {
    PoissonHat hat;
    hat.mean = from.constant(0);
    if (hat.mean == 0)
      return 0;
    if (hat.mean < 10)
      return poissonByProducts(from, from.constant(1), 0);
    hat.logMean = from.constant(1);
    hat.b = from.constant(2);
    hat.inverseAlpha = from.constant(3);
    hat.height = from.constant(4);
    int64_t number = 0;
    from.isNone = !poissonByRejection(from, hat, 0, number);
    return number;
  }
};

/// The shape is so many times the first parameter; without a second one, the scale is a constant.
template <typename RealType> struct WalkGamma : OfDoubles {
  using Real = RealType;
  using Number = RealType;
  static constexpr int constants = 3;
  static __device__ void prepare(const Given &given, double *constants) {
    Real shape = Real(given.p.constants[0] * given.real(0)), b = shape - Real(1. / 3.);
    constants[0] = shape;
    constants[1] = given.p.given[1] ? given.real(1) : given.p.constants[1];
    constants[2] = shape > 1 ? Real(1) / sqrt(9 * b) : 0;
  }
  template <typename From> static __device__ Real draw(From &from) {
    Real shape = Real(from.constant(0));
    if (shape == 0)
      return 0;
    Real number;
    if (shape == 1)
      number = from.exponential();
    else if (shape > 1)
      number = gammaOfCube(from, shape - Real(1. / 3.), Real(from.constant(2)));
    else
      number = Real(gammaBelowOne(from, shape));
    return sizeof(Real) == 8 ? Real(from.constant(1) * number) : number;
  }
};

struct WalkBeta : OfGiven<Beta, 2> {
  template <typename From> static __device__ double draw(From &from) {
    return from.constant(0) <= 1 && from.constant(1) <= 1 ? BetaByPowers::draw(from) : Beta::draw(from);
  }
};

struct WalkNoncentralChisquare : OfGiven<NoncentralChisquare, 2> {
  template <typename From> static __device__ double draw(From &from) {
    return from.constant(1) == 0 ? 2.0 * standardGamma(from, from.constant(0) / 2.0) : NoncentralChisquare::draw(from);
  }
};

/// How a binomial number is found. Nothing: it takes no unit.
enum class TriesMethod : int64_t { Nothing, Unsure, Inversion, Rejection };
/// p and the logarithms are not as exact as the host's, so that comparisons have a margin. isAlways: also where there is nothing to draw.
__device__ inline TriesMethod prepareTries(double p, int64_t n, bool isAlways, BinomialTries &tries) {
  if (!isAlways && (n == 0 || p == 0))
    return TriesMethod::Nothing;
  bool isFlipped = p > 0.5;
  if (isFlipped)
    p = 1.0 - p;
  if (!(p <= 0.5) || n < 0) // of rounding errors, in lines; so may p be a bit less than 0, and then the number is 0
    return TriesMethod::Unsure;
  tries = {n, p, 0, isFlipped};
  if (p * n > 30.0)
    return TriesMethod::Rejection;
  tries.none = exp(n * log(1.0 - p));
  return TriesMethod::Inversion;
}
/// constants[0]: of a RandomState.
struct WalkBinomial : OfWholes {
  static constexpr int constants = 11;
  static __device__ void prepare(const Given &given, double *constants) {
    BinomialTries tries{};
    TriesMethod method = prepareTries(given.real(0), given.whole(1), given.p.constants[0] != 0, tries);
    constants[0] = __longlong_as_double(int64_t(method) | int64_t(tries.isFlipped) << 8);
    constants[1] = __longlong_as_double(tries.n);
    constants[2] = tries.p;
    constants[3] = tries.none;
    if (method != TriesMethod::Rejection)
      return;
    BinomialHat hat(tries);
    double found[] = {hat.p1, hat.p2, hat.p3, hat.p4, hat.c, hat.laml, hat.lamr};
    for (int k = 0; k < 7; ++k)
      constants[4 + k] = found[k];
  }
  template <typename From> static __device__ int64_t draw(From &from) {
    int64_t flags = from.whole(0);
    auto method = TriesMethod(flags & 255);
    if (method == TriesMethod::Nothing)
      return 0;
    BinomialTries tries{from.whole(1), from.constant(2), from.constant(3), flags >> 8 != 0};
    if (method == TriesMethod::Inversion)
      return binomialByInversion<false>(from, tries);
    BinomialHat hat;
    hat.p1 = from.constant(4);
    hat.p2 = from.constant(5);
    hat.p3 = from.constant(6);
    hat.p4 = from.constant(7);
    hat.c = from.constant(8);
    hat.laml = from.constant(9);
    hat.lamr = from.constant(10);
    from.isUnsure = method == TriesMethod::Unsure;
    return from.isUnsure ? 0 : BinomialByRejection::attempt(from, tries, hat);
  }
};

struct WalkNegativeBinomial : NegativeBinomial {
  static constexpr int constants = 2;
  static __device__ void prepare(const Given &given, double *constants) {
    double p = given.real(1);
    constants[0] = given.real(0);
    constants[1] = (1 - p) / p;
  }
};

struct WalkGeometric : OfWholes {
  static constexpr int constants = 2;
  static __device__ void prepare(const Given &given, double *constants) {
    constants[0] = given.real(0);
    constants[1] = log1p(-given.real(0));
  }
  template <typename From> static __device__ int64_t draw(From &from) {
    if (from.constant(0) >= 0.333333333333333333333333)
      return GeometricBySearch::draw(from);
    double x = -from.exponential();
    if (From::isCounting || from.isOver())
      return 0;
    x /= from.constant(1);
    from.floorOf(x, 1e-14 * x);
    from.isInexact = false;
    return int64_t(ceil(x));
  }
};
struct WalkLegacyGeometric : OfWholes {
  static constexpr int constants = 2;
  static constexpr bool isPlain = true;
  static __device__ void prepare(const Given &given, double *constants) {
    constants[0] = given.real(0);
    constants[1] = log(1 - given.real(0));
  }
  template <typename From> static __device__ int64_t draw(From &from) {
    return from.constant(0) >= 0.333333333333333333333333 ? GeometricBySearch::draw(from) : LegacyGeometric::draw(from);
  }
};

struct WalkLogSeries : LogSeries {
  static constexpr int constants = 2;
  static __device__ void prepare(const Given &given, double *constants) {
    constants[0] = given.real(0);
    constants[1] = log1p(-given.real(0));
  }
};

/// As Zipf's, but neither b nor the least number is exact.
struct WalkZipf : OfWholes {
  static constexpr int constants = 3;
  static constexpr bool isPlain = true;
  static __device__ void prepare(const Given &given, double *constants) {
    double less = constants[0] = given.real(0) - 1.0;
    constants[1] = pow(2.0, less);
    constants[2] = pow(9223372036854775807.0, -less);
  }
  template <typename From> static __device__ int64_t draw(From &from) {
    double less = from.constant(0), b = from.constant(1), least = from.constant(2);
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

struct WalkHypergeometric : Hypergeometric {
  static constexpr int constants = 3;
  static __device__ void prepare(const Given &given, double *constants) {
    for (int k = 0; k < 3; ++k)
      constants[k] = double(given.whole(k));
  }
};

/// Of which nothing is prepared.
struct OfNone : OfWholes {
  static constexpr int constants = 0;
  static constexpr bool isPlain = true;
  static __device__ void prepare(const Given &, double *) {}
};

/// A line of numbers, each binomial of what is left. n is the number of the line, of which one or each has one; so it is with the probabilities. What is found is stored here.
struct WalkMultinomial : OfNone {
  static constexpr int limit = mostOfLine;
  template <typename From> static __device__ int64_t draw(From &from) {
    const WalkParams &p = from.walk;
    int64_t length = p.lineLength, line = from.number + p.first, left = static_cast<const int64_t *>(p.given[0])[p.constants[0] != 0 ? line : 0];
    const double *shares = static_cast<const double *>(p.given[1]) + (p.constants[1] != 0 ? line * length : 0);
    int64_t *out = From::isCounting ? nullptr : static_cast<int64_t *>(p.out) + from.number * length;
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

private:
  /// How many are left is what counts for the next, so that this is one number even for who only counts units.
  template <typename From> static __device__ int64_t binomialOf(From &from, double p, int64_t n) {
    BinomialTries tries{};
    TriesMethod method = prepareTries(p, n, false, tries);
    int64_t found = 0;
    if (method == TriesMethod::Unsure)
      from.isUnsure = true;
    else if (method == TriesMethod::Inversion)
      found = untilOne<int64_t>([&] { return binomialByInversion<false, true>(from, tries); }, from);
    else if (method == TriesMethod::Rejection) {
      BinomialHat hat(tries);
      found = untilOne<int64_t>([&] { return BinomialByRejection::attempt(from, tries, hat); }, from);
    }
    return found;
  }
};

// Integers from 0 to a bound that is another one for each number, of units of 32 bits.
struct OfBounds : OfNone {
  using Real = float;
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
    from.isNone = uint32_t(product) < choices && uint32_t(product) < (~0u - bound) % choices;
    return int64_t(product >> 32);
  }
};

#endif
