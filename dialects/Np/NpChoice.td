#ifndef NPCC_DIALECTS_NP_NPCHOICE_TD
#define NPCC_DIALECTS_NP_NPCHOICE_TD
include "dialects/Np/NpTypes.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Np_ChoiceOp : Op<Np_Dialect, "choice", [Pure, SameOperandsAndResultType]> {
  let summary = "a value of host code that decides which of several alternatives of the code runs";
  let description = [{
    The result is the operand, in every run. A pass that makes alternatives (few long rows or many short ones, vectors or single elements) offers them by deciding
    through this operation: either by a condition (i1), or by a number of which there are few (the size of a team of threads).
    `npcc-plan-alternatives` takes it away. Where the extents of a first call are known it may put a constant in its place and have the
    runtime compare at each call, so that the other alternatives are not compiled until they are needed. `what` says in a few words what is decided.

    With `known_only` the alternative is offered for a known first call only: in code that is made for all calls the choice is false (i1), as nobody wants to compile
    so much for what may not be needed.

    Of the address of an array that the function makes, `value` may depend on the lowest six bits only: these are known to be zero.
  }];
  let arguments = (ins StrAttr:$what, UnitAttr:$known_only, AnyTypeOf<[I1, Index]>:$value);
  let results = (outs AnyTypeOf<[I1, Index]>:$result);
  let assemblyFormat = "$what (`known_only` $known_only^)? $value attr-dict `:` type($value)";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$what, "::mlir::Value":$value), [{
    build($_builder, $_state, value.getType(), what, /*known_only=*/false, value);
  }]>];
}
#endif
