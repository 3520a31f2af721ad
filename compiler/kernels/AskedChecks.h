#ifndef NPCC_COMPILER_KERNELS_ASKEDCHECKS_H
#define NPCC_COMPILER_KERNELS_ASKEDCHECKS_H
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// Checks of a loop's iterations whose outcome is computed of numbers and of elements that the loop leaves as they are,
/// not of what its kernels make, so that a loop that holds nothing else can ask all of them before the first iteration:
///
///   scf.for %k {                                %hold = scf.for %k iter_args(%so_far = %true) {
///     %e = the extent of x[%k:%k + %m]            %e = the extent of x[%k:%k + %m]
///     np.broadcast_extent "ufunc" %e, %m   ->     scf.yield %so_far and (%e == %m)
///     np.kernel ...                             }
///
/// A check that stands in branches is asked where they are taken; of a branch of which only a kernel's result decides,
/// as if it were always taken. Extents that are stretched from 1 do not pass: code for iterations without checks knows
/// that they are equal.
bool canAskBefore(mlir::Operation *check, mlir::scf::ForOp loop);

/// Whether all `checks` of the loop, in the order of its body, hold in all iterations: an i1 before the loop.
mlir::Value askBefore(mlir::ArrayRef<mlir::Operation *> checks, mlir::scf::ForOp loop);

/// Takes away the checks of a loop of which it is known that they hold.
void dropAsked(mlir::ArrayRef<mlir::Operation *> checks);

} // namespace npcc
#endif
