#ifndef NPCC_RUNTIME_CUDA_SMALLSPECTRA_H
#define NPCC_RUNTIME_CUDA_SMALLSPECTRA_H

#include "runtime/Device.h"
#include "runtime/abi/arrays.h"

namespace npcc::rt::cuda {

class CudaDevice;

/// Whether the routine (LinearAlgebra.h) is one of singular values or of a Hermitian matrix's eigenvalues, of matrices
/// as small as these.
bool isSmallSpectrum(const char *routine, int32_t inputs, const npcc_array *operands);
/// As callLinearAlgebra. Singular values are NaN where an element is not finite: nobody has to wait for them.
Status runSmallSpectrum(CudaDevice &device, const char *routine, const npcc_array *operands, const RoutineError *error,
                        int64_t &failed);

} // namespace npcc::rt::cuda

#endif
