#ifndef NPCC_COMPILER_KERNELS_ELEMENTINTERFACE_TD
#define NPCC_COMPILER_KERNELS_ELEMENTINTERFACE_TD
include "mlir/IR/OpBase.td"

def Npcc_ElementOpInterface : OpInterface<"ElementOpInterface"> {
  let cppNamespace = "::npcc";
  let description = [{
    The code of one element of an operation's result, made of elements of its operands. Operations that have none are made whole, by a kernel or a library's
    function of their own (ElementCost::Whole).
  }];
  let methods = [
    InterfaceMethod<[{
      Makes the code, where the builder of `elements` stands; `position` has an index for each axis of the result. Elements of operands come from
      `elements.emit`, so that what was computed for the same position is not computed again. What cannot be compiled is told by `elements.refuse`.
    }], "::mlir::Value", "emitElement",
        (ins "::npcc::ElementEmitter &":$elements, "::mlir::Location":$loc, "::llvm::ArrayRef<::mlir::Value>":$position)>,
  ];
}
#endif
