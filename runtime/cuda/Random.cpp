// Draws from the streams of bit generators (kernels/words.cu, reject.cu).
#include "runtime/cuda/Random.h"
#include "runtime/abi/dtypes.h"
#include "runtime/abi/random.h"
#include "runtime/cpu/ThreadPool.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/RandomNumbers.h"
#include "runtime/cuda/RandomPositions.h"
#include "runtime/cuda/RandomWalks.h"
#include "runtime/cuda/TiledStream.h"
#include <algorithm>
#include <cmath>
#include <utility>

NPCC_KERNELS(reject, "reject")

namespace npcc::rt::cuda {
namespace {

using namespace random;

#define METHOD(name) {&rejectImage, "npcc_reject_" name, nullptr}
npcc_kernel normals[] = {METHOD("normal64"), METHOD("normal32")},
            exponentials[] = {METHOD("exponential64"), METHOD("exponential32")};
npcc_kernel bits64Int64 METHOD("bits64_int64"), bits32Int64 METHOD("bits32_int64"), bits32Int32 METHOD("bits32_int32"),
    bits16Int16 METHOD("bits16_int16"), bits8Int8 METHOD("bits8_int8"), bits1Int8 METHOD("bits1_int8");
npcc_kernel patch METHOD("patch"), quotients METHOD("quotients");

npcc_kernel &kernelOf(const StreamDraw &draw) {
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

/// The part of the numbers that the host makes.
double tailShareOf(const StreamDraw &draw) {
  return draw.method == StreamMethod::Normal ? 2.6e-4 : draw.method == StreamMethod::Exponential ? 4.6e-4 : 0;
}

class Rejecting {
public:
  Rejecting(CudaDevice &device, const StreamDraw &draw) : device(device), draw(draw), stream(device, draw) {}

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
    NPCC_TRY(launchFor(ceilDiv(draw.count, tileUnits)));
    return finish(outcome, draw.count);
  }

  Status runTiles(int64_t tiles, StreamOutcome &outcome, bool &isEnough) {
    // What the host reads lies together: the outcome, then the units of the numbers that it makes.
    double tails = draw.count * tailShareOf(draw);
    int64_t mostTails = tails == 0 ? 0 : int64_t(tails + 8 * std::sqrt(tails)) + 64;
    int64_t readBytes = int64_t(sizeof(Rejection)) + roundUp(mostTails * unitsOfTail() * (draw.unitBits / 8));
    OwnedBuffer buffer;
    NPCC_TRY(buffer.allocate(device, readBytes + 8 * (tiles + 2 * mostTails)));
    char *place = buffer.get();
    auto take = [&](int64_t bytes) { return std::exchange(place, place + bytes); };
    params.result = reinterpret_cast<Rejection *>(take(sizeof(Rejection)));
    params.tailUnits = take(readBytes - int64_t(sizeof(Rejection)));
    params.status = reinterpret_cast<uint64_t *>(take(8 * tiles));
    params.tailIndices = reinterpret_cast<int64_t *>(take(8 * mostTails));
    auto *values = reinterpret_cast<double *>(take(8 * mostTails));
    params.mostTails = int32_t(mostTails);
    NPCC_TRY(launchFor(tiles));
    std::vector<char> read(readBytes);
    NPCC_TRY(device.copyOut(read.data(), params.result, readBytes));
    auto &result = *reinterpret_cast<const Rejection *>(read.data());
    isEnough = result.count >= draw.count;
    if (!isEnough || result.isUncertain || result.tailCount > params.mostTails)
      return {}; // nothing is drawn: more tiles are, or the host does it
    if (result.tailCount)
      NPCC_TRY(patchTails(&result + 1, values, result.tailCount));
    return finish(outcome, result.end);
  }

  int64_t unitsOfTail() const {
    return draw.method == StreamMethod::Normal ? unitsOfNormalTail : unitsOfExponentialTail;
  }

  /// Where the host's logarithm counts, the host makes the number.
  Status patchTails(const void *tailUnits, double *onDevice, int64_t count) {
    int64_t each = unitsOfTail();
    std::vector<double> values(count);
    parallelLoop(count, 256, [&](int64_t from, int64_t to) {
      for (int64_t k = from; k < to; ++k) {
        uint64_t units[unitsOfNormalTail];
        for (int64_t i = 0; i < each; ++i)
          units[i] = draw.unitBits == 32 ? static_cast<const uint32_t *>(tailUnits)[k * each + i]
                                         : static_cast<const uint64_t *>(tailUnits)[k * each + i];
        values[k] = draw.tail(draw, units);
      }
    });
    NPCC_TRY(device.copyIn(onDevice, values.data(), count * 8));
    PatchParams patchParams{draw.out, params.tailIndices, onDevice, count, draw.dtype == NPCC_FLOAT32};
    return launch(patch, std::min<int64_t>(ceilDiv(count, 256), 1024), 256, &patchParams);
  }

  /// Launches the method's kernel for so many tiles, and what makes ready for it.
  Status launchFor(int64_t tiles) {
    bool takesOne = draw.method == StreamMethod::Integers;
    NPCC_TRY(stream.prepare(params, tiles, tileUnits, takesOne ? 0 : unitsBefore * draw.unitBits / 64));
    const ZigguratTables *tables;
    NPCC_TRY(findTables(device, tables));
    bool isSingle = draw.dtype == NPCC_FLOAT32, isNormal = draw.method == StreamMethod::Normal;
    params.ziggurat = isSingle ? static_cast<const void *>(isNormal ? &tables->normal32 : &tables->exponential32)
                               : (isNormal ? &tables->normal64 : &tables->exponential64);
    params.shift = draw.shift;
    params.scale = draw.scale;
    params.isAffine = draw.isAffine;
    params.low = draw.low;
    params.range = draw.range;
    params.isMasked = draw.isMasked;
    return stream.launch(kernelOf(draw), params);
  }

  Status finish(StreamOutcome &outcome, int64_t units) { return stream.finish(outcome, units); }

  static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
  static int64_t roundUp(int64_t bytes) { return ceilDiv(bytes, 8) * 8; }
  Status launch(npcc_kernel &kernel, int64_t blocks, int64_t threads, void *params) {
    LaunchShape shape{{blocks, 1, 1}, {threads, 1, 1}, 0, false};
    return device.launch(kernel, shape, &params);
  }

  CudaDevice &device;
  const StreamDraw &draw;
  TiledStream stream;
  RejectParams params{};
};

/// All normal numbers, and then the quotients.
Status drawQuotients(CudaDevice &device, const StreamDraw &draw, StreamOutcome &outcome) {
  StreamDraw normal = draw;
  normal.method = StreamMethod::Normal;
  normal.count = 2 * draw.count;
  OwnedBuffer pairs;
  NPCC_TRY(pairs.allocate(device, normal.count * int64_t(sizeof(double))));
  normal.out = pairs.get();
  NPCC_TRY(Rejecting(device, normal).run(outcome));
  if (outcome.drawn < normal.count) {
    outcome.drawn = 0;
    return {};
  }
  outcome.drawn = draw.count;
  QuotientParams params{reinterpret_cast<const double *>(pairs.get()), static_cast<double *>(draw.out), draw.count};
  LaunchShape shape{{std::min<int64_t>((draw.count + 255) / 256, 4096), 1, 1}, {256, 1, 1}, 0, false};
  void *arguments[] = {&params};
  return device.launch(quotients, shape, arguments);
}

} // namespace

npcc_kernel &unitsKernel(int32_t unitBits) { return unitBits == 64 ? bits64Int64 : bits32Int32; }

Status drawByKernels(CudaDevice &device, const StreamDraw &draw, StreamOutcome &outcome) {
  if (draw.method == StreamMethod::Uniform)
    return drawUniform(device, draw, outcome);
  if (draw.method == StreamMethod::Numbers)
    return drawNumbersOf(device, draw, outcome);
  if (draw.method == StreamMethod::Quotients)
    return drawQuotients(device, draw, outcome);
  if (draw.method == StreamMethod::Walk)
    return drawWalk(device, draw, outcome);
  if (draw.method == StreamMethod::Positions)
    return drawPositions(device, draw, outcome);
  return Rejecting(device, draw).run(outcome);
}

} // namespace npcc::rt::cuda
