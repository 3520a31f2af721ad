#ifndef NPCC_COMPILER_CPU_COLUMNBLOCK_H
#define NPCC_COMPILER_CPU_COLUMNBLOCK_H
#include "compiler/cpu/Combine.h"
#include "dialects/Np/Kernels.h"
#include "mlir/IR/IRMapping.h"

namespace npcc {

/// The code of npcc-column-reductions for one block of columns: the pieces of a kernel's body, one after the other,
/// each as a loop over the block.
class ColumnBlock {
public:
  /// Bytes of one array on the stack: several fit into the first cache.
  static constexpr int64_t bytes = 4096;

  /// `outer`: the positions of all axes but the last. [first, end): the columns, at most `width`.
  ColumnBlock(mlir::OpBuilder &builder, np::KernelOp kernel, mlir::ValueRange outer, mlir::Value first, mlir::Value end,
              int64_t width);
  void build();

private:
  using Body = llvm::function_ref<void(mlir::OpBuilder &, mlir::Value column, mlir::Value place)>;
  /// A vectorised loop over the block. `place` counts from 0.
  mlir::scf::ForOp overColumns(mlir::OpBuilder &builder, Body body);
  mlir::Value makeArray(mlir::Type element, int64_t count);
  /// The values that this piece of the body is computed with, at a column.
  mlir::IRMapping enter(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Operation *> piece, mlir::Value column,
                        mlir::Value place);
  void buildScalars(llvm::ArrayRef<mlir::Operation *> piece);
  void buildMap(mlir::scf::ParallelOp loop);
  void buildReduction(mlir::scf::ParallelOp loop);
  /// A loop that carries values of each column: what it carries lies in arrays between its iterations.
  void buildSerial(mlir::scf::ForOp loop);
  /// sums[place] = sums[place] combined with the loop's values of `count` rows, one after the other; `rows` are the
  /// positions of the first one.
  void accumulate(mlir::OpBuilder &builder, mlir::scf::ParallelOp loop, mlir::ValueRange rows, int64_t count,
                  llvm::ArrayRef<Combiner> combiners, mlir::ValueRange sums);
  /// The same of rows [from, to) of the last axis; `rows` are the positions of the others.
  void accumulateRange(mlir::OpBuilder &builder, mlir::scf::ParallelOp loop, llvm::SmallVector<mlir::Value> rows,
                       mlir::Value from, mlir::Value to, llvm::ArrayRef<Combiner> combiners, mlir::ValueRange sums);
  void fill(mlir::OpBuilder &builder, mlir::ValueRange arrays, mlir::ValueRange values);
  /// sums = pending[level] combined with sums.
  void combineLevel(mlir::OpBuilder &builder, llvm::ArrayRef<Combiner> combiners, mlir::ValueRange pending,
                    mlir::Value level, mlir::ValueRange sums);

  mlir::OpBuilder &builder;
  np::KernelOp kernel;
  mlir::Location loc;
  mlir::IRMapping base;
  mlir::Value first, end;
  int64_t width;
  llvm::DenseMap<mlir::Value, mlir::Value> arrays; // of values that later pieces need
};

} // namespace npcc
#endif
