// Draws of numbers of which each has parameters of its own (kernels/walks.cu).
#include "runtime/cuda/RandomWalks.h"
#include "runtime/Element.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/Random.h"
#include "runtime/cuda/RandomNumbers.h"
#include "runtime/cuda/TiledStream.h"
#include "runtime/random/States.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

NPCC_KERNELS(walks, "walks")

namespace npcc::rt::cuda {
namespace {

using namespace random;

struct WalkKernel : NumberKernel {
  int64_t constants; // float64 that are kept of each number
};
WalkKernel rows[] = {
#define NPCC_WALKS(name, Class, doubts, constants, few)                                                                \
  {{{&walksImage, "npcc_walks_" #name, nullptr}, doubts}, constants},
#include "runtime/random/Walks.def"
};
npcc_kernel sum{&walksImage, "npcc_walks_sum", nullptr}, begin{&walksImage, "npcc_walks_begin", nullptr},
    join{&walksImage, "npcc_walks_join", nullptr}, chain{&walksImage, "npcc_walks_chain", nullptr};

/// Numbers are tried with so many units of the stream for each number, within these bounds. Fewer units say less of how
/// many a walk takes: they are a sample, and all numbers are tried with the same one.
constexpr int64_t triedUnitsOfNumber = 4, fewTriedUnits = 16384, mostTriedUnits = int64_t(1) << 22;
/// More units than a walk takes, in standard deviations. A walk that takes more still is the host's.
constexpr double deviations = 6;
/// A round has so many tiles, each of which is a block. More tiles are fewer rounds, but the walk may come into each at
/// more places.
constexpr int64_t tilesOfMultiprocessor = 6;
/// The least room for places where a walk may come into a tile.
constexpr int64_t fewEntries = 2048;
/// So many blocks join the tiles of a group.
constexpr int64_t slicesOfGroup = 8;

/// A stream's units, in memory.
class Units {
public:
  Units(CudaDevice &device, const StreamDraw &draw) : device(device), draw(draw), raw(draw), stream(device, raw) {}

  Status make(int64_t count) {
    NPCC_TRY(buffer.allocate(device, count * (draw.unitBits / 8)));
    if (draw.kind == NPCC_BITS_SFC64)
      return makeOnHost(count);
    raw.method = StreamMethod::Integers;
    raw.count = count;
    raw.out = buffer.get();
    raw.each = 1;
    RejectParams params{};
    NPCC_TRY(stream.prepare(params, (count + tileUnits - 1) / tileUnits, tileUnits, 0));
    params.low = 0;
    params.range = draw.unitBits == 64 ? UINT64_MAX : UINT32_MAX;
    return stream.launch(unitsKernel(draw.unitBits), params);
  }
  const void *get() const { return buffer.get(); }
  Status finish(StreamOutcome &outcome, int64_t units) {
    if (draw.kind == NPCC_BITS_SFC64) {
      outcome.units = units;
      return {};
    }
    return stream.finish(outcome, units);
  }

private:
  /// Of a generator whose state only goes on step by step.
  Status makeOnHost(int64_t count) {
    Sfc64::State state = *static_cast<const Sfc64::State *>(draw.state);
    if (draw.unitBits == 64) {
      std::vector<uint64_t> words(count);
      for (uint64_t &word : words)
        word = Sfc64::next(state);
      return device.copyIn(buffer.get(), words.data(), count * 8);
    }
    std::vector<uint32_t> halves;
    if (state.hasHalf)
      halves.push_back(state.half);
    while (int64_t(halves.size()) < count) {
      uint64_t word = Sfc64::next(state);
      halves.push_back(uint32_t(word));
      halves.push_back(uint32_t(word >> 32));
    }
    return device.copyIn(buffer.get(), halves.data(), count * 4);
  }

  CudaDevice &device;
  const StreamDraw &draw;
  StreamDraw raw;
  TiledStream stream;
  OwnedBuffer buffer;
};

class Walking {
public:
  Walking(CudaDevice &device, const StreamDraw &draw)
      : device(device), draw(draw), row(rows[int32_t(draw.walk)]), count(draw.count / draw.each),
        limit(draw.walk == WalkRow::multinomial ? mostOfLine : mostOfAttempt) {}

  Status run(StreamOutcome &outcome) {
    if (count >= int64_t(1) << (64 - doubtShift))
      return {};
    NPCC_TRY(prepare());
    WalkResult result;
    NPCC_TRY(tryNumbers(result));
    int64_t unitCount = int64_t(result.mean + deviations * std::sqrt(result.variance)) + 64 + limit;
    if (unitCount > params.unitCount)
      NPCC_TRY(makeUnits(unitCount));
    OwnedBuffer tails, tables;
    params.mostTails =
        row.doubts == 0 ? 0 : int32_t(double(count) * row.doubts * (2 + 1.5 * result.mean / double(count))) + 1024;
    NPCC_TRY(tails.allocate(device, 8 * int64_t(params.mostTails)));
    params.tailUnits = tails.get();
    NPCC_TRY(allocateTables(tables, result.variance));
    NPCC_TRY(launch(begin, {1, 1, 1}, 1));
    for (int64_t tiles = 0; tiles < params.tiles;) {
      int64_t rounds = (params.tiles - tiles + params.mostTiles - 1) / params.mostTiles;
      for (int64_t k = 0; k < rounds; ++k)
        NPCC_TRY(runRound());
      NPCC_TRY(device.copyOut(&result, params.walk, sizeof result));
      if (const char *reason = reasonOf(result)) {
        outcome.reason = reason;
        return {}; // the host draws all
      }
      tiles = result.rounds[round].tile;
    }
    bool isPatched = result.tailCount == 0;
    if (!isPatched)
      NPCC_TRY(patchNumbers(
          device, draw, static_cast<const uint64_t *>(params.tailUnits), result.tailCount,
          [&](auto &&...arguments) { return makeNumbers(arguments...); }, isPatched));
    if (!isPatched) {
      outcome.reason = "the host's numbers take other units";
      return {};
    }
    outcome.isDoubtful = result.doubtful != ~uint64_t(0);
    int64_t end = outcome.isDoubtful ? int64_t(result.doubtful & ((uint64_t(1) << doubtShift) - 1)) : result.end;
    NPCC_TRY(units->finish(outcome, end));
    outcome.drawn = outcome.isDoubtful ? int64_t(result.doubtful >> doubtShift) * draw.each : draw.count;
    return {};
  }

private:
  /// Parameters and what they point to, before anything is known of the stream.
  Status prepare() {
    std::copy_n(draw.constants, 4, params.constants);
    std::copy_n(draw.given, 3, params.given);
    params.from =
        draw.kind == NPCC_BITS_SFC64 ? UnitSource::Pcg64 : static_cast<UnitSource>(draw.kind - NPCC_BITS_MT19937);
    params.out = draw.out;
    params.first = draw.first;
    params.count = count;
    params.lineLength = draw.lineLength;
    params.tiles = (count + tileNumbers - 1) / tileNumbers;
    params.mostTiles = std::min<int64_t>(params.tiles, tilesOfMultiprocessor * device.multiprocessors());
    params.groupTiles = (params.mostTiles + mostGroups - 1) / mostGroups;
    NPCC_TRY(findTables(device, params.tables));
    int64_t pieces = params.tiles * tilePieces + 1;
    NPCC_TRY(sums.allocate(device, int64_t(sizeof(WalkResult)) + 16 * pieces));
    char *place = sums.get();
    params.walk = reinterpret_cast<WalkResult *>(std::exchange(place, place + sizeof(WalkResult)));
    params.tried = reinterpret_cast<int64_t *>(std::exchange(place, place + 8 * pieces));
    params.spread = reinterpret_cast<int64_t *>(place);
    NPCC_TRY(prepared.allocate(device, std::max<int64_t>(8 * row.constants * count, 8)));
    params.prepared = reinterpret_cast<double *>(prepared.get());
    WalkResult none{};
    return device.copyIn(params.walk, &none, sizeof none);
  }

  /// The stream's first units, in place of fewer that there may be.
  Status makeUnits(int64_t unitCount) {
    units.emplace(device, draw);
    NPCC_TRY(units->make(unitCount));
    params.units = units->get();
    params.unitCount = unitCount;
    return {};
  }

  Status tryNumbers(WalkResult &result) {
    params.triedUnits = std::clamp(triedUnitsOfNumber * count, fewTriedUnits, mostTriedUnits);
    NPCC_TRY(makeUnits(params.triedUnits));
    NPCC_TRY(launchRow(WalkMode::Try, std::min<int64_t>(params.tiles, int64_t(16) * device.multiprocessors())));
    NPCC_TRY(launch(sum, {1, 1, 1}, sumThreads));
    return device.copyOut(&result, params.walk, sizeof result);
  }

  /// Null where nothing is the matter.
  const char *reasonOf(const WalkResult &result) const {
    switch (result.loss) {
    case WalkLoss::Entries:
      return "a walk leaves the places that were looked at";
    case WalkLoss::Units:
      return "a walk takes more units than were made";
    case WalkLoss::Disagrees:
      return "a piece of a walk ends elsewhere than its map says";
    case WalkLoss::None:
      break;
    }
    return result.tailCount > params.mostTails ? "too many last places are in doubt" : nullptr;
  }

  /// Room for the places where a walk may come into a tile at the end of a round.
  Status allocateTables(OwnedBuffer &tables, double variance) {
    double share = std::min(1., 1.5 * double(params.mostTiles) / double(params.tiles));
    params.entries =
        std::clamp(int64_t(2 * walkDeviations * std::sqrt(variance * share)) + 64, fewEntries, int64_t(mostEntries));
    int64_t entries = params.entries * int64_t(sizeof(uint16_t)), places = 8 * params.mostTiles;
    NPCC_TRY(tables.allocate(device, places + ((tilePieces + 1) * params.mostTiles + mostGroups) * entries));
    char *place = tables.get();
    auto take = [&](int64_t bytes) { return std::exchange(place, place + bytes); };
    params.own = reinterpret_cast<int64_t *>(take(places));
    params.exits = reinterpret_cast<uint16_t *>(take(params.mostTiles * entries));
    params.joined = reinterpret_cast<uint16_t *>(take(mostGroups * entries));
    params.next = reinterpret_cast<uint16_t *>(place);
    return {};
  }

  Status runRound() {
    NPCC_TRY(launchRow(WalkMode::Map, params.mostTiles));
    int64_t groups = (params.mostTiles + params.groupTiles - 1) / params.groupTiles;
    NPCC_TRY(launch(join, {groups, slicesOfGroup, 1}, walkThreads));
    NPCC_TRY(launch(chain, {1, 1, 1}, mostGroups));
    NPCC_TRY(launchRow(WalkMode::Draw, (params.mostTiles * tilePieces + walkThreads - 1) / walkThreads));
    round = 1 - round;
    return {};
  }

  Status launchRow(WalkMode mode, int64_t blocks) {
    LaunchShape shape{{blocks, 1, 1}, {walkThreads, 1, 1}, 0, false};
    void *arguments[] = {&params, &mode, &round};
    return device.launch(row.kernel, shape, arguments);
  }
  /// What is the same for all rows. `begin` and `sum` do not ask for the round.
  Status launch(npcc_kernel &kernel, std::array<int64_t, 3> blocks, int64_t threads) {
    LaunchShape shape{{blocks[0], blocks[1], blocks[2]}, {threads, 1, 1}, 0, false};
    void *arguments[] = {&params, &round};
    return device.launch(kernel, shape, arguments);
  }

  /// Each by itself, because each has parameters of its own.
  bool makeNumbers(const std::vector<uint64_t> &records, const std::vector<int64_t> &begins, int64_t lo, int64_t hi,
                   std::vector<Patch> &patches) {
    for (int64_t k = lo; k < hi; ++k) {
      int64_t count = begins[k + 1] - begins[k] - 1, taken = 0;
      patches[k].number = int64_t(records[begins[k]] >> 8);
      draw.replayOne(draw, draw.first + patches[k].number, &records[begins[k] + 1], count, taken, patches[k].value);
      if (taken != count)
        return false;
    }
    return true;
  }

  CudaDevice &device;
  const StreamDraw &draw;
  WalkKernel &row;
  std::optional<Units> units;
  int64_t count, limit; // numbers or lines
  WalkParams params{};
  OwnedBuffer sums, prepared;
  int32_t round = 0;
};

} // namespace

Status drawWalk(CudaDevice &device, const StreamDraw &draw, StreamOutcome &outcome) {
  return Walking(device, draw).run(outcome);
}

} // namespace npcc::rt::cuda
