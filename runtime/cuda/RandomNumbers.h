#ifndef NPCC_RUNTIME_CUDA_RANDOMNUMBERS_H
#define NPCC_RUNTIME_CUDA_RANDOMNUMBERS_H

#include "runtime/cuda/CudaDevice.h"
#include "runtime/random/StreamDraw.h"

namespace npcc::rt::cuda {

/// Draws of StreamMethod::Numbers.
Status drawNumbersOf(CudaDevice &device, const random::StreamDraw &draw, random::StreamOutcome &outcome);

} // namespace npcc::rt::cuda

#endif
