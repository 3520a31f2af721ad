#ifndef NPCC_COMPILER_KERNELS_LOOPVERSIONS_H
#define NPCC_COMPILER_KERNELS_LOOPVERSIONS_H
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// Whether checks of positions against sizes that are known before the loop can be made before it: `outer` and the loops in it bound the position, and so
/// do values from outside.
bool canCheckBefore(mlir::Value position, mlir::scf::ForOp outer);

/// Whether what is known before `outer` tells how a check in it ends: an assertion of something from outside, or a
/// position as above.
bool isKnownBefore(mlir::Operation *check, mlir::scf::ForOp outer);

/// Where checks of the nest's positions against sizes that are known before it can fail, two versions of it: `outer`
/// where all hold, without them, and the other one as it is written. Returns the other one, or null if there was
/// nothing to check. `nest` begins with `outer`. Checks of other positions stay, unless `everywhere` says that those are meant too for which
/// canCheckBefore holds. `also`, if given, is one more condition of the first version.
mlir::scf::ForOp makeVersions(mlir::scf::ForOp outer, llvm::ArrayRef<mlir::scf::ForOp> nest, bool everywhere = false, mlir::Value also = {});

} // namespace npcc
#endif
