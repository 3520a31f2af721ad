#ifndef NPCC_COMPILER_PASSES_EXTENTS_H
#define NPCC_COMPILER_PASSES_EXTENTS_H
#include "dialects/Np/Np.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace npcc {

/// Says where an extent comes from, so that two of them can be compared: a constant, an SSA value of type index, or
/// the axis of a root array or value (an argument, a loop-carried array) that nothing more is known of.
struct ExtentOrigin {
  mlir::Value value; // an index, or the root
  int64_t axis = -1; // the root's axis; -1 for an index
  int64_t constant = -1;
  bool isKnown() const { return value || constant >= 0; }
  bool operator==(const ExtentOrigin &other) const {
    return value == other.value && axis == other.axis && constant == other.constant;
  }
};

/// Follows an extent to its origin through everything that keeps it. `assumed` replaces origins of loop-carried arrays.
class ExtentOrigins {
public:
  ExtentOrigins() = default;
  /// With the guards of the function that `op` stands in. After npcc-resolve-extents the operands of an elementwise function agree, so any of
  /// them will do (`isResolved`).
  explicit ExtentOrigins(mlir::Operation *op);
  /// Fills `assumed`: an array carried through a loop has the extents it came with if every iteration hands on one of the same extents. All
  /// are assumed to, over all loops at once, and dropped when they are disproved, until nothing changes.
  /// True if all loops keep the extents of all arrays. `isOptimistic`: as if they did.
  bool resolveLoops(mlir::func::FuncOp function, bool isOptimistic = false);
  ExtentOrigin of(mlir::Value value, int64_t axis);
  ExtentOrigin ofIndex(mlir::Value index);
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, ExtentOrigin> assumed;
  /// Origins that are taken for equal, whatever is assumed.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, ExtentOrigin> unified;

private:
  bool isResolved = false;
  /// Whose loops are resolved when the first array that one of them carries is asked for.
  mlir::func::FuncOp unresolved;
  ExtentOrigin follow(mlir::Value value, int64_t axis);
};

/// The extent as an SSA value that dominates `value`.
mlir::Value materializeExtent(mlir::OpBuilder &builder, mlir::Location loc, const ExtentOrigin &origin);

} // namespace npcc
#endif
