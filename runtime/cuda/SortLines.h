// Sorting lines that registers and shared memory hold: short ones by a thread each (kernels/short.cu), longer ones by a
// block each (kernels/block.cu).
#ifndef NPCC_RUNTIME_CUDA_SORTLINES_H
#define NPCC_RUNTIME_CUDA_SORTLINES_H

#include "runtime/Device.h"

namespace npcc::rt::cuda {

class CudaDevice;

/// Whether `sortLines` takes such lines.
bool fitsBlocks(const SortShape &shape);
Status sortLines(CudaDevice &device, const SortShape &shape, const void *in, void *out);

} // namespace npcc::rt::cuda

#endif
