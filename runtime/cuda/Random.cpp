// Draws from the streams of bit generators (kernels/words.cu, reject.cu).
#include "runtime/cuda/Random.h"
#include "runtime/abi/dtypes.h"
#include "runtime/abi/random.h"
#include "runtime/cpu/ThreadPool.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/RandomWords.h"
#include "runtime/cuda/kernels/RandomParams.h"
#include "runtime/random/Ziggurat.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

NPCC_KERNELS(reject, "reject")

namespace npcc::rt::cuda {
namespace {

using namespace random;

struct MethodKernels {
  npcc_kernel count, resolve, emit;
};
#define METHOD(name)                                                                                                   \
  {                                                                                                                    \
    {&rejectImage, "npcc_reject_count_" name, nullptr}, {&rejectImage, "npcc_reject_resolve_" name, nullptr}, {        \
      &rejectImage, "npcc_reject_emit_" name, nullptr                                                                  \
    }                                                                                                                  \
  }
MethodKernels normals[] = {METHOD("normal64"), METHOD("normal32")},
              exponentials[] = {METHOD("exponential64"), METHOD("exponential32")};
MethodKernels bits64Int64 METHOD("bits64_int64"), bits32Int64 METHOD("bits32_int64"),
    bits32Int32 METHOD("bits32_int32"),
    bits16Int16 METHOD("bits16_int16"), bits8Int8 METHOD("bits8_int8"), bits1Int8 METHOD("bits1_int8");
npcc_kernel patch{&rejectImage, "npcc_reject_patch", nullptr};

MethodKernels &kernelsOf(const StreamDraw &draw) {
  bool isSingle = draw.dtype == NPCC_FLOAT32;
  if (draw.method == StreamMethod::Normal)
    return normals[isSingle];
  if (draw.method == StreamMethod::Exponential)
    return exponentials[isSingle];
  switch (draw.unitBits) {
  case 64:
    return bits64Int64;
  case 32:
    return draw.dtype == NPCC_INT64 || draw.dtype == NPCC_UINT64 ? bits32Int64 : bits32Int32;
  case 16:
    return bits16Int16;
  case 8:
    return bits8Int8;
  default:
    return bits1Int8;
  }
}

struct Tables {
  Ziggurat64 normal64, exponential64;
  Ziggurat32 normal32, exponential32;

  Tables() {
    auto fill = [](auto &table, const auto *k, const auto *w, const auto *f) {
      std::copy_n(k, 256, table.k);
      std::copy_n(w, 256, table.w);
      std::copy_n(f, 256, table.f);
    };
    fill(normal64, ki_double, wi_double, fi_double);
    fill(exponential64, ke_double, we_double, fe_double);
    fill(normal32, ki_float, wi_float, fi_float);
    fill(exponential32, ke_float, we_float, fe_float);
  }
};

/// Each device has the tables once, and keeps them.
Status findTables(CudaDevice &device, const Tables *&tables) {
  static std::mutex mutex;
  static std::map<int32_t, void *> places;
  std::scoped_lock lock(mutex);
  void *&place = places[device.id];
  if (!place) {
    static const Tables host;
    void *made;
    NPCC_TRY(device.allocateRaw(sizeof host, &made));
    NPCC_TRY(device.copyIn(made, &host, sizeof host));
    NPCC_TRY(device.synchronize()); // other streams use them too
    place = made;
  }
  tables = static_cast<const Tables *>(place);
  return {};
}

/// The part of the units that give a number, rounded down.
double shareOf(const StreamDraw &draw) {
  if (draw.method == StreamMethod::Normal)
    return 0.9775;
  if (draw.method == StreamMethod::Exponential)
    return 0.9665;
  double units = std::ldexp(1.0, draw.unitBits), choices = double(draw.range) + 1;
  if (draw.unitBits == 1)
    return 1;
  if (draw.isMasked)
    return choices / std::exp2(std::ceil(std::log2(choices)));
  return std::floor(units / choices) * choices / units;
}

class Rejecting {
public:
  Rejecting(CudaDevice &device, const StreamDraw &draw)
      : device(device), draw(draw), kernels(kernelsOf(draw)), stream(device) {}

  Status run(StreamOutcome &outcome) {
    double share = shareOf(draw);
    bool isPower = draw.method == StreamMethod::Integers && (draw.range & (draw.range + 1)) == 0;
    if (isPower)
      return runEach(outcome);
    // Six standard deviations more than what is expected.
    double units = draw.count / share + 6 * std::sqrt(draw.count * (1 - share)) / share + 64;
    for (;; units *= 1.25) {
      bool isEnough;
      NPCC_TRY(runTiles(int64_t(units) / tileUnits + 1, outcome, isEnough));
      if (isEnough)
        return {};
    }
  }

private:
  /// Each unit gives a number.
  Status runEach(StreamOutcome &outcome) {
    NPCC_TRY(setParams(ceilDiv(draw.count, tileUnits)));
    NPCC_TRY(launch(kernels.emit, blocks(), tileThreads));
    outcome.drawn = outcome.units = draw.count;
    return stream.finish(draw, outcome.units, outcome);
  }

  Status runTiles(int64_t tiles, StreamOutcome &outcome, bool &isEnough) {
    NPCC_TRY(setParams(tiles));
    // One number of 300 to 4,000 comes of the host's logarithm.
    int64_t mostTails = draw.method == StreamMethod::Integers ? 0 : draw.count / 250 + 1024;
    OwnedBuffer tileBuffer, resultBuffer;
    int64_t masks = tiles * (tileUnits / 32) * int64_t(sizeof(uint32_t));
    NPCC_TRY(tileBuffer.allocate(device, tiles * int64_t(sizeof(Tile)) + masks));
    NPCC_TRY(resultBuffer.allocate(device, int64_t(sizeof(Rejection)) + mostTails * (1 + unitsOfTail()) * 8));
    Rejection result{};
    NPCC_TRY(device.copyIn(resultBuffer.get(), &result, sizeof result));
    params.tile = reinterpret_cast<Tile *>(tileBuffer.get());
    params.masks = reinterpret_cast<uint32_t *>(params.tile + tiles);
    params.result = reinterpret_cast<Rejection *>(resultBuffer.get());
    params.tailIndices = reinterpret_cast<int64_t *>(params.result + 1);
    params.tailUnits = reinterpret_cast<uint64_t *>(params.tailIndices + mostTails);
    params.mostTails = int32_t(std::min<int64_t>(mostTails, INT32_MAX));
    NPCC_TRY(launch(kernels.count, blocks(), tileThreads));
    NPCC_TRY(launch(kernels.resolve, 1, resolveThreads));
    NPCC_TRY(launch(kernels.emit, blocks(), tileThreads));
    NPCC_TRY(device.copyOut(&result, params.result, sizeof result));
    isEnough = result.count >= draw.count;
    if (!isEnough)
      return {};
    if (result.isUncertain || result.tailCount > params.mostTails)
      return {}; // nothing is drawn: the host does it
    if (result.tailCount)
      NPCC_TRY(patchTails(result.tailCount));
    outcome.drawn = draw.count;
    outcome.units = result.end;
    return stream.finish(draw, outcome.units, outcome);
  }

  int64_t unitsOfTail() const {
    return draw.method == StreamMethod::Normal ? unitsOfNormalTail : unitsOfExponentialTail;
  }

  /// Where the host's logarithm counts, the host makes the number. It goes where its units came from.
  Status patchTails(int64_t count) {
    int64_t each = unitsOfTail();
    std::vector<uint64_t> units(count * each);
    NPCC_TRY(device.copyOut(units.data(), params.tailUnits, count * each * 8));
    std::vector<double> values(count);
    parallelLoop(count, 256, [&](int64_t from, int64_t to) {
      for (int64_t k = from; k < to; ++k)
        values[k] = draw.tail(draw, &units[k * each]);
    });
    NPCC_TRY(device.copyIn(params.tailUnits, values.data(), count * 8));
    PatchParams patchParams{draw.out, params.tailIndices, reinterpret_cast<double *>(params.tailUnits), count,
                            draw.dtype == NPCC_FLOAT32};
    LaunchShape shape{{std::min<int64_t>(ceilDiv(count, 256), 1024), 1, 1}, {256, 1, 1}, 0, false};
    void *arguments[] = {&patchParams};
    return device.launch(patch, shape, arguments);
  }

  Status setParams(int64_t tiles) {
    NPCC_TRY(stream.make(draw, tiles * tileUnits + 2 * mostOfAttempt));
    const Tables *tables;
    NPCC_TRY(findTables(device, tables));
    bool isSingle = draw.dtype == NPCC_FLOAT32, isNormal = draw.method == StreamMethod::Normal;
    params.ziggurat = isSingle ? static_cast<const void *>(isNormal ? &tables->normal32 : &tables->exponential32)
                               : (isNormal ? &tables->normal64 : &tables->exponential64);
    params.units = stream.units();
    params.out = draw.out;
    params.tiles = tiles;
    params.wanted = draw.count;
    params.shift = draw.shift;
    params.scale = draw.scale;
    params.isAffine = draw.isAffine;
    params.low = draw.low;
    params.range = draw.range;
    params.isMasked = draw.isMasked;
    params.highFirst = draw.kind == NPCC_BITS_MT19937;
    return {};
  }

  static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
  int64_t blocks() const { return std::min<int64_t>(params.tiles, 8 * device.multiprocessors()); }
  Status launch(npcc_kernel &kernel, int64_t blocks, int64_t threads) {
    LaunchShape shape{{blocks, 1, 1}, {threads, 1, 1}, 0, false};
    void *arguments[] = {&params};
    return device.launch(kernel, shape, arguments);
  }

  CudaDevice &device;
  const StreamDraw &draw;
  MethodKernels &kernels;
  RandomWords stream;
  RejectParams params{};
};

} // namespace

Status drawByKernels(CudaDevice &device, const StreamDraw &draw, StreamOutcome &outcome) {
  if (draw.method == StreamMethod::Uniform)
    return drawUniform(device, draw, outcome);
  return Rejecting(device, draw).run(outcome);
}

} // namespace npcc::rt::cuda
