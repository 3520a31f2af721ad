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

/// What the request is to a device; false if it is none of these draws.
bool describeNumbers(const Draw &draw, StreamDraw &out);

} // namespace npcc::rt::random

#endif
