#include "runtime/random/NumberDraws.h"
#include "runtime/abi/dtypes.h"
#include "runtime/random/Logarithms.h"
#include "runtime/random/UnitReplay.h"
#include <cmath>

namespace npcc::rt::random {
namespace {

/// NumPy's own function makes the numbers, or pairs, of these units.
void replay(const StreamDraw &draw, const uint64_t *units, int64_t count, int64_t numbers, int64_t &taken,
            void *values) {
  UnitReplay source(units, count, draw.kind);
  npcc_generator generator{};
  generator.bits = &source.bits;
  npcc_draw request = *draw.request;
  request.count = numbers * draw.each;
  Draw here{generator, request, values, {}};
  (void)fill(here); // the parameters have been checked
  taken = source.taken;
}

/// How many units a number takes, of which some are drawn to see.
double unitsOfNumber(const StreamDraw &draw) {
  constexpr int64_t tried = 1024;
  UnitReplay source(nullptr, 0, draw.kind);
  npcc_generator generator{};
  generator.bits = &source.bits;
  npcc_draw request = *draw.request;
  request.count = tried * draw.each;
  std::vector<uint64_t> values(request.count);
  Draw here{generator, request, values.data(), {}};
  (void)fill(here);
  return double(source.taken) / tried;
}

/// A gamma distribution: its kernels are of shapes above and below 1, and 1 itself is the exponential distribution.
bool describeGamma(double shape, double scale, StreamDraw &out) {
  bool isSingle = out.dtype == NPCC_FLOAT32;
  if (isSingle)
    shape = float(shape);
  if (shape == 1) {
    out.method = StreamMethod::Exponential;
    out.scale = scale;
    return true;
  }
  out.constants[0] = shape;
  out.constants[1] = scale;
  if (shape < 1) {
    // A library's float32 powers are not the nearest ones, so that nobody can tell them.
    out.number = NumberRow::gamma_below_one;
    return !isSingle && shape >= 1e-3;
  }
  out.number = isSingle ? NumberRow::gamma_above_one_f : NumberRow::gamma_above_one;
  return shape < 1e9;
}

bool describePoisson(double mean, StreamDraw &out) {
  out.number = mean >= 10 ? NumberRow::poisson_by_rejection : NumberRow::poisson_by_products;
  return mean > 0 && mean < 1e9;
}

bool describeBinomial(double p, int64_t n, StreamDraw &out) {
  if (n == 0 || p == 0 || n > int64_t(1) << 40)
    return false; // 0 takes nothing of the stream
  bool isFlipped = p > 0.5;
  if (isFlipped)
    p = 1.0 - p;
  out.whole = n;
  out.constants[0] = p;
  out.constants[1] = std::exp(double(n) * std::log(1.0 - p));
  out.constants[2] = isFlipped;
  out.number = p * double(n) <= 30.0 ? NumberRow::binomial_by_inversion : NumberRow::binomial_by_rejection;
  return p > 0;
}

/// Small samples are taken one by one, by words of the stream that have another length.
bool describeHypergeometric(int64_t good, int64_t bad, int64_t sample, StreamDraw &out) {
  out.number = NumberRow::hypergeometric;
  out.constants[0] = double(good);
  out.constants[1] = double(bad);
  out.constants[2] = double(sample);
  return areManyBalls(good, bad, sample);
}

/// Method, number and constants.
bool describeMethod(const Draw &draw, StreamDraw &out) {
  const npcc_draw &request = draw.request;
  auto scalar = [&](int k) { return request.scalars[k].f; };
  auto as = [&](NumberRow row, int count) {
    out.number = row;
    for (int k = 0; k < count; ++k)
      out.constants[k] = scalar(k);
    return true;
  };
  switch (request.distribution) {
  case row_standard_gamma:
    return describeGamma(scalar(0), 1, out);
  case row_gamma:
    return describeGamma(scalar(0), scalar(1), out);
  case row_chisquare:
    return describeGamma(scalar(0) / 2.0, 2, out);
  case row_beta:
    return as(scalar(0) <= 1 && scalar(1) <= 1 ? NumberRow::beta_by_powers : NumberRow::beta, 2) &&
           isGoodShape(scalar(0)) && isGoodShape(scalar(1));
  case row_standard_t:
    return as(NumberRow::standard_t, 1) && isGoodShape(scalar(0) / 2);
  case row_f:
    return as(NumberRow::f, 2) && isGoodShape(scalar(0) / 2) && isGoodShape(scalar(1) / 2);
  case row_noncentral_chisquare:
    if (scalar(1) == 0)
      return describeGamma(scalar(0) / 2.0, 2, out);
    return as(NumberRow::noncentral_chisquare, 2) && scalar(1) > 0 && isGoodShape((scalar(0) - 1) / 2);
  case row_standard_cauchy:
    // Attempts from every place would never meet: which normal number is a first one, all numbers before it say.
    out.method = StreamMethod::Quotients;
    return true;
  case row_rayleigh:
    return as(NumberRow::rayleigh, 1);
  case row_weibull:
    return as(NumberRow::weibull, 1) && scalar(0) >= 1e-3;
  case row_lognormal:
    return as(NumberRow::lognormal, 2);
  case row_triangular:
    return as(NumberRow::triangular, 3);
  case row_laplace:
    return as(NumberRow::laplace, 2);
  case row_gumbel:
    return as(NumberRow::gumbel, 2);
  case row_logistic:
    return as(NumberRow::logistic, 2);
  case row_legacy_standard_exponential:
    out.constants[0] = 1;
    return as(NumberRow::legacy_exponential, 0);
  case row_legacy_exponential:
    return as(NumberRow::legacy_exponential, 1);
  case row_legacy_standard_normal:
    out.constants[1] = 1;
    return as(NumberRow::legacy_normal, 0);
  case row_legacy_normal:
    return as(NumberRow::legacy_normal, 2);
  case row_poisson:
  case row_legacy_poisson:
    out.constants[0] = scalar(0);
    return describePoisson(scalar(0), out);
  case row_negative_binomial:
    out.constants[0] = scalar(0);
    out.constants[1] = (1 - scalar(1)) / scalar(1);
    out.number = NumberRow::negative_binomial;
    return isGoodShape(scalar(0)) && scalar(0) * out.constants[1] < 1e8;
  case row_binomial:
  case row_legacy_binomial:
    return describeBinomial(scalar(0), request.scalars[1].i, out);
  case row_geometric:
    out.constants[1] = std::log1p(-scalar(0));
    return as(scalar(0) >= 0.333333333333333333333333 ? NumberRow::geometric_by_search
                                                      : NumberRow::geometric_by_exponentials,
              1);
  case row_legacy_geometric:
    out.constants[1] = std::log(1 - scalar(0));
    return as(scalar(0) >= 0.333333333333333333333333 ? NumberRow::geometric_by_search : NumberRow::legacy_geometric,
              1);
  case row_zipf:
    out.constants[1] = std::pow(2.0, scalar(0) - 1.0);
    out.constants[2] = std::pow(9223372036854775807.0, -(scalar(0) - 1.0));
    // Of less, too many numbers are so large that their last places are a power's, about which the host has to be
    // asked.
    return as(NumberRow::zipf, 1) && scalar(0) >= 1.5 && scalar(0) < 100;
  case row_hypergeometric:
    return describeHypergeometric(request.scalars[0].i, request.scalars[1].i, request.scalars[2].i, out);
  case row_weighted_choice:
  case row_legacy_weighted_choice:
    out.whole = int64_t(out.table.size());
    out.number = NumberRow::weighted_choice;
    return true;
  case row_wald:
    return as(NumberRow::wald, 2);
  case row_logseries:
    out.constants[1] = std::log1p(-scalar(0));
    return as(NumberRow::logseries, 1) && scalar(0) > 0;
  default:
    return false;
  }
}

} // namespace

bool describeNumbers(const Draw &draw, StreamDraw &out) {
  out.method = StreamMethod::Numbers;
  if (!describeMethod(draw, out))
    return false;
  for (double constant : out.constants)
    if (!std::isfinite(constant))
      return false;
  if (out.method != StreamMethod::Numbers)
    return true;
  if (hasManyDoubts(out.number) && !roundsLogarithms())
    return false;
  out.each = isPairs(out.number) ? 2 : 1;
  out.request = &draw.request;
  out.replay = replay;
  out.unitsOfNumber = out.table.empty() ? unitsOfNumber(out) : 1;
  return true;
}

} // namespace npcc::rt::random
