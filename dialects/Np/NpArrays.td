#ifndef NPCC_DIALECTS_NP_NPARRAYS_TD
#define NPCC_DIALECTS_NP_NPARRAYS_TD
// Arrays: references to memory, views of them, loads and stores.
include "dialects/Np/NpBase.td"

def Np_NewOp : Np_Op<"new", [InferType]> {
  let summary = "a new C-contiguous array that holds a value";
  let description = [{
    `in_this_order`: NumPy's array lies in C order, too; without it, NumPy's lies as the operands of the value do.
  }];
  let arguments = (ins AnyRankedTensor:$value, UnitAttr:$in_this_order);
  let results = (outs Res<Np_Array, "", [MemAlloc, MemWrite]>:$array);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($array)";
}
def Np_EmptyOp : Np_Op<"empty"> {
  let summary = "a new C-contiguous array of undefined contents (numpy.empty)";
  let description = "One extent for each `?` of the type.";
  let arguments = (ins Variadic<Index>:$extents);
  let results = (outs Res<Np_Array, "", [MemAlloc]>:$array);
  let assemblyFormat = "`(` $extents `)` attr-dict `:` type($array)";
  let hasVerifier = 1;
}
def Np_UndefinedOp : Np_Op<"undefined", [Pure]> {
  let summary = "an element of numpy.empty that nothing was stored into";
  let description = "Made only for targets that tell it from other elements (TargetProperties::tellsUndefined).";
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def Np_LoadOp : Np_Op<"load", [InferType]> {
  let summary = "the value of an array now";
  let arguments = (ins Arg<Np_Array, "", [MemRead]>:$array);
  let results = (outs AnyRankedTensor:$value);
  let assemblyFormat = "$array attr-dict `:` type($array) `->` type($value)";
}
def Np_StoreOp : Np_Op<"store"> {
  let summary = "make the elements of an array those of a value";
  let description = [{
    The value's rank is at most the array's; it broadcasts to the array's extents (ValueError "could not broadcast input
    array from shape (3,) into shape (4,)"; with `as_output` the words about a ufunc's output). The element types
    are equal. The value is read entirely before the first element is written: a lowering makes a temporary where it
    must.
  }];
  let arguments = (ins Np_ValueOrScalar:$value, Arg<Np_Array, "", [MemWrite]>:$array, UnitAttr:$as_output);
  let assemblyFormat = "$value `,` $array (`as_output` $as_output^)? attr-dict `:` type($value) `,` type($array)";
  let hasVerifier = 1;
}
def Np_StoreMaskedOp : Np_Op<"store_masked"> {
  let summary = "store where a mask is true (a[mask] = value)";
  let description = [{
    The mask covers the leading axes of the array. The value broadcasts to `array` (an element of the value for each
    element of the array, those where the mask is false are not used): `a[m] = b[m] * 2` is `np.store_masked (b * 2), m,
    a`. With `selected`, which npcc-expand-selections takes away, the value has as many elements along its first axis as
    the mask has true ones, and they go there in C order.
  }];
  let arguments = (ins Np_ValueOrScalar:$value, AnyRankedTensor:$mask, Arg<Np_Array, "", [MemWrite]>:$array,
                       UnitAttr:$selected);
  let assemblyFormat = [{$value `,` $mask `,` $array (`selected` $selected^)? attr-dict
                         `:` type($value) `,` type($mask) `,` type($array)}];
  let hasVerifier = 1;
}
def Np_ScatterOp : Np_Op<"scatter", [AttrSizedOperandSegments]> {
  let summary = "store at positions given by integer arrays (a[i, j] = value)";
  let description = [{
    `indices` broadcast together and index the source axes `axes` (ascending, adjacent); the other axes are whole.
    Negative positions count from the end; IndexError otherwise. Where a position occurs twice, the last value stays.
    With `distinct` no position inside the array occurs twice, and values whose position is the extent or beyond it are
    left out: stores in any order, without checks. With a mask of the indices' shape, which all have the same one then,
    the positions and values where it is false are left out, also of the checks.
  }];
  let arguments = (ins Np_ValueOrScalar:$value, Arg<Np_Array, "", [MemWrite]>:$array, Variadic<AnyRankedTensor>:$indices,
                       Optional<AnyRankedTensor>:$mask, DenseI64ArrayAttr:$axes, UnitAttr:$distinct);
  let assemblyFormat = [{$value `,` $array `[` $indices `]` (`where` $mask^)? `axes` `=` $axes
                         (`distinct` $distinct^)? attr-dict
                         `:` type($value) `,` type($array) `,` type($indices) (`,` `where` type($mask)^)?}];
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$array, "::mlir::ValueRange":$indices,
                                 "::mlir::DenseI64ArrayAttr":$axes, CArg<"::mlir::Value", "{}">:$mask), [{
    build($_builder, $_state, value, array, indices, mask, axes, /*distinct=*/::mlir::UnitAttr());
  }]>];
}
def Np_ViewOp : Np_ValueOp<"view", "Cheap", ["getRowShift"], [Pure, AttrSizedOperandSegments]> {
  let summary = "a region of an array or value: basic indexing, transposition, newaxis, broadcast";
  let description = [{
    Result position `(r0, r1, ...)` is source position `s[k] = offsets[k] + sum over result axes j with axes[j] == k of
    steps[j] * r[j]`. `axes[j]` is the source axis that result axis j runs along, or -1 for an axis that does not move
    in the source (newaxis with extent 1, broadcast with a larger one). `offsets` has one entry for each source axis,
    `extents` and `steps` one for each result axis. The region lies inside the source (indices are checked and slices
    clamped before). Of an array the result is an array that shares its elements, of a value a value. An axis of the
    source may occur several times in `axes`: windows that slide along an axis of n are `axes [0, 0] extents [%n - %w +
    1, %w] steps [%c1, %c1]`. No `np.store` stores an array into such a view; `np.scatter` does so in an order.

    Two things that NumPy's program decides are said here. `same`: to Python it is the source itself, of which a
    branch or loop knows less. `may_copy`: NumPy's result may be a copy of the source, which depends on how the source
    lies.

    ```mlir
    // u[1:-1, 3] and u.T[::-1] of a 2-D u of extents n, m
    %a = np.view %u offsets [%c1, %c3] axes [0] extents [%n_2] steps [%c1] : !np.array<?x?xf64> -> !np.array<?xf64, strided>
    %b = np.view %u offsets [%c0, %m_1] axes [1, 0] extents [%m, %n] steps [%c_1, %c1] : ...
    ```
  }];
  let arguments = (ins Np_ArrayOrValue:$source, Variadic<Index>:$offsets, DenseI64ArrayAttr:$axes, Variadic<Index>:$extents,
                       Variadic<Index>:$steps, UnitAttr:$same, UnitAttr:$may_copy);
  let results = (outs Np_ArrayOrValue:$result);
  let hasFolder = 1;
  let assemblyFormat = [{$source `offsets` `[` $offsets `]` `axes` $axes `extents` `[` $extents `]` `steps` `[` $steps `]` attr-dict
                         `:` type($source) `->` type($result)}];
  let hasVerifier = 1;
}
def Np_ReshapeOp : Np_ValueOp<"reshape", "Cheap", []> {
  let summary = "the same elements in C order with other extents (numpy.reshape)";
  let description = "Of a contiguous array a view, of a value a value. The extents' product is the source's size (checked before).";
  let arguments = (ins Np_ArrayOrValue:$source, Variadic<Index>:$extents);
  let results = (outs Np_ArrayOrValue:$result);
  let assemblyFormat = "$source `extents` `[` $extents `]` attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Np_ReshapeStridedOp : Np_Op<"reshape_strided", [AttrSizedOperandSegments]> {
  let summary = "numpy.reshape (or ravel) of an array that may not be contiguous: a view of it if its strides allow, a new array otherwise";
  let description = [{
    `ravel`: a view of a contiguous array only. `transposed`: of a contiguous array that lies with its axes in reverse
    in NumPy's memory, a view only where NumPy has one. `npcc-copy-reshapes` makes a value of it where nobody could tell
    a view from a copy. The extents' product is the source's size (checked before). `same`: where it is a view, it is
    the source itself to Python.
  }];
  let arguments = (ins Arg<Np_Array, "", [MemRead]>:$source, Variadic<Index>:$extents, Optional<I1>:$transposed,
                       UnitAttr:$ravel, UnitAttr:$same);
  let results = (outs Res<Np_Array, "", [MemAlloc]>:$result);
  let assemblyFormat = [{
    (`ravel` $ravel^)? $source `extents` `[` $extents `]` (`transposed` $transposed^)? attr-dict
    `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}
def Np_MakeRoomOp : Np_Op<"make_room", [AllTypesMatch<["array", "result"]>]> {
  let summary = "the array of a list that grows, with room for more items";
  let description = [{
    The array itself, if it has at least `rows` rows and if its rows have these extents (one for each axis but the
    first). Otherwise a new one, whose first `length` rows are the array's: with `exactly` of `rows` rows, without it of
    twice as many rows as the array has, of at least 16 and of at least `rows`. Where there are rows to keep, it was
    checked before that they have these extents. `npcc-reserve-lists` takes it away.
  }];
  let arguments = (ins UnitAttr:$exactly, Arg<Np_Array, "", [MemRead]>:$array, Index:$length, Index:$rows,
                       Variadic<Index>:$extents);
  let results = (outs Res<Np_Array, "", [MemAlloc]>:$result);
  let assemblyFormat = [{
    (`exactly` $exactly^)? $array `[` $length `]` `rows` $rows `extents` `[` $extents `]` attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}
def Np_PartOp : Np_Op<"part", [Pure, DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "a view of an array that np.view cannot describe";
  let description = [{
    `kind` is "diagonal" (the last two axes become one that runs along both: element (..., i) is (..., i, i) of the
    source), "real" or "imag" (of the complex numbers, in the same memory), "view" (the same bytes as elements of
    another type: `a.view(dtype)`; where the types differ in size the last axis has the stride 1, and as many more or
    fewer elements), "read_only" (all of it, marked so that `np.is_read_only` tells it and the caller gets a view
    without the right to write), or "line" (all elements of memory from the lowest of the source to its highest, in the
    order of addresses; it becomes a `memref.reinterpret_cast`). Where it is loaded only, `npcc-compose-views` makes values of "real", "imag" and
    "read_only". Stays in the loop form, of a memref.
  }];
  let arguments = (ins Np_PartKind:$kind, AnyTypeOf<[Np_Array, AnyMemRef]>:$source, Variadic<Index>:$extents);
  let results = (outs AnyTypeOf<[Np_Array, AnyMemRef]>:$result);
  let assemblyFormat = "$kind $source `extents` `[` $extents `]` attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def Np_DimOp : Np_Op<"dim", [Pure, DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]> {
  let summary = "an extent";
  let arguments = (ins Np_ArrayOrValue:$source, I64Attr:$axis);
  let results = (outs Index:$extent);
  let assemblyFormat = "$source `,` $axis attr-dict `:` type($source)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Np_StrideOp : Np_Op<"stride", [Pure]> {
  let summary = "how many elements lie between two neighbours of an axis";
  let description = "Of a view in memory, which may be the caller's. Of fewer than two elements along the axis it is any number.";
  let arguments = (ins Np_Array:$array, I64Attr:$axis);
  let results = (outs Index:$stride);
  let assemblyFormat = "$array `,` $axis attr-dict `:` type($array)";
  let hasVerifier = 1;
}
def Np_IsReadOnlyOp : Np_Op<"is_read_only", [Pure]> {
  let summary = "whether stores into the array are refused: it is a read-only argument of the function, a read-only view, or a view of one";
  let description = [{
    Asked before each store in the general version. The fast one assumes that arguments are writable, and asks only
    where a view may have come from `np.part "read_only"` (np.broadcast_to, np.diagonal) by a way that the importer does
    not see through.
  }];
  let arguments = (ins AnyTypeOf<[Np_Array, AnyMemRef]>:$array);
  let results = (outs I1:$result);
  let assemblyFormat = "$array attr-dict `:` type($array)";
  let hasCanonicalizeMethod = 1;
}

def Np_IsContiguousOp : Np_Op<"is_contiguous", [Pure]> {
  let summary = "whether the elements lie one behind the other, in C or Fortran order";
  let description = "As NumPy's flags `c_contiguous` and `f_contiguous` (`order` is \"C\" or \"F\"): axes of one element may have any stride, and an array without elements is both.";
  let arguments = (ins Np_ElementOrder:$order, AnyTypeOf<[Np_Array, AnyMemRef]>:$array);
  let results = (outs I1:$result);
  let assemblyFormat = "$order $array attr-dict `:` type($array)";
  let hasCanonicalizeMethod = 1;
}

// A program makes any number of arrays and puts them into lists, dicts and objects: there an array is a number.
def Np_KeepOp : Np_Op<"keep", [MemoryEffects<[MemWrite<Np_References>]>]> {
  let summary = "a number for an array, which lives until the call ends";
  let description = [{
    What a list or an attribute of one of many objects holds of an array. `np.kept` makes the array of it again, in the
    same memory: what is stored through one of them is seen by all. The call frees what it keeps when its results are
    made.

    ```mlir
    %k = np.keep %a unsigned false : !np.array<?xf64>
    %b = np.kept %k unsigned false : !np.array<?xf64, strided>
    ```
  }];
  let arguments = (ins AnyTypeOf<[Np_Array, AnyMemRef]>:$array, BoolAttr:$is_unsigned);
  let results = (outs I64:$number);
  let assemblyFormat = "$array `unsigned` $is_unsigned attr-dict `:` type($array)";
  let hasFolder = 1;
}
def Np_KeptOp : Np_Op<"kept", [MemoryEffects<[MemRead<Np_References>]>]> {
  let summary = "the array that a number stands for";
  let description = [{
    An array of no elements where the number stands for none of this element type and rank: a list of several types asks
    before it knows whether its item is an array. It may be any array that was ever kept (npcc::mayAlias). In the loop
    form the result owns a reference.
  }];
  let arguments = (ins I64:$number, BoolAttr:$is_unsigned);
  let results = (outs AnyTypeOf<[Np_Array, AnyMemRef]>:$array);
  let assemblyFormat = "$number `unsigned` $is_unsigned attr-dict `:` type($array)";
}
#endif
