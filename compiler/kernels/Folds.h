#ifndef NPCC_COMPILER_KERNELS_FOLDS_H
#define NPCC_COMPILER_KERNELS_FOLDS_H
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// Whether a loop that carries scalars is a fold (npcc-raise-folds). `general`: in the general version of a function.
/// `ignoresChecks`: if its checks were made before it.
bool isFold(mlir::scf::ForOp loop, bool general, bool ignoresChecks = false);

/// Whether it is a fold whose totals are the same in any order, and that stores nothing: threads may share it.
bool isReduction(mlir::scf::ForOp loop, bool general);
/// Makes such a loop of a kernel an inner parallel loop that reduces.
void raiseReduction(mlir::scf::ForOp loop, bool general);

} // namespace npcc
#endif
