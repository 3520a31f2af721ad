#include "runtime/random/DeviceDraws.h"
#include "runtime/Element.h"
#include "runtime/random/Draws.h"
#include "runtime/random/NumberDraws.h"
#include "runtime/random/UnitReplay.h"
#include "runtime/random/WalkDraws.h"
#include <algorithm>

namespace npcc::rt::random {
namespace {

// Fewer numbers are sooner drawn on the host and copied. Numbers that take one unit each need one launch and nobody
// waits; others need two launches, and the host waits to learn how far they came: 70 us on an H200, in which its host
// draws 2,500 normal numbers. MT19937's words are made by one block of threads.
constexpr int64_t fewUniform = 4096, fewZiggurat = 4096, fewNumbers = 8192, fewIntegers = 32768;
constexpr int64_t fewOfMersenne = 8192, fewIntegersOfMersenne = 16384;
/// So many numbers are drawn at once: MT19937's stream is kept in memory, what the host makes again is, too, and where
/// it has to draw some of the others, it draws all of these.
constexpr int64_t mostAtOnce = int64_t(1) << 27, mostOfMersenne = int64_t(1) << 26, mostOfDoubtful = int64_t(1) << 23;
/// The whole stream of a walk is kept in memory, and so is what follows of each number's parameters.
constexpr int64_t mostOfWalk = int64_t(1) << 22;
/// So many of its numbers, at most, are the host's.
constexpr int mostDoubtful = 16;

/// Choices without replacement. One draw makes all of them.
bool describeChoice(const Draw &draw, StreamDraw &out) {
  const npcc_draw &request = draw.request;
  constexpr int64_t most = int64_t(1) << 27;
  out.method = StreamMethod::Positions;
  out.unitBits = 32;
  int64_t population = out.population = request.scalars[0].i, count = request.count;
  if (population < 2 || population > most || count > most)
    return false;
  out.isShuffled = request.scalars[1].i;
  out.positions = isTail(population, count, out.isShuffled) ? PositionMethod::Tail : PositionMethod::Distinct;
  return count <= population && count >= fewOfWalk(WalkRow::below);
}

/// What the request is to a device; false if it is nothing that devices draw.
Status describe(Draw &draw, StreamDraw &out, bool &isKnown) {
  const npcc_draw &request = draw.request;
  auto scalar = [&](int k) { return request.scalars[k].f; };
  out.dtype = request.dtype;
  out.unitBits = request.dtype == NPCC_FLOAT32 ? 32 : 64;
  isKnown = true;
  switch (request.distribution) {
  case row_uniform:
  case row_legacy_uniform:
    out.shift = scalar(0);
    out.scale = scalar(1);
    [[fallthrough]];
  case row_random:
    out.method = StreamMethod::Uniform;
    return {};
  case row_normal:
    out.isAffine = true;
    out.shift = scalar(0);
    out.scale = scalar(1);
    [[fallthrough]];
  case row_standard_normal:
    out.method = StreamMethod::Normal;
    return {};
  case row_exponential:
    out.scale = scalar(0);
    [[fallthrough]];
  case row_standard_exponential:
    out.method = StreamMethod::Exponential;
    return {};
  case row_integers:
  case row_masked_integers: {
    out.method = StreamMethod::Integers;
    out.isMasked = request.distribution == row_masked_integers;
    NPCC_TRY(integerInterval(draw, out.low, out.range));
    int64_t size = elementSize(request.dtype);
    out.unitBits = request.dtype == NPCC_BOOL ? 1 : size == 8 && out.range <= UINT32_MAX ? 32 : int32_t(8 * size);
    isKnown = out.range != 0; // a constant takes nothing of the stream
    return {};
  }
  case row_weighted_choice:
  case row_legacy_weighted_choice:
    isKnown = request.scalars[0].i != 0 && request.count >= fewNumbers;
    if (!isKnown)
      return {};
    NPCC_TRY(sumsOfWeights(draw, out.table));
    isKnown = describeNumbers(draw, out);
    return {};
  case row_permutations: // a walk of them has been seen to go astray on a device, and is no faster than the host
    isKnown = false;
    return {};
  case row_choice:
    isKnown = describeChoice(draw, out);
    return {};
  case row_multinomial:
    NPCC_TRY(checkMultinomial(draw));
    isKnown = describeWalk(draw, out);
    return {};
  default:
    if (request.array_count)
      isKnown = describeWalk(draw, out);
    else
      isKnown = request.count >= fewNumbers && describeNumbers(draw, out);
    return {};
  }
}

double tailOf(const StreamDraw &draw, const uint64_t units[3]) {
  UnitReplay replay(units, 3, draw.kind);
  bool isNormal = draw.method == StreamMethod::Normal;
  if (draw.dtype == NPCC_FLOAT32) {
    float number;
    (isNormal ? random_standard_normal_fill_f : random_standard_exponential_fill_f)(&replay.bits, 1, &number);
    return number;
  }
  double number = isNormal ? random_standard_normal(&replay.bits) : random_standard_exponential(&replay.bits);
  return draw.shift + draw.scale * number;
}

template <typename Engine> void moveOn(typename Engine::State &state, const StreamDraw &draw, int64_t units) {
  if (draw.unitBits == 64)
    return Engine::skip(state, uint64_t(units));
  int64_t halves = words32(draw.unitBits, units);
  if (halves && state.hasHalf) {
    state.hasHalf = 0;
    --halves;
  }
  if (!halves)
    return;
  Engine::skip(state, uint64_t((halves - 1) / 2));
  state.half = uint32_t(Engine::next(state) >> 32);
  state.hasHalf = halves & 1;
}

uint32_t withoutShift(uint32_t word, int by, uint32_t mask, bool isLeft) {
  uint32_t found = word; // each round makes `by` more bits right
  for (int known = by; known < 32; known += by)
    found = word ^ ((isLeft ? found << by : found >> by) & mask);
  return found;
}

/// The state's word of which MT19937 made an output word.
uint32_t untempered(uint32_t word) {
  word = withoutShift(word, 18, ~0u, false);
  word = withoutShift(word, 15, 0xefc60000u, true);
  word = withoutShift(word, 7, 0x9d2c5680u, true);
  return withoutShift(word, 11, ~0u, false);
}

/// The generator's state behind the numbers.
void moveOn(void *state, const StreamDraw &draw, const StreamOutcome &outcome) {
  switch (draw.kind) {
  case NPCC_BITS_PCG64:
    return moveOn<Pcg64>(*static_cast<CongruenceState *>(state), draw, outcome.units);
  case NPCC_BITS_PCG64DXSM:
    return moveOn<Pcg64Dxsm>(*static_cast<CongruenceState *>(state), draw, outcome.units);
  case NPCC_BITS_PHILOX:
    return moveOn<Philox>(*static_cast<Philox::State *>(state), draw, outcome.units);
  case NPCC_BITS_SFC64:
    return moveOn<Sfc64>(*static_cast<Sfc64::State *>(state), draw, outcome.units);
  default: {
    auto &mersenne = *static_cast<MersenneState *>(state);
    int64_t taken = words32(draw.unitBits, outcome.units), turn = turnOf(mersenne.position, taken);
    mersenne.position = int32_t(mersenne.position + taken - turn * MersenneState::wordCount);
    for (int k = 0; turn && k < MersenneState::wordCount; ++k)
      mersenne.words[k] = untempered(outcome.words[k]);
  }
  }
}

bool takesSeveralUnits(const StreamDraw &draw) {
  return draw.method == StreamMethod::Walk || draw.method == StreamMethod::Numbers ||
         draw.method == StreamMethod::Quotients;
}

/// Integers between bounds that are arrays, which only the host draws.
bool isOfBounds(int32_t distribution) { return distribution == row_integers || distribution == row_masked_integers; }

/// The numbers of a walk behind those that a device has drawn, each with its own parameters.
Status drawRest(Device &device, Draw &here, const StreamDraw &walk, int64_t &drawn) {
  int64_t size = elementSize(here.request.dtype), from = drawn;
  std::vector<char> made((here.request.count - from) * size);
  for (; drawn < here.request.count; drawn += walk.each)
    walk.drawOne(walk, drawn / walk.each, here.generator, &made[(drawn - from) * size]);
  return device.copyIn(static_cast<char *>(here.request.out) + from * size, made.data(), int64_t(made.size()));
}

/// What the request is to the device; false if the host draws it sooner.
Status plan(Device &device, Draw &here, StreamDraw &part, bool &isDevices) {
  const npcc_draw &request = here.request;
  int32_t kind = here.generator.bits_kind;
  isDevices = false;
  if (kind == NPCC_BITS_OTHER || request.count < std::min(fewUniform, fewestOfWalks()))
    return {};
  if (device.onHost() && request.distribution != row_random && request.distribution != row_uniform &&
      request.distribution != row_legacy_uniform)
    return {}; // threads share no more than these
  if (request.array_count && isOfBounds(request.distribution))
    return {};
  NPCC_TRY(checkParameters(here));
  part.kind = kind;
  bool isKnown;
  NPCC_TRY(describe(here, part, isKnown));
  bool isWalk = part.method == StreamMethod::Walk;
  bool isOwn = isWalk || part.method == StreamMethod::Positions; // each number has a bound or parameters of its own
  if (kind == NPCC_BITS_SFC64 && !isOwn)                         // whose words are the host's
    return {};
  bool isZiggurat = part.method == StreamMethod::Normal || part.method == StreamMethod::Exponential;
  int64_t few = isOwn ? 0 // which has been asked
                : kind == NPCC_BITS_MT19937
                    ? (part.method == StreamMethod::Integers ? fewIntegersOfMersenne : fewOfMersenne)
                : part.method == StreamMethod::Uniform ? fewUniform
                : takesSeveralUnits(part)              ? fewNumbers
                : isZiggurat                           ? fewZiggurat
                                                       : fewIntegers;
  isDevices = isKnown && request.count >= few;
  return {};
}

} // namespace

bool isDrawnByDevice(Device &device, Draw &draw) {
  StreamDraw part{};
  bool isDevices;
  return plan(device, draw, part, isDevices).ok() && isDevices;
}

Status drawByDevice(Device &device, Draw &here, int64_t &drawn, const char *&reason) {
  npcc_generator &generator = here.generator;
  const npcc_draw &request = here.request;
  StreamDraw part{};
  bool isDevices;
  NPCC_TRY(plan(device, here, part, isDevices));
  if (!isDevices)
    return {};
  bool isUniform = part.method == StreamMethod::Uniform, isWalk = part.method == StreamMethod::Walk;
  part.state = bitsOf(generator)->state;
  part.tail = tailOf;
  int64_t size = elementSize(request.dtype);
  if (part.each > 1 && !isWalk && generator.has_gauss) { // the first number is there
    double kept;
    npcc_draw one = request;
    one.count = 1;
    Draw first{generator, one, &kept, {}};
    NPCC_TRY(fill(first));
    NPCC_TRY(device.copyIn(request.out, &kept, size));
    drawn = 1;
  }
  // Parts of a 32-bit word are lost where a draw ends, so that those are drawn at once.
  bool isOnePart =
      part.unitBits < 32 || part.method == StreamMethod::Positions || (isUniform && part.kind != NPCC_BITS_MT19937);
  int64_t most = isWalk ? (hasManyDoubts(part.walk) ? mostOfDoubtful : mostOfWalk)
                 : part.method == StreamMethod::Numbers && hasManyDoubts(part.number) ? mostOfDoubtful
                 : part.kind == NPCC_BITS_MT19937 ? mostOfMersenne / (takesSeveralUnits(part) ? 4 : 1)
                                                  : mostAtOnce;
  for (int doubtful = 0; drawn < request.count;) {
    part.count = isOnePart ? request.count : std::min(request.count - drawn, most) / part.each * part.each;
    if (!part.count) // half of a pair is left
      return {};
    part.out = static_cast<char *>(request.out) + drawn * size;
    part.first = drawn / part.each;
    StreamOutcome outcome;
    NPCC_TRY(device.drawNumbers(part, outcome));
    reason = outcome.reason;
    if (!outcome.drawn && !outcome.isDoubtful)
      return isWalk && drawn ? drawRest(device, here, part, drawn) : Status();
    moveOn(bitsOf(generator)->state, part, outcome);
    drawn += outcome.drawn;
    if (outcome.isDoubtful) { // one in thousands of millions: where there are more, the host draws what is left
      if (doubtful++ == mostDoubtful)
        return drawRest(device, here, part, drawn);
      std::vector<char> made(part.each * size);
      part.drawOne(part, drawn / part.each, generator, made.data());
      NPCC_TRY(device.copyIn(static_cast<char *>(request.out) + drawn * size, made.data(), int64_t(made.size())));
      drawn += part.each;
    }
  }
  return {};
}

} // namespace npcc::rt::random
