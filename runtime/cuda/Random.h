#ifndef NPCC_RUNTIME_CUDA_RANDOM_H
#define NPCC_RUNTIME_CUDA_RANDOM_H

#include "runtime/Device.h"
#include "runtime/abi/kernels.h"

namespace npcc::rt::cuda {

class CudaDevice;
Status drawByKernels(CudaDevice &device, const random::StreamDraw &draw, random::StreamOutcome &outcome);

/// Stores the units of a stream (64 or 32 bits): RejectParams, with no bounds of integers.
npcc_kernel &unitsKernel(int32_t unitBits);

} // namespace npcc::rt::cuda

#endif
