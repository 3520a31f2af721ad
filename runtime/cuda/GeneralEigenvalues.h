// Eigenvalues of general matrices by cuSOLVER: Xgeev, which newer libraries have (of CUDA 12.6 Update 2 and later).
#ifndef NPCC_RUNTIME_CUDA_GENERALEIGENVALUES_H
#define NPCC_RUNTIME_CUDA_GENERALEIGENVALUES_H

#include "runtime/Device.h"
#include "runtime/abi/arrays.h"
#include <string_view>

namespace npcc::rt::cuda {

class CudaDevice;

/// `eig` and `eigvals`.
bool isGeneral(std::string_view routine);
/// Whether the matrices of the stack are so large, and so few, that the library is faster than LAPACK with the way to
/// the host, whose threads share out a stack.
bool isLargeGeneral(const npcc_array &stack);
/// The operands of `eig` or `eigvals` (LinearAlgebra.h); `infos` is on the device, for each matrix.
Status findGeneralEigenvalues(CudaDevice &device, void *handle, void *parameters, int32_t count,
                              const npcc_array *operands, int *infos);

} // namespace npcc::rt::cuda

#endif
