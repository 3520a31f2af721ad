#ifndef NPCC_COMPILER_KERNELS_COMBINER_H
#define NPCC_COMPILER_KERNELS_COMBINER_H
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// How a reduction of scf.reduce combines two values. Half floats are combined as f32, as NumPy does.
class Combiner {
public:
  explicit Combiner(mlir::Operation *op) : op(op) {}
  /// Does every order give the same bits?
  bool isExact() const;
  /// Does it add numbers that are rounded each time?
  bool isRoundedSum() const;
  mlir::Type getType() const;
  mlir::Value widen(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value) const;
  mlir::Value narrow(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value) const;
  /// Of widened values, or of vectors of them. `reassociate`: the vectoriser may use several accumulators.
  mlir::Value combine(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs, mlir::Value rhs,
                      bool reassociate = false) const;

private:
  bool isHalf() const;
  mlir::Operation *op;
};

/// Of each result of a loop.
llvm::SmallVector<Combiner> getCombiners(mlir::scf::ParallelOp loop);

} // namespace npcc
#endif
