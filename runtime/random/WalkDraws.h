// Draws of numbers of which each has parameters of its own, which kernels/walks.cu has (Walks.def).
#ifndef NPCC_RUNTIME_RANDOM_WALKDRAWS_H
#define NPCC_RUNTIME_RANDOM_WALKDRAWS_H

#include "runtime/random/Generator.h"
#include "runtime/random/StreamDraw.h"

namespace npcc::rt::random {

/// From so many numbers of a row on, a device draws them: those of Walks.def, or NPCC_DEVICE_DRAWS of any row.
int64_t fewOfWalk(WalkRow row);
/// The least of these.
int64_t fewestOfWalks();

/// What the request, whose parameters are arrays, is to a device; false if it is none of these draws, or they are few,
/// or one of the parameters is one that the host draws.
bool describeWalk(const Draw &draw, StreamDraw &out);

} // namespace npcc::rt::random

#endif
