#ifndef NPCC_RUNTIME_CUDA_SMALLMATRICES_H
#define NPCC_RUNTIME_CUDA_SMALLMATRICES_H

#include "runtime/Device.h"
#include "runtime/abi/arrays.h"

namespace npcc::rt::cuda {

class CudaDevice;

/// `solve`, of matrices that lie row by row and are only read.
bool isOfRows(const char *routine);
/// Whether the routine (LinearAlgebra.h) of matrices as small as these is one of the runtime's own.
bool isSmallRoutine(const char *routine, int32_t inputs, const npcc_array *operands);
/// As callLinearAlgebra.
Status runSmall(CudaDevice &device, const char *routine, const npcc_array *operands, int64_t &failed);

} // namespace npcc::rt::cuda

#endif
