// Products with an epilogue: by cuBLASLt at once, or the product and a kernel for what is left (kernels/epilogue.cu).
#include "runtime/MatmulPlan.h"
#include "runtime/abi/dtypes.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/kernels/EpilogueParams.h"
#include <algorithm>

NPCC_KERNELS(epilogue, "epilogue")

namespace npcc::rt::cuda {
namespace {

npcc_kernel &kernelOf(int32_t dtype) {
  static npcc_kernel kernels[] = {{&epilogueImage, "npcc_epilogue_float16", nullptr},
                                  {&epilogueImage, "npcc_epilogue_float32", nullptr},
                                  {&epilogueImage, "npcc_epilogue_float64", nullptr},
                                  {&epilogueImage, "npcc_epilogue_bfloat16", nullptr}};
  return kernels[dtype == NPCC_BFLOAT16 ? 3 : dtype - NPCC_FLOAT16];
}

Status applyByKernel(CudaDevice &device, const MatmulShape &shape, const npcc_matrix &c,
                     const npcc_epilogue &epilogue) {
  const npcc_matrix &addend = epilogue.addend;
  EpilogueParams params{c.data,
                        addend.data,
                        epilogue.bias,
                        shape.m,
                        shape.n,
                        c.row_stride,
                        c.column_stride,
                        addend.row_stride,
                        addend.column_stride,
                        epilogue.bias_stride,
                        epilogue.alpha,
                        epilogue.beta,
                        epilogue.activation == NPCC_ACTIVATION_RELU};
  LaunchShape launch{
      {std::min<int64_t>((shape.n + 255) / 256, 1024), std::min<int64_t>(shape.m, 8192), 1}, {256, 1, 1}, 0, false};
  void *arguments[] = {&params};
  return device.launch(kernelOf(shape.resultDtype), launch, arguments);
}

} // namespace

Status CudaDevice::matmulEpilogue(const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b,
                                  const npcc_matrix &c, const npcc_epilogue &given) {
  npcc_epilogue epilogue = given;
  bool isFactor = !epilogue.addend.data && !epilogue.bias && epilogue.activation == NPCC_ACTIVATION_NONE;
  if (isFactor && shape.k > 0 && cublas.available()) {
    MatmulShape scaled = shape;
    scaled.alpha = epilogue.alpha;
    return matmul(scaled, a, b, c);
  }
  // cuBLASLt adds to C in place, but where its algorithms are tried first, which overwrites C.
  OwnedBuffer copy;
  if (epilogue.activation != NPCC_ACTIVATION_NONE)
    NPCC_TRY(separateAddend(*this, shape, c, epilogue, copy));
  bool done = false;
  const npcc_matrix matrices[3] = {a, b, c};
  if (shape.k > 0)
    NPCC_TRY(cublasLt.multiply(*this, shape, matrices, epilogue, done));
  if (done)
    return {};
  NPCC_TRY(separateAddend(*this, shape, c, epilogue, copy));
  NPCC_TRY(matmul(shape, a, b, c));
  return applyByKernel(*this, shape, c, epilogue);
}

} // namespace npcc::rt::cuda
