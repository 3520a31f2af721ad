#ifndef NPCC_DIALECTS_NP_NPCHECKS_TD
#define NPCC_DIALECTS_NP_NPCHECKS_TD
// What is checked before something is done, and what fails where it does not hold.
include "dialects/Np/NpBase.td"

def Np_CheckIndexOp : Np_Op<"check_index", [MemoryEffects<[MemWrite<Np_Failure>]>]> {
  let summary = "a position counted from the start; IndexError if it is out of bounds";
  let description = [{
    index in [-size, size); negative ones count from the end. "index 7 is out of bounds for axis 0 with size 5". `ends`,
    in a `gpu.launch`: a thread that fails ends there; without it, it goes on with position 0.
  }];
  let arguments = (ins Index:$position, Index:$size, I64Attr:$axis, UnitAttr:$ends);
  let results = (outs Index:$result);
  let assemblyFormat = "$position `of` $size `axis` $axis attr-dict";
  let hasFolder = 1;
}
def Np_AssertOp : Np_Op<"assert", [MemoryEffects<[MemWrite<Np_Failure>]>]> {
  let summary = "fail with a Python exception unless the condition holds";
  let description = [{
    `error` is the exception's name ("ValueError"); `{0}`, `{1}`... of the message stand for the arguments (integers).
    `ends`, in a `gpu.launch`: a thread that fails ends there; without it, it goes on.
  }];
  let arguments = (ins I1:$condition, StrAttr:$error, StrAttr:$message, Variadic<AnyTypeOf<[Index, I64]>>:$arguments,
                       UnitAttr:$ends);
  let assemblyFormat = "$condition `,` $error $message `(` $arguments `)` attr-dict (`:` type($arguments)^)?";
}
def Np_CheckStackOp : Np_Op<"check_stack", [MemoryEffects<[MemWrite<Np_Failure>]>]> {
  let summary = "RecursionError if little is left of the thread's stack";
  let description = "At the beginning of a function that may call itself.";
  let assemblyFormat = "attr-dict";
}
def Np_BroadcastExtentOp : Np_Op<"broadcast_extent", [MemoryEffects<[MemWrite<Np_Failure>]>]> {
  let summary = "the extent that two extents broadcast to";
  let description = [{
    They are equal, or one is 1; otherwise the function fails with ValueError. `kind` chooses the words: "ufunc"
    (operands could not be broadcast together with shapes), "indices" (an IndexError, shape mismatch: indexing arrays
    could not be broadcast together with shapes), "store" (could not broadcast input array from shape), "output"
    (non-broadcastable output operand) and "positions" (shape mismatch: value array could not be broadcast to indexing
    result); of all but the first two `lhs` is the source's and must be 1 or equal. `shapes` are the whole shapes,
    for the message: that of `lhs`, that of `rhs`, and where there is an `output_rank` a third one of that rank: of the
    third operand, or of the array which the result is stored into.
  }];
  let arguments = (ins Index:$lhs, Index:$rhs, Np_BroadcastKind:$kind, Variadic<Index>:$shapes, I64Attr:$lhs_rank,
                       OptionalAttr<I64Attr>:$output_rank);
  let results = (outs Index:$result);
  let assemblyFormat = [{$kind $lhs `,` $rhs `shapes` `[` $shapes `]` `lhs_rank` $lhs_rank
                         (`output_rank` $output_rank^)? attr-dict}];
  let hasFolder = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs, "::npcc::np::BroadcastKind":$kind,
                                 "::mlir::ValueRange":$shapes, "int64_t":$lhsRank),
                            [{
    build($_builder, $_state, lhs, rhs, kind, shapes, lhsRank, ::mlir::IntegerAttr());
  }]>];
  let extraClassDeclaration = [{
    /// Whether either extent may be 1; else it is the first one that may.
    bool isMutual() { return getKind() == BroadcastKind::ufunc || getKind() == BroadcastKind::indices; }
  }];
}

def Np_EndAfterErrorOp : Np_Op<"end_after_error", [MemoryEffects<[MemRead<Np_Failure>, MemWrite<Np_Failure>]>]> {
  let summary = "ends the thread where a check of an earlier launch has failed";
  let description = [{
    The first operation of a `gpu.launch`. Checks of the launch itself, and of launches that may run at the same time,
    do not count.
  }];
  let assemblyFormat = "attr-dict";
}
def Np_IsReachedOp : Np_Op<"is_reached", [MemoryEffects<[MemRead<Np_Failure>]>]> {
  let summary = "whether the program comes to this place behind the checks of the launch before";
  let description = [{
    In a kernel that stands directly behind the kernel of its checks. `place` counts as the places of these checks do:
    false where a check at a lesser place, or one of an earlier launch, has failed.
  }];
  let arguments = (ins Index:$place);
  let results = (outs I1:$reached);
  let assemblyFormat = "$place attr-dict";
}
def Np_SettleOp : Np_Op<"settle", [MemoryEffects<[MemRead<Np_Failure>, MemWrite<Np_Failure>]>]> {
  let summary = "waits for the checks of launches, and fails where one did";
  let description = [{
    In host code, before what a device cannot leave undone by itself: a library's call that stores into an array of the
    caller's.
  }];
  let assemblyFormat = "attr-dict";
}

def Np_Arithmetic : I32EnumAttr<"Arithmetic", "what Python's integers are combined by", [
    I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"subtract", 1>, I32EnumAttrCase<"multiply", 2>, I32EnumAttrCase<"left_shift", 3>,
    I32EnumAttrCase<"power", 4>]> {
  let cppNamespace = "::npcc::np";
}
def Np_FitsOp : Np_Op<"fits", [Pure]> {
  let summary = "whether the exact result of Python integers' arithmetic fits into 64 bits";
  let description = [{
    Python's integers have no end, compiled ones have 64 bits. The arithmetic itself is `arith`; an `np.assert` of this,
    an OverflowError, stands before it. `npcc-simplify-integers` finds where nothing can overflow. The second operand of
    `left_shift` and `power` is not negative.
  }];
  let arguments = (ins Np_Arithmetic:$kind, I64:$lhs, I64:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "$kind `(` $lhs `,` $rhs `)` attr-dict";
  let hasFolder = 1;
}
#endif
