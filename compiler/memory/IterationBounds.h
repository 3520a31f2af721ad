#ifndef NPCC_COMPILER_MEMORY_ITERATIONBOUNDS_H
#define NPCC_COMPILER_MEMORY_ITERATIONBOUNDS_H
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace npcc {

/// Conditions in loops, asked for all of their iterations at once: what it takes, of values that are the same in all of
/// them, for a condition to be the same in each.
///
///   scf.for %i = %c0 to %n { %short = arith.cmpi ult, %i, %c4096 ... }
///
/// `%short` holds in all iterations if %n - 1 < 4096.
class IterationBounds {
public:
  /// What is made stands where `builder` is, in front of what uses the condition.
  explicit IterationBounds(mlir::OpBuilder &builder) : builder(builder) {}

  /// A condition under which `condition` is `expected` in every iteration of the loops around it; null if none was
  /// found. It may be false although `condition` never changes.
  mlir::Value emitHolds(mlir::Value condition, bool expected);

private:
  mlir::Value emitWithoutOverflow(mlir::Value condition, bool expected);
  mlir::Value emitEndOfProduct(mlir::Operation *op, bool isUpper);
  void requireAtMost(mlir::Value number, int64_t bits);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs, mlir::Value rhs);
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value emitComparison(mlir::arith::CmpIPredicate predicate, mlir::Value lhs, mlir::Value rhs);
  mlir::Value emitEnd(mlir::Value number, bool isUpper);
  mlir::Value emitEndOfPosition(mlir::BlockArgument position, bool isUpper);
  mlir::Value emitEndOfResult(mlir::Operation *op, bool isUpper);
  mlir::Value emitNotNegative(mlir::Value number);
  bool followsPosition(mlir::Value value);

  mlir::OpBuilder &builder;
  llvm::DenseMap<mlir::Value, bool> following;
  llvm::DenseMap<mlir::Value, mlir::Value> least, greatest;
  mlir::Value fits; // no number that was computed for an end has overflowed
};

} // namespace npcc
#endif
