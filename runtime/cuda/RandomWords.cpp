#include "runtime/cuda/RandomWords.h"
#include "runtime/abi/dtypes.h"
#include "runtime/abi/random.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/kernels/RandomParams.h"
#include "runtime/random/MersenneJump.h"
#include "runtime/random/States.h"
#include <algorithm>
#include <bit>
#include <vector>

NPCC_KERNELS(words, "words")

namespace npcc::rt::cuda {
namespace {

using namespace random;

// By npcc_bits_kind, from MT19937 on.
#define OF_EACH(prefix)                                                                                                \
  {                                                                                                                    \
    {&wordsImage, "npcc_words_" prefix "mersenne", nullptr}, {&wordsImage, "npcc_words_" prefix "pcg64", nullptr},     \
        {&wordsImage, "npcc_words_" prefix "pcg64dxsm", nullptr}, {                                                    \
      &wordsImage, "npcc_words_" prefix "philox", nullptr                                                              \
    }                                                                                                                  \
  }
npcc_kernel words{&wordsImage, "npcc_words_mersenne", nullptr};
npcc_kernel float64s[] = OF_EACH("float64_"), float32s[] = OF_EACH("float32_");

npcc_kernel spans{&wordsImage, "npcc_words_mersenne_spans", nullptr},
    jump{&wordsImage, "npcc_words_mersenne_jump", nullptr};

/// Fewer turns than this one block of threads makes sooner than others know where to begin.
constexpr int64_t leastTurns = 512, leastOfPart = 128;
constexpr int jumpPieces = (polynomialWords + wordsOfPiece - 1) / wordsOfPiece;

Wide wide(uint128 value) { return {uint64_t(value), uint64_t(value >> 64)}; }

uint128 multiplierOf(const StreamDraw &draw) {
  return draw.kind == NPCC_BITS_PCG64 ? Pcg64::multiplier : Pcg64Dxsm::multiplier;
}

/// So many steps at once.
Jump jumpOf(const StreamDraw &draw, int64_t steps) {
  const Congruence &congruence = *static_cast<const CongruenceState *>(draw.state)->congruence;
  Congruence zero{0, congruence.increment}, one{1, congruence.increment};
  zero.jump(multiplierOf(draw), uint64_t(steps));
  one.jump(multiplierOf(draw), uint64_t(steps));
  return {wide(one.state - zero.state), wide(zero.state)};
}

Status launch(CudaDevice &device, npcc_kernel &kernel, WordsParams &params, int64_t blocks) {
  LaunchShape shape{{blocks, 1, 1}, {randomThreads, 1, 1}, 0, false};
  void *arguments[] = {&params};
  return device.launch(kernel, shape, arguments);
}

int64_t blocksFor(CudaDevice &device, int64_t count) {
  return std::clamp<int64_t>((count + randomThreads - 1) / randomThreads, 1, 8 * device.multiprocessors());
}

/// The states that parts of MT19937's stream begin with, from the first turn behind the one that `params.words` has:
/// each jump finds as many as there are.
Status findParts(CudaDevice &device, WordsParams &params, OwnedBuffer &buffer, int64_t &parts) {
  int64_t turns = params.blocks - 1;
  // Another part takes a jump, which takes about as long as two turns do, and shortens all of them.
  int power = std::countr_zero(uint64_t(leastOfPart));
  while ((int64_t(1) << 2 * power) < 2 * turns || turns > (int64_t(4) * device.multiprocessors() << power))
    ++power;
  params.partBlocks = int64_t(1) << power;
  parts = (turns + params.partBlocks - 1) / params.partBlocks;
  std::vector<JumpPolynomial> polynomials;
  for (int64_t bases = 1; bases < parts; bases *= 2)
    polynomials.push_back(mersenneJump(power + int(polynomials.size())));
  int64_t most = std::bit_ceil(uint64_t(parts)) / 2, stateBytes = parts * mersenneWords * 4,
          spanBytes = most * mersenneSpan * 4;
  int64_t polynomialBytes = int64_t(polynomials.size() * sizeof(JumpPolynomial));
  NPCC_TRY(buffer.allocate(device, polynomialBytes + stateBytes + spanBytes));
  NPCC_TRY(device.copyIn(buffer.get(), polynomials.data(), polynomialBytes));
  JumpParams jumps{};
  jumps.words = params.words;
  jumps.polynomial = reinterpret_cast<const uint64_t *>(buffer.get());
  jumps.states = reinterpret_cast<uint32_t *>(buffer.get() + polynomialBytes);
  jumps.spans = jumps.states + parts * mersenneWords;
  jumps.parts = parts;
  params.states = jumps.states;
  void *arguments[] = {&jumps};
  for (jumps.bases = 1; jumps.bases < parts; jumps.bases *= 2) {
    int64_t made = std::min(jumps.bases, parts - jumps.bases);
    NPCC_TRY(device.launch(spans, {{made, 1, 1}, {randomThreads, 1, 1}, 0, false}, arguments));
    NPCC_TRY(device.launch(jump, {{made, jumpPieces, 1}, {jumpTeam * jumpTeams, 1, 1}, 0, false}, arguments));
    jumps.words = nullptr;
    jumps.polynomial += polynomialWords;
  }
  return {};
}

} // namespace

void setSource(StreamSource &source, const StreamDraw &draw) {
  auto setHalf = [&](const auto &state) {
    source.half = state.half;
    source.hasHalf = draw.unitBits != 64 && state.hasHalf;
  };
  if (draw.kind == NPCC_BITS_PHILOX) {
    auto &state = *static_cast<const Philox::State *>(draw.state);
    std::copy_n(state.counter, 4, source.counter);
    std::copy_n(state.key, 2, source.key);
    std::copy_n(state.block, 4, source.block);
    source.used = state.used;
    return setHalf(state);
  }
  auto &state = *static_cast<const CongruenceState *>(draw.state);
  source.state = wide(state.congruence->state);
  uint128 multiplier = multiplierOf(draw), add = state.congruence->increment;
  for (Jump &jump : source.jumps) {
    jump = {wide(multiplier), wide(add)};
    add *= multiplier + 1;
    multiplier *= multiplier;
  }
  setHalf(state);
}

Status drawUniform(CudaDevice &device, const StreamDraw &draw, StreamOutcome &outcome) {
  WordsParams params{};
  params.out = draw.out;
  params.count = draw.count;
  params.shift = draw.shift;
  params.scale = draw.scale;
  npcc_kernel *kernels = draw.dtype == NPCC_FLOAT32 ? float32s : float64s;
  int64_t blocks = blocksFor(device, draw.count);
  MersenneWords stream(device);
  bool isMersenne = draw.kind == NPCC_BITS_MT19937;
  if (isMersenne) {
    NPCC_TRY(stream.make(draw, draw.count));
    params.words = const_cast<uint32_t *>(stream.get());
  } else {
    setSource(params.source, draw);
    if (draw.kind != NPCC_BITS_PHILOX)
      params.stride = jumpOf(draw, blocks * randomThreads);
  }
  NPCC_TRY(launch(device, kernels[draw.kind - NPCC_BITS_MT19937], params, blocks));
  outcome.drawn = outcome.units = draw.count;
  return isMersenne ? stream.finish(draw, outcome.units, outcome) : Status();
}

Status MersenneWords::make(const StreamDraw &draw, int64_t units) {
  auto &state = *static_cast<const MersenneState *>(draw.state);
  WordsParams params{};
  params.blocks = turnOf(state.position, words32(draw.unitBits, units)) + 1;
  NPCC_TRY(buffer.allocate(device, params.blocks * int64_t(sizeof state.words)));
  NPCC_TRY(device.copyIn(buffer.get(), state.words, sizeof state.words));
  params.words = reinterpret_cast<uint32_t *>(buffer.get());
  first = params.words + state.position;
  int64_t parts = 1;
  OwnedBuffer states;
  if (params.blocks > leastTurns)
    NPCC_TRY(findParts(device, params, states, parts));
  return launch(device, words, params, parts);
}

Status MersenneWords::finish(const StreamDraw &draw, int64_t units, StreamOutcome &outcome) {
  int64_t turn = turnOf(static_cast<const MersenneState *>(draw.state)->position, words32(draw.unitBits, units));
  outcome.words.resize(mersenneWords);
  int64_t bytes = mersenneWords * 4;
  return device.copyOut(outcome.words.data(), buffer.get() + turn * bytes, bytes);
}

} // namespace npcc::rt::cuda
