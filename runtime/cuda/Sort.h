#ifndef NPCC_RUNTIME_CUDA_SORT_H
#define NPCC_RUNTIME_CUDA_SORT_H

#include "runtime/Device.h"

namespace npcc::rt::cuda {

class CudaDevice;
Status sortByKernels(CudaDevice &device, const SortShape &shape, const void *in, void *out);

} // namespace npcc::rt::cuda

#endif
