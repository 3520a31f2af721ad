#ifndef NPCC_RUNTIME_CUDA_RANDOMNUMBERS_H
#define NPCC_RUNTIME_CUDA_RANDOMNUMBERS_H

#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/kernels/RandomParams.h"
#include "runtime/random/StreamDraw.h"
#include <functional>

namespace npcc::rt::cuda {

/// Draws of StreamMethod::Numbers.
Status drawNumbersOf(CudaDevice &device, const random::StreamDraw &draw, random::StreamOutcome &outcome);

/// A distribution's kernel.
struct NumberKernel {
  npcc_kernel kernel;
  double doubts; // the part of the numbers whose last place the host finds, at most
};

/// Makes some of the numbers that a device has left to the host, of records `lo` to `hi`, which begin in `records` at
/// `begins`: each is its number, shifted by 8, with how many units it took below, and these units. False: a number
/// takes others here.
using NumberMaker = std::function<bool(const std::vector<uint64_t> &records, const std::vector<int64_t> &begins,
                                       int64_t lo, int64_t hi, std::vector<Patch> &patches)>;
/// Has the host make these numbers, a part of the records at a time, so that what they are copied to is not large, and
/// stays in the cache. isPatched: it could.
Status patchNumbers(CudaDevice &device, const random::StreamDraw &draw, const uint64_t *records, int64_t words,
                    const NumberMaker &make, bool &isPatched);

} // namespace npcc::rt::cuda

#endif
