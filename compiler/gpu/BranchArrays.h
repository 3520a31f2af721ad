#ifndef NPCC_COMPILER_GPU_BRANCHARRAYS_H
#define NPCC_COMPILER_GPU_BRANCHARRAYS_H
#include "mlir/IR/Operation.h"

namespace npcc {

/// Whether a branch in the loop, not in a kernel, gives an array.
bool hasBranchArrays(mlir::Operation *loop);

/// Gives each array that a branch in the loop makes or passes on one place, which is made before the branch, and which
/// either side stores its elements into: a device that runs the loop has no names for arrays that a number chooses.
/// False where that cannot be, as extents may differ between the sides, or as the array that the loop begins with,
/// which may be what it gives, has other names; the loop is then half done, and to be dropped. `asWritten` is what it
/// is a copy of.
///
///   %r = scf.if %c -> (memref<?xf64>) {                      %r = np.alloc(%n)
///     %y = np.alloc(%n)                                      scf.if %c {
///     np.kernel ... store %y[%i]                      ->       np.kernel ... store %r[%i]
///     scf.yield %y                                           } else {
///   } else {                                                   np.kernel ... copies %x to %r
///     np.retain %x                                           }
///     scf.yield %x
///   }
bool placeBranchArrays(mlir::Operation *loop, mlir::Operation *asWritten);

} // namespace npcc
#endif
