#ifndef NPCC_COMPILER_NP_POSITIONS_H
#define NPCC_COMPILER_NP_POSITIONS_H
#include "dialects/Np/Values.h"
#include "mlir/IR/Operation.h"

namespace npcc {

/// The positions at which a mask is true, along one of its axes: what np.nonzero gives for it.
struct TruePositions {
  mlir::Value mask;   // bool, one axis or more
  int64_t axis;       // of the mask
  mlir::Value extent; // index: how many numbers there were to select from, which is as many as the mask has there
};

/// Whether `index`, a value of one axis or an array that nobody stores to, holds such positions. Positions that were
/// computed before a loop around `user` do not count.
std::optional<TruePositions> findTruePositions(mlir::Value index, mlir::Operation *user);

/// The value that an array was made of, if nothing is stored to it, nor to a view of it, and it goes nowhere else where
/// something might be; null if not.
mlir::Value getKeptValue(mlir::Value array);

/// The mask whose true elements the extent counts, or null.
mlir::Value getCounted(mlir::Value extent);

/// Whether a loop around `user` begins behind `op`.
bool isInLoopBehind(mlir::Operation *user, mlir::Operation *op);

/// Whether each element of an array, which may be a view, has a place in memory of its own. Windows that slide, and
/// axes that are stretched, have some in common.
bool hasPlaceForEach(mlir::Value array);

/// An np.arange that counts 0, 1, 2, ...; null if the value is anything else.
np::ArangeOp getCountFromZero(mlir::Value value);

/// How many numbers it counts, to be compared with an array's extent: np.arange(n) counts max(n, 0), which is as many
/// as an array of n has that exists.
mlir::Value getCountExtent(np::ArangeOp count);

} // namespace npcc
#endif
