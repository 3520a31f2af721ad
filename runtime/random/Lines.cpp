// Distributions of vectors: each line of the result is one of them.
#include "runtime/random/Draws.h"
#include "runtime/random/Legacy.h"
#include <algorithm>
#include <cmath>

namespace npcc::rt::random {
namespace {

/// Gamma numbers as shares of their sum.
template <typename Gamma> void drawShares(Draw &draw, const std::vector<double> &alpha, Gamma &&gamma) {
  size_t length = alpha.size();
  auto *line = static_cast<double *>(draw.out);
  for (int64_t left = length ? draw.request.count / int64_t(length) : 0; left; --left, line += length) {
    double sum = 0.;
    for (size_t k = 0; k < length; ++k)
      sum = sum + (line[k] = gamma(alpha[k]));
    double inverse = 1. / sum;
    for (size_t k = 0; k < length; ++k)
      line[k] *= inverse;
  }
}

/// What is left of a stick is broken at beta numbers: for small parameters, of which all gamma numbers may be 0.
void breakSticks(Draw &draw, const std::vector<double> &alpha) {
  size_t length = alpha.size();
  auto *line = static_cast<double *>(draw.out);
  std::fill(line, line + draw.request.count, 0.0);
  std::vector<double> sums(length);
  double sum = 0.0;
  for (size_t k = length; k--;)
    sums[k] = sum += alpha[k];
  if (!(sum > 0))
    return;
  for (int64_t left = draw.request.count / int64_t(length); left; --left, line += length) {
    double rest = 1.;
    for (size_t k = 0; k + 1 < length; ++k) {
      double share = random_beta(bitsOf(draw.generator), alpha[k], sums[k + 1]);
      line[k] = rest * share;
      rest *= 1. - share;
      if (sums[k + 1] == 0)
        break;
    }
    line[length - 1] = rest;
  }
}

std::vector<double> alphaOf(const Draw &draw) {
  auto *values = static_cast<const double *>(draw.arrays[0]);
  return {values, values + draw.request.arrays[0].count};
}

} // namespace

Status drawDirichlet(Draw &draw) {
  std::vector<double> alpha = alphaOf(draw);
  if (std::any_of(alpha.begin(), alpha.end(), [](double value) { return value < 0; }))
    return Status(NPCC_VALUE_ERROR, "alpha < 0");
  if (!alpha.empty() && std::all_of(alpha.begin(), alpha.end(), [](double value) { return value < 0.1; }))
    breakSticks(draw, alpha);
  else
    drawShares(draw, alpha, [&](double shape) { return random_standard_gamma(bitsOf(draw.generator), shape); });
  return {};
}

Status drawLegacyDirichlet(Draw &draw) {
  std::vector<double> alpha = alphaOf(draw);
  if (std::any_of(alpha.begin(), alpha.end(), [](double value) { return value <= 0; }))
    return Status(NPCC_VALUE_ERROR, "alpha <= 0");
  drawShares(draw, alpha, [&](double shape) { return legacyStandardGamma(draw.generator, shape); });
  return {};
}

Status checkMultinomial(const Draw &draw) {
  // The last scalar is the number of axes of pvals: what NumPy says of a sum depends on it.
  int64_t length = draw.request.scalars[0].i;
  bool isLine = draw.request.scalars[1].i <= 1;
  auto *counts = static_cast<const int64_t *>(draw.arrays[0]);
  auto *probabilities = static_cast<const double *>(draw.arrays[1]);
  int64_t countCount = draw.request.arrays[0].count, probabilityCount = draw.request.arrays[1].count;
  for (int64_t k = 0; k < probabilityCount; ++k)
    if (!(probabilities[k] >= 0 && probabilities[k] <= 1))
      return Status(NPCC_VALUE_ERROR, "pvals < 0, pvals > 1 or pvals contains NaNs");
  for (int64_t k = 0; length && k + length <= probabilityCount; k += length)
    if (compensatedSum(probabilities + k, length - 1) > 1.0 + 1e-12)
      return makeError(NPCC_VALUE_ERROR, "sum(pvals{}) > 1.0", isLine ? "[:-1]" : "[...,:-1]");
  for (int64_t k = 0; k < countCount; ++k)
    if (counts[k] < 0)
      return Status(NPCC_VALUE_ERROR, "n < 0");
  return {};
}

void fillMultinomial(Draw &draw) {
  int64_t length = draw.request.scalars[0].i;
  auto *counts = static_cast<const int64_t *>(draw.arrays[0]);
  auto *probabilities = static_cast<const double *>(draw.arrays[1]);
  int64_t countCount = draw.request.arrays[0].count, probabilityCount = draw.request.arrays[1].count;
  auto *out = static_cast<int64_t *>(draw.out);
  std::fill(out, out + draw.request.count, 0);
  binomial_t setup{};
  int64_t lines = length ? draw.request.count / length : 0;
  for (int64_t line = 0; line < lines; ++line)
    random_multinomial(bitsOf(draw.generator), counts[countCount == 1 ? 0 : line], out + line * length,
                       const_cast<double *>(probabilities + (probabilityCount == length ? 0 : line * length)), length,
                       &setup);
}

Status drawMultinomial(Draw &draw) {
  NPCC_TRY(checkMultinomial(draw));
  fillMultinomial(draw);
  return {};
}

Status drawMultivariateHypergeometric(Draw &draw) {
  int64_t sample = draw.request.scalars[0].i, length = draw.request.arrays[0].count, total = 0;
  bool byCounts = draw.request.scalars[1].i;
  auto *given = static_cast<const int64_t *>(draw.arrays[0]);
  std::vector<int64_t> colors(given, given + length);
  if (sample < 0)
    return Status(NPCC_VALUE_ERROR, "nsample must be nonnegative.");
  for (int64_t count : colors) {
    if (count < 0)
      return Status(
          NPCC_VALUE_ERROR,
          "colors must be a one-dimensional sequence of nonnegative integers not exceeding 9223372036854775807.");
    if (__builtin_add_overflow(total, count, &total))
      return Status(NPCC_VALUE_ERROR,
                    "sum(colors) must not exceed the maximum value of a 64 bit signed integer (9223372036854775807)");
  }
  if (!byCounts && total >= 1000000000)
    return Status(NPCC_VALUE_ERROR, "When method is \"marginals\", sum(colors) must be less than 1000000000.");
  if (byCounts && total > INT64_MAX / int64_t(sizeof(size_t)))
    return makeError(NPCC_VALUE_ERROR, "When method is 'count', sum(colors) must not exceed {}",
                     INT64_MAX / int64_t(sizeof(size_t)));
  if (sample > total)
    return Status(NPCC_VALUE_ERROR, "nsample > sum(colors)");
  auto *out = static_cast<int64_t *>(draw.out);
  std::fill(out, out + draw.request.count, 0);
  if (!length || !draw.request.count)
    return {};
  bitgen_t *bits = bitsOf(draw.generator);
  int64_t lines = draw.request.count / length;
  if (!byCounts)
    random_multivariate_hypergeometric_marginals(bits, total, length, colors.data(), sample, lines, out);
  else if (random_multivariate_hypergeometric_count(bits, total, length, colors.data(), sample, lines, out))
    return makeError(NPCC_MEMORY_ERROR,
                     "Insufficient memory for multivariate_hypergeometric with method='count' and sum(colors)={}",
                     total);
  return {};
}

} // namespace npcc::rt::random
