#ifndef NPCC_COMPILER_KERNELS_FOLDS_H
#define NPCC_COMPILER_KERNELS_FOLDS_H
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// Whether a loop that carries scalars is a fold (npcc-raise-folds). `general`: in the general version of a function.
/// `ignoresChecks`: if its checks were made before it.
bool isFold(mlir::scf::ForOp loop, bool general, bool ignoresChecks = false);

} // namespace npcc
#endif
