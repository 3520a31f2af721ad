#ifndef NPCC_COMPILER_CPU_REDUCTIONBLOCKS_H
#define NPCC_COMPILER_CPU_REDUCTIONBLOCKS_H
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace npcc {

// 128 KiB of f64: well worth the handing over to another thread.
constexpr int64_t blockElements = 16384;

/// The blocks that the iterations of a reduction (from 0 on every axis) are cut into: a part of a row, or several whole rows, about
/// `blockElements` either way; rows are all axes but the last, taken as one. They depend on the extents only.
struct ReductionBlocks {
  /// Computes `count` and the like before the insertion point, where the extents of the reduction must be known.
  ReductionBlocks(mlir::OpBuilder &builder, mlir::scf::ParallelOp reduction);

  /// Bounds of a loop over one block, over all of it: {row, column} or, for a reduction over one axis, {column}.
  using Bounds = std::pair<llvm::SmallVector<mlir::Value>, llvm::SmallVector<mlir::Value>>;
  Bounds getBlock(mlir::OpBuilder &builder, mlir::Value block);
  Bounds getWhole(mlir::OpBuilder &builder);

  /// The reduction between such bounds. `map` knows what the reduction uses, and its row extents, where it is built.
  mlir::scf::ParallelOp build(mlir::OpBuilder &builder, const Bounds &bounds, mlir::IRMapping map);

  /// The reduction of partial results; `place` gives where that of a block lies.
  mlir::scf::ParallelOp combine(mlir::OpBuilder &builder, mlir::ValueRange partials,
                                llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value block)> place);

  mlir::scf::ParallelOp reduction;
  llvm::SmallVector<mlir::Value> rowExtents;
  mlir::Value columns, rows, rowsInBlock, columnBlocks, count;
};

/// The reduction at the top of the kernel's body, if it is the only inner loop, walks known extents from 0, and what stands before it can be
/// computed twice; null elsewhere.
mlir::scf::ParallelOp findOnlyReduction(np::KernelOp kernel);

/// A second version of a kernel whose only inner loop is a reduction, over blocks of what is reduced, for few iterations of many elements.
/// Returns false, and leaves the kernel alone, if it is no such kernel.
bool splitKernel(np::KernelOp kernel);

} // namespace npcc
#endif
