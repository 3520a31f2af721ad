#ifndef NPCC_COMPILER_NP_PROMOTENAMES_H
#define NPCC_COMPILER_NP_PROMOTENAMES_H
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"

namespace npcc {

/// Makes the slots of a function's names (`np.var`) values and block arguments, where all accesses stand in blocks of
/// the function itself. The blocks must be reachable.
///
/// Upstream's mem2reg walks over all blocks for each slot, so its time grows with the square of a function's length.
/// Here one walk over the dominator tree renames all slots.
void promoteNames(mlir::func::FuncOp function, mlir::DominanceInfo &dominance);

} // namespace npcc
#endif
