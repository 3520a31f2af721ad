// Gamma numbers and those that are made of them, as NumPy's Generator has them. A distribution is a class that takes units from a cursor and gives one number:
//   grain: its numbers take a multiple of so many units; mostTaken: at most so many, 0 if it varies.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_GAMMA_NUMBERS_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_GAMMA_NUMBERS_CUH
#include "Cursor.cuh"
#include "RoundedFunctions.cuh"

// A number is found by attempts. Where a distribution is made of one such number, an attempt that fails gives no number, and the next one begins there; in others
// the attempts are repeated (untilOne).
template <typename Real, typename Attempt, typename From> __device__ Real untilOne(Attempt &&attempt, From &from) {
  const bool wasInexact = from.isInexact; // a number before this one
  Real number;
  do {
    from.isInexact = wasInexact;
    from.isNone = false;
    number = attempt();
  } while (from.isNone && !from.isOver());
  from.isNone = false;
  return number;
}

// Who only counts units needs no more places of x than the margins of comparisons leave.
template <typename From> __device__ double logOf(From &, double x, bool &isNear) {
  if constexpr (From::isCounting)
    return log(x);
  else
    return nearestLog(x, isNear);
}
template <typename From> __device__ double powOf(From &, double x, double y, bool &isNear) {
  if constexpr (From::isCounting)
    return x > 0 ? exp(log(x) * y) : 0;
  else
    return nearestPow(x, y, isNear);
}

/// G. Marsaglia and W. W. Tsang, "A Simple Method for Generating Gamma Variables", 2000. b is the shape, above 1, less 1 / 3; c follows of it.
template <typename From, typename Real> __device__ Real gammaOfCube(From &from, Real b, Real c) {
  Real x = from.normal(), v = 1 + c * x;
  from.isNone = !from.isLess(0, v);
  if (from.isNone)
    return 0;
  v = v * v * v;
  Real u = from.uniform();
  if (from.isLess(u, Real(1) - Real(0.0331) * (x * x) * (x * x)))
    return b * v;
  if (from.stops())
    return 0;
  Real left = log(u), logarithm = log(v), right = Real(0.5) * x * x + b * (Real(1) - v + logarithm);
  double error = from.doubt * (fabs(left) + 0.5 * x * x + b * (fabs(1 - v) + fabs(logarithm)));
  from.isNone = u != 0 && !from.isLess(left, right, error);
  return b * v;
}
template <typename From, typename Real> __device__ Real gammaAboveOne(From &from, Real shape) {
  Real b = shape - Real(1. / 3.);
  return gammaOfCube(from, b, Real(1) / sqrt(9 * b));
}

/// J. H. Ahrens and U. Dieter, "Computer Methods for Sampling from Gamma, Beta, Poisson and Binomial Distributions", 1974. shape < 1.
template <typename From> __device__ double gammaBelowOne(From &from, double shape) {
  double u = from.uniform(), v = from.exponential(), x, limit = v;
  if (from.isOver())
    return 0;
  if (u <= 1.0 - shape) {
    x = powOf(from, u, 1. / shape, from.isInexact);
  } else {
    double y = -logOf(from, (1 - u) / shape, from.isInexact);
    x = powOf(from, 1.0 - shape + shape * y, 1. / shape, from.isInexact);
    limit = v + y;
  }
  from.isNone = from.isLess(limit, x, from.doubt * limit);
  return x;
}

template <typename From, typename Real> __device__ Real standardGamma(From &from, Real shape) {
  if (shape == 1)
    return from.exponential();
  if constexpr (sizeof(Real) == 8)
    if (shape < 1)
      return untilOne<Real>([&] { return gammaBelowOne(from, shape); }, from);
  return untilOne<Real>([&] { return gammaAboveOne(from, shape); }, from);
}

/// Of two shapes, by one copy of the code.
template <typename From> __device__ void drawTwoGammas(From &from, double firstShape, double secondShape, double &first, double &second) {
#pragma unroll 1
  for (int k = 0; k < 2; ++k) {
    first = second;
    second = standardGamma(from, k ? secondShape : firstShape);
  }
}

struct OfDoubles {
  using Real = double;
  using Number = double;
  static constexpr int grain = 1;
};

template <typename RealType> struct GammaAboveOne : OfDoubles {
  using Real = RealType;
  using Number = RealType;
  template <typename From> static __device__ Real draw(From &from) {
    Real number = gammaAboveOne(from, Real(from.constant(0)));
    return sizeof(Real) == 8 ? Real(from.constant(1)) * number : number;
  }
};
struct GammaBelowOne : OfDoubles {
  template <typename From> static __device__ double draw(From &from) { return from.constant(1) * gammaBelowOne(from, from.constant(0)); }
};

/// Of parameters of which one is above 1.
struct Beta : OfDoubles {
  template <typename From> static __device__ double draw(From &from) {
    double first = 0, second = 0;
    drawTwoGammas(from, from.constant(0), from.constant(1), first, second);
    return first / (first + second);
  }
};
/// M. D. Jöhnk's method, 1964.
struct BetaByPowers : OfDoubles {
  static constexpr int grain = 2, mostTaken = 2;
  template <typename From> static __device__ double draw(From &from) {
    double u = from.uniform(), v = from.uniform();
    bool isNear = false;
    double x = powOf(from, u, 1.0 / from.constant(0), isNear), y = powOf(from, v, 1.0 / from.constant(1), isNear), sum = x + y;
    if (u == 0 || v == 0)
      from.isUnsure = true;
    from.isNone = from.isLess(1.0, sum, 1e-14);
    if (!from.isNone && (x < 1e-290 || y < 1e-290)) // is found by logarithms
      from.isUnsure = true;
    from.isInexact = isNear;
    return x / sum;
  }
};

struct StandardT : OfDoubles {
  template <typename From> static __device__ double draw(From &from) {
    double df = from.constant(0), number = from.normal();
    double denominator = standardGamma(from, df / 2);
    return sqrt(df / 2) * number / sqrt(denominator);
  }
};

struct FRatio : OfDoubles {
  template <typename From> static __device__ double draw(From &from) {
    double dfnum = from.constant(0), dfden = from.constant(1);
    double first = 0, second = 0;
    drawTwoGammas(from, dfnum / 2.0, dfden / 2.0, first, second);
    return 2.0 * first * dfden / (2.0 * second * dfnum);
  }
};

/// Of more than one degree of freedom.
struct NoncentralChisquare : OfDoubles {
  template <typename From> static __device__ double draw(From &from) {
    double central = 2.0 * standardGamma(from, (from.constant(0) - 1) / 2.0);
    double shifted = from.normal() + sqrt(from.constant(1));
    return central + shifted * shifted;
  }
};

#endif
