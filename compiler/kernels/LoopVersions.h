#ifndef NPCC_COMPILER_KERNELS_LOOPVERSIONS_H
#define NPCC_COMPILER_KERNELS_LOOPVERSIONS_H
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// Whether a position is the loop's own, moved by a constant, and does not count from the end.
bool isPositionOf(mlir::Value position, mlir::scf::ForOp loop);

/// Where checks of the nest's positions against sizes that are known before it can fail, two versions of it: `outer`
/// where all hold, without them, and the other one as it is written. Returns the other one, or null if there was
/// nothing to check. `nest` begins with `outer`.
mlir::scf::ForOp makeVersions(mlir::scf::ForOp outer, llvm::ArrayRef<mlir::scf::ForOp> nest);

} // namespace npcc
#endif
