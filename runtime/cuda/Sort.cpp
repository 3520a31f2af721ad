// Sorting on a GPU: short lines in registers, long ones by digits (SortDigits.cpp), what is left by merging
// (kernels/sort.cu).
#include "runtime/cuda/Sort.h"
#include "runtime/Buffer.h"
#include "runtime/Element.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/SortDigits.h"
#include "runtime/cuda/SortLines.h"
#include "runtime/cuda/kernels/SortParams.h"
#include <algorithm>

NPCC_KERNELS(sort, "sort")

namespace npcc::rt::cuda {
namespace {

constexpr int64_t chunk = 512;

npcc_kernel makeKeys{&sortImage, "npcc_sort_keys", nullptr}, sortChunks{&sortImage, "npcc_sort_chunks", nullptr},
    merge{&sortImage, "npcc_sort_merge", nullptr};
npcc_kernel gathers[] = {{&sortImage, "npcc_sort_gather_1", nullptr},
                         {&sortImage, "npcc_sort_gather_2", nullptr},
                         {&sortImage, "npcc_sort_gather_4", nullptr},
                         {&sortImage, "npcc_sort_gather_8", nullptr},
                         {&sortImage, "npcc_sort_gather_16", nullptr}};

Status sortByMerging(CudaDevice &device, const SortShape &shape, const void *in, void *out) {
  int64_t count = shape.lines * shape.length, size = elementSize(shape.dtype);
  OwnedBuffer keys[2], positions[2];
  for (int side = 0; side < 2; ++side) {
    NPCC_TRY(keys[side].allocate(device, count * 8));
    if (side == 1 || !shape.positions)
      NPCC_TRY(positions[side].allocate(device, count * 8));
  }
  auto key = [&](int side) { return reinterpret_cast<uint64_t *>(keys[side].get()); };
  auto position = [&](int side) { return reinterpret_cast<int64_t *>(positions[side].get()); };
  SortParams params{in,
                    out,
                    key(0),
                    key(1),
                    shape.positions ? static_cast<int64_t *>(out) : position(0),
                    position(1),
                    shape.lines,
                    shape.length,
                    1,
                    shape.dtype,
                    0};
  int64_t enough = 32 * int64_t(device.multiprocessors());
  auto launch = [&](npcc_kernel &kernel, int64_t blocks, int64_t threads) {
    LaunchShape launchShape{{std::min(blocks, enough), 1, 1}, {threads, 1, 1}, 0, false};
    void *arguments[] = {&params};
    return device.launch(kernel, launchShape, arguments);
  };
  int64_t blocks = (count + 255) / 256;
  // Complex numbers are sorted by their imaginary parts, then by their real ones, then by where they hold NaN: the sort
  // is stable.
  for (params.part = 0; params.part < (shape.dtype >= NPCC_COMPLEX64 ? 3 : 1); ++params.part) {
    NPCC_TRY(launch(makeKeys, blocks, 256));
    NPCC_TRY(launch(sortChunks, shape.lines * ((shape.length + chunk - 1) / chunk), chunk));
    for (params.width = chunk; params.width < shape.length; params.width *= 2) {
      NPCC_TRY(launch(merge, blocks, 256));
      std::swap(params.keys, params.newKeys);
      std::swap(params.positions, params.newPositions);
    }
  }
  if (shape.positions)
    return params.positions == out ? Status() : device.copyWithin(out, params.positions, count * 8);
  return launch(gathers[size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : 4], blocks, 256);
}

} // namespace

/// Few elements, and more of them than 32 bits number, are merged: the passes of the digits have their price.
Status sortByKernels(CudaDevice &device, const SortShape &shape, const void *in, void *out) {
  int64_t count = shape.lines * shape.length;
  if (count == 0)
    return {};
  if (fitsBlocks(shape))
    return sortLines(device, shape, in, out);
  if (count >= mostDigits || (shape.length <= chunk && count <= 64 * chunk))
    return sortByMerging(device, shape, in, out);
  return sortByDigits(device, shape, in, out);
}

} // namespace npcc::rt::cuda
