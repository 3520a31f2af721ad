#include "runtime/cpu/Uniform.h"
#include "runtime/abi/dtypes.h"
#include "runtime/abi/random.h"
#include "runtime/cpu/ThreadPool.h"
#include "runtime/random/States.h"
#include <cstring>

namespace npcc::rt {
namespace {
using namespace random;

/// A copy of a generator's state, which points into itself.
template <typename Engine> struct Copy;
template <typename Engine>
  requires std::is_same_v<typename Engine::State, CongruenceState>
struct Copy<Engine> {
  Congruence congruence;
  CongruenceState state;
  explicit Copy(const void *from)
      : congruence(*static_cast<const CongruenceState *>(from)->congruence), state{&congruence, 0, 0} {}
};
template <> struct Copy<Philox> {
  uint64_t counter[4], key[2];
  Philox::State state;
  explicit Copy(const void *from) : state(*static_cast<const Philox::State *>(from)) {
    std::memcpy(counter, state.counter, sizeof counter);
    std::memcpy(key, state.key, sizeof key);
    state.counter = counter;
    state.key = key;
  }
};

template <typename Engine> double nextNumber(Copy<Engine> &at, const StreamDraw &draw) {
  return draw.shift + draw.scale * (static_cast<double>(Engine::next(at.state) >> 11) * (1.0 / 9007199254740992.0));
}

/// Numbers lo to hi - 1. Each step of a generator waits for the one before, so that four places of the stream are gone
/// on from at once.
template <typename Engine> void fillPart(const StreamDraw &draw, int64_t lo, int64_t hi) {
  auto *out = static_cast<double *>(draw.out);
  int64_t quarter = (hi - lo) / 4;
  Copy<Engine> first(draw.state), second(draw.state), third(draw.state), fourth(draw.state);
  Engine::skip(first.state, static_cast<uint64_t>(lo));
  Engine::skip(second.state, static_cast<uint64_t>(lo + quarter));
  Engine::skip(third.state, static_cast<uint64_t>(lo + 2 * quarter));
  Engine::skip(fourth.state, static_cast<uint64_t>(lo + 3 * quarter));
  for (int64_t k = lo; k < lo + quarter; ++k) {
    out[k] = nextNumber(first, draw);
    out[k + quarter] = nextNumber(second, draw);
    out[k + 2 * quarter] = nextNumber(third, draw);
    out[k + 3 * quarter] = nextNumber(fourth, draw);
  }
  for (int64_t k = lo + 4 * quarter; k < hi; ++k)
    out[k] = nextNumber(fourth, draw);
}

template <typename Engine> void fill(const StreamDraw &draw) {
  constexpr int64_t grain = 1 << 12;
  parallelLoop(draw.count, grain, [&](int64_t lo, int64_t hi) { fillPart<Engine>(draw, lo, hi); });
}

} // namespace

void drawUniformOnHost(const StreamDraw &draw, StreamOutcome &outcome) {
  if (draw.method != StreamMethod::Uniform || draw.dtype != NPCC_FLOAT64)
    return;
  switch (draw.kind) {
  case NPCC_BITS_PCG64:
    fill<Pcg64>(draw);
    break;
  case NPCC_BITS_PCG64DXSM:
    fill<Pcg64Dxsm>(draw);
    break;
  case NPCC_BITS_PHILOX:
    fill<Philox>(draw);
    break;
  default:
    return;
  }
  outcome.drawn = outcome.units = draw.count;
}

} // namespace npcc::rt
