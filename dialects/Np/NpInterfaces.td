#ifndef NPCC_DIALECTS_NP_NPINTERFACES_TD
#define NPCC_DIALECTS_NP_NPINTERFACES_TD
include "mlir/IR/OpBase.td"

def Np_ValueOpInterface : OpInterface<"ValueOpInterface"> {
  let cppNamespace = "::npcc::np";
  let description = [{
    What passes need to know of an operation that computes a value, so that they need not know which operation it is. The code of one element is
    `ElementOpInterface`'s (compiler/kernels).
  }];
  let methods = [
    InterfaceMethod<"What one element costs where its operands' elements are at hand.", "ElementCost", "getElementCost", (ins), "",
        "return ConcreteOp::elementCost;">,
    InterfaceMethod<"Where the extent of the result along an axis comes from.", "ExtentSource", "getExtentSource", (ins "int64_t":$axis)>,
    InterfaceMethod<[{
      How the rows (positions along the first axis) of the result follow from those of an operand: row i is computed of row i + shift of the operand alone.
      None: it may be computed of other rows, or of all.
    }], "std::optional<int64_t>", "getRowShift", (ins "::mlir::OpOperand &":$operand), "", "return std::nullopt;">,
    InterfaceMethod<"Whether an element of the result is computed of the operand's element at the same position.",
        "bool", "keepsPosition", (ins "::mlir::OpOperand &":$operand), "", "return false;">,
    InterfaceMethod<"Whether an element of the result reads many elements of an operand that others read too, which should be in memory then.",
        "bool", "isReadOften", (ins "::mlir::OpOperand &":$operand), "", "return false;">,
  ];
}

#endif
