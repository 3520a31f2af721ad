#ifndef NPCC_DIALECTS_NP_NPMEMORY_TD
#define NPCC_DIALECTS_NP_NPMEMORY_TD
// What remains beside scf, memref, arith and math after lowering to loops: buffers, references, calls of the runtime.
include "dialects/Np/NpBase.td"

def Np_AllocOp : Np_Op<"alloc"> {
  let summary = "a reference-counted buffer with one reference";
  let arguments = (ins Variadic<Index>:$extents);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$buffer);
  let assemblyFormat = "`(` $extents `)` attr-dict `:` type($buffer)";
}
def Np_RetainOp : Np_Op<"retain", [MemoryEffects<[MemWrite<Np_References>]>]> {
  let summary = "one more reference to a buffer";
  let arguments = (ins AnyMemRef:$buffer);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
}
def Np_ReleaseOp : Np_Op<"release", [MemoryEffects<[MemWrite<Np_References>]>]> {
  let summary = "one reference to a buffer less; freed with the last";
  let arguments = (ins Arg<AnyMemRef, "", [MemFree]>:$buffer);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
}
def Np_MirrorOp : Np_Op<"mirror"> {
  let summary = "a copy of a device's array in the memory of the host, for loops that store to it";
  let description = [{
    memref.copy brings it back when the loops have ended. If the call fails before that, by an index that is out of
    bounds, the array takes what the copy holds: it then has all that was stored until then.
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead, MemWrite]>:$array);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$copy);
  let assemblyFormat = "$array attr-dict `:` type($array) `->` type($copy)";
}
def Np_RebaseOp : Np_Op<"rebase", [Pure]> {
  let summary = "a contiguous view as a buffer whose first element is the view's";
  let description = [{
    `memref<?xf64>` has no place for the offset of a view that a loop carries, a branch gives or a function returns: it
    becomes part of the address. The reference counted is the source's.
  }];
  let arguments = (ins AnyMemRef:$source);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}
def Np_CallReshapeOp : Np_Op<"call_reshape", [AttrSizedOperandSegments]> {
  let summary = "the source with other extents: a view of it (one more reference) or a new buffer";
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$source, Variadic<Index>:$extents, Optional<I1>:$transposed,
                       BoolAttr:$ravel, BoolAttr:$is_unsigned);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$result);
  let assemblyFormat = [{
    $source `extents` `[` $extents `]` `ravel` $ravel (`transposed` $transposed^)? attr-dict
    `:` type($source) `->` type($result)
  }];
}
def Np_CallSortOp : Np_Op<"call_sort"> {
  let summary = "lines along the last axis sorted by the runtime; both buffers are contiguous";
  let description = [{
    `bound`: all elements, integers, are at least 0 and below it. A sort by digits then needs no more of them than the
    bound has.
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$input, Arg<AnyMemRef, "", [MemWrite]>:$result, Optional<Index>:$bound,
                       BoolAttr:$positions, BoolAttr:$is_unsigned);
  let assemblyFormat = [{$input (`below` $bound^)? `into` $result `positions` $positions attr-dict `:` type($input) `,` type($result)}];
}
def Np_CallMatmulOp : Np_Op<"call_matmul", [AttrSizedOperandSegments]> {
  let summary = "matrix product by the runtime's library into a 2-D buffer, or of stacks of matrices with equal leading axes";
  let description = [{
    The epilogue and `tf32` are those of np.matmul. The addend may be the result's own buffer, what is added to.
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$lhs, Arg<AnyMemRef, "", [MemRead]>:$rhs,
                       Arg<AnyMemRef, "", [MemWrite]>:$result, BoolAttr:$is_unsigned, Optional<F64>:$alpha,
                       Arg<Optional<AnyMemRef>, "", [MemRead]>:$addend, Optional<F64>:$beta,
                       Arg<Optional<AnyMemRef>, "", [MemRead]>:$bias, OptionalAttr<Np_Activation>:$activation,
                       UnitAttr:$tf32);
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs, "::mlir::Value":$result, "bool":$isUnsigned), [{
    build($_builder, $_state, lhs, rhs, result, $_builder.getBoolAttr(isUnsigned), {}, {}, {}, {}, {});
  }]>];
  let extraClassDeclaration = "bool hasEpilogue() { return getAlpha() || getAddend() || getBias() || getActivation(); }";
  let assemblyFormat = [{$lhs `,` $rhs `into` $result (`alpha` $alpha^)? (`addend` $addend^ `:` type($addend))? (`beta` $beta^)?
                         (`bias` $bias^ `:` type($bias))? (`activation` $activation^)? attr-dict `:` type($lhs) `,` type($rhs) `,` type($result)}];
}
#endif
