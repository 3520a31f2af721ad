#ifndef NPCC_RUNTIME_CUDA_CLUSTERS_H
#define NPCC_RUNTIME_CUDA_CLUSTERS_H
#include "runtime/Device.h"
#include "runtime/cuda/Driver.h"

namespace npcc::rt::cuda {

/// Launches a kernel whose blocks run at once, and of which any number does, as one cluster of blocks: these wait for
/// each other several times faster than through memory. False where the blocks are too many for that, or the device has
/// no such clusters: then nothing is launched. `capability` is that of the device, 90 for 9.0.
bool launchAsCluster(int32_t capability, Function function, const LaunchShape &shape, Stream stream, void **params);

} // namespace npcc::rt::cuda
#endif
