// Launches that do not depend on each other, side by side.
//
// npcc-run-beside marks such launches. They go to several streams where their blocks together are no more than the
// device has multiprocessors: one after the other they would leave most of it idle. A fork and a join are four calls of
// the driver, and the device needs about as long for the waits as for a short kernel, so the compiler marks kernels
// with loops only.
#ifndef NPCC_RUNTIME_CUDA_BESIDE_H
#define NPCC_RUNTIME_CUDA_BESIDE_H

#include "runtime/Device.h"
#include "runtime/cuda/Driver.h"

namespace npcc::rt::cuda {

class CudaDevice;

/// The stream for a launch.
Status chooseStream(CudaDevice &device, const LaunchShape &shape, Stream &stream);

} // namespace npcc::rt::cuda

#endif
