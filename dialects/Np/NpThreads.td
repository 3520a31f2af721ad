#ifndef NPCC_DIALECTS_NP_NPTHREADS_TD
#define NPCC_DIALECTS_NP_NPTHREADS_TD
// Thread-level kernels: functions that every thread of a grid runs (attribute `np.thread` of a func.func), and their launches. Positions are `gpu.thread_id`,
// `gpu.block_id`, `gpu.block_dim` and `gpu.grid_dim`.
include "dialects/Np/NpBase.td"

def Np_LaunchOp : Np_Op<"launch", [AttrSizedOperandSegments]> {
  let summary = "run a thread-level kernel over a grid of blocks of threads";
  let description = [{
    `callee` is a private function of the module with the attribute `np.thread`, of the types of `arguments`, without
    results. It may read and write all arrays it is given. `shared_bytes`: of dynamic shared memory for each block.
    `cooperative`: all blocks run side by side, so that they may wait for each other. ValueError where the device has no
    such grid, block or shared memory.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Index>:$grid, Variadic<Index>:$block, Index:$shared_bytes, Variadic<AnyType>:$arguments,
                       UnitAttr:$cooperative);
  let assemblyFormat = [{
    $callee `grid` `(` $grid `)` `block` `(` $block `)` `shared` `(` $shared_bytes `)` (`cooperative` $cooperative^)? `(` $arguments `)` attr-dict
    (`:` type($arguments)^)?
  }];
}
def Np_ReadElementOp : Np_Op<"read_element"> {
  let summary = "an element of an array now, as one thread sees it";
  let description = "The array is a view of rank 0.";
  let arguments = (ins Arg<Np_Array, "", [MemRead]>:$array);
  let results = (outs Np_Scalar:$value);
  let assemblyFormat = "$array attr-dict `:` type($array) `->` type($value)";
}
def Np_WriteElementOp : Np_Op<"write_element"> {
  let summary = "store one element of an array";
  let description = "The array is a view of rank 0, of the value's type.";
  let arguments = (ins Np_Scalar:$value, Arg<Np_Array, "", [MemWrite]>:$array);
  let assemblyFormat = "$value `,` $array attr-dict `:` type($value) `,` type($array)";
}
def Np_AtomicKinds : Np_Words<"AtomicKind", "how an element is changed in one step", [
    I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"sub", 1>, I32EnumAttrCase<"max", 2>, I32EnumAttrCase<"min", 3>, I32EnumAttrCase<"nanmax", 4>,
    I32EnumAttrCase<"nanmin", 5>, I32EnumAttrCase<"exch", 6>, I32EnumAttrCase<"bits_and", 7, "and">, I32EnumAttrCase<"bits_or", 8, "or">,
    I32EnumAttrCase<"bits_xor", 9, "xor">, I32EnumAttrCase<"inc", 10>, I32EnumAttrCase<"dec", 11>, I32EnumAttrCase<"cas", 12>]>;
def Np_AtomicKind : Np_Word<"AtomicKind", "a case of AtomicKind">;
def Np_AtomicOp : Np_Op<"atomic", [AttrSizedOperandSegments]> {
  let summary = "change an element of an array in one step that no other thread sees half of";
  let description = [{
    `kind`: add, sub, max, min, nanmax, nanmin, exch, and, or, xor, inc, dec (one value), or cas (what is compared with,
    and what is stored where they are equal). The result is the element as it was. In the np form the array is a view of
    rank 0; in the loop form it is a memref, and `position` says which element. Of floats max and min leave NaN that is
    there, and do not store NaN; nanmax and nanmin take the number wherever there is one.
  }];
  let arguments = (ins Np_AtomicKind:$kind, Arg<Np_Any, "", [MemRead, MemWrite]>:$array, Variadic<Index>:$position, Variadic<Np_Scalar>:$values,
                       BoolAttr:$is_unsigned);
  let results = (outs Np_Scalar:$old);
  let assemblyFormat = "$kind $array `[` $position `]` `,` $values attr-dict `:` type($array) `,` type($values) `->` type($old)";
}
def Np_ThreadArrayKinds : Np_Words<"ThreadArrayKind", "where an array of threads lies", [
    I32EnumAttrCase<"shared", 0>, I32EnumAttrCase<"local", 1>, I32EnumAttrCase<"constant", 2>, I32EnumAttrCase<"dynamic", 3>,
    I32EnumAttrCase<"result", 4>]>;
def Np_ThreadArrayKind : Np_Word<"ThreadArrayKind", "shared, local, constant, dynamic or result">;
def Np_ThreadArrayOp : Np_Op<"thread_array"> {
  let summary = "an array of a block (shared), of a thread (local), or of constants";
  let description = [{
    `kind` is "shared", "local", "constant" (with `values`, in C order), or "dynamic": the block's dynamic shared
    memory, of as many elements as the launch gives it bytes for; its `shape` is empty and it has one axis. "result" is
    the number that a function gives which is compiled alone. Elsewhere all extents are known, and nothing is
    initialised. In the loop form the result is a memref of that static shape. `records`: bytes, of which `np.field`
    makes what they hold.
  }];
  let arguments = (ins Np_ThreadArrayKind:$kind, DenseI64ArrayAttr:$shape, OptionalAttr<ElementsAttr>:$values,
                       UnitAttr:$records);
  let results = (outs Res<Np_Any, "", [MemAlloc]>:$array);
  let assemblyFormat = "$kind $shape attr-dict `:` type($array)";
}
def Np_FieldOp : Np_Op<"field", [Pure]> {
  let summary = "bytes of an array as elements of another type, in place: a field of a record";
  let description = [{
    The field begins at the first byte of `bytes`, a view of rank 1 of 8-bit integers that lie side by side; in the loop
    form `bytes` is a memref and `position` says at which byte. The result is a contiguous array of the extents `shape`.
    Its address is a multiple of `alignment` bytes, which may be less than its elements want. In the loop form the
    result is a memref of that static shape.
  }];
  let arguments = (ins Np_Any:$bytes, Variadic<Index>:$position, DenseI64ArrayAttr:$shape, I64Attr:$alignment);
  let results = (outs Np_Any:$array);
  let assemblyFormat = "$bytes `[` $position `]` `as` $shape attr-dict `:` type($bytes) `->` type($array)";
}
def Np_LibdeviceOp : Np_Op<"libdevice", [Pure]> {
  let summary = "a function of NVIDIA's libdevice, or what the CPU computes in its place";
  let description = [{
    `name` is without the prefix `__nv_`. Operands and results have the types of its prototype in runtime/Libdevice.def;
    what libdevice stores through pointers are results behind its own.
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$name `(` $operands `)` attr-dict `:` functional-type($operands, $results)";
}
def Np_ThreadActions : Np_Words<"ThreadAction", "what threads do together", [
    I32EnumAttrCase<"syncthreads", 0>, I32EnumAttrCase<"syncthreads_count", 1>, I32EnumAttrCase<"syncthreads_and", 2>,
    I32EnumAttrCase<"syncthreads_or", 3>, I32EnumAttrCase<"syncwarp", 4>, I32EnumAttrCase<"fence_block", 5>,
    I32EnumAttrCase<"fence_grid", 6>, I32EnumAttrCase<"fence_system", 7>, I32EnumAttrCase<"grid_sync", 8>,
    I32EnumAttrCase<"shuffle_idx", 9>, I32EnumAttrCase<"shuffle_up", 10>, I32EnumAttrCase<"shuffle_down", 11>,
    I32EnumAttrCase<"shuffle_xor", 12>, I32EnumAttrCase<"vote_all", 13>, I32EnumAttrCase<"vote_any", 14>,
    I32EnumAttrCase<"vote_eq", 15>, I32EnumAttrCase<"ballot", 16>, I32EnumAttrCase<"match_any", 17>,
    I32EnumAttrCase<"match_all", 18>, I32EnumAttrCase<"active_mask", 19>, I32EnumAttrCase<"lane_mask_lt", 20>,
    I32EnumAttrCase<"lane_id", 21>, I32EnumAttrCase<"nanosleep", 22>]>;
def Np_ThreadAction : Np_Word<"ThreadAction", "a case of ThreadAction">;
def Np_ThreadOp : Np_Op<"thread"> {
  let summary = "what threads do together: barriers, fences, and what the lanes of a warp exchange";
  let description = [{
    `action`: syncthreads; syncthreads_count, syncthreads_and, syncthreads_or (i32 -> i32); syncwarp (mask);
    fence_block, fence_grid, fence_system; grid_sync; shuffle_idx, shuffle_up, shuffle_down, shuffle_xor (mask, value,
    lane or distance, width) -> (value, i1: the lane was there); vote_all, vote_any, vote_eq (mask, i1) -> i1; ballot
    (mask, i1) -> i32; match_any (mask, value) -> i32; match_all (mask, value) -> (i32, i1); active_mask,
    lane_mask_lt, lane_id -> i32; nanosleep (i32). Masks, lanes and widths are i32.
  }];
  let arguments = (ins Np_ThreadAction:$action, Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$action `(` $operands `)` attr-dict `:` functional-type($operands, $results)";
  let hasVerifier = 1;
}
def Np_CallLinkedOp : Np_Op<"call_linked"> {
  let summary = "a function of another compiler's code for GPUs that the kernel is linked with";
  let description = "Numbers to a number or nothing, as `cuda.declare_device` says.";
  let arguments = (ins StrAttr:$callee, Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, $results)";
}
def Np_LaunchParametersOp : Np_Op<"launch_parameters"> {
  let summary = "what the function of a `gpu.launch` takes, in this order";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}
#endif
