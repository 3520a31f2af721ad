// QR factors of small matrices (kernels/reflectors.cu): a library has a call, and several launches, for each of them.
#include "runtime/cuda/SmallReflectors.h"
#include "runtime/Element.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/Kernels.h"
#include "runtime/cuda/kernels/ReflectorParams.h"
#include <algorithm>
#include <bit>
#include <string_view>

NPCC_KERNELS(reflectors, "reflectors")

namespace npcc::rt::cuda {
namespace {

FloatKernels factorKernels = NPCC_FLOAT_KERNELS(reflectorsImage, "qr_raw", ""),
             productKernels = NPCC_FLOAT_KERNELS(reflectorsImage, "qr", "");

int32_t typeOf(const npcc_array &array) { return array.dtype - NPCC_FLOAT32; }

constexpr int64_t warp = 32;

} // namespace

bool isSmallReflector(const char *routine, const npcc_array *operands) {
  std::string_view name = routine;
  if (name != "qr_raw" && name != "qr")
    return false;
  const npcc_array &a = operands[0];
  int64_t most = std::max(a.shape[1], a.shape[2]);
  if (name == "qr")
    most = std::max(most, operands[2].shape[1]);
  return a.rank == 3 && typeOf(a) >= 0 && typeOf(a) < 4 && most <= largestReflector;
}

Status runSmallReflector(CudaDevice &device, const char *routine, const npcc_array *operands) {
  const npcc_array &a = operands[0];
  bool isProduct = std::string_view(routine) == "qr";
  ReflectorParams params{};
  params.matrices = a.data;
  params.factors = operands[1].data;
  params.count = a.shape[0];
  params.columns = int32_t(a.shape[1]);
  params.rows = int32_t(a.shape[2]);
  params.reflections = std::min(params.rows, params.columns);
  int32_t shared = params.columns, lanes = params.columns; // columns in shared memory
  if (isProduct) {
    params.products = operands[2].data;
    params.productColumns = int32_t(operands[2].shape[1]);
    lanes = params.productColumns;
    shared = params.reflections + params.productColumns;
  }
  params.lanes = std::bit_ceil(uint32_t(lanes));
  int64_t bytes = int64_t(shared) * (params.rows | 1) * elementSize(a.dtype);
  params.sharedBytes = int32_t((bytes + 15) / 16 * 16);
  int64_t groups = warp / params.lanes;
  LaunchShape shape{
      {countBlocks(device, params.count, groups), 1, 1}, {warp, 1, 1}, groups * int64_t(params.sharedBytes), false};
  void *arguments[] = {&params};
  return device.launch((isProduct ? productKernels : factorKernels)[typeOf(a)], shape, arguments);
}

} // namespace npcc::rt::cuda
