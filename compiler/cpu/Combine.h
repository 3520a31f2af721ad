#ifndef NPCC_COMPILER_CPU_COMBINE_H
#define NPCC_COMPILER_CPU_COMBINE_H
#include "compiler/kernels/Combiner.h"

namespace npcc {

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
