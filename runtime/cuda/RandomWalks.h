#ifndef NPCC_RUNTIME_CUDA_RANDOMWALKS_H
#define NPCC_RUNTIME_CUDA_RANDOMWALKS_H

#include "runtime/cuda/CudaDevice.h"
#include "runtime/random/StreamDraw.h"

namespace npcc::rt::cuda {

/// Draws of StreamMethod::Walk.
Status drawWalk(CudaDevice &device, const random::StreamDraw &draw, random::StreamOutcome &outcome);

} // namespace npcc::rt::cuda

#endif
