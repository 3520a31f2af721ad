#ifndef NPCC_COMPILER_GPU_SPLITKERNEL_H
#define NPCC_COMPILER_GPU_SPLITKERNEL_H
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/target/Target.h"

namespace npcc::cuda {

/// Makes several kernels of one whose inner loops are reductions over parts, and what is done with their results
/// (npcc-split-launches, which says when).
class SplitKernel {
public:
  SplitKernel(np::KernelOp kernel, KernelAccesses &accesses, bool isColumns);

  /// Whether the outer code may be taken apart: inner loops stand in it directly, it writes after the last reduction
  /// only, and it reads nothing that the kernel writes.
  static bool canSplit(np::KernelOp kernel, KernelAccesses &accesses);
  /// Makes the kernels before the one that they replace, which stays.
  void split();

protected:
  /// Of an axis; nothing where it is not cut.
  struct Parts {
    mlir::Value count, length;
  };

  IndexMath math() { return {builder, loc}; }
  /// Iterations of the longest inner loop.
  mlir::Value emitLongest();
  /// The parts of a column of `loop` that has `last` terms along its last axis.
  Parts getColumnParts(mlir::scf::ParallelOp loop, mlir::Value last);
  mlir::Value countBlocks(mlir::scf::ParallelOp loop, mlir::Value elements);

  np::KernelOp kernel;
  HostSide host;
  mlir::OpBuilder builder;
  mlir::Location loc;
  bool isColumns;
  bool isLong = false; // rows are cut only where they have elements, in the only loop over them
  const Tuning &tuning;

private:
  np::KernelOp beginKernel(llvm::ArrayRef<mlir::Value> extents);
  void cloneOuterCode(llvm::ArrayRef<mlir::Value> needed, mlir::IRMapping &mapping, mlir::ValueRange positions);
  mlir::Value toMemory(mlir::Value value);
  mlir::Value fromMemory(mlir::Value value, mlir::Type type);
  mlir::Value allocate(mlir::Type element, mlir::ValueRange extents);
  void emitWalk(mlir::scf::ParallelOp loop);
  void emitReduction(mlir::scf::ParallelOp loop, bool isLast);
  bool hasUseAfter(mlir::scf::ParallelOp loop);
  void cloneReduce(mlir::scf::ParallelOp loop, mlir::ValueRange values);
  void emitPartials(mlir::scf::ParallelOp loop, llvm::ArrayRef<mlir::Value> extents, llvm::ArrayRef<Parts> parts,
                    llvm::ArrayRef<mlir::Value> partials);

  llvm::SmallVector<mlir::Value> buffers;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> finished; // where the results of an inner loop are
};

} // namespace npcc::cuda
#endif
