#ifndef NPCC_RUNTIME_CPU_UNIFORM_H
#define NPCC_RUNTIME_CPU_UNIFORM_H

#include "runtime/random/StreamDraw.h"

namespace npcc::rt {

/// Uniform numbers of float64 from a stream that can be entered anywhere, by all threads (Device::drawNumbers); others
/// are not drawn.
void drawUniformOnHost(const random::StreamDraw &draw, random::StreamOutcome &outcome);

} // namespace npcc::rt

#endif
