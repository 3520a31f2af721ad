// Draws of distributions that take a varying number of units (kernels/numbers.cu): the device finds the numbers, and
// the host those that are in doubt.
#include "runtime/cuda/RandomNumbers.h"
#include "runtime/Element.h"
#include "runtime/abi/dtypes.h"
#include "runtime/cpu/ThreadPool.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/TiledStream.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

NPCC_KERNELS(numbers, "numbers")

namespace npcc::rt::cuda {
namespace {

using namespace random;

NumberKernel rows[] = {
#define NPCC_NUMBERS(name, Class, doubts) {{&numbersImage, "npcc_numbers_" #name, nullptr}, doubts},
#include "runtime/random/Numbers.def"
};
npcc_kernel patch{&numbersImage, "npcc_numbers_patch", nullptr};

/// So often, at most, the host decides about numbers: each time, the kernel may come upon some more.
constexpr int mostRounds = 8;
/// Of the numbers that the host makes again, so many words of their records are copied at a time.
constexpr int64_t wordsOfPart = int64_t(1) << 20;

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
    bool isPatched = result.tailCount == 0;
    if (!isPatched)
      NPCC_TRY(patchNumbers(
          device, draw, static_cast<const uint64_t *>(params.tailUnits), result.tailCount,
          [&](auto &&...arguments) { return makeNumbers(arguments...); }, isPatched));
    if (!isPatched)
      return {};
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
      draw.replay(draw, own, unitsBehind, 1, decision.taken, decision.value);
      if (decision.taken > unitsBehind)
        return {};
      decisions.push_back(decision);
    }
    std::sort(decisions.begin(), decisions.end(),
              [](const Decision &a, const Decision &b) { return a.place < b.place; });
    isDecided = true;
    return {};
  }

  /// As one draw: the records' units are a stream, of which each number takes its own.
  bool makeNumbers(const std::vector<uint64_t> &records, const std::vector<int64_t> &begins, int64_t lo, int64_t hi,
                   std::vector<Patch> &patches) {
    std::vector<uint64_t> units;
    units.reserve(begins[hi] - begins[lo]);
    for (int64_t k = lo; k < hi; ++k)
      units.insert(units.end(), &records[begins[k] + 1], records.data() + begins[k + 1]);
    int64_t bytes = elementSize(npcc_dtype(draw.dtype)) * draw.each, taken = 0;
    std::vector<char> values((hi - lo) * bytes);
    draw.replay(draw, units.data(), int64_t(units.size()), hi - lo, taken, values.data());
    for (int64_t k = lo; k < hi; ++k) {
      patches[k].number = int64_t(records[begins[k]] >> 8);
      std::memcpy(patches[k].value, &values[(k - lo) * bytes], bytes);
    }
    return taken == int64_t(units.size());
  }

  CudaDevice &device;
  const StreamDraw &draw;
  NumberKernel &row;
  int64_t wanted, unitBytes; // numbers, or pairs
  std::vector<Decision> decisions;
};

Status storePatches(CudaDevice &device, const StreamDraw &draw, const std::vector<Patch> &patches, char *onDevice) {
  int64_t count = int64_t(patches.size());
  NPCC_TRY(device.copyIn(onDevice, patches.data(), count * int64_t(sizeof(Patch))));
  PatchBytesParams params{static_cast<char *>(draw.out), reinterpret_cast<const Patch *>(onDevice), count,
                          int32_t(elementSize(npcc_dtype(draw.dtype)) * draw.each)};
  LaunchShape shape{{std::min<int64_t>((count + 255) / 256, 1024), 1, 1}, {256, 1, 1}, 0, false};
  void *arguments[] = {&params};
  return device.launch(patch, shape, arguments);
}

} // namespace

Status patchNumbers(CudaDevice &device, const StreamDraw &draw, const uint64_t *from, int64_t words,
                    const NumberMaker &make, bool &isPatched) {
  std::vector<uint64_t> records(std::min(words, wordsOfPart));
  std::vector<int64_t> begins;
  std::vector<Patch> patches;
  OwnedBuffer buffer;
  NPCC_TRY(buffer.allocate(device, std::min(words, wordsOfPart) / 2 * int64_t(sizeof(Patch))));
  for (int64_t done = 0; done < words;) {
    int64_t copied = std::min(words - done, wordsOfPart), at = 0;
    NPCC_TRY(device.copyOut(records.data(), from + done, copied * 8));
    begins.clear();
    for (int64_t next; at < copied && (next = at + 1 + int64_t(records[at] & 255)) <= copied; at = next)
      begins.push_back(at);
    begins.push_back(at);
    int64_t count = int64_t(begins.size()) - 1;
    patches.assign(count, {});
    std::atomic<bool> areMade = true;
    parallelLoop(count, 256, [&](int64_t lo, int64_t hi) {
      if (!make(records, begins, lo, hi, patches))
        areMade = false;
    });
    if (!areMade || count == 0) // then the host draws all numbers
      return {};
    NPCC_TRY(storePatches(device, draw, patches, buffer.get()));
    done += at;
  }
  isPatched = true;
  return {};
}

Status drawNumbersOf(CudaDevice &device, const StreamDraw &draw, StreamOutcome &outcome) {
  return Drawing(device, draw).run(outcome);
}

} // namespace npcc::rt::cuda
