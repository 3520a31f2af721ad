// Kernels of generated code: images are loaded and functions looked up at their first use on a device.
#ifndef NPCC_RUNTIME_CUDA_MODULE_H
#define NPCC_RUNTIME_CUDA_MODULE_H

#include "runtime/abi/kernels.h"
#include "runtime/cuda/CudaDevice.h"
#include <vector>

namespace npcc::rt::cuda {

/// The kernel as a function of the device's context, allowed to use `sharedBytes` of dynamic shared memory. The context is
/// current.
Status findFunction(CudaDevice &device, npcc_kernel &kernel, int64_t sharedBytes, Function &out);

/// How many bytes each of its parameters has; false where the driver does not say.
bool findParameters(CudaDevice &device, npcc_kernel &kernel, Function function, const std::vector<size_t> *&sizes);

/// An unchecked kernel was launched (noteOwnKernel).
void noteUnchecked(npcc_kernel &kernel);

} // namespace npcc::rt::cuda

#endif
