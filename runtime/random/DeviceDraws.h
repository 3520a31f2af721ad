// Draws that a device makes itself, with NumPy's bits: the state of the bit generator is read where it lies, and moved
// on as far as the numbers took it.
#ifndef NPCC_RUNTIME_RANDOM_DEVICEDRAWS_H
#define NPCC_RUNTIME_RANDOM_DEVICEDRAWS_H

#include "runtime/Device.h"
#include "runtime/abi/random.h"
#include "runtime/random/Generator.h"

namespace npcc::rt::random {

/// Draws the first `drawn` of the request's numbers on the device, which has `request.out`: all, or those up to where
/// it is not sure of NumPy's bits, or none where the request is small or nothing that devices draw. The arrays are on
/// the host. `reason`: why a device that began has given up, or null.
Status drawByDevice(Device &device, Draw &draw, int64_t &drawn, const char *&reason);

/// Whether the device would draw numbers of the request. What is wrong with its parameters, the draw itself says.
bool isDrawnByDevice(Device &device, Draw &draw);

/// Whether the state lies in memory as States.h has it: what follows from it is what the generator's own functions
/// give.
template <typename Next64, typename Next32>
bool readsState(int32_t kind, void *state, Next64 &&next64, Next32 &&next32) {
  auto reads = [&]<typename Engine>(Engine) {
    auto &live = *static_cast<typename Engine::State *>(state);
    next32(); // leaves a half
    if (live.hasHalf != 1)
      return false;
    uint32_t half = live.half;
    for (int k = 0; k < 6; ++k) {
      typename Engine::State copy = live;
      Congruence congruence;
      uint64_t counter[4];
      if constexpr (requires { copy.congruence; }) {
        congruence = *live.congruence;
        copy.congruence = &congruence;
      } else if constexpr (requires { copy.key; }) {
        std::memcpy(counter, live.counter, sizeof counter);
        copy.counter = counter;
      }
      uint64_t expected = Engine::next(copy);
      if (next64() != expected)
        return false;
    }
    return next32() == half && live.hasHalf == 0;
  };
  switch (kind) {
  case NPCC_BITS_PCG64:
    return reads(Pcg64());
  case NPCC_BITS_PCG64DXSM:
    return reads(Pcg64Dxsm());
  case NPCC_BITS_PHILOX:
    return reads(Philox());
  case NPCC_BITS_SFC64:
    return reads(Sfc64());
  case NPCC_BITS_MT19937: {
    auto &live = *static_cast<MersenneState *>(state);
    next32();
    if (live.position == MersenneState::wordCount)
      next32(); // makes new words
    int32_t position = live.position;
    if (position < 1 || position >= MersenneState::wordCount)
      return false;
    uint32_t expected = tempered(live.words[position]);
    return next32() == expected && live.position == position + 1;
  }
  default:
    return false;
  }
}

} // namespace npcc::rt::random

#endif
