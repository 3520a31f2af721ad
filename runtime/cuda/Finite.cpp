#include "runtime/cuda/Finite.h"
#include "runtime/abi/dtypes.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/Kernels.h"
#include <algorithm>

NPCC_KERNELS(finite, "finite")

namespace npcc::rt::cuda {
namespace {

FloatKernels finiteKernels = NPCC_FLOAT_KERNELS(finiteImage, "finite", "");
npcc_kernel settleKernels[] = {{&finiteImage, "npcc_settle_float32", nullptr},
                               {&finiteImage, "npcc_settle_float64", nullptr}};
constexpr int64_t threads = 256, elementsOfThread = 16;

} // namespace

Status FiniteTest::look(int32_t dtype, const void *matrices, int64_t n, int64_t many, MatrixPart part) {
  count = many;
  int64_t blocks = 8 * int64_t(device.multiprocessors());
  parts =
      int32_t(std::clamp<int64_t>((n * n + threads * elementsOfThread - 1) / (threads * elementsOfThread), 1, blocks));
  NPCC_TRY(found.allocate(device, count * parts * sizeof(int32_t)));
  FiniteParams params{matrices, n, count, parts, part, reinterpret_cast<int32_t *>(found.get())};
  void *arguments[] = {&params};
  LaunchShape shape{{std::min(count * parts, blocks), 1, 1}, {threads, 1, 1}, 0, false};
  return device.launch(finiteKernels[dtype - NPCC_FLOAT32], shape, arguments);
}

Status FiniteTest::settle(int32_t dtype, int32_t *infos, bool mayHaveNone, bool spreadsNan,
                          const npcc_array *results[2]) {
  SettleParams params{reinterpret_cast<int32_t *>(found.get()), infos, count, parts, mayHaveNone, spreadsNan, {}, {}};
  for (int k = 0; k < 2; ++k) {
    if (!results[k])
      continue;
    bool isComplex = results[k]->dtype == NPCC_COMPLEX64 || results[k]->dtype == NPCC_COMPLEX128;
    params.results[k] = results[k]->data;
    params.numbers[k] = isComplex ? 2 : 1;
    for (int32_t axis = 1; axis < results[k]->rank; ++axis)
      params.numbers[k] *= results[k]->shape[axis];
  }
  void *arguments[] = {&params};
  bool isSingle = dtype == NPCC_FLOAT32 || dtype == NPCC_COMPLEX64;
  LaunchShape shape{{countBlocks(device, count, 1), 1, 1}, {threads, 1, 1}, 0, false};
  return device.launch(settleKernels[!isSingle], shape, arguments);
}

} // namespace npcc::rt::cuda
