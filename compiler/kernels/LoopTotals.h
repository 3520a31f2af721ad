#ifndef NPCC_COMPILER_KERNELS_LOOPTOTALS_H
#define NPCC_COMPILER_KERNELS_LOOPTOTALS_H
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// A value that a loop carries and only adds to, or only compares with (the greatest so far):
///
///   %t = scf.for ... iter_args(%u = %init) { ... scf.if %c { %v = arith.addi %u, %x  yield %v } else { yield %u } }
///
/// What one iteration contributes is what it makes of the neutral element.
struct Total {
  mlir::arith::AtomicRMWKind kind;
  /// Of floating-point numbers, NaN is never the greatest (the least): Python's max and min, and comparisons.
  bool skipsNan = false;

  /// Whether every grouping gives the same bits.
  bool isExact() const;
  mlir::Value emitNeutral(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type) const;
  /// Of two totals, as a reduction combines them: neither is a NaN that would be skipped.
  mlir::Value combine(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs, mlir::Value rhs) const;
  /// What the loop makes of its initial value and all that its iterations contribute.
  mlir::Value finish(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value init, mlir::Value total) const;
};

/// Ends the body of a parallel loop: what it makes of one position goes into the totals.
void emitReduction(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<Total> totals, mlir::ValueRange parts);

/// The total that a carried value is, if the loop does nothing else with it: in branches, and in loops inside that go
/// on with it.
std::optional<Total> findTotal(mlir::scf::ForOp loop, unsigned number);

} // namespace npcc
#endif
