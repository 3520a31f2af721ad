#ifndef NPCC_COMPILER_GPU_ARRAYNAMES_H
#define NPCC_COMPILER_GPU_ARRAYNAMES_H
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

namespace npcc {

/// The memrefs of a function in classes: two are in the same one if they may be one array or views of it, because a
/// loop carries, a branch gives or an operation hands on the one as the other. What lies in one memory lies in one
/// class.
class ArrayNames {
public:
  explicit ArrayNames(mlir::func::FuncOp function);

  /// One of the class, the same for all of it.
  mlir::Value getClass(mlir::Value array) const { return classes.getLeaderValue(array); }
  /// All of them, in the order of their definitions.
  using Classes = llvm::MapVector<mlir::Value, llvm::SmallVector<mlir::Value>>;
  const Classes &getClasses() const { return members; }

private:
  void unite(mlir::ValueRange a, mlir::ValueRange b);
  void visit(mlir::Operation *op);

  llvm::EquivalenceClasses<mlir::Value> classes;
  Classes members;
};

/// Whether an operation hands on an array under another name, and does nothing else to it.
bool handsOnArrays(mlir::Operation *op);

} // namespace npcc
#endif
