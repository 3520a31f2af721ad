#include "runtime/cuda/SortLines.h"
#include "runtime/Element.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/kernels/RadixParams.h"
#include <algorithm>

NPCC_KERNELS(short, "short")
NPCC_KERNELS(block, "block")
NPCC_KERNELS(warp, "warp")

namespace npcc::rt::cuda {
namespace {


/// The kernels for lines of up to `longest` elements: by the size of elements (up to four bytes, or eight), and whether
/// they give positions.
struct Family {
  int64_t longest, threads, linesPerBlock;
  npcc_kernel kernels[2][2];
};
#define NPCC_SORT_KERNELS(image, name)                                                                                 \
  {                                                                                                                    \
    {{&image, name "_4", nullptr}, {&image, name "_4_positions", nullptr}}, {                                          \
      {&image, name "_8", nullptr}, { &image, name "_8_positions", nullptr }                                           \
    }                                                                                                                  \
  }
#define NPCC_SHORT(size)                                                                                               \
  {size, shortLinesPerBlock, shortLinesPerBlock, NPCC_SORT_KERNELS(shortImage, "npcc_short_" #size)}
#define NPCC_WARP(size)                                                                                                \
  {size, 32 * warpLinesPerBlock, warpLinesPerBlock, NPCC_SORT_KERNELS(warpImage, "npcc_warp_" #size)}
#define NPCC_BLOCK(size, threads) {size, threads, 1, NPCC_SORT_KERNELS(blockImage, "npcc_block_" #size)}
Family families[] = {NPCC_SHORT(4),        NPCC_SHORT(8),        NPCC_SHORT(16),        NPCC_SHORT(32),
                     NPCC_WARP(64),        NPCC_WARP(128),       NPCC_WARP(256),        NPCC_WARP(512),
                     NPCC_WARP(1024),      NPCC_BLOCK(512, 128), NPCC_BLOCK(1024, 128), NPCC_BLOCK(2048, 256),
                     NPCC_BLOCK(4096, 256)};

/// A block sorts a longer line sooner than a warp does, which counts where each multiprocessor has few of them: a line
/// of 1,000 elements in 26 microseconds instead of 36 (H200).
constexpr int64_t shortForWarp = 256, fewLinesPerMultiprocessor = 2;

Family &findFamily(const SortShape &shape, int64_t multiprocessors) {
  bool areFew = shape.length > shortForWarp && shape.lines <= fewLinesPerMultiprocessor * multiprocessors;
  return *std::find_if(std::begin(families), std::end(families), [&](const Family &one) {
    bool isWarp = one.linesPerBlock == warpLinesPerBlock;
    return shape.length <= one.longest && !(isWarp && areFew);
  });
}

} // namespace

bool fitsBlocks(const SortShape &shape) { return shape.length <= longestBlockLine && shape.dtype < NPCC_COMPLEX64; }

Status sortLines(CudaDevice &device, const SortShape &shape, const void *in, void *out) {
  RadixParams params{};
  params.in = in;
  params.out = out;
  params.lines = shape.lines;
  params.length = shape.length;
  params.dtype = shape.dtype;
  params.isExact = !shape.positions;
  Family &family = findFamily(shape, device.multiprocessors());
  int64_t blocks = std::min<int64_t>((shape.lines + family.linesPerBlock - 1) / family.linesPerBlock,
                                     32 * int64_t(device.multiprocessors()));
  void *arguments[] = {&params};
  return device.launch(family.kernels[elementSize(shape.dtype) == 8][shape.positions],
                       {{blocks, 1, 1}, {family.threads, 1, 1}, 0, false}, arguments);
}

} // namespace npcc::rt::cuda
