#ifndef NPCC_COMPILER_GPU_EMIT_ROWLOOPS_H
#define NPCC_COMPILER_GPU_EMIT_ROWLOOPS_H
#include "compiler/gpu/emit/HostSide.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace npcc::cuda {

/// A loop inside of a kernel of rows, as a team goes through it.
struct RowLoop {
  VectorMode mode;
  mlir::Value aligned;
  llvm::SmallVector<mlir::Value> joins;
  llvm::SmallVector<mlir::Value> extents; // empty: known in the kernel only
  int64_t unroll;
  // What the call that the code is compiled for says of it:
  bool isShort = false; // no row is longer than a round, which is all threads' unrolled steps
  bool isWhole = false; // rows are whole vectors
  /// The last axis is shorter than the team, most of which would have nothing to do: then all axes are one. Of one
  /// axis that is no longer than the block, each thread has an element. Null: neither is asked.
  mlir::Value isNarrow;
  int64_t unrollOfNarrow = 1;
};
using RowLoops = llvm::DenseMap<mlir::Operation *, RowLoop>;

/// Finds the loops of several axes whose last one is shorter than the team of `size` threads, and the only row that has
/// no more elements than a block has threads. Loops that write are not asked.
void findNarrow(HostSide &host, np::KernelOp kernel, RowLoops &loops, mlir::Value size);

/// Leaves out loops that would not run once in the call that the code is compiled for. areJoined: whether all axes of a
/// loop are one.
void shorten(HostSide &host, np::KernelOp kernel, RowLoops &loops,
             llvm::function_ref<bool(mlir::scf::ParallelOp)> areJoined, mlir::Value size);

} // namespace npcc::cuda
#endif
