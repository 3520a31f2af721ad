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
npcc_kernel words[] = OF_EACH(""), float64s[] = OF_EACH("float64_"), float32s[] = OF_EACH("float32_");

npcc_kernel spans{&wordsImage, "npcc_words_mersenne_spans", nullptr},
    jump{&wordsImage, "npcc_words_mersenne_jump", nullptr};

/// Words begin with a line of memory, with room before it for a half: shifted by eight bytes, each warp's would lie in three lines instead of two.
constexpr int64_t lineBytes = 128;

/// Fewer turns than this one block of threads makes sooner than others know where to begin.
constexpr int64_t leastTurns = 512, leastOfPart = 128;
constexpr int jumpPieces = (polynomialWords + wordsOfPiece - 1) / wordsOfPiece;

Wide wide(uint128 value) { return {uint64_t(value), uint64_t(value >> 64)}; }

/// Threads jump to their first words by powers of two, and then over what all of them make.
void setCongruence(WordsParams &params, const CongruenceState &state, uint128 multiplier, int64_t threads) {
  const Congruence &congruence = *state.congruence;
  params.state = wide(congruence.state);
  uint128 add = congruence.increment, strideMultiplier = 1, strideAdd = 0;
  for (int k = 0; k < mostJumps; ++k) {
    params.jumps[k] = {wide(multiplier), wide(add)};
    if (threads >> k & 1) {
      strideMultiplier *= multiplier;
      strideAdd = strideAdd * multiplier + add;
    }
    add *= multiplier + 1;
    multiplier *= multiplier;
  }
  params.stride = {wide(strideMultiplier), wide(strideAdd)};
}

/// All but where the numbers go.
void setSource(WordsParams &params, const StreamDraw &draw, int64_t threads) {
  auto setHalf = [&](const auto &state) {
    params.half = state.half;
    params.hasHalf = draw.unitBits != 64 && state.hasHalf;
  };
  if (draw.kind == NPCC_BITS_PHILOX) {
    auto &state = *static_cast<const Philox::State *>(draw.state);
    std::copy_n(state.counter, 4, params.counter);
    std::copy_n(state.key, 2, params.key);
    std::copy_n(state.block, 4, params.block);
    params.used = state.used;
    setHalf(state);
  } else {
    auto &state = *static_cast<const CongruenceState *>(draw.state);
    setCongruence(params, state, draw.kind == NPCC_BITS_PCG64 ? Pcg64::multiplier : Pcg64Dxsm::multiplier, threads);
    setHalf(state);
  }
}

Status launch(CudaDevice &device, npcc_kernel *kernels, const StreamDraw &draw, WordsParams &params, int64_t blocks) {
  LaunchShape shape{{blocks, 1, 1}, {randomThreads, 1, 1}, 0, false};
  void *arguments[] = {&params};
  return device.launch(kernels[draw.kind - NPCC_BITS_MT19937], shape, arguments);
}

int64_t blocksFor(CudaDevice &device, int64_t count) {
  int64_t most = std::min<int64_t>(8 * device.multiprocessors(), (1 << mostJumps) / randomThreads - 1);
  return std::clamp<int64_t>((count + randomThreads - 1) / randomThreads, 1, most);
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

Status drawUniform(CudaDevice &device, const StreamDraw &draw, StreamOutcome &outcome) {
  WordsParams params{};
  params.out = draw.out;
  params.count = draw.count;
  params.shift = draw.shift;
  params.scale = draw.scale;
  npcc_kernel *kernels = draw.dtype == NPCC_FLOAT32 ? float32s : float64s;
  int64_t blocks = blocksFor(device, draw.count);
  RandomWords stream(device);
  if (draw.kind == NPCC_BITS_MT19937) {
    NPCC_TRY(stream.make(draw, draw.count));
    params.words = const_cast<uint32_t *>(stream.units());
  } else {
    setSource(params, draw, blocks * randomThreads);
  }
  NPCC_TRY(launch(device, kernels, draw, params, blocks));
  outcome.drawn = outcome.units = draw.count;
  return stream.finish(draw, outcome.units, outcome);
}

Status RandomWords::make(const StreamDraw &draw, int64_t units) {
  int64_t halves = words32(draw.unitBits, units);
  WordsParams params{};
  if (draw.kind == NPCC_BITS_MT19937) {
    auto &state = *static_cast<const MersenneState *>(draw.state);
    params.blocks = turnOf(state.position, halves) + 1;
    NPCC_TRY(buffer.allocate(device, params.blocks * int64_t(sizeof state.words)));
    NPCC_TRY(device.copyIn(buffer.get(), state.words, sizeof state.words));
    params.words = reinterpret_cast<uint32_t *>(buffer.get());
    first = params.words + state.position;
    int64_t parts = 1;
    OwnedBuffer states;
    if (params.blocks > leastTurns)
      NPCC_TRY(findParts(device, params, states, parts));
    return launch(device, words, draw, params, parts);
  }
  params.count = halves / 2 + 1;
  int64_t blocks = blocksFor(device, params.count);
  setSource(params, draw, blocks * randomThreads);
  NPCC_TRY(buffer.allocate(device, lineBytes + 8 * params.count));
  params.out = buffer.get() + lineBytes;
  first = reinterpret_cast<uint32_t *>(params.out) - params.hasHalf;
  return launch(device, words, draw, params, blocks);
}

Status RandomWords::finish(const StreamDraw &draw, int64_t units, StreamOutcome &outcome) {
  if (draw.kind != NPCC_BITS_MT19937)
    return {};
  int64_t turn = turnOf(static_cast<const MersenneState *>(draw.state)->position, words32(draw.unitBits, units));
  outcome.words.resize(mersenneWords);
  int64_t bytes = mersenneWords * 4;
  return device.copyOut(outcome.words.data(), buffer.get() + turn * bytes, bytes);
}

} // namespace npcc::rt::cuda
