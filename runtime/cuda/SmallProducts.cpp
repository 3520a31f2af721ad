// Stacks of products of small matrices (kernels/stack.cu).
#include "runtime/abi/dtypes.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/Kernels.h"
#include "runtime/cuda/kernels/StackParams.h"
#include <algorithm>

NPCC_KERNELS(stack, "stack")

namespace npcc::rt::cuda {
namespace {

// By whether 32 bits hold all positions.
FloatKernels narrowKernels = NPCC_FLOAT_KERNELS(stackImage, "stack", "_i32"),
             wideKernels = NPCC_FLOAT_KERNELS(stackImage, "stack", "_i64");

/// From 16 x 16 x 16 on a library's blocks have enough to do.
constexpr int64_t longest = 16, most = 2048;

} // namespace

bool isSmallProduct(const MatmulShape &shape) {
  return shape.dtype >= NPCC_FLOAT32 && shape.dtype <= NPCC_COMPLEX128 && shape.resultDtype == shape.dtype &&
         !shape.allowsTf32 && shape.k > 0 && std::max({shape.m, shape.n, shape.k}) <= longest &&
         shape.m * shape.n * shape.k <= most;
}

Status multiplySmall(CudaDevice &device, const MatmulShape &shape, const npcc_matrix matrices[3], int64_t count,
                     const int64_t strides[3]) {
  auto operand = [&](int k) {
    return StackOperand{matrices[k].data, strides[k], matrices[k].row_stride, matrices[k].column_stride};
  };
  StackParams params{operand(0), operand(1), operand(2), count, int32_t(shape.m), int32_t(shape.n), int32_t(shape.k)};
  int64_t elements = count * shape.m * shape.n, enough = 64 * int64_t(device.multiprocessors());
  LaunchShape launch{{std::min((elements + 255) / 256, enough), 1, 1}, {256, 1, 1}, 0, false};
  bool isLong = elements + enough * 256 > int64_t(UINT32_MAX); // positions go on behind the last element by a step
  void *arguments[] = {&params};
  return device.launch((isLong ? wideKernels : narrowKernels)[shape.dtype - NPCC_FLOAT32], launch, arguments);
}

} // namespace npcc::rt::cuda
