// Draws into the memory of a device, by whom they are made fastest: the device itself, or the host, which copies them.
#ifndef NPCC_RUNTIME_RANDOM_HOSTDRAWS_H
#define NPCC_RUNTIME_RANDOM_HOSTDRAWS_H

#include "runtime/Device.h"
#include "runtime/abi/random.h"
#include "runtime/random/Generator.h"
#include <span>

namespace npcc::rt::random {

/// One draw: npcc_rt_draw.
Status drawOn(Device &device, npcc_generator &generator, const npcc_draw &request);

/// Draws in turns: npcc_rt_draw_in_turns.
Status drawInTurns(Device &device, npcc_generator &generator, std::span<const npcc_draw> draws, int64_t turns);

} // namespace npcc::rt::random

#endif
