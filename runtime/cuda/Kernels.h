// The runtime's own kernels (kernels/*.cu), embedded as PTX.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_H
#define NPCC_RUNTIME_CUDA_KERNELS_H

#include "runtime/Device.h"
#include "runtime/abi/kernels.h"
#include "runtime/abi/products.h"

namespace npcc::rt::cuda {

class CudaDevice;

/// The kernels of one name, by dtype from FLOAT32 on: npcc_NAME_float32SUFFIX, ...
using FloatKernels = npcc_kernel[4];
#define NPCC_FLOAT_KERNELS(image, name, suffix)                                                                        \
  {                                                                                                                    \
    {&image, "npcc_" name "_float32" suffix, nullptr}, {&image, "npcc_" name "_float64" suffix, nullptr},              \
        {&image, "npcc_" name "_complex64" suffix, nullptr}, {                                                         \
      &image, "npcc_" name "_complex128" suffix, nullptr                                                               \
    }                                                                                                                  \
  }

/// Blocks of `groups` matrices each: all of them at once, or as many as keep the device busy.
int64_t countBlocks(const CudaDevice &device, int64_t count, int64_t groups);

/// `to` and `from` normalised, on this device, not overlapping.
Status copyStrided(CudaDevice &device, View to, View from);

/// Any dtype, any strides; sums run over k in order.
Status matmulByKernel(CudaDevice &device, const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b,
                      const npcc_matrix &c);

/// Whether stacks of such products are sooner computed by the runtime's kernel than by a library.
bool isSmallProduct(const MatmulShape &shape);
/// `count` of them, with A, B and C so many elements behind the ones before.
Status multiplySmall(CudaDevice &device, const MatmulShape &shape, const npcc_matrix matrices[3], int64_t count,
                     const int64_t strides[3]);

} // namespace npcc::rt::cuda

#endif
