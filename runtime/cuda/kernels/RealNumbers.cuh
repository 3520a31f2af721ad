// Other distributions of real numbers (GammaNumbers.cuh says what a class has).
#ifndef NPCC_RUNTIME_CUDA_KERNELS_REAL_NUMBERS_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_REAL_NUMBERS_CUH
#include "GammaNumbers.cuh"

struct OfOneUnit : OfDoubles {
  static constexpr int mostTaken = 1;
};

/// J. R. Michael, W. R. Schucany and R. W. Haas, "Generating Random Variates Using Transformations with Multiple Roots", 1976.
struct Wald : OfDoubles {
  template <typename From> static __device__ double draw(From &from) {
    double mean = from.constant(0), scale = from.constant(1), y = from.normal();
    y = mean * y * y;
    double d = 1 + sqrt(1 + 4 * scale / y), x = mean * (1 - 2 / d);
    return from.isLess(mean / (mean + x), from.uniform()) ? mean * mean / x : x;
  }
};

struct Rayleigh : OfDoubles {
  template <typename From> static __device__ double draw(From &from) { return from.constant(0) * sqrt(2.0 * from.exponential()); }
};

struct Weibull : OfDoubles {
  template <typename From> static __device__ double draw(From &from) {
    double base = from.exponential();
    if (From::isCounting || from.isOver())
      return 0;
    return nearestPow(base, 1. / from.constant(0), from.isInexact);
  }
};

struct Lognormal : OfDoubles {
  template <typename From> static __device__ double draw(From &from) {
    double number = from.constant(0) + from.constant(1) * from.normal();
    if (From::isCounting || from.isOver())
      return 0;
    return nearestExp(number, from.isInexact);
  }
};

struct Triangular : OfOneUnit {
  template <typename From> static __device__ double draw(From &from) {
    double left = from.constant(0), mode = from.constant(1), right = from.constant(2);
    double base = right - left, leftBase = mode - left, u = from.uniform();
    if (u <= leftBase / base)
      return left + sqrt(u * (leftBase * base));
    return right - sqrt((1.0 - u) * ((right - mode) * base));
  }
};

// A number of 0 is drawn again.
struct Laplace : OfDoubles {
  template <typename From> static __device__ double draw(From &from) {
    double loc = from.constant(0), scale = from.constant(1), u = from.uniform();
    from.isUnsure = u == 0;
    return u >= 0.5 ? loc - scale * nearestLog(2.0 - u - u, from.isInexact) : loc + scale * nearestLog(u + u, from.isInexact);
  }
};
struct Gumbel : OfDoubles {
  template <typename From> static __device__ double draw(From &from) {
    double u = 1.0 - from.uniform();
    from.isUnsure = !(u < 1.0);
    double inner = nearestLog(u, from.isInexact);
    return from.constant(0) - from.constant(1) * nearestLog(-inner, from.isInexact);
  }
};
struct Logistic : OfDoubles {
  template <typename From> static __device__ double draw(From &from) {
    double u = from.uniform();
    from.isUnsure = u == 0;
    return from.constant(0) + from.constant(1) * nearestLog(u / (1.0 - u), from.isInexact);
  }
};

//===---- RandomState's own
//------------------------------------------------------------------------------------------------===//

struct LegacyExponential : OfOneUnit {
  template <typename From> static __device__ double draw(From &from) {
    return from.constant(0) * -nearestLog(1.0 - from.uniform(), from.isInexact);
  }
};

struct Pair {
  double first, second;
};
/// Marsaglia's polar method, which makes two numbers at once.
struct LegacyNormal {
  using Real = double;
  using Number = Pair;
  static constexpr int grain = 2, mostTaken = 2;
  template <typename From> static __device__ Pair draw(From &from) {
    double x = 2.0 * from.uniform() - 1.0, y = 2.0 * from.uniform() - 1.0, square = x * x + y * y;
    from.isNone = square >= 1.0 || square == 0.0;
    if (from.isNone || from.stops())
      return {};
    bool isNear = false;
    double logarithm = nearestLog(square, isNear), factor = sqrt(-2.0 * logarithm / square);
    if (isNear) { // does the number show it?
      double lower = __longlong_as_double(__double_as_longlong(logarithm) - 1), upper = __longlong_as_double(__double_as_longlong(logarithm) + 1);
      from.isInexact = sqrt(-2.0 * lower / square) != factor || sqrt(-2.0 * upper / square) != factor;
    }
    double loc = from.constant(0), scale = from.constant(1);
    return {loc + scale * (factor * y), loc + scale * (factor * x)};
  }
};

#endif
