// Permutations and choices: positions, by which the compiled program then takes elements.
#include "runtime/random/Draws.h"
#include "runtime/random/NumberDraws.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace npcc::rt::random {
namespace {

/// Fisher and Yates from the last position down to `first`, with NumPy's bounded integers of one of two kinds.
template <typename Bounded> void shuffle(int64_t *positions, int64_t count, int64_t first, Bounded &&below) {
  for (int64_t k = count - 1; k >= first; --k)
    std::swap(positions[k], positions[below(k)]);
}

/// The tail of a shuffle of the whole population: for large samples.
void chooseTail(bitgen_t *bits, int64_t population, std::span<int64_t> out) {
  int64_t count = int64_t(out.size());
  std::vector<int64_t> positions(population);
  std::iota(positions.begin(), positions.end(), 0);
  shuffle(positions.data(), population, std::max<int64_t>(population - count, 1),
          [&](int64_t k) { return random_bounded_uint64(bits, 0, k, 0, false); });
  std::copy(positions.end() - count, positions.end(), out.begin());
}

/// Floyd's method, which needs memory for the sample alone.
void chooseDistinct(bitgen_t *bits, int64_t population, std::span<int64_t> out) {
  int64_t count = int64_t(out.size());
  uint64_t size = 1;
  while (size <= uint64_t(1.2 * double(count)))
    size *= 2;
  constexpr uint64_t empty = ~uint64_t(0);
  std::vector<uint64_t> table(size, empty);
  // Where the value is, or the first free place.
  auto find = [&](uint64_t value) {
    uint64_t place = value & (size - 1);
    while (table[place] != empty && table[place] != value)
      place = (place + 1) & (size - 1);
    return place;
  };
  for (int64_t last = population - count; last < population; ++last) {
    uint64_t value = random_bounded_uint64(bits, 0, last, 0, false);
    if (table[find(value)] == value)
      value = last;
    table[find(value)] = value;
    out[last - population + count] = int64_t(value);
  }
}

/// Running sums of the weights, as shares of the last one.
void accumulate(const std::vector<double> &weights, std::vector<double> &sums) {
  double sum = 0;
  for (size_t k = 0; k < weights.size(); ++k)
    sums[k] = sum = k ? sum + weights[k] : weights[k];
  for (double &share : sums)
    share /= sum;
}

/// numpy.searchsorted(sums, x, side="right").
int64_t find(const std::vector<double> &sums, double x) {
  return std::upper_bound(sums.begin(), sums.end(), x) - sums.begin();
}

struct WeightWords {
  const char *nan, *negative, *sum, *size;
};

const WeightWords words{"Probabilities contain NaN", "Probabilities are not non-negative",
                        "Probabilities do not sum to 1. See Notes section of docstring for more information.",
                        "a and p must have same size"};
const WeightWords legacyWords{"probabilities contain NaN", "probabilities are not non-negative",
                              "probabilities do not sum to 1", "'a' and 'p' must have same size"};

/// The probabilities, checked.
Status readWeights(Draw &draw, const WeightWords &words, std::vector<double> &weights) {
  const npcc_draw &request = draw.request;
  bool replaces = request.scalars[0].i;
  double tolerance = request.scalars[1].f;
  int64_t population = request.scalars[2].i, count = request.count;
  auto *given = static_cast<const double *>(draw.arrays[0]);
  weights.assign(given, given + request.arrays[0].count);
  if (int64_t(weights.size()) != population)
    return Status(NPCC_VALUE_ERROR, words.size);
  double sum = compensatedSum(weights.data(), int64_t(weights.size()));
  if (std::isnan(sum))
    return Status(NPCC_VALUE_ERROR, words.nan);
  if (std::any_of(weights.begin(), weights.end(), [](double p) { return p < 0; }))
    return Status(NPCC_VALUE_ERROR, words.negative);
  if (std::fabs(sum - 1.) > tolerance)
    return Status(NPCC_VALUE_ERROR, words.sum);
  if (!replaces && count > population)
    return Status(NPCC_VALUE_ERROR, words.size == std::string_view("'a' and 'p' must have same size")
                                        ? "Cannot take a larger sample than population when 'replace=False'"
                                        : "Cannot take a larger sample than population when replace is False");
  if (!replaces && std::count_if(weights.begin(), weights.end(), [](double p) { return p > 0; }) < count)
    return Status(NPCC_VALUE_ERROR, "Fewer non-zero entries in p than size");
  return {};
}

Status chooseWeighted(Draw &draw, const WeightWords &words) {
  int64_t population = draw.request.scalars[2].i, count = draw.request.count;
  std::vector<double> weights;
  NPCC_TRY(readWeights(draw, words, weights));
  bitgen_t *bits = bitsOf(draw.generator);
  auto *out = static_cast<int64_t *>(draw.out);
  std::vector<double> sums(weights.size());
  accumulate(weights, sums);
  if (draw.request.scalars[0].i) { // with replacement
    for (int64_t k = 0; k < count; ++k)
      out[k] = find(sums, bits->next_double(bits->state));
    return {};
  }
  // As many as are missing are drawn; of those that come twice the first counts; then what was found has no weight any
  // more.
  for (int64_t found = 0; found < count;) {
    if (found)
      accumulate(weights, sums);
    for (int64_t missing = count - found; missing; --missing) {
      int64_t position = find(sums, bits->next_double(bits->state));
      if (position == population || weights[position] == 0)
        continue;
      out[found++] = position;
      weights[position] = 0;
    }
  }
  return {};
}

} // namespace

double compensatedSum(const double *values, int64_t count) {
  double sum = count > 0 ? values[0] : 0.0, lost = 0.0;
  for (int64_t k = 1; k < count; ++k) {
    double addend = values[k] - lost, next = sum + addend;
    lost = (next - sum) - addend;
    sum = next;
  }
  return sum;
}

Status drawPermutations(Draw &draw) {
  int64_t length = draw.request.scalars[0].i;
  auto *out = static_cast<int64_t *>(draw.out);
  for (int64_t line = 0; length > 0 && line < draw.request.count / length; ++line, out += length) {
    std::iota(out, out + length, 0);
    shuffle(out, length, 1, [&](int64_t k) { return random_interval(bitsOf(draw.generator), k); });
  }
  return {};
}

Status drawChoice(Draw &draw) {
  int64_t population = draw.request.scalars[0].i, count = draw.request.count;
  bool shuffles = draw.request.scalars[1].i;
  if (count > population)
    return Status(NPCC_VALUE_ERROR, "Cannot take a larger sample than population when replace is False");
  bitgen_t *bits = bitsOf(draw.generator);
  std::span<int64_t> out(static_cast<int64_t *>(draw.out), count);
  if (isTail(population, count, shuffles)) {
    chooseTail(bits, population, out);
    return {};
  }
  chooseDistinct(bits, population, out);
  if (shuffles)
    shuffle(out.data(), count, 1, [&](int64_t k) { return random_bounded_uint64(bits, 0, k, 0, false); });
  return {};
}

Status sumsOfWeights(Draw &draw, std::vector<double> &sums) {
  std::vector<double> weights;
  NPCC_TRY(readWeights(draw, draw.request.distribution == row_weighted_choice ? words : legacyWords, weights));
  sums.resize(weights.size());
  accumulate(weights, sums);
  return {};
}

Status drawWeightedChoice(Draw &draw) { return chooseWeighted(draw, words); }

Status drawLegacyWeightedChoice(Draw &draw) { return chooseWeighted(draw, legacyWords); }

} // namespace npcc::rt::random
