#ifndef NPCC_COMPILER_KERNELS_OWNARRAYS_H
#define NPCC_COMPILER_KERNELS_OWNARRAYS_H
#include "dialects/Np/Memory.h"

namespace npcc {

// An array that each iteration of a loop makes for itself. Where iterations run side by side, one array has a place for
// each of them.

/// Makes the array of all iterations: axes of the extents `iterations`, then those of `own`, of the extents `extents`
/// where they are not known when the program is compiled. `iterationsLast`: the other way round, so that threads that
/// are an iteration each have neighbours in memory.
mlir::Value emitShared(mlir::OpBuilder &builder, np::AllocOp own, mlir::ValueRange iterations, mlir::ValueRange extents,
                       bool iterationsLast = false);

/// Loads and stores of an iteration's own array `own` go to the place of `shared` that the iteration at `positions`
/// has.
void placeInShared(mlir::Value own, mlir::Value shared, mlir::ValueRange positions, bool iterationsLast = false);

/// What asks an iteration's own array for its extents gets those that it is made with.
void replaceExtents(np::AllocOp own);

} // namespace npcc
#endif
