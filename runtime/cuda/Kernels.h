// The runtime's own kernels (kernels/*.cu), embedded as PTX.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_H
#define NPCC_RUNTIME_CUDA_KERNELS_H

#include "runtime/Device.h"
#include "runtime/abi/products.h"

namespace npcc::rt::cuda {

class CudaDevice;

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
