#ifndef NPCC_RUNTIME_CPU_MATMUL_H
#define NPCC_RUNTIME_CPU_MATMUL_H

#include "runtime/Device.h"

namespace npcc::rt {

/// C = A B on the CPU: a BLAS for the types it knows, the own loop for the others and where there is none.
/// C overlaps neither A nor B.
Status matmulOnHost(Device &device, const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b,
                    const npcc_matrix &c);

/// The own loop: every sum runs over k in order, so results do not depend on threads or blocking. NumPy's accumulation:
/// integers wrap in their own width, bool is "any of both", float16 accumulates in float32.
Status matmulByLoop(Device &device, const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b,
                    const npcc_matrix &c);

/// Does to the elements of a product of FLOAT16, BFLOAT16, FLOAT32 or FLOAT64 what the epilogue says.
void applyEpilogueOnHost(const MatmulShape &shape, const npcc_matrix &c, const npcc_epilogue &epilogue);

} // namespace npcc::rt

#endif
