#ifndef NPCC_COMPILER_NP_SPLITROWS_H
#define NPCC_COMPILER_NP_SPLITROWS_H
#include "compiler/memory/Extents.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace npcc {

/// What of a function is split over devices by its rows, and which rows of its neighbours a device needs
/// (npcc-distribute).
struct SplitRows {
  explicit SplitRows(mlir::func::FuncOp function) : function(function), origins(function) {
    origins.resolveLoops(function);
  }

  /// The first axis of the first array argument is split; an error if there is none.
  llvm::LogicalResult chooseAxis();
  /// Finds the operations and arrays that are split.
  void collect();
  /// Finds the distance at which stores read rows of neighbours; an error where they need others.
  llvm::LogicalResult measureHalo();

  bool isSplit(mlir::Value value);
  bool isArgument(mlir::Value value);
  /// The row of `array` that row 0 of its view names; none if the view does not run along the rows one by one.
  std::optional<int64_t> getFirstRow(mlir::Value array);

  mlir::Value first; // the argument whose first axis is split
  int64_t halo = 0;
  llvm::SmallVector<mlir::Value> roots, carried; // arrays that are made or written here, and that loops carry
  llvm::SmallVector<mlir::Operation *> sinks;    // that fill a split array
  /// For each sink the arrays whose halos are exchanged, and before which operation.
  llvm::SmallVector<llvm::SmallVector<std::pair<mlir::Value, mlir::Operation *>, 0>> exchanges;
  llvm::SmallVector<np::ReduceOp> reductions; // over the split axis
  llvm::SmallDenseSet<mlir::Value> written;   // arguments that something may store into

private:
  using Visitor = llvm::function_ref<mlir::WalkResult(np::LoadOp, bool aligned, int64_t shift)>;
  using Need = std::pair<mlir::Value, std::pair<int64_t, int>>;
  /// Visits the loads of split arrays below a value; `aligned`: row i of the value needs row i (plus a constant) of the
  /// load. What several operations need in one way is visited once.
  mlir::WalkResult visit(mlir::Value value, bool aligned, int64_t shift, Visitor visitor);
  mlir::WalkResult visit(mlir::Value value, bool aligned, int64_t shift, Visitor visitor, llvm::DenseSet<Need> &seen);
  llvm::LogicalResult measureHaloOf(mlir::Operation *sink);
  bool needsRows(mlir::Value value);
  mlir::WalkResult checkWhole(mlir::Operation *op);
  mlir::WalkResult checkUnsplit(mlir::Operation *op);
  /// Is what was loaded stored over before it is used? The copy that this needs would be of all rows.
  bool changesBefore(np::LoadOp load, mlir::Operation *use);
  /// Arguments that are neither written nor carried stay whole in the caller's memory.
  bool isArgumentOnly(mlir::Value root);
  bool isFirstRowDynamic(mlir::Operation *op);

  mlir::func::FuncOp function;
  ExtentOrigins origins;
  ExtentOrigin axis;
};

} // namespace npcc
#endif
