// Draws of distributions that take a varying number of units (kernels/numbers.cu): the device finds the numbers, and
// the host those that are in doubt.
#include "runtime/cuda/RandomNumbers.h"
#include "runtime/Element.h"
#include "runtime/abi/dtypes.h"
#include "runtime/cpu/ThreadPool.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/TiledStream.h"
#include <algorithm>
#include <utility>

NPCC_KERNELS(numbers, "numbers")

namespace npcc::rt::cuda {
namespace {

using namespace random;

struct Row {
  npcc_kernel kernel;
  double doubts; // the part of the numbers whose last place the host finds, at most
};
Row rows[] = {
#define NPCC_NUMBERS(name, Class, doubts) {{&numbersImage, "npcc_numbers_" #name, nullptr}, doubts},
#include "runtime/random/Numbers.def"
};
npcc_kernel patch{&numbersImage, "npcc_numbers_patch", nullptr};

/// So often, at most, the host decides about numbers: each time, the kernel may come upon some more.
constexpr int mostRounds = 8;

class Drawing {
public:
  Drawing(CudaDevice &device, const StreamDraw &draw)
      : device(device), draw(draw), row(rows[int32_t(draw.number)]), wanted(draw.count / draw.each),
        unitBytes(draw.unitBits / 8) {}

  Status run(StreamOutcome &outcome) {
    // The mean is of a sample: more is tried where it was too small.
    double units = double(wanted) * draw.unitsOfNumber * 1.1 + 64;
    for (int round = 0; round < mostRounds; ++round) {
      Found found = Found::Nothing;
      NPCC_TRY(runTiles(int64_t(units) / numberUnits + 2, outcome, found));
      if (found == Found::All || found == Found::Nothing)
        return {}; // drawn, or left to the host
      if (found == Found::TooFew)
        units *= 1.5;
    }
    return {};
  }

private:
  /// Decisions: the host had to say how many units some numbers take, and the kernel has to run again.
  enum class Found { All, TooFew, Decisions, Nothing };

  Status runTiles(int64_t tiles, StreamOutcome &outcome, Found &found) {
    TiledStream stream(device, draw);
    NumberParams params{};
    // Of a number the host gets its units and a word before them.
    double inexact = double(wanted) * row.doubts * (2 + 1.5 * draw.unitsOfNumber);
    int64_t mostTails = inexact == 0 ? 0 : int64_t(inexact) + 1024, decided = int64_t(decisions.size());
    int64_t doubtUnitBytes = int64_t(mostDoubts) * unitsBehind * unitBytes, tableCount = int64_t(draw.table.size());
    OwnedBuffer buffer;
    NPCC_TRY(buffer.allocate(device, int64_t(sizeof(Rejection)) +
                                         8 * (mostTails + mostDoubts + tableCount + 2 * tiles) + doubtUnitBytes +
                                         decided * int64_t(sizeof(Decision))));
    char *place = buffer.get();
    auto take = [&](int64_t bytes) { return std::exchange(place, place + bytes); };
    auto send = [&](const void *from, int64_t bytes, char *&to) {
      to = take(bytes);
      return bytes ? device.copyIn(to, from, bytes) : Status();
    };
    char *sentDecisions, *sentTable;
    params.result = reinterpret_cast<Rejection *>(take(sizeof(Rejection)));
    params.tailUnits = take(8 * mostTails);
    params.doubtPlaces = reinterpret_cast<int64_t *>(take(8 * mostDoubts));
    params.doubtUnits = take(doubtUnitBytes);
    params.status = reinterpret_cast<uint64_t *>(take(8 * tiles));
    params.exits = reinterpret_cast<uint64_t *>(take(8 * tiles));
    NPCC_TRY(send(decisions.data(), decided * int64_t(sizeof(Decision)), sentDecisions));
    NPCC_TRY(send(draw.table.data(), 8 * tableCount, sentTable));
    params.decisions = reinterpret_cast<const Decision *>(sentDecisions);
    params.table = reinterpret_cast<const double *>(sentTable);
    params.mostTails = int32_t(mostTails);
    params.decisionCount = int32_t(decided);
    std::copy_n(draw.constants, 4, params.constants);
    params.whole = draw.whole;
    NPCC_TRY(findTables(device, params.tables));
    NPCC_TRY(stream.prepare(params, tiles, numberUnits, 0));
    NPCC_TRY(stream.launch(row.kernel, params));
    Rejection result;
    NPCC_TRY(device.copyOut(&result, params.result, sizeof result));
    bool isEnough = result.count >= wanted;
    if (result.doubtCount) {
      // Behind the last number they do not matter. Before it, all that follows is another.
      bool isDecided = false;
      NPCC_TRY(decide(params, result.doubtCount, isEnough ? result.end : INT64_MAX, isDecided));
      if (isDecided)
        found = int64_t(decisions.size()) > decided ? Found::Decisions : Found::All;
      if (found != Found::All)
        return {};
      found = Found::Nothing;
    }
    if (!isEnough) {
      found = Found::TooFew;
      return {};
    }
    if (result.tailCount > mostTails)
      return {};
    if (result.tailCount)
      NPCC_TRY(patchTails(static_cast<const uint64_t *>(params.tailUnits), result.tailCount));
    found = Found::All;
    return stream.finish(outcome, result.end);
  }

  /// The host says how many units the numbers take that begin before `end` and are in doubt, and what they are.
  /// isDecided: it could.
  Status decide(const NumberParams &params, int64_t count, int64_t end, bool &isDecided) {
    if (count > mostDoubts)
      return {};
    std::vector<int64_t> places(count);
    std::vector<char> units(count * unitsBehind * unitBytes);
    NPCC_TRY(device.copyOut(places.data(), params.doubtPlaces, count * 8));
    NPCC_TRY(device.copyOut(units.data(), params.doubtUnits, int64_t(units.size())));
    for (int64_t k = 0; k < count; ++k) {
      if (places[k] >= end)
        continue;
      uint64_t own[unitsBehind];
      const char *first = &units[k * unitsBehind * unitBytes];
      for (int64_t i = 0; i < unitsBehind; ++i)
        own[i] = unitBytes == 8 ? reinterpret_cast<const uint64_t *>(first)[i]
                                : reinterpret_cast<const uint32_t *>(first)[i];
      Decision decision{places[k], 0, {}};
      draw.replay(draw, own, unitsBehind, decision.taken, decision.value);
      if (decision.taken > unitsBehind)
        return {};
      decisions.push_back(decision);
    }
    std::sort(decisions.begin(), decisions.end(),
              [](const Decision &a, const Decision &b) { return a.place < b.place; });
    isDecided = true;
    return {};
  }

  /// The host makes the numbers whose last place is in doubt.
  Status patchTails(const uint64_t *from, int64_t words) {
    std::vector<uint64_t> records(words);
    NPCC_TRY(device.copyOut(records.data(), from, words * 8));
    std::vector<int64_t> begins;
    for (int64_t at = 0; at < words; at += 1 + int64_t(records[at] & 255))
      begins.push_back(at);
    int64_t count = int64_t(begins.size());
    std::vector<Patch> patches(count);
    parallelLoop(count, 256, [&](int64_t lo, int64_t hi) {
      for (int64_t k = lo; k < hi; ++k) {
        const uint64_t *record = &records[begins[k]];
        int64_t taken;
        patches[k].number = int64_t(record[0] >> 8);
        draw.replay(draw, record + 1, int64_t(record[0] & 255), taken, patches[k].value);
      }
    });
    OwnedBuffer buffer;
    int64_t bytes = count * int64_t(sizeof(Patch));
    NPCC_TRY(buffer.allocate(device, bytes));
    NPCC_TRY(device.copyIn(buffer.get(), patches.data(), bytes));
    PatchBytesParams patchParams{static_cast<char *>(draw.out), reinterpret_cast<const Patch *>(buffer.get()), count,
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
