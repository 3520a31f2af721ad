#ifndef NPCC_COMPILER_PASSES_EXTENTS_H
#define NPCC_COMPILER_PASSES_EXTENTS_H
#include "dialects/Np/Np.h"
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
  ExtentOrigin of(mlir::Value value, int64_t axis);
  ExtentOrigin ofIndex(mlir::Value index);
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, ExtentOrigin> assumed;
  /// Origins that are taken for equal, whatever is assumed.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, ExtentOrigin> unified;

private:
  ExtentOrigin follow(mlir::Value value, int64_t axis);
};

/// The extent as an SSA value that dominates `value`.
mlir::Value materializeExtent(mlir::OpBuilder &builder, mlir::Location loc, const ExtentOrigin &origin);

} // namespace npcc
#endif
