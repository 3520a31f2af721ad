#ifndef NPCC_RUNTIME_CUDA_SMALLREFLECTORS_H
#define NPCC_RUNTIME_CUDA_SMALLREFLECTORS_H

#include "runtime/Device.h"
#include "runtime/abi/arrays.h"

namespace npcc::rt::cuda {

class CudaDevice;

/// Whether the routine (LinearAlgebra.h) is one of QR factors, of matrices as small as these.
bool isSmallReflector(const char *routine, const npcc_array *operands);
/// As callLinearAlgebra; each matrix has a result.
Status runSmallReflector(CudaDevice &device, const char *routine, const npcc_array *operands);

} // namespace npcc::rt::cuda

#endif
