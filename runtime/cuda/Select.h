#ifndef NPCC_RUNTIME_CUDA_SELECT_H
#define NPCC_RUNTIME_CUDA_SELECT_H

#include "runtime/Device.h"

namespace npcc::rt::cuda {

class CudaDevice;
Status selectByKernels(CudaDevice &device, const SortShape &shape, const void *in, const int64_t *places, int64_t count,
                       void *out);

} // namespace npcc::rt::cuda

#endif
