#ifndef NPCC_DIALECTS_NP_NPNAMES_TD
#define NPCC_DIALECTS_NP_NPNAMES_TD
// The names of the program while it is imported: slots, which `mem2reg` turns into values.
include "dialects/Np/NpBase.td"

def Np_VarOp : Np_Op<"var", [DeclareOpInterfaceMethods<PromotableAllocationOpInterface>]> {
  let summary = "a place for what a Python name is bound to";
  let description = "Promoted to SSA by `mem2reg`: its three operations are the only ones on `!np.slot`.";
  let arguments = (ins StrAttr:$name);
  let results = (outs Res<Np_Slot, "", [MemAlloc]>:$slot);
  let assemblyFormat = "$name attr-dict `:` type($slot)";
}
def Np_GetOp : Np_Op<"get", [DeclareOpInterfaceMethods<PromotableMemOpInterface>,
    TypesMatchWith<"result is what the slot holds", "slot", "result", "::llvm::cast<SlotType>($_self).getValueType()">]> {
  let summary = "what a name is bound to";
  let arguments = (ins Arg<Np_Slot, "", [MemRead]>:$slot);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$slot attr-dict `:` type($slot)";
}
def Np_SetOp : Np_Op<"set", [DeclareOpInterfaceMethods<PromotableMemOpInterface>,
    TypesMatchWith<"value is what the slot holds", "slot", "value", "::llvm::cast<SlotType>($_self).getValueType()">]> {
  let summary = "bind a name";
  let arguments = (ins AnyType:$value, Arg<Np_Slot, "", [MemWrite]>:$slot);
  let assemblyFormat = "$value `,` $slot attr-dict `:` type($slot)";
}
def Np_UnboundOp : Np_Op<"unbound", [Pure]> {
  let summary = "what a name holds before it is bound";
  let description = "Reading it is Python's UnboundLocalError. `np.check_bound` is placed where the read may reach it.";
  let arguments = (ins StrAttr:$name);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
}
#endif
