#include "runtime/cuda/Triangle.h"
#include "runtime/Buffer.h"
#include "runtime/abi/dtypes.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/Kernels.h"
#include "runtime/cuda/kernels/TriangleParams.h"
#include <algorithm>

NPCC_KERNELS(triangle, "triangle")

namespace npcc::rt::cuda {

static FloatKernels kernels = NPCC_FLOAT_KERNELS(triangleImage, "triangle", "");

Status findTriangle(CudaDevice &device, int32_t dtype, const void *matrices, int64_t n, int64_t count,
                    Triangle &found) {
  constexpr int64_t threads = 256;
  uint32_t parts = 0;
  OwnedBuffer memory;
  NPCC_TRY(memory.allocate(device, sizeof parts));
  NPCC_TRY(device.copyIn(memory.get(), &parts, sizeof parts));
  TriangleParams params{matrices, n, count, reinterpret_cast<uint32_t *>(memory.get())};
  void *arguments[] = {&params};
  int64_t blocks = std::min<int64_t>(count * n, 8 * device.multiprocessors());
  NPCC_TRY(device.launch(kernels[dtype - NPCC_FLOAT32], {{blocks, 1, 1}, {threads, 1, 1}, 0, false}, arguments));
  NPCC_TRY(device.copyOut(&parts, memory.get(), sizeof parts));
  found = parts & zeroOnDiagonal     ? Triangle::none
          : !(parts & aboveDiagonal) ? Triangle::lower
          : !(parts & belowDiagonal) ? Triangle::upper
                                     : Triangle::none;
  return {};
}

} // namespace npcc::rt::cuda
