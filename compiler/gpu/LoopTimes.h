#ifndef NPCC_COMPILER_GPU_LOOPTIMES_H
#define NPCC_COMPILER_GPU_LOOPTIMES_H
#include "compiler/kernels/IndexMath.h"
#include "compiler/target/Tuning.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// About how long a loop of the host takes, in nanoseconds, as values before it: if the host itself goes through all
/// elements, one after the other, and if the device does, whose kernels the loop launches. It follows from the numbers
/// of iterations and operations (Tuning). What memory gives is not known: such a loop has as many iterations as usual,
/// or as the arrays that it stores to suggest.
class LoopTimes {
public:
  LoopTimes(mlir::Operation *loop, mlir::OpBuilder &builder);

  struct Times {
    mlir::Value host, device;
  };
  Times emit() { return emitOf(loop); }

private:
  IndexMath math() { return {builder, loop->getLoc()}; }
  bool isFromOutside(mlir::Value value) { return value.getParentRegion()->isAncestor(loop->getParentRegion()); }

  mlir::Value emitAbout(mlir::Value number, bool isGreatest);
  mlir::Value combine(mlir::Operation *op, bool isGreatest,
                      llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> both);
  mlir::Value emitTrips(mlir::scf::ForOp counted);
  mlir::Value emitTrips(mlir::scf::WhileOp open);
  mlir::Value emitTrips(mlir::ValueRange upperBounds);
  mlir::Value emitStoredElements(mlir::Operation *inner);
  Times emitOf(mlir::Operation *inner);
  Times emitOfBody(mlir::Block &body);
  Times emitOfVersions(mlir::scf::IfOp branch);
  Times emitOfKernel(np::KernelOp kernel);

  mlir::Operation *loop;
  mlir::OpBuilder &builder;
  const Tuning &tuning;
};

} // namespace npcc
#endif
