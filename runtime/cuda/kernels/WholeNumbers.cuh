// Distributions of whole numbers (GammaNumbers.cuh says what a class has). A number is exact, or it is not sure.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_WHOLE_NUMBERS_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_WHOLE_NUMBERS_CUH
#include "GammaNumbers.cuh"

struct OfWholes {
  using Real = double;
  using Number = int64_t;
  static constexpr int grain = 1;
};

/// The sum of the numbers that are multiplied until the product is below `limit`, exp(-mean).
template <typename From> __device__ int64_t poissonByProducts(From &from, double limit, double error) {
  double product = 1.0;
  for (int64_t count = 0; !from.isOver(); ++count) {
    product *= from.uniform();
    if (!from.isLess(limit, product, (1e-14 + error) * limit))
      return count;
  }
  return 0;
}

/// log(gamma(x)), by Stirling's series.
__device__ inline double logGamma(double x) {
  double product = 1;
  for (; x < 7; x += 1)
    product *= x;
  double inverse = 1 / x, square = inverse * inverse;
  double series = inverse * (1. / 12 - square * (1. / 360 - square * (1. / 1260 - square * (1. / 1680 - square * (1. / 1188 - square * (691. / 360360 - square * (1. / 156)))))));
  return (x - 0.5) * log(x) - x + 0.91893853320467274 + series - log(product);
}

/// What a mean of at least 10 says to all attempts.
struct PoissonHat {
  double mean, logMean, b, inverseAlpha, height;
  __device__ PoissonHat() {}
  __device__ explicit PoissonHat(double mean)
      : mean(mean), logMean(log(mean)), b(0.931 + 2.53 * sqrt(mean)), inverseAlpha(1.1239 + 1.1328 / (b - 3.4)), height(0.9277 - 3.6224 / (b - 2)) {}
};
/// W. Hörmann, "The Transformed Rejection Method for Generating Poisson Random Variables", 1993. One attempt: false if it gives no number. `error` is the mean's,
/// as a part of it.
template <typename From> __device__ bool poissonByRejection(From &from, const PoissonHat &hat, double error, int64_t &number) {
  const double mean = hat.mean, logMean = hat.logMean, b = hat.b, a = -0.059 + 0.02483 * b, inverseAlpha = hat.inverseAlpha, height = hat.height;
  double u = from.uniform() - 0.5, v = from.uniform(), side = 0.5 - fabs(u);
  if (side == 0) {
    from.isUnsure = true;
    return false;
  }
  if (From::isCounting && error == 0 && side >= 0.07 && v < height)
    return true;
  double place = (2 * a / side + b) * u + mean + 0.43;
  number = from.floorOf(place, error * (fabs(place) + mean));
  if (side >= 0.07 && !from.isLess(height, v, error))
    return true;
  if (number < 0 || (side < 0.013 && v > side) || from.stops())
    return false;
  double bound = a / (side * side) + b, left = From::isCounting ? log(v * inverseAlpha / bound) : log(v) + log(inverseAlpha) - log(bound), gamma = logGamma(double(number) + 1);
  double right = -mean + double(number) * logMean - gamma;
  // The host's logarithm of the gamma function is a series of another length.
  double size = fabs(left) + mean + fabs(double(number) * logMean) + fabs(gamma);
  return !from.isLess(right, left, (2e-15 + 4 * error) * size + 1e-11);
}

template <typename From> __device__ int64_t poisson(From &from, double mean, double error) {
  if (mean == 0)
    return 0;
  if (mean < 10)
    return poissonByProducts(from, exp(-mean), error);
  int64_t number = 0;
  PoissonHat hat(mean);
  while (!from.isOver() && !poissonByRejection(from, hat, error, number))
    ;
  return number;
}

struct PoissonByProducts : OfWholes {
  template <typename From> static __device__ int64_t draw(From &from) { return poissonByProducts(from, exp(-from.constant(0)), 0); }
};
struct PoissonByRejection : OfWholes {
  static constexpr int grain = 2, mostTaken = 2;
  template <typename From> static __device__ int64_t draw(From &from) {
    int64_t number = 0;
    from.isNone = !poissonByRejection(from, PoissonHat(from.constant(0)), 0, number);
    return number;
  }
};

/// Poisson numbers of gamma numbers.
struct NegativeBinomial : OfWholes {
  template <typename From> static __device__ int64_t draw(From &from) {
    double mean = from.constant(1) * standardGamma(from, from.constant(0));
    double error = from.isInexact ? 1e-14 : 0;
    if (error > 0 && fabs(mean - 10) < 1e-12)
      from.isUnsure = true;
    from.isInexact = false;
    return poisson(from, mean, error);
  }
};

/// What n tries say to all attempts, of which at most half succeed (p). `none`: the probability of 0. isFlipped: the number counts the tries that fail.
struct BinomialTries {
  int64_t n;
  double p, none;
  bool isFlipped;
  __device__ int64_t numberOf(int64_t found) const { return isFlipped ? n - found : found; }
};
/// Adds up probabilities from that of 0 on. isExact: `none` is as the host computes it. isWanted: who counts units wants the number, too.
template <bool isExact, bool isWanted = false, typename From> __device__ int64_t binomialByInversion(From &from, const BinomialTries &tries) {
  auto isLess = [&](double a, double b) {
    if constexpr (isExact)
      return a < b;
    else
      return from.isLess(a, b, 1e-13) && !from.isUnsure;
  };
  int64_t n = tries.n, number = 0;
  double p = tries.p, q = 1.0 - p, mean = n * p, probability = tries.none, rest = from.uniform();
  if (From::isCounting && !isWanted && rest < 1 - 1e-9) // far from where the sum loses itself
    return 0;
  double spread = mean + 10.0 * sqrt(mean * q + 1);
  int64_t bound = int64_t(n < spread ? double(n) : spread);
  while (isLess(probability, rest)) {
    if (++number > bound) { // the sum has lost itself in rounding
      from.isNone = true;
      return 0;
    }
    rest -= probability;
    probability = ((n - number + 1) * p * probability) / (number * q);
  }
  return tries.numberOf(number);
}
struct BinomialByInversion : OfWholes {
  static constexpr int mostTaken = 1;
  template <typename From> static __device__ int64_t draw(From &from) {
    return binomialByInversion<true>(from, BinomialTries{from.whole(), from.constant(0), from.constant(1), from.constant(2) != 0});
  }
};

/// V. Kachitvichyanukul and B. W. Schmeiser, "Binomial Random Variate Generation", 1988 (BTPE): a triangle, two parallelograms, two tails.
struct BinomialHat {
  double p1, p2, p3, p4, c, laml, lamr;
  __device__ BinomialHat() {}
  __device__ explicit BinomialHat(const BinomialTries &tries) {
    double r = tries.p, q = 1.0 - r, fm = tries.n * r + r;
    p1 = floor(2.195 * sqrt(tries.n * r * q) - 4.6 * q) + 0.5;
    int64_t m = int64_t(floor(fm));
    double xm = m + 0.5, xl = xm - p1, xr = xm + p1;
    c = 0.134 + 20.5 / (15.3 + m);
    double a = (fm - xl) / (fm - xl * r);
    laml = a * (1.0 + a / 2.0);
    a = (xr - fm) / (xr * q);
    lamr = a * (1.0 + a / 2.0);
    p2 = p1 * (1.0 + 2.0 * c);
    p3 = p2 + c / laml;
    p4 = p3 + c / lamr;
  }
};
/// One attempt.
struct BinomialByRejection : OfWholes {
  static constexpr int grain = 2, mostTaken = 2;
  template <typename From> static __device__ int64_t draw(From &from) {
    BinomialTries tries{from.whole(), from.constant(0), 0, from.constant(2) != 0};
    return attempt(from, tries, BinomialHat(tries));
  }
  template <typename From> static __device__ int64_t attempt(From &from, const BinomialTries &tries, const BinomialHat &hat) {
    int64_t n = tries.n;
    double r = tries.p, q = 1.0 - r, fm = n * r + r;
    int64_t m = int64_t(floor(fm));
    double p1 = hat.p1, p2 = hat.p2, p3 = hat.p3, c = hat.c, laml = hat.laml, lamr = hat.lamr;
    double xm = m + 0.5, xl = xm - p1, xr = xm + p1;
    double u = from.uniform() * hat.p4, v = from.uniform();
    if (u <= p1)
      return tries.numberOf(int64_t(floor(xm - p1 * v + u)));
    if (from.stops())
      return 0;
    int64_t y;
    if (u <= p2) {
      double x = xl + (u - p1) / c;
      v = v * c + 1.0 - fabs(m - x + 0.5) / p1;
      from.isNone = v > 1.0;
      y = int64_t(floor(x));
    } else {
      bool isLeft = u <= p3;
      double logarithm = log(v), x = isLeft ? xl + logarithm / laml : xr - logarithm / lamr;
      from.isNone = v == 0.0;
      if (!from.isNone)
        y = from.floorOf(x, 1e-14 * (fabs(isLeft ? xl : xr) + fabs(x)));
      from.isNone |= isLeft ? y < 0 : y > n;
      v = isLeft ? v * (u - p2) * laml : v * (u - p3) * lamr;
    }
    if (from.isNone)
      return 0;
    from.isNone = !isAccepted(from, n, m, y, r, q, xm, v);
    return tries.numberOf(y);
  }

private:
  template <typename From> static __device__ bool isAccepted(From &from, int64_t n, int64_t m, int64_t y, double r, double q, double xm, double v) {
    double nrq = n * r * q;
    int64_t k = y > m ? y - m : m - y;
    if (k <= 20 || k >= nrq / 2.0 - 1) {
      double s = r / q, a = s * (n + 1), ratio = 1.0;
      for (int64_t i = m + 1; i <= y; ++i)
        ratio *= a / i - s;
      for (int64_t i = y + 1; i <= m; ++i)
        ratio /= a / i - s;
      return !(v > ratio);
    }
    double rho = (k / nrq) * ((k * (k / 3.0 + 0.625) + 0.16666666666666666) / nrq + 0.5), t = -k * k / (2 * nrq), left = log(v);
    double error = from.doubt * (fabs(left) + fabs(t) + rho);
    if (from.isLess(left, t - rho, error))
      return true;
    if (from.isLess(t + rho, left, error))
      return false;
    double x1 = y + 1, f1 = m + 1, z = n + 1 - m, w = n - y + 1;
    auto stirling = [](double x) {
      double square = x * x;
      return (13680. - (462. - (132. - (99. - 140. / square) / square) / square) / square) / x / 166320.;
    };
    double first = xm * log(f1 / x1), second = (n - m + 0.5) * log(z / w), third = (y - m) * log(w * r / (x1 * q));
    double right = first + second + third + stirling(f1) + stirling(z) + stirling(x1) + stirling(w);
    // The logarithms are of numbers near 1: their errors are those of the numbers.
    error = from.doubt * (1 + fabs(left) + fabs(first) + fabs(second) + fabs(third)) + 1e-15 * (xm + double(n - m) + double(k));
    return !from.isLess(right, left, error);
  }
};

struct GeometricBySearch : OfWholes {
  static constexpr int mostTaken = 1;
  template <typename From> static __device__ int64_t draw(From &from) {
    double p = from.constant(0), u = from.uniform(), sum = p, product = p, q = 1.0 - p;
    int64_t number = 1;
    if constexpr (!From::isCounting)
      for (; u > sum; ++number) {
        product *= q;
        sum += product;
      }
    return number;
  }
};
/// constants[1]: the logarithm of 1 - p.
struct GeometricByExponentials : OfWholes {
  template <typename From> static __device__ int64_t draw(From &from) {
    double x = -from.exponential() / from.constant(1);
    if (from.isInexact)
      from.floorOf(x, 1e-14 * x);
    from.isInexact = false;
    if (!(x < 9e18))
      from.isUnsure = true;
    return int64_t(ceil(x));
  }
};
struct LegacyGeometric : OfWholes {
  static constexpr int mostTaken = 1;
  template <typename From> static __device__ int64_t draw(From &from) {
    double x = log1p(-from.uniform()) / from.constant(1);
    from.floorOf(x, 1e-14 * x);
    return int64_t(ceil(x));
  }
};

/// A. W. Kemp, "Efficient Generation of Logarithmically Distributed Pseudo-Random Variables", 1981. constants[1]: the logarithm of 1 - p.
struct LogSeries : OfWholes {
  template <typename From> static __device__ int64_t draw(From &from) {
    double v = from.uniform();
    if (v >= from.constant(0))
      return 1;
    if (from.stops())
      return 0;
    double q = -expm1(from.constant(1) * from.uniform());
    if (from.isLess(q * q, v, 1e-14 * v))
      return from.isLess(v, q, 1e-14 * v) ? 2 : 1;
    if (v == 0) {
      from.isNone = true;
      return 0;
    }
    double x = 1 + log(v) / log(q);
    int64_t number = from.floorOf(x, 1e-14 * x / (1 - q < 0.5 ? 1 - q : 0.5) + 1e-14);
    from.isNone = number < 1;
    return number;
  }
};

/// Rejection below a power. constants[1]: 2 to the power of a - 1; constants[2]: the least number in the place of 0.
struct Zipf : OfWholes {
  static constexpr int grain = 2, mostTaken = 2;
  template <typename From> static __device__ int64_t draw(From &from) {
    double less = from.constant(0) - 1.0, b = from.constant(1), u = from.uniform(), v = from.uniform();
    u = u * from.constant(2) + (1 - u);
    bool isNear = false;
    double power = nearestPow(u, -1.0 / less, isNear), x = floor(power);
    if (isNear && fabs(power - rint(power)) <= 1e-15 * power)
      from.isUnsure = true;
    from.isNone = !(x < 0x1p63) || x < 1.0;
    if (from.isNone)
      return 0;
    isNear = false;
    double t = nearestPow(1.0 + 1.0 / x, less, isNear), left = v * x * (t - 1.0) / (b - 1.0), right = t / b;
    double error = isNear ? 1e-15 * (v * x * t / (b - 1.0) + right) : 0;
    from.isNone = isNear ? from.isLess(right, left, error) : left > right;
    return int64_t(x);
  }
};

/// log(k!)
__device__ inline double logFactorial(double k) { return logGamma(k + 1); }

/// E. Stadlober, "The Ratio of Uniforms Approach for Generating Discrete Random Variates", 1990 (HRUA). constants: good, bad, sample, all whole.
struct Hypergeometric : OfWholes {
  static constexpr int grain = 2, mostTaken = 2;
  template <typename From> static __device__ int64_t draw(From &from) {
    double good = from.constant(0), bad = from.constant(1), sample = from.constant(2), all = good + bad;
    double drawn = fmin(sample, all - sample), fewer = fmin(good, bad), more = fmax(good, bad);
    double share = fewer / all, otherShare = more / all, centre = drawn * share + 0.5;
    double deviation = sqrt((all - drawn) * drawn * share * otherShare / (all - 1) + 0.5);
    double width = 1.7155277699214135 * deviation + 0.8989161620588988; // 2 sqrt(2 / e), 3 - 2 sqrt(3 / e)
    double mode = floor((drawn + 1) * (fewer + 1) / (all + 2)), bound = fmin(fmin(drawn, fewer) + 1, floor(centre + 16 * deviation));
    double size = 0;
    auto logarithms = [&](double k) {
      double a = logFactorial(k), b = logFactorial(fewer - k), c = logFactorial(drawn - k), d = logFactorial(more - drawn + k);
      size = fmax(size, a + b + c + d);
      return a + b + c + d;
    };
    double u = from.uniform(), v = from.uniform(), place = centre + width * (v - 0.5) / u;
    if (u == 0)
      from.isUnsure = true;
    from.isNone = !(place >= 0.0 && place < bound);
    if (from.isNone)
      return 0;
    if (from.stops())
      return 0;
    double number = floor(place), t = logarithms(mode) - logarithms(number), error = 4e-15 * size + 1e-11;
    if (from.isLess(t, u * (4.0 - u) - 3.0, error))
      from.isNone = !from.isLess(u * (u - t), 1, error) || from.isLess(t, 2.0 * log(u), error);
    if (good > bad)
      number = drawn - number;
    return int64_t(drawn < sample ? good - number : number);
  }
};

/// Positions by their probabilities, with replacement. The table has the running sums of these.
struct WeightedChoice : OfWholes {
  static constexpr int mostTaken = 1;
  template <typename From> static __device__ int64_t draw(From &from) {
    double x = from.uniform();
    int64_t first = 0, last = from.whole();
    while (first < last) {
      int64_t middle = first + (last - first) / 2;
      if (x < from.p.table[middle])
        last = middle;
      else
        first = middle + 1;
    }
    return first;
  }
};

#endif
