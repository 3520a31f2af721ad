#ifndef NPCC_RUNTIME_CUDA_RANDOM_H
#define NPCC_RUNTIME_CUDA_RANDOM_H

#include "runtime/Device.h"

namespace npcc::rt::cuda {

class CudaDevice;
Status drawByKernels(CudaDevice &device, const random::StreamDraw &draw, random::StreamOutcome &outcome);

} // namespace npcc::rt::cuda

#endif
