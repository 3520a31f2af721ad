#ifndef NPCC_COMPILER_GPU_STEPLOOP_H
#define NPCC_COMPILER_GPU_STEPLOOP_H
#include "compiler/kernels/IndexMath.h"
#include "dialects/Np/Np.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// A loop of the host that one block may run: see npcc-enclose-steps.
class StepLoop {
public:
  explicit StepLoop(mlir::scf::ForOp loop) : loop(loop), builder(loop), loc(loop.getLoc()) {}

  /// Whether all of an iteration is something that a block can do, and of known bounds.
  bool canEnclose();
  /// Two versions: the block's, where the work is small, and the loop as it is. After canEnclose.
  void enclose();

private:
  IndexMath math() { return {builder, loc}; }

  /// Arrays that go from one iteration to the next are new ones of the same extents each time, and the one before is
  /// given back. Numbers may go round.
  bool canCarry();
  /// The new array that takes the place of a carried one.
  np::AllocOp getNext(mlir::Value memref);
  /// What is there before the loop for each number and array that it carries: memory for the last number, and a copy of
  /// the first array.
  llvm::SmallVector<mlir::Value> emitCarried(llvm::ArrayRef<mlir::Value> buffers);
  /// A kernel that copies an array.
  void emitCopy(mlir::OpBuilder &at, mlir::Value from, mlir::Value to);
  /// The loop in the kernel: numbers go round, arrays stay where they are and take the new elements when an iteration
  /// ends.
  mlir::scf::ForOp carryIn(mlir::scf::ForOp copy, llvm::ArrayRef<mlir::Value> results);
  /// A product as a kernel, an element of which is a sum.
  void expandProduct(np::CallMatmulOp product);
  /// Whether the work of an iteration is small, and extents are what the block's code takes them for.
  mlir::Value emitIsSmall();
  /// The extent of an array in the loop, as a value before it.
  mlir::Value emitExtent(mlir::Value memref, int64_t axis);
  bool isOwn(mlir::Value value);
  /// Memory that is there before the loop, or is made in it.
  bool isMemory(mlir::Value memref);
  bool isAccess(mlir::Operation *op);
  bool isControl(mlir::Operation *op);
  bool isHostCode(mlir::Operation *op);
  /// An extent that does not change from one iteration to the next.
  bool isFixed(mlir::Value extent);
  bool isThreadCode(np::KernelOp kernel);
  /// A value before the loop that is never less than `value` in it.
  std::optional<mlir::Value> emitBound(mlir::Value value, bool dry = false);
  static bool isNotNegative(mlir::Value value);
  /// Whether everything that must have a bound has one.
  bool bounds();
  /// Of the kernel and all loops in it.
  static llvm::SmallVector<mlir::Value> getInnerBounds(np::KernelOp kernel);

  mlir::scf::ForOp loop;
  mlir::OpBuilder builder;
  mlir::Location loc;
  llvm::SmallVector<np::KernelOp> kernels;
  llvm::SmallVector<np::AllocOp> allocs;
  llvm::SmallVector<np::BroadcastExtentOp> meetings;
  llvm::SmallVector<np::CallMatmulOp> products;
};

} // namespace npcc
#endif
