// Elements of a few places of sorted lines: of long lines by the digits of their keys (kernels/select.cu), which read a
// line twice for every four places; others are sorted.
#include "runtime/cuda/Select.h"
#include "runtime/Buffer.h"
#include "runtime/Element.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/kernels/RadixParams.h"
#include "runtime/cuda/kernels/SelectParams.h"
#include <algorithm>
#include <bit>

NPCC_KERNELS(select, "select")

namespace npcc::rt::cuda {
namespace {

#define COUNT(name) {&selectImage, "npcc_select_count_" name, nullptr}
npcc_kernel countNarrow = COUNT("narrow");
npcc_kernel counts[] = {COUNT("int32"),  COUNT("int64"),   COUNT("uint32"),
                        COUNT("uint64"), COUNT("float32"), COUNT("float64")};
npcc_kernel begin{&selectImage, "npcc_select_begin", nullptr};
npcc_kernel takes[] = {{&selectImage, "npcc_select_take_1", nullptr},
                       {&selectImage, "npcc_select_take_2", nullptr},
                       {&selectImage, "npcc_select_take_4", nullptr},
                       {&selectImage, "npcc_select_take_8", nullptr},
                       {&selectImage, "npcc_select_take_16", nullptr}};

npcc_kernel &countOf(int32_t dtype) {
  switch (dtype) {
  case NPCC_INT32:
    return counts[0];
  case NPCC_INT64:
    return counts[1];
  case NPCC_UINT32:
    return counts[2];
  case NPCC_UINT64:
    return counts[3];
  case NPCC_FLOAT32:
    return counts[4];
  case NPCC_FLOAT64:
    return counts[5];
  default:
    return countNarrow;
  }
}

/// Lines are gone through one after the other: so many short ones are sooner sorted together.
constexpr int64_t fewLines = 4, longLine = int64_t(1) << 20;
/// Keys are counted in 32 bits.
constexpr int64_t longestLine = (int64_t(1) << 32) - 1;

/// Of more places a sort takes as long (on an H100, of 10^7 float64: two rounds .56 ms, three .93, a sort .77), and of
/// keys of fewer bytes of more than one round.
bool isByDigits(const SortShape &shape, int64_t count) {
  int64_t most = (elementSize(shape.dtype) >= 4 ? 2 : 1) * mostSelected;
  return shape.dtype < NPCC_COMPLEX64 && count <= most && shape.length > longestBlockLine &&
         shape.length <= longestLine && (shape.lines <= fewLines || shape.length >= longLine);
}

/// Of one line, as many places as there are groups of keys.
Status selectRound(CudaDevice &device, SelectParams params, int64_t blocks) {
  void *arguments[] = {&params};
  NPCC_TRY(device.launch(begin, {{1, 1, 1}, {selectThreads, 1, 1}, 0, false}, arguments));
  int32_t pass = 0;
  for (int32_t left = params.keyBits; left > 0; left = params.firstBit, ++pass) {
    params.bits = std::min(left, selectDigitBits);
    params.firstBit = left - params.bits;
    params.keeps = pass == 1 && params.firstBit > 0;
    params.readsKept = pass > 1;
    NPCC_TRY(device.launch(countOf(params.dtype), {{blocks, 1, 1}, {selectThreads, 1, 1}, 0, false}, arguments));
  }
  return {};
}

Status selectByDigits(CudaDevice &device, SelectParams params, int64_t lines) {
  int32_t size = int32_t(elementSize(params.dtype)), outBytes = params.count * size;
  params.keyBits = 8 * size;
  OwnedBuffer state, candidates;
  NPCC_TRY(state.allocate(device, sizeof(SelectState)));
  if (params.keyBits > 2 * selectDigitBits)
    NPCC_TRY(candidates.allocate(device, params.length * std::max(size, 4)));
  params.state = reinterpret_cast<SelectState *>(state.get());
  params.candidates = candidates.get();
  constexpr int64_t tile = selectThreads * selectItems;
  // As many blocks as a device runs at once.
  int64_t blocks = std::min((params.length + tile - 1) / tile, int64_t(device.multiprocessors()) * 4);
  for (int64_t line = 0; line < lines; ++line) {
    SelectParams round = params;
    round.in = static_cast<const char *>(params.in) + line * params.length * size;
    for (int32_t first = 0; first < params.count; first += mostSelected) {
      round.places = params.places + first;
      round.count = std::min(params.count - first, mostSelected);
      round.out = static_cast<char *>(params.out) + line * outBytes + first * size;
      NPCC_TRY(selectRound(device, round, blocks));
    }
  }
  return {};
}

} // namespace

Status selectByKernels(CudaDevice &device, const SortShape &shape, const void *in, const int64_t *places, int64_t count,
                       void *out) {
  SelectParams params{};
  params.in = in;
  params.out = out;
  params.places = places;
  params.lines = shape.lines;
  params.length = shape.length;
  params.count = int32_t(count);
  params.dtype = shape.dtype;
  if (isByDigits(shape, count))
    return selectByDigits(device, params, shape.lines);
  OwnedBuffer sorted;
  NPCC_TRY(sorted.allocate(device, shape.lines * shape.length * elementSize(shape.dtype)));
  NPCC_TRY(device.sort(shape, in, sorted.get()));
  params.in = sorted.get();
  int64_t blocks = std::min((shape.lines * count + 255) / 256, 32 * int64_t(device.multiprocessors()));
  void *arguments[] = {&params};
  npcc_kernel &take = takes[std::countr_zero(uint64_t(elementSize(shape.dtype)))];
  return device.launch(take, {{blocks, 1, 1}, {256, 1, 1}, 0, false}, arguments);
}

} // namespace npcc::rt::cuda
