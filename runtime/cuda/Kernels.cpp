#include "runtime/cuda/Kernels.h"
#include "runtime/abi/dtypes.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Embed.h"
#include <algorithm>
#include <cstdlib>

NPCC_KERNELS(copy, "copy")
NPCC_KERNELS(matmul, "matmul")

namespace npcc::rt::cuda {
namespace {

constexpr int maxRank = NPCC_MAX_RANK + 1; // an element may be split into an axis of its halves

struct CopyParams {
  char *to;
  const char *from;
  int64_t count;
  int32_t rank, inner;
  int64_t shape[maxRank], toStrides[maxRank], fromStrides[maxRank];
};

struct MatmulParams {
  const void *a, *b;
  void *c;
  int64_t m, n, k;
  int64_t aRow, aColumn, bRow, bColumn, cRow, cColumn;
};


enum CopyKind { Elements32, Elements64, Transposing };
#define NPCC_COPY_KERNELS(bytes)                                                                                       \
  {                                                                                                                    \
    {&copyImage, "npcc_copy_" #bytes "_i32", nullptr}, {&copyImage, "npcc_copy_" #bytes "_i64", nullptr},              \
        {&copyImage, "npcc_copy_" #bytes "_transposing", nullptr},                                                     \
  }
npcc_kernel copyKernels[5][3] = {NPCC_COPY_KERNELS(1), NPCC_COPY_KERNELS(2), NPCC_COPY_KERNELS(4),
                                 NPCC_COPY_KERNELS(8), NPCC_COPY_KERNELS(16)};

// By dtype; signed and unsigned products agree.
npcc_kernel matmulKernels[NPCC_DTYPE_COUNT] = {
    {&matmulImage, "npcc_matmul_bool", nullptr},      {&matmulImage, "npcc_matmul_int8", nullptr},
    {&matmulImage, "npcc_matmul_int16", nullptr},     {&matmulImage, "npcc_matmul_int32", nullptr},
    {&matmulImage, "npcc_matmul_int64", nullptr},     {&matmulImage, "npcc_matmul_int8", nullptr},
    {&matmulImage, "npcc_matmul_int16", nullptr},     {&matmulImage, "npcc_matmul_int32", nullptr},
    {&matmulImage, "npcc_matmul_int64", nullptr},     {&matmulImage, "npcc_matmul_float16", nullptr},
    {&matmulImage, "npcc_matmul_float32", nullptr},   {&matmulImage, "npcc_matmul_float64", nullptr},
    {&matmulImage, "npcc_matmul_complex64", nullptr}, {&matmulImage, "npcc_matmul_complex128", nullptr},
    {&matmulImage, "npcc_matmul_bfloat16", nullptr},
};
// Of narrow floats, with a result of float32.
npcc_kernel matmulWidening[2] = {{&matmulImage, "npcc_matmul_float16_float32", nullptr}, {&matmulImage, "npcc_matmul_bfloat16_float32", nullptr}};

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

bool alignedFor(const View &view, int64_t size) { return reinterpret_cast<uintptr_t>(view.data) % size == 0; }

} // namespace

Status copyStrided(CudaDevice &device, View to, View from) {
  CopyParams params{};
  int32_t rank = to.rank;
  for (int32_t axis = 0; axis < rank; ++axis) {
    params.shape[axis] = to.shape[axis];
    params.toStrides[axis] = to.strides[axis];
    params.fromStrides[axis] = from.strides[axis];
  }
  int64_t size = to.elementSize;
  // A GPU moves only aligned elements: complex numbers need not be aligned to their whole size.
  if (!alignedFor(to, size) || !alignedFor(from, size)) {
    int64_t part = size;
    while (part > 1 && !(alignedFor(to, part) && alignedFor(from, part)))
      part /= 2;
    for (int32_t axis = 0; axis < rank; ++axis) {
      params.toStrides[axis] *= size / part;
      params.fromStrides[axis] *= size / part;
    }
    params.shape[rank] = size / part;
    params.toStrides[rank] = params.fromStrides[rank] = 1;
    ++rank;
    size = part;
  }
  params.to = to.data;
  params.from = from.data;
  params.rank = rank;
  params.count = 1;
  for (int32_t axis = 0; axis < rank; ++axis)
    params.count *= params.shape[axis];

  CopyKind kind = params.count <= INT32_MAX ? Elements32 : Elements64;
  int64_t blocks = ceilDiv(params.count, 256);
  int32_t last = rank - 1;
  // Both sides have a unit stride, on different axes, and both are long enough to fill tiles.
  if (params.toStrides[last] == 1 && std::abs(params.fromStrides[last]) != 1 && params.shape[last] >= 16)
    for (int32_t axis = 0; axis < last; ++axis)
      if (params.fromStrides[axis] == 1 && params.shape[axis] >= 16) {
        kind = Transposing;
        params.inner = axis;
        blocks = params.count / (params.shape[axis] * params.shape[last]) * ceilDiv(params.shape[axis], 32) *
                 ceilDiv(params.shape[last], 32);
        params.count = blocks;
        break;
      }
  int32_t sizeIndex = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : 4;
  int64_t enough = 32 * int64_t(device.multiprocessors());
  LaunchShape shape{{std::min(blocks, kind == Transposing ? int64_t(1) << 30 : enough), 1, 1}, {256, 1, 1}, 0, false};
  if (kind == Transposing)
    shape.block[0] = 32, shape.block[1] = 8;
  void *arguments[] = {&params};
  return device.launch(copyKernels[sizeIndex][kind], shape, arguments);
}

int64_t countBlocks(const CudaDevice &device, int64_t count, int64_t groups) {
  return std::min(ceilDiv(count, groups), int64_t(32) * device.multiprocessors());
}

Status matmulByKernel(CudaDevice &device, const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b,
                      const npcc_matrix &c) {
  if (shape.dtype < 0 || shape.dtype >= NPCC_DTYPE_COUNT)
    return makeError(NPCC_TYPE_ERROR, "matmul of unknown dtype {}", shape.dtype);
  MatmulParams params{a.data,       b.data,          c.data,       shape.m,         shape.n,      shape.k,
                      a.row_stride, a.column_stride, b.row_stride, b.column_stride, c.row_stride, c.column_stride};
  int64_t tiles = ceilDiv(shape.m, 16) * ceilDiv(shape.n, 16);
  LaunchShape launch{{std::min(tiles, int64_t(1) << 30), 1, 1}, {16, 16, 1}, 0, false};
  void *arguments[] = {&params};
  bool widens = shape.resultDtype != shape.dtype;
  return device.launch(widens ? matmulWidening[shape.dtype == NPCC_BFLOAT16] : matmulKernels[shape.dtype], launch, arguments);
}

} // namespace npcc::rt::cuda
