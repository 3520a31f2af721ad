#ifndef NPCC_DIALECTS_NP_ITERATION_H
#define NPCC_DIALECTS_NP_ITERATION_H
#include "dialects/Np/Np.h"

// np.iteration, by which the earliest of several errors is found. In a header of its own: only kernels know of it.
#define GET_OP_CLASSES
#include "dialects/Np/NpIteration.h.inc"

namespace npcc::np {

/// The np.iteration that holds for a check: the last one before it in its block, or in a block around it up to `root`,
/// which may be null.
IterationOp findIteration(mlir::Operation *check, mlir::Operation *root);

} // namespace npcc::np
#endif
