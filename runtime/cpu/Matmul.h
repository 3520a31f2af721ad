#ifndef NPCC_RUNTIME_CPU_MATMUL_H
#define NPCC_RUNTIME_CPU_MATMUL_H

#include "runtime/Device.h"
#include "runtime/abi/products.h"

namespace npcc::rt {

/// C = A B on the CPU: a BLAS for the types it knows, the own loop for the others and where there is none.
/// C overlaps neither A nor B. Factors (MatmulShape) are only for a BLAS: `takesFactors` asks.
Status matmulOnHost(Device &device, const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b,
                    const npcc_matrix &c);

/// Whether a BLAS multiplies this, and so takes factors.
bool takesFactors(const MatmulShape &shape);

/// The own loop: every sum runs over k in order, so results do not depend on threads or blocking. NumPy's accumulation:
/// integers wrap in their own width, bool is "any of both", float16 accumulates in float32.
Status matmulByLoop(Device &device, const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b,
                    const npcc_matrix &c);

/// Device::matmulEpilogue and Device::matmulStrided of the CPU.
Status matmulEpilogueOnHost(Device &device, const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b,
                            const npcc_matrix &c, npcc_epilogue epilogue);
Status matmulStridedOnHost(Device &device, const MatmulShape &shape, const npcc_matrix matrices[3], int64_t count,
                           const int64_t strides[3]);

} // namespace npcc::rt

#endif
