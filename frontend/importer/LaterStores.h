#ifndef NPCC_FRONTEND_IMPORTER_LATERSTORES_H
#define NPCC_FRONTEND_IMPORTER_LATERSTORES_H
// What is stored into arrays behind a place of a function, asked of the complete function: whoever has a copy of an
// array does not see that.
#include "dialects/Np/Arrays.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"
#include <map>
#include <vector>

namespace npcc::frontend {

/// The arrays that an operation may store into.
llvm::SmallVector<mlir::Value> storedArrays(mlir::Operation *op);
/// Where the memory of an array may come from: arguments and operations that make arrays. False where that is not
/// known.
bool addRoots(mlir::Value array, llvm::SetVector<mlir::Value> &roots);

class LaterStores {
public:
  /// Looks at all operations of the function but those that are left out.
  explicit LaterStores(mlir::func::FuncOp function, llvm::function_ref<bool(mlir::Operation *)> isLeftOut = {});
  /// Whether something may be stored into an array after `from` has run, and before the array is made anew.
  bool isChangedBehind(mlir::Operation *from, mlir::Value array) const;

private:
  class Reached;
  struct Store {
    mlir::Operation *op;
    llvm::SetVector<mlir::Value> roots;
    bool areKnown;
  };
  std::vector<Store> stores;
};

} // namespace npcc::frontend
#endif
