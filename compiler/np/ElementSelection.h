#ifndef NPCC_COMPILER_NP_ELEMENTSELECTION_H
#define NPCC_COMPILER_NP_ELEMENTSELECTION_H
#include "dialects/Np/Arrays.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace npcc {

/// Whether an operation ends an iteration, or a branch, and gives its operands to what follows.
bool handsOn(mlir::Operation *user);
/// Whether an array is loaded from and handed on only, where it is made.
bool isOnlyRead(np::NewOp made);

/// What an array is selected from, if it is a selection by a mask with one axis, or computed of such selections by one
/// mask element by element.
class ElementSelection {
public:
  explicit ElementSelection(mlir::Value array);

  explicit operator bool() const { return value && mask; }
  mlir::Value getMask() const { return mask; }
  /// What is selected, if nothing is computed of it; null otherwise.
  mlir::Value getSource() const;
  /// The same of all elements that are selected from.
  mlir::Value emitOfAll(mlir::OpBuilder &builder) const;

private:
  bool isElementwise(mlir::Value of, int64_t depth);
  static mlir::Value emitOfAll(mlir::OpBuilder &builder, mlir::Value of, mlir::IRMapping &map);

  mlir::Value value, mask;
};

} // namespace npcc
#endif
