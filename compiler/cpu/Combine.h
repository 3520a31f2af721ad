#ifndef NPCC_COMPILER_CPU_COMBINE_H
#define NPCC_COMPILER_CPU_COMBINE_H
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// How a reduction of scf.reduce combines two values. Half floats are combined as f32, as NumPy does.
class Combiner {
public:
  explicit Combiner(mlir::Operation *op) : op(op) {}
  /// Does every order give the same bits?
  bool isExact() const;
  mlir::Type getType() const;
  mlir::Value widen(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value) const;
  mlir::Value narrow(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value) const;
  /// Of widened values. `reassociate`: the vectoriser may use several accumulators.
  mlir::Value combine(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs, mlir::Value rhs, bool reassociate = false) const;

private:
  bool isHalf() const;
  mlir::Operation *op;
};

/// Of each result of a loop.
llvm::SmallVector<Combiner> getCombiners(mlir::scf::ParallelOp loop);

/// Combines a sequence of results, of which it is not known how many come, in a binary tree: after 2^k of them their combination lies at level k.
class PairwiseTree {
public:
  /// Makes room for the pending results before `loop`.
  PairwiseTree(mlir::OpBuilder &builder, mlir::scf::ParallelOp loop, llvm::ArrayRef<Combiner> combiners, mlir::ValueRange neutral);
  /// `count` have come, here is one more. Returns count + 1.
  mlir::Value push(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value count, mlir::ValueRange values);
  /// The combination of the `count` that came.
  llvm::SmallVector<mlir::Value> finish(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value count);

private:
  llvm::SmallVector<mlir::Value> combineWith(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value level, mlir::ValueRange values);
  llvm::SmallVector<Combiner> combiners;
  llvm::SmallVector<mlir::Value> neutral, pending;
};

} // namespace npcc
#endif
