// Choices without replacement: the numbers of all steps are drawn first (kernels/walks.cu), and then a
// kernel finds what the steps leave where (kernels/positions.cu).
#include "runtime/cuda/RandomPositions.h"
#include "runtime/Buffer.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/RandomWalks.h"
#include "runtime/cuda/kernels/RandomParams.h"
#include <algorithm>
#include <utility>

NPCC_KERNELS(positions, "positions")

namespace npcc::rt::cuda {
namespace {

using namespace random;

#define KERNEL(name) {&positionsImage, "npcc_positions_" #name, nullptr}
npcc_kernel clear KERNEL(clear), link KERNEL(link), next KERNEL(next), shuffle KERNEL(shuffle), forget KERNEL(forget),
    first KERNEL(first), sample KERNEL(sample);

template <typename Params> Status launch(CudaDevice &device, npcc_kernel &kernel, Params &params, int64_t count) {
  int64_t blocks = std::clamp<int64_t>((count + 255) / 256, 1, 16 * device.multiprocessors());
  LaunchShape shape{{blocks, 1, 1}, {256, 1, 1}, 0, false};
  void *arguments[] = {&params};
  return device.launch(kernel, shape, arguments);
}

/// The lists of steps need memory of their own.
Status takeSteps(CudaDevice &device, ShuffleParams params) {
  int64_t count = params.length;
  OwnedBuffer lists;
  NPCC_TRY(lists.allocate(device, 12 * count));
  params.heads = reinterpret_cast<int32_t *>(lists.get());
  params.links = params.heads + count;
  params.nexts = params.links + count;
  for (npcc_kernel *kernel : {&clear, &link, &next, &shuffle})
    NPCC_TRY(launch(device, *kernel, params, count));
  return {};
}

} // namespace

Status drawPositions(CudaDevice &device, const StreamDraw &draw, StreamOutcome &outcome) {
  bool isTail = draw.positions == PositionMethod::Tail, isDistinct = !isTail;
  int64_t length = draw.population, count = draw.count, least = length - count;
  ShuffleParams shuffled{};
  shuffled.length = length;
  shuffled.last = isTail ? std::max<int64_t>(least, 1) : 1;
  shuffled.kept = isTail ? least : 0;
  shuffled.out = static_cast<int64_t *>(draw.out);

  StreamDraw steps = draw;
  steps.method = StreamMethod::Walk;
  steps.each = 1;
  steps.first = 0;
  if (isDistinct) {
    steps.walk = WalkRow::below;
    steps.lineLength = count;
    steps.constants[0] = double(least);
    steps.constants[1] = double(count - 1);
    steps.count = draw.isShuffled ? 2 * count - 1 : count;
    shuffled.length = count;
  } else {
    steps.walk = WalkRow::below;
    steps.constants[1] = double(length - 1);
    steps.count = length - shuffled.last;
  }
  OwnedBuffer numbers;
  NPCC_TRY(numbers.allocate(device, 8 * steps.count));
  steps.out = numbers.get();
  NPCC_TRY(drawWalk(device, steps, outcome));
  bool isDrawn = outcome.drawn == steps.count && !outcome.isDoubtful;
  outcome.drawn = isDrawn ? draw.count : 0;
  outcome.isDoubtful = false;
  if (!isDrawn)
    return {};
  shuffled.drawn = static_cast<const int64_t *>(steps.out);
  if (!isDistinct)
    return takeSteps(device, shuffled);

  OwnedBuffer firsts, chosen;
  NPCC_TRY(firsts.allocate(device, 4 * length));
  NPCC_TRY(chosen.allocate(device, draw.isShuffled ? 8 * count : 8));
  SampleParams sampled{shuffled.drawn, count, least, length, reinterpret_cast<int32_t *>(firsts.get()), shuffled.out};
  if (draw.isShuffled)
    sampled.out = reinterpret_cast<int64_t *>(chosen.get());
  NPCC_TRY(launch(device, forget, sampled, length));
  NPCC_TRY(launch(device, first, sampled, count));
  NPCC_TRY(launch(device, sample, sampled, count));
  if (!draw.isShuffled)
    return {};
  shuffled.drawn += count;
  shuffled.values = sampled.out;
  return takeSteps(device, shuffled);
}

} // namespace npcc::rt::cuda
