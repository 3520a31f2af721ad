// Draws of distributions that kernels/numbers.cu has (Numbers.def).
#ifndef NPCC_RUNTIME_RANDOM_NUMBERDRAWS_H
#define NPCC_RUNTIME_RANDOM_NUMBERDRAWS_H

#include "runtime/random/Generator.h"
#include "runtime/random/StreamDraw.h"

namespace npcc::rt::random {

/// The numbers of Distributions.def.
enum DistributionRow : int32_t {
#define NPCC_DISTRIBUTION(name, ...) row_##name,
#include "runtime/random/Distributions.def"
};

/// Whether a device may draw gamma numbers of this shape, or others that are made of them.
inline bool isGoodShape(double shape) { return shape >= 1e-3 && shape < 1e9; }
/// Balls that are drawn by rejection.
inline bool areManyBalls(int64_t good, int64_t bad, int64_t sample) {
  return good < 1000000000 && bad < 1000000000 && good > 0 && bad > 0 && sample >= 10 && sample <= good + bad - 10;
}

/// What the request is to a device; false if it is none of these draws.
bool describeNumbers(const Draw &draw, StreamDraw &out);

} // namespace npcc::rt::random

#endif
