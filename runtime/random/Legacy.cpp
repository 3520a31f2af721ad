#include "runtime/random/Legacy.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace npcc::rt::random {
namespace {

double uniform(npcc_generator &generator) {
  bitgen_t *bits = bitsOf(generator);
  return bits->next_double(bits->state);
}

/// Binomial numbers by adding up probabilities from 0 on, for n * p of at most 30.
int64_t invertBinomial(npcc_generator &generator, int64_t n, double p) {
  struct Setup {
    int64_t n = -1;
    double p = 0;
    double none;   // the probability of no success
    int64_t bound; // beyond this the sum has lost itself in rounding: another number is drawn
  };
  thread_local Setup setup; // of the number before, which has the same n and p in most draws
  double q = 1.0 - p;
  if (setup.n != n || setup.p != p) {
    double mean = n * p, spread = mean + 10.0 * std::sqrt(mean * q + 1);
    setup = {n, p, std::exp(n * std::log(q)), static_cast<int64_t>(n < spread ? static_cast<double>(n) : spread)};
  }
  int64_t successes = 0;
  double probability = setup.none, rest = uniform(generator);
  while (rest > probability) {
    if (++successes > setup.bound) {
      successes = 0;
      probability = setup.none;
      rest = uniform(generator);
    } else {
      rest -= probability;
      probability = ((n - successes + 1) * p * probability) / (successes * q);
    }
  }
  return successes;
}

int64_t drawLikelyBinomial(npcc_generator &generator, double p, int64_t n) {
  if (p * n <= 30.0)
    return invertBinomial(generator, n, p);
  thread_local binomial_t setup{};
  return random_binomial_btpe(bitsOf(generator), n, p, &setup);
}

/// One ball after the other, for a small sample.
int64_t countBalls(npcc_generator &generator, int64_t good, int64_t bad, int64_t sample) {
  int64_t others = bad + good - sample;
  double fewer = static_cast<double>(std::min(bad, good)), left = fewer;
  for (int64_t k = sample; left > 0.0 && k > 0; --k)
    left -= static_cast<int64_t>(std::floor(uniform(generator) + left / (others + k)));
  auto taken = static_cast<int64_t>(fewer - left);
  return good > bad ? sample - taken : taken;
}

/// Ratio of uniforms (Stadlober's HRUA), for a large one.
int64_t rejectBalls(npcc_generator &generator, int64_t good, int64_t bad, int64_t sample) {
  int64_t fewer = std::min(good, bad), more = std::max(good, bad), all = good + bad;
  int64_t m = std::min(sample, all - sample);
  double share = static_cast<double>(fewer) / all, otherShare = 1.0 - share;
  double centre = m * share + 0.5;
  double deviation = std::sqrt(static_cast<double>(all - m) * sample * share * otherShare / (all - 1) + 0.5);
  double width = 1.7155277699214135 * deviation + 0.8989161620588988; // 2 sqrt(2 / e), 3 - 2 sqrt(3 / e)
  auto mode = static_cast<int64_t>(std::floor(static_cast<double>(m + 1) * (fewer + 1) / (all + 2)));
  auto logarithms = [&](int64_t k) {
    return random_loggam(k + 1) + random_loggam(fewer - k + 1) + random_loggam(m - k + 1) +
           random_loggam(more - m + k + 1);
  };
  double highest = logarithms(mode);
  double bound = std::min(std::min(m, fewer) + 1.0, std::floor(centre + 16 * deviation));
  int64_t result;
  while (true) {
    double x = uniform(generator), y = uniform(generator);
    double position = centre + width * (y - 0.5) / x;
    if (position < 0.0 || position >= bound)
      continue;
    result = static_cast<int64_t>(std::floor(position));
    double t = highest - logarithms(result);
    if (x * (4.0 - x) - 3.0 <= t)
      break;
    if (x * (x - t) >= 1)
      continue;
    if (2.0 * std::log(x) <= t)
      break;
  }
  if (good > bad)
    result = m - result;
  return m < sample ? good - result : result;
}

} // namespace

//===---- Normal, exponential and what follows from them
//-------------------------------------------------------------------===//

/// Marsaglia's polar method.
double legacyStandardNormal(npcc_generator &generator) {
  if (generator.has_gauss) {
    double kept = generator.gauss;
    generator.has_gauss = 0;
    generator.gauss = 0.0;
    return kept;
  }
  double x, y, square;
  do {
    x = 2.0 * uniform(generator) - 1.0;
    y = 2.0 * uniform(generator) - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  double factor = std::sqrt(-2.0 * std::log(square) / square);
  generator.gauss = factor * x;
  generator.has_gauss = 1;
  return factor * y;
}

/// The method of Box and Muller, as random.Random.gauss() has it.
double pythonGauss(npcc_generator &generator) {
  if (generator.has_gauss) {
    generator.has_gauss = 0;
    return generator.gauss;
  }
  double angle = uniform(generator) * 2.0 * M_PI;
  double radius = std::sqrt(-2.0 * std::log(1.0 - uniform(generator)));
  generator.gauss = std::sin(angle) * radius;
  generator.has_gauss = 1;
  return std::cos(angle) * radius;
}

double legacyStandardExponential(npcc_generator &generator) { return -std::log(1.0 - uniform(generator)); }

/// Ahrens and Dieter's method below 1, Marsaglia and Tsang's above.
double legacyStandardGamma(npcc_generator &generator, double shape) {
  if (shape == 1.0)
    return legacyStandardExponential(generator);
  if (shape == 0.0)
    return 0.0;
  if (shape < 1.0)
    while (true) {
      double u = uniform(generator), v = legacyStandardExponential(generator);
      if (u <= 1.0 - shape) {
        double x = std::pow(u, 1. / shape);
        if (x <= v)
          return x;
      } else {
        double y = -std::log((1 - u) / shape);
        double x = std::pow(1.0 - shape + shape * y, 1. / shape);
        if (x <= v + y)
          return x;
      }
    }
  double b = shape - 1. / 3., c = 1. / std::sqrt(9 * b);
  while (true) {
    double x, v;
    do {
      x = legacyStandardNormal(generator);
      v = 1.0 + c * x;
    } while (v <= 0.0);
    v = v * v * v;
    double u = uniform(generator);
    if (u < 1.0 - 0.0331 * (x * x) * (x * x))
      return b * v;
    if (std::log(u) < 0.5 * x * x + b * (1. - v + std::log(v)))
      return b * v;
  }
}

double legacyNormal(npcc_generator &generator, double loc, double scale) {
  return loc + scale * legacyStandardNormal(generator);
}
double legacyLognormal(npcc_generator &generator, double mean, double sigma) {
  return std::exp(legacyNormal(generator, mean, sigma));
}
double legacyExponential(npcc_generator &generator, double scale) {
  return scale * legacyStandardExponential(generator);
}
double legacyGamma(npcc_generator &generator, double shape, double scale) {
  return scale * legacyStandardGamma(generator, shape);
}
double legacyChisquare(npcc_generator &generator, double df) { return 2.0 * legacyStandardGamma(generator, df / 2.0); }
double legacyPareto(npcc_generator &generator, double a) {
  return std::exp(legacyStandardExponential(generator) / a) - 1;
}
double legacyPower(npcc_generator &generator, double a) {
  return std::pow(1 - std::exp(-legacyStandardExponential(generator)), 1. / a);
}
double legacyRayleigh(npcc_generator &generator, double scale) {
  return scale * std::sqrt(-2.0 * std::log1p(-uniform(generator)));
}

double legacyWeibull(npcc_generator &generator, double a) {
  return a == 0.0 ? 0.0 : std::pow(legacyStandardExponential(generator), 1. / a);
}

double legacyStandardCauchy(npcc_generator &generator) {
  double numerator = legacyStandardNormal(generator);
  return numerator / legacyStandardNormal(generator);
}

double legacyStandardT(npcc_generator &generator, double df) {
  double numerator = legacyStandardNormal(generator), denominator = legacyStandardGamma(generator, df / 2);
  return std::sqrt(df / 2) * numerator / std::sqrt(denominator);
}

double legacyF(npcc_generator &generator, double dfnum, double dfden) {
  double numerator = legacyChisquare(generator, dfnum) * dfden;
  return numerator / (legacyChisquare(generator, dfden) * dfnum);
}

double legacyNoncentralChisquare(npcc_generator &generator, double df, double nonc) {
  if (nonc == 0)
    return legacyChisquare(generator, df);
  if (1 < df) {
    double central = legacyChisquare(generator, df - 1), shifted = legacyStandardNormal(generator) + std::sqrt(nonc);
    return central + shifted * shifted;
  }
  int64_t extra = random_poisson(bitsOf(generator), nonc / 2.0);
  double result = legacyChisquare(generator, df + 2 * extra);
  return std::isnan(nonc) ? std::numeric_limits<double>::quiet_NaN() : result;
}

double legacyNoncentralF(npcc_generator &generator, double dfnum, double dfden, double nonc) {
  double numerator = legacyNoncentralChisquare(generator, dfnum, nonc) * dfden;
  return numerator / (legacyChisquare(generator, dfden) * dfnum);
}

double legacyWald(npcc_generator &generator, double mean, double scale) {
  double ratio = mean / (2 * scale), y = legacyStandardNormal(generator);
  y = mean * y * y;
  double x = mean + ratio * (y - std::sqrt(4 * scale * y + y * y));
  return uniform(generator) <= mean / (mean + x) ? x : mean * mean / x;
}

/// Johnk's method where both are at most 1, else by two gamma numbers.
double legacyBeta(npcc_generator &generator, double a, double b) {
  if (!(a <= 1.0 && b <= 1.0)) {
    double first = legacyStandardGamma(generator, a), second = legacyStandardGamma(generator, b);
    return first / (first + second);
  }
  while (true) {
    double u = uniform(generator), v = uniform(generator);
    double x = std::pow(u, 1.0 / a), y = std::pow(v, 1.0 / b);
    if (x + y > 1.0)
      continue;
    if (x + y > 0)
      return x / (x + y);
    double logX = std::log(u) / a, logY = std::log(v) / b, larger = logX > logY ? logX : logY;
    logX -= larger;
    logY -= larger;
    return std::exp(logX - std::log(std::exp(logX) + std::exp(logY)));
  }
}

/// Best and Fisher's method.
double legacyVonmises(npcc_generator &generator, double mu, double kappa) {
  if (std::isnan(kappa))
    return std::numeric_limits<double>::quiet_NaN();
  if (kappa < 1e-8)
    return M_PI * (2 * uniform(generator) - 1);
  double s;
  if (kappa < 1e-5) {
    s = 1. / kappa + kappa;
  } else {
    double r = 1 + std::sqrt(1 + 4 * kappa * kappa), rho = (r - std::sqrt(2 * r)) / (2 * kappa);
    s = (1 + rho * rho) / (2 * rho);
  }
  double w;
  while (true) {
    double z = std::cos(M_PI * uniform(generator));
    w = (1 + s * z) / (s + z);
    double y = kappa * (s - w), v = uniform(generator);
    if (y * (2 - y) - v >= 0 || std::log(y / v) + 1 - y >= 0)
      break;
  }
  bool turns = uniform(generator) < 0.5;
  double angle = (turns ? -std::acos(w) : std::acos(w)) + mu;
  double wrapped = std::fmod(std::fabs(angle) + M_PI, 2 * M_PI) - M_PI;
  return angle < 0 ? -wrapped : wrapped;
}

//===---- Whole numbers
//----------------------------------------------------------------------------------------------------===//

int64_t legacyBinomial(npcc_generator &generator, double p, int64_t n) {
  return p <= 0.5 ? drawLikelyBinomial(generator, p, n) : n - drawLikelyBinomial(generator, 1.0 - p, n);
}

int64_t legacyNegativeBinomial(npcc_generator &generator, double n, double p) {
  double mean = legacyGamma(generator, n, (1 - p) / p);
  return random_poisson(bitsOf(generator), mean);
}

int64_t legacyGeometric(npcc_generator &generator, double p) {
  if (p >= 0.333333333333333333333333)
    return random_geometric_search(bitsOf(generator), p);
  return static_cast<int64_t>(std::ceil(std::log1p(-uniform(generator)) / std::log(1 - p)));
}

int64_t legacyHypergeometric(npcc_generator &generator, int64_t good, int64_t bad, int64_t sample) {
  if (sample > 10)
    return rejectBalls(generator, good, bad, sample);
  return sample > 0 ? countBalls(generator, good, bad, sample) : 0;
}

int64_t legacyZipf(npcc_generator &generator, double a) {
  double less = a - 1.0, b = std::pow(2.0, less);
  while (true) {
    double u = 1.0 - uniform(generator), v = uniform(generator);
    double x = std::floor(std::pow(u, -1.0 / less));
    if (x > static_cast<double>(std::numeric_limits<int64_t>::max()) || x < 1.0)
      continue;
    double t = std::pow(1.0 + 1.0 / x, less);
    if (v * x * (t - 1.0) / (b - 1.0) <= t / b)
      return static_cast<int64_t>(x);
  }
}

int64_t legacyLogseries(npcc_generator &generator, double p) {
  double r = std::log(1.0 - p);
  while (true) {
    double v = uniform(generator);
    if (v >= p)
      return 1;
    double q = 1.0 - std::exp(r * uniform(generator));
    if (v > q * q)
      return v >= q ? 1 : 2;
    auto result = static_cast<int64_t>(std::floor(1 + std::log(v) / std::log(q)));
    if (result >= 1 && v != 0.0)
      return result;
  }
}

} // namespace npcc::rt::random
