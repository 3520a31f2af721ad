#ifndef NPCC_COMPILER_KERNELS_DISTRIBUTELOOP_H
#define NPCC_COMPILER_KERNELS_DISTRIBUTELOOP_H
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// Distributes a loop of independent iterations over its statements, so that each loop inside makes a nest of two with
/// it, which can be a kernel of two axes:
///
///   scf.for %i {                          scf.for %i { %f = a[%i, %k] / %p   store %f, a[%i, %k] and %own[%i] }
///     %f = a[%i, %k] / %p          ->     scf.for %i {
///     store %f, a[%i, %k]                   scf.for %j { store a[%i, %j] - %own[%i] * a[%k, %j], a[%i, %j] } }
///     scf.for %j { ... %f ... } }
///
/// What a later part needs is computed again where that is little and gives the same, and else is kept in an array with
/// an element for each iteration. Returns the parts; none if the loop is left as it is: because it has no such loop
/// inside, or checks, which must fail in the order of the iterations.
llvm::SmallVector<mlir::scf::ForOp> distributeLoop(mlir::scf::ForOp loop, bool general);

/// Distributes a loop over the arrays that it stores into, where an iteration may need the ones before: a part for each
/// array. None if what is stored in one array is read for another one.
llvm::SmallVector<mlir::scf::ForOp> distributeOverArrays(mlir::scf::ForOp loop, bool general);

} // namespace npcc
#endif
