#include "runtime/random/WalkDraws.h"
#include "runtime/abi/dtypes.h"
#include "runtime/cpu/ThreadPool.h"
#include "runtime/random/Draws.h"
#include "runtime/random/Logarithms.h"
#include "runtime/random/NumberDraws.h"
#include "runtime/random/UnitReplay.h"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>

namespace npcc::rt::random {
namespace {

/// Longer lines of numbers take more units than a device looks at.
constexpr int64_t longestLine = 256;
constexpr int64_t mostTries = int64_t(1) << 40;

void drawOneNumber(const StreamDraw &draw, int64_t k, npcc_generator &generator, void *value) {
  npcc_draw request = *draw.request;
  request.count = 1;
  Draw here{generator, request, value, {}};
  for (int32_t position = 0; position < request.array_count; ++position)
    here.arrays.push_back(static_cast<const char *>(draw.known[position]) + 8 * k);
  (void)fill(here); // the parameters have been checked
}

void replayOne(const StreamDraw &draw, int64_t k, const uint64_t *units, int64_t count, int64_t &taken, void *value) {
  UnitReplay source(units, count, draw.kind);
  npcc_generator generator{};
  generator.bits = &source.bits;
  draw.drawOne(draw, k, generator, value);
  taken = source.taken;
}

void drawOneLine(const StreamDraw &draw, int64_t k, npcc_generator &generator, void *value) {
  npcc_draw request = *draw.request;
  request.count = draw.lineLength;
  npcc_draw_array arrays[] = {{nullptr, 1}, {nullptr, draw.lineLength}};
  request.arrays = arrays;
  auto at = [&](int position, int64_t elements) {
    return static_cast<const char *>(draw.known[position]) + (draw.constants[position] != 0 ? 8 * k * elements : 0);
  };
  Draw here{generator, request, value, {at(0, 1), at(1, draw.lineLength)}};
  fillMultinomial(here);
}

bool describeMultinomial(const Draw &draw, StreamDraw &out) {
  out.walk = WalkRow::multinomial;
  out.lineLength = out.each = draw.request.scalars[0].i;
  if (out.lineLength < 2 || out.lineLength > longestLine)
    return false;
  const npcc_draw_array *arrays = draw.request.arrays;
  out.constants[0] = arrays[0].count != 1; // whether each line has its own
  out.constants[1] = arrays[1].count != out.lineLength;
  out.drawOne = drawOneLine;
  auto *counts = static_cast<const int64_t *>(draw.arrays[0]);
  return std::all_of(counts, counts + arrays[0].count, [](int64_t count) { return count <= mostTries; });
}

/// The row, and what holds for all numbers.
bool describeRow(const Draw &draw, StreamDraw &out) {
  auto as = [&](WalkRow row) {
    out.walk = row;
    return true;
  };
  bool isSingle = out.dtype == NPCC_FLOAT32;
  out.drawOne = drawOneNumber;
  switch (draw.request.distribution) {
  case row_chisquare:
    out.constants[0] = 0.5;
    out.constants[1] = 2;
    return as(WalkRow::gamma);
  case row_standard_gamma:
  case row_gamma:
    out.constants[0] = out.constants[1] = 1;
    return as(isSingle ? WalkRow::gamma_f : WalkRow::gamma);
  case row_poisson:
  case row_legacy_poisson:
    return as(WalkRow::poisson);
  case row_beta:
    return as(WalkRow::beta);
  case row_standard_t:
    return as(WalkRow::standard_t);
  case row_f:
    return as(WalkRow::f);
  case row_noncentral_chisquare:
    return as(WalkRow::noncentral_chisquare);
  case row_wald:
    return as(WalkRow::wald);
  case row_weibull:
    return as(WalkRow::weibull);
  case row_lognormal:
    return as(WalkRow::lognormal);
  case row_triangular:
    return as(WalkRow::triangular);
  case row_legacy_binomial:
    out.constants[0] = 1; // takes a unit of the stream also where there is nothing to draw
    return as(WalkRow::binomial);
  case row_binomial:
    return as(WalkRow::binomial);
  case row_negative_binomial:
    return as(WalkRow::negative_binomial);
  case row_geometric:
    return as(WalkRow::geometric);
  case row_legacy_geometric:
    return as(WalkRow::legacy_geometric);
  case row_logseries:
    return as(WalkRow::logseries);
  case row_zipf:
    return as(WalkRow::zipf);
  case row_hypergeometric:
    return as(WalkRow::hypergeometric);
  case row_multinomial:
    return describeMultinomial(draw, out);
  default:
    return false;
  }
}

/// Whether a device may draw number k.
bool isGood(const Draw &draw, const StreamDraw &walk, int64_t k) {
  auto value = [&](int position) { return static_cast<const double *>(draw.arrays[position])[k]; };
  auto whole = [&](int position) { return static_cast<const int64_t *>(draw.arrays[position])[k]; };
  switch (walk.walk) {
  case WalkRow::poisson:
    return value(0) < 1e9;
  case WalkRow::gamma:
    return value(0) == 0 || isGoodShape(value(0) * walk.constants[0]);
  case WalkRow::gamma_f:
    return value(0) == 0 || (float(value(0)) >= 1 && value(0) < 1e9);
  case WalkRow::beta:
    return isGoodShape(value(0)) && isGoodShape(value(1));
  case WalkRow::standard_t:
    return isGoodShape(value(0) / 2);
  case WalkRow::f:
    return isGoodShape(value(0) / 2) && isGoodShape(value(1) / 2);
  case WalkRow::noncentral_chisquare:
    return value(1) == 0 ? isGoodShape(value(0) / 2) : value(1) < 1e300 && isGoodShape((value(0) - 1) / 2);
  case WalkRow::wald:
    return std::isfinite(value(0)) && std::isfinite(value(1));
  case WalkRow::weibull:
    return value(0) >= 1e-3;
  case WalkRow::lognormal:
    return std::isfinite(value(0)) && std::isfinite(value(1));
  case WalkRow::binomial:
    return whole(1) <= mostTries;
  case WalkRow::negative_binomial:
    return isGoodShape(value(0)) && value(0) * ((1 - value(1)) / value(1)) < 1e8;
  case WalkRow::geometric:
  case WalkRow::legacy_geometric:
    return value(0) >= 1e-5;
  case WalkRow::zipf:
    return value(0) >= 1.5 && value(0) < 100;
  case WalkRow::hypergeometric:
    return areManyBalls(whole(0), whole(1), whole(2));
  default:
    return true;
  }
}

} // namespace

int64_t fewOfWalk(WalkRow row) {
  static const char *given = std::getenv("NPCC_DEVICE_DRAWS");
  static const int64_t asked = given ? std::atoll(given) : 0;
  return given ? asked : fewOf(row);
}

int64_t fewestOfWalks() {
  static const int64_t fewest = [] {
    int64_t least = INT64_MAX;
#define NPCC_WALKS(name, ...) least = std::min(least, fewOfWalk(WalkRow::name));
#include "runtime/random/Walks.def"
    return least;
  }();
  return fewest;
}

bool describeWalk(const Draw &draw, StreamDraw &out) {
  out.method = StreamMethod::Walk;
  if (!describeRow(draw, out) || draw.request.count < fewOfWalk(out.walk) ||
      (hasManyDoubts(out.walk) && !roundsLogarithms()))
    return false;
  bool areNumbers = out.walk != WalkRow::multinomial;
  for (int32_t position = 0; position < draw.request.array_count; ++position) {
    out.given[position] = draw.request.arrays[position].data;
    out.known[position] = draw.arrays[position];
    if (areNumbers && draw.request.arrays[position].count != draw.request.count)
      return false;
  }
  out.request = &draw.request;
  out.replayOne = replayOne;
  std::atomic<bool> areGood = true;
  if (areNumbers)
    parallelLoop(draw.request.count, 16384, [&](int64_t from, int64_t to) {
      for (int64_t k = from; k < to; ++k)
        if (!isGood(draw, out, k)) {
          areGood = false;
          return;
        }
    });
  return areGood;
}

} // namespace npcc::rt::random
