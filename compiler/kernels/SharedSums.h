#ifndef NPCC_COMPILER_KERNELS_SHAREDSUMS_H
#define NPCC_COMPILER_KERNELS_SHAREDSUMS_H
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

// Iterations that do not need each other and each add up much. Where they are few, threads share the sums:
//
//   scf.for %i {                                           np.kernel rows (%i) {
//     %s = scf.for %j iter_args(%t = 0) { %t + ... }  ->     %s = scf.parallel (%j) { ... }
//     store %s, %y[%i] }                                     store %s, %y[%i] }

/// A loop that is all that an iteration of `last` does beside a little, and that carries totals alone (LoopTotals.h).
/// `outer` begins the nest that `last` ends. How long the loop is at most is known before that. Null if there is none.
mlir::scf::ForOp findSharedSum(mlir::scf::ForOp outer, mlir::scf::ForOp last);

/// Offers a second version of the nest, in which such a loop is a reduction, for few iterations with long sums. Returns
/// its outer loop.
mlir::scf::ForOp offerSharedSum(mlir::scf::ForOp outer, llvm::ArrayRef<mlir::scf::ForOp> nest, mlir::scf::ForOp sum);

} // namespace npcc
#endif
