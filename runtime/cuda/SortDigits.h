// Sorting by digits of eight bits (kernels/radix.cu, kernels/flat.cu).
#ifndef NPCC_RUNTIME_CUDA_SORTDIGITS_H
#define NPCC_RUNTIME_CUDA_SORTDIGITS_H

#include "runtime/Device.h"

namespace npcc::rt::cuda {

class CudaDevice;

/// Positions are 32 bits long.
inline constexpr int64_t mostDigits = int64_t(1) << 32;

/// `shape.lines * shape.length` elements, at least one and fewer than `mostDigits`.
Status sortByDigits(CudaDevice &device, const SortShape &shape, const void *in, void *out);

} // namespace npcc::rt::cuda

#endif
