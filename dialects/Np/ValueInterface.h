#ifndef NPCC_DIALECTS_NP_VALUEINTERFACE_H
#define NPCC_DIALECTS_NP_VALUEINTERFACE_H
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace npcc::np {

/// What one element of a value costs beside the elements that it is computed of. In ascending order.
enum class ElementCost {
  /// A few instructions of the machine, or none: it is computed again wherever it is read.
  Cheap,
  /// A division, a function of the library: worth keeping where several read it.
  Costly,
  /// It goes over elements of operands, or reads at positions that are computed: worth keeping, and no host code.
  Walk,
  /// All elements are made together, by a kernel or a library's function of their own.
  Whole,
};

/// Where an extent of a result comes from: it is the extent of `value` along `axis`, or, where `axis` is negative,
/// `value` itself, an index. Of an extent that only the result knows, or that several operands decide together, `value`
/// is the result.
struct ExtentSource {
  mlir::Value value;
  int64_t axis = -1;
};
/// Makes the extents of the result by getExtentSource: what ReifyRankedShapedTypeOpInterface asks for.
mlir::LogicalResult reifyExtents(mlir::Operation *op, mlir::OpBuilder &builder,
                                 mlir::ReifiedRankedShapedTypeDims &shapes);

} // namespace npcc::np

#include "dialects/Np/NpInterfaces.h.inc"

namespace npcc::np {

/// What one element of an operation's result costs; Cheap of operations that compute no value.
ElementCost getElementCost(mlir::Operation *op);
/// Whether the element of the user's result at a position is computed of the operand's element there: by its interface,
/// or by being a choice.
bool keepsPosition(mlir::OpOperand &operand);

} // namespace npcc::np
#endif
