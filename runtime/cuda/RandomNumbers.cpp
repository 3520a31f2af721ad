// Draws of distributions that take a varying number of units (kernels/numbers.cu): the device finds the numbers, and
// the host those that are in doubt.
#include "runtime/cuda/RandomNumbers.h"
#include "runtime/Element.h"
#include "runtime/abi/dtypes.h"
#include "runtime/cpu/ThreadPool.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/TiledStream.h"
#include <algorithm>
#include <cmath>
#include <utility>

NPCC_KERNELS(numbers, "numbers")

namespace npcc::rt::cuda {
namespace {

using namespace random;

struct Row {
  npcc_kernel kernel;
  int32_t unitsKept;
  double doubts; // the part of the numbers whose last place the host finds, at most
};
Row rows[] = {
#define NPCC_NUMBERS(name, Class, unitsKept, doubts)                                                                   \
  {{&numbersImage, "npcc_numbers_" #name, nullptr}, unitsKept, doubts},
#include "runtime/random/Numbers.def"
};
npcc_kernel patch{&numbersImage, "npcc_numbers_patch", nullptr};

constexpr int64_t roundUp(int64_t bytes) { return (bytes + 7) / 8 * 8; }

class Drawing {
public:
  Drawing(CudaDevice &device, const StreamDraw &draw)
      : device(device), draw(draw), row(rows[int32_t(draw.number)]), wanted(draw.count / draw.each),
        unitBytes(draw.unitBits / 8) {}

  Status run(StreamOutcome &outcome) {
    // The mean is of a sample: more is tried where it was too small.
    double units = double(wanted) * draw.unitsOfNumber * 1.1 + 64;
    for (;; units *= 1.5) {
      Outcome found;
      NPCC_TRY(runTiles(int64_t(units) / numberUnits + 2, {}, outcome, found));
      if (found == Outcome::Doubtful && !decisions.empty()) {
        std::vector<Decision> known = std::move(decisions);
        NPCC_TRY(runTiles(int64_t(units) / numberUnits + 2, known, outcome, found));
      }
      if (found != Outcome::TooFew)
        return {}; // drawn, or not: then the host draws them
    }
  }

private:
  enum class Outcome { Drawn, TooFew, Doubtful };

  /// Doubtful: there are numbers of which it is not known how many units they take. `decisions` are the host's.
  Status runTiles(int64_t tiles, const std::vector<Decision> &known, StreamOutcome &outcome, Outcome &found) {
    TiledStream stream(device, draw);
    NumberParams params{};
    double inexact = double(wanted) * row.doubts;
    int64_t mostTails = inexact == 0 ? 0 : int64_t(inexact + 8 * std::sqrt(inexact)) + 64;
    int64_t tailBytes = roundUp(mostTails * row.unitsKept * unitBytes),
            doubtUnitBytes = int64_t(mostDoubts) * unitsBehind * unitBytes;
    int64_t decisionBytes = int64_t(known.size() * sizeof(Decision)), tableBytes = int64_t(draw.table.size()) * 8;
    OwnedBuffer buffer;
    NPCC_TRY(buffer.allocate(device, int64_t(sizeof(Rejection)) + tailBytes + 24 * mostTails + 8 * mostDoubts +
                                         doubtUnitBytes + decisionBytes + tableBytes + 16 * tiles));
    char *place = buffer.get();
    auto take = [&](int64_t bytes) { return std::exchange(place, place + bytes); };
    params.result = reinterpret_cast<Rejection *>(take(sizeof(Rejection)));
    params.tailUnits = take(tailBytes);
    params.tailIndices = reinterpret_cast<int64_t *>(take(8 * mostTails));
    auto *values = reinterpret_cast<uint64_t *>(take(16 * mostTails));
    params.doubtPlaces = reinterpret_cast<int64_t *>(take(8 * mostDoubts));
    params.doubtUnits = take(doubtUnitBytes);
    params.decisions = reinterpret_cast<const Decision *>(take(decisionBytes));
    params.status = reinterpret_cast<uint64_t *>(take(8 * tiles));
    params.exits = reinterpret_cast<uint64_t *>(take(8 * tiles));
    params.mostTails = int32_t(mostTails);
    params.decisionCount = int32_t(known.size());
    if (!known.empty())
      NPCC_TRY(device.copyIn(const_cast<Decision *>(params.decisions), known.data(), decisionBytes));
    if (tableBytes) {
      char *table = take(tableBytes);
      NPCC_TRY(device.copyIn(table, draw.table.data(), tableBytes));
      params.table = reinterpret_cast<const double *>(table);
    }
    std::copy_n(draw.constants, 4, params.constants);
    params.whole = draw.whole;
    NPCC_TRY(findTables(device, params.tables));
    NPCC_TRY(stream.prepare(params, tiles, numberUnits, 0));
    NPCC_TRY(stream.launch(row.kernel, params));
    Rejection result;
    NPCC_TRY(device.copyOut(&result, params.result, sizeof result));
    found = Outcome::Doubtful;
    if (result.doubtCount)
      return result.doubtCount <= mostDoubts ? decide(params, result.doubtCount) : Status();
    if (result.count < wanted) {
      found = Outcome::TooFew;
      return {};
    }
    if (result.isUncertain || result.tailCount > mostTails)
      return {};
    if (result.tailCount)
      NPCC_TRY(patchTails(params, values, result.tailCount));
    found = Outcome::Drawn;
    return stream.finish(outcome, result.end);
  }

  /// Units that the device kept, each of 64 bits.
  Status fetchUnits(const void *from, int64_t count, std::vector<uint64_t> &units) {
    units.resize(count);
    if (unitBytes == 8)
      return device.copyOut(units.data(), from, count * 8);
    std::vector<uint32_t> halves(count);
    NPCC_TRY(device.copyOut(halves.data(), from, count * 4));
    std::copy(halves.begin(), halves.end(), units.begin());
    return {};
  }

  /// The host says how many units numbers take, and what they are; `decisions` stays empty if it cannot.
  Status decide(const NumberParams &params, int64_t count) {
    std::vector<int64_t> places(count);
    std::vector<uint64_t> units;
    NPCC_TRY(device.copyOut(places.data(), params.doubtPlaces, count * 8));
    NPCC_TRY(fetchUnits(params.doubtUnits, count * unitsBehind, units));
    for (int64_t k = 0; k < count; ++k) {
      Decision decision{places[k], 0, {}};
      draw.replay(draw, &units[k * unitsBehind], unitsBehind, decision.taken, decision.value);
      if (decision.taken > unitsBehind) {
        decisions.clear();
        return {};
      }
      decisions.push_back(decision);
    }
    std::sort(decisions.begin(), decisions.end(),
              [](const Decision &a, const Decision &b) { return a.place < b.place; });
    return {};
  }

  /// The host makes the numbers whose last place is in doubt.
  Status patchTails(const NumberParams &params, uint64_t *onDevice, int64_t count) {
    std::vector<uint64_t> units, values(2 * count);
    NPCC_TRY(fetchUnits(params.tailUnits, count * row.unitsKept, units));
    parallelLoop(count, 256, [&](int64_t from, int64_t to) {
      for (int64_t k = from; k < to; ++k) {
        int64_t taken;
        draw.replay(draw, &units[k * row.unitsKept], row.unitsKept, taken, &values[2 * k]);
      }
    });
    NPCC_TRY(device.copyIn(onDevice, values.data(), count * 16));
    PatchBytesParams patchParams{static_cast<char *>(draw.out), params.tailIndices, onDevice, count,
                                 int32_t(elementSize(npcc_dtype(draw.dtype)) * draw.each)};
    LaunchShape shape{{std::min<int64_t>((count + 255) / 256, 1024), 1, 1}, {256, 1, 1}, 0, false};
    void *arguments[] = {&patchParams};
    return device.launch(patch, shape, arguments);
  }

  CudaDevice &device;
  const StreamDraw &draw;
  Row &row;
  int64_t wanted, unitBytes; // numbers, or pairs
  std::vector<Decision> decisions;
};

} // namespace

Status drawNumbersOf(CudaDevice &device, const StreamDraw &draw, StreamOutcome &outcome) {
  return Drawing(device, draw).run(outcome);
}

} // namespace npcc::rt::cuda
