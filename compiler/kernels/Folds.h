#ifndef NPCC_COMPILER_KERNELS_FOLDS_H
#define NPCC_COMPILER_KERNELS_FOLDS_H
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace npcc {

/// Whether a loop that carries scalars is a fold (npcc-raise-folds). `general`: in the general version of a function.
/// `ignoresChecks`: if its checks were made before it.
bool isFold(mlir::scf::ForOp loop, bool general, bool ignoresChecks = false);

/// Whether it is a fold whose totals are the same in any order, and that stores nothing: threads may share it.
bool isReduction(mlir::scf::ForOp loop, bool general);
/// Makes such a loop of a kernel an inner parallel loop that reduces.
void raiseReduction(mlir::scf::ForOp loop, bool general);

/// Clones the code around the only fold of a kernel, for the iteration at `positions`.
mlir::IRMapping cloneAround(mlir::OpBuilder &builder, np::FoldOp fold, mlir::ValueRange positions);
/// The total of a fold's elements from `begin` on, `count` of them, as a reduction that threads share. `mapping` has
/// what the code around the fold became.
mlir::Value emitTotal(mlir::OpBuilder &builder, mlir::Location loc, np::FoldOp fold, mlir::Value begin,
                      mlir::Value count, mlir::IRMapping &mapping);

} // namespace npcc
#endif
