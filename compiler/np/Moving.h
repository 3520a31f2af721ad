#ifndef NPCC_COMPILER_NP_MOVING_H
#define NPCC_COMPILER_NP_MOVING_H
#include "dialects/Np/Np.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace npcc {

/// How a number changes from one iteration of a loop to the next.
enum class Trend { Same, Up, Down, Unknown };
Trend getTrend(mlir::Value value, mlir::scf::ForOp loop);

/// Whether a number depends on the position of a loop, or on what is not known to be independent of it. `outermost` is
/// the loop outside of which numbers are given.
bool movesWith(mlir::Value value, mlir::scf::ForOp loop, mlir::scf::ForOp outermost);

/// What a number is where loops are at given positions, computed before all of them: sums, products, bounds and choices
/// of what is defined before.
struct Positions {
  mlir::scf::ForOp outermost;
  mlir::IRMapping known; // of the positions of loops, and what was made already
};
/// Null where a number is made of anything else. Without a builder nothing is made, and any value tells that it could
/// be.
mlir::Value emitAt(mlir::Value value, Positions &at, mlir::OpBuilder *builder);

/// A part of an array or value that a loop reads: a view of the root, described as in np.view.
struct Part {
  mlir::Value root;
  llvm::SmallVector<mlir::Value> offsets;
  llvm::SmallVector<int64_t> axes;
  llvm::SmallVector<mlir::Value> extents, steps;
};
/// The part as a value, described by numbers that stand before the builder.
mlir::Value emitValue(mlir::OpBuilder &builder, mlir::Location loc, const Part &part);
/// The part of an array that nothing in the loop changes, or of a value from before the loop, that `value` is.
std::optional<Part> getPart(mlir::Value value, mlir::scf::ForOp loop, bool general);

/// The part, of rank 2 or less, as one loop moves it.
struct MovingPart {
  enum Kind {
    Fixed,  // it is the same in all iterations
    Stack,  // one position along an axis of the root, another one in each iteration
    Prefix, // from a fixed position along the axis `outer` to one that does not go back
    Suffix, // from a position that does not go back to a fixed one
  };
  Kind kind;
  Part part;
  int64_t outer;      // the axis of the part that is no axis of the sum; -1 of a vector
  int64_t rootAxis;   // along which it moves
  int64_t factor = 0; // Stack: positions from one iteration to the next
  bool isChecked = false;
  mlir::Value end; // Suffix: of the part
};
/// How many positions of a stack lie inside of the root, from `offset` on, which is brought inside of it as well: code
/// before the loop reads no others, whatever positions the iterations would have.
mlir::Value emitInside(mlir::OpBuilder &builder, mlir::Location loc, const MovingPart &stack, mlir::Value &offset);
std::optional<MovingPart> getMovingPart(mlir::Value value, int64_t outer, mlir::scf::ForOp loop, bool general);

} // namespace npcc
#endif
