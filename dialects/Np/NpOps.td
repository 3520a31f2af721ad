#ifndef NPCC_DIALECTS_NP_NPOPS_TD
#define NPCC_DIALECTS_NP_NPOPS_TD
include "dialects/Np/NpInterfaces.td"
include "dialects/Np/NpTypes.td"
include "mlir/IR/BuiltinTypes.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/MemorySlotInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Np_Op<string mnemonic, list<Trait> traits = []> : Op<Np_Dialect, mnemonic, traits>;

def Np_Array : Type<CPred<"::llvm::isa<::npcc::np::ArrayType>($_self)">, "array reference">;
def Np_Generator : Type<CPred<"::llvm::isa<::npcc::np::GeneratorType>($_self)">, "generator of random numbers">;
def Np_Slot : Type<CPred<"::llvm::isa<::npcc::np::SlotType>($_self)">, "slot">;
def Np_ArrayOrValue : AnyTypeOf<[Np_Array, AnyRankedTensor]>;
def Np_Scalar : AnyTypeOf<[AnyInteger, AnyFloat, AnyComplex]>;
def Np_ValueOrScalar : AnyTypeOf<[AnyRankedTensor, Np_Scalar]>;
// Also what the memory form (after lowering to loops) uses.
def Np_Any : AnyTypeOf<[Np_Array, AnyRankedTensor, AnyMemRef]>;

// What is written where no memory is: see Np.h.
def Np_Failure : Resource<"::npcc::np::Failure">;
def Np_Output : Resource<"::npcc::np::Output">;
def Np_References : Resource<"::npcc::np::References">;
def Np_Random : Resource<"::npcc::np::Random">;

// Operations on values: what an element costs, which defaults of ValueOpInterface they replace, and more traits.
class Np_ValueOp<string mnemonic, string cost, list<string> replaced, list<Trait> traits = [Pure]>
    : Np_Op<mnemonic, !listconcat([ReifyRankedShapedTypeOpInterface, DeclareOpInterfaceMethods<Np_ValueOpInterface, replaced>], traits)> {
  let extraClassDeclaration = "static constexpr ElementCost elementCost = ElementCost::" # cost # [{;
    ::llvm::LogicalResult reifyResultShapes(::mlir::OpBuilder &builder, ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return reifyExtents(*this, builder, shapes);
    }
  }];
}
defvar InferType = InferTypeOpAdaptor;

//===---- Words ----------------------------------------------------------------------------------------------------===//

// A string of a fixed set: the text and the memory hold the word, C++ asks for and gives an enumeration's case.
class Np_Word<string enum, string summary, string predicate = "::npcc::np::symbolize" # enum # "($_self)">
    : StringBasedAttr<CPred<!subst("$_self", "::llvm::cast<::mlir::StringAttr>($_self).getValue()", predicate)>, summary> {
  let returnType = "::npcc::np::" # enum;
  let convertFromStorage = "*::npcc::np::symbolize" # enum # "($_self.getValue())";
  let constBuilderCall = "$_builder.getStringAttr(::npcc::np::stringify" # enum # "($0))";
}
// Rows of Ufuncs.def. An unknown name is told by the verifier of np.ufunc, which names it.
def Np_Ufunc : Np_Word<"Ufunc", "an elementwise function", "true">;
def Np_Combiner : Np_Word<"Ufunc", "an elementwise function that reductions combine by", "::npcc::np::isCombiner($_self)">;
def Np_Reduction : Np_Word<"Reduction", "a reduction">;

class Np_Words<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::npcc::np";
}
def Np_PartKinds : Np_Words<"PartKind", "what np.part is of its source", [
    I32EnumAttrCase<"diagonal", 0>, I32EnumAttrCase<"real", 1>, I32EnumAttrCase<"imag", 2>, I32EnumAttrCase<"view", 3>,
    I32EnumAttrCase<"read_only", 4>]>;
// Told by the verifier of np.part too.
def Np_PartKind : Np_Word<"PartKind", "diagonal, real, imag, view or read_only", "true">;
def Np_BroadcastKinds : Np_Words<"BroadcastKind", "what extents are broadcast for", [
    I32EnumAttrCase<"ufunc", 0>, I32EnumAttrCase<"store", 1>, I32EnumAttrCase<"output", 2>, I32EnumAttrCase<"positions", 3>]>;
def Np_BroadcastKind : Np_Word<"BroadcastKind", "ufunc, store, output or positions">;

def Np_ElementOrders : Np_Words<"ElementOrder", "the order in which elements lie", [I32EnumAttrCase<"C", 0>, I32EnumAttrCase<"F", 1>]>;
def Np_ElementOrder : Np_Word<"ElementOrder", "C or F">;
def Np_Activations : Np_Words<"Activation", "what the elements of a product go through at last", [I32EnumAttrCase<"relu", 0>]>;
def Np_Activation : Np_Word<"Activation", "relu">;

//===---- Names ----------------------------------------------------------------------------------------------------===//

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

//===---- Arrays ---------------------------------------------------------------------------------------------------===//

def Np_NewOp : Np_Op<"new", [InferType]> {
  let summary = "a new C-contiguous array that holds a value";
  let arguments = (ins AnyRankedTensor:$value);
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
    array from shape (3,) into shape (4,)"; with the attribute `np.output` those of a ufunc's output). The element types
    are equal. The value is read entirely before the first element is written: a lowering makes a temporary where it
    must.
  }];
  let arguments = (ins Np_ValueOrScalar:$value, Arg<Np_Array, "", [MemWrite]>:$array);
  let assemblyFormat = "$value `,` $array attr-dict `:` type($value) `,` type($array)";
  let hasVerifier = 1;
}
def Np_StoreMaskedOp : Np_Op<"store_masked"> {
  let summary = "store where a mask is true (a[mask] = value)";
  let description = [{
    The mask covers the leading axes of the array. The value broadcasts to `array` (an element of the value for each
    element of the array, those where the mask is false are not used): `a[m] = b[m] * 2` is `np.store_masked (b * 2), m,
    a`.
  }];
  let arguments = (ins Np_ValueOrScalar:$value, AnyRankedTensor:$mask, Arg<Np_Array, "", [MemWrite]>:$array);
  let assemblyFormat = "$value `,` $mask `,` $array attr-dict `:` type($value) `,` type($mask) `,` type($array)";
  let hasVerifier = 1;
}
def Np_ScatterOp : Np_Op<"scatter"> {
  let summary = "store at positions given by integer arrays (a[i, j] = value)";
  let description = [{
    `indices` broadcast together and index the source axes `axes` (ascending, adjacent); the other axes are whole.
    Negative positions count from the end; IndexError otherwise. Where a position occurs twice, the last value stays.
    With `distinct` no position inside the array occurs twice, and values whose position is the extent or beyond it are
    left out: stores in any order, without checks.
  }];
  let arguments = (ins Np_ValueOrScalar:$value, Arg<Np_Array, "", [MemWrite]>:$array, Variadic<AnyRankedTensor>:$indices,
                       DenseI64ArrayAttr:$axes, UnitAttr:$distinct);
  let assemblyFormat = "$value `,` $array `[` $indices `]` `axes` `=` $axes (`distinct` $distinct^)? attr-dict `:` type($value) `,` type($array) `,` type($indices)";
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

    ```mlir
    // u[1:-1, 3] and u.T[::-1] of a 2-D u of extents n, m
    %a = np.view %u offsets [%c1, %c3] axes [0] extents [%n_2] steps [%c1] : !np.array<?x?xf64> -> !np.array<?xf64, strided>
    %b = np.view %u offsets [%c0, %m_1] axes [1, 0] extents [%m, %n] steps [%c_1, %c1] : ...
    ```
  }];
  let arguments = (ins Np_ArrayOrValue:$source, Variadic<Index>:$offsets, DenseI64ArrayAttr:$axes, Variadic<Index>:$extents,
                       Variadic<Index>:$steps);
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
def Np_ReshapeStridedOp : Np_Op<"reshape_strided"> {
  let summary = "numpy.reshape (or ravel) of an array that may not be contiguous: a view of it if its strides allow, a new array otherwise";
  let description = [{
    `ravel`: a view of a contiguous array only. `npcc-copy-reshapes` makes a value of it where nobody could tell a view
    from a copy. The extents' product is the source's size (checked before).
  }];
  let arguments = (ins Arg<Np_Array, "", [MemRead]>:$source, Variadic<Index>:$extents, UnitAttr:$ravel);
  let results = (outs Res<Np_Array, "", [MemAlloc]>:$result);
  let assemblyFormat = "(`ravel` $ravel^)? $source `extents` `[` $extents `]` attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def Np_PartOp : Np_Op<"part", [Pure, DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "a view of an array that np.view cannot describe";
  let description = [{
    `kind` is "diagonal" (the last two axes become one that runs along both: element (..., i) is (..., i, i) of the
    source), "real" or "imag" (of the complex numbers, in the same memory), "view" (the same bytes as elements of
    another type: `a.view(dtype)`; where the types differ in size the last axis has the stride 1, and as many more or
    fewer elements), or "read_only" (all of it, marked so that `np.is_read_only` tells it and the caller gets a view
    without the right to write). Where it is loaded only, `npcc-compose-views` makes values of "real", "imag" and
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

//===---- Values ---------------------------------------------------------------------------------------------------===//

def Np_FullOp : Np_ValueOp<"full", "Cheap", []> {
  let summary = "a value whose elements are all one scalar (numpy.full)";
  let description = "One extent for each axis.";
  let arguments = (ins Np_Scalar:$value, Variadic<Index>:$extents);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$value `extents` `[` $extents `]` attr-dict `:` type($value) `->` type($result)";
}
def Np_ArangeOp : Np_ValueOp<"arange", "Cheap", []> {
  let summary = "start + i * step (numpy.arange, the index along an axis)";
  let arguments = (ins Np_Scalar:$start, Np_Scalar:$step, Index:$extent);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$start `step` $step `extent` $extent attr-dict `:` type($start) `,` type($step) `->` type($result)";
}
def Np_UfuncOp : Np_Op<"ufunc", [Pure, InferType, DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<Np_ValueOpInterface, ["getElementCost", "getRowShift", "keepsPosition"]>, DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]> {
  let summary = "an elementwise function; operands broadcast";
  let description = [{
    `name` is a row of `dialects/Np/Ufuncs.def`, by NumPy's name. All operands have one element type (casts are
    operations of their own), except `where`, whose first is bool. Of scalars the result is a scalar. ValueError
    "operands could not be broadcast together with shapes ..."; with the attribute `np.in_place` the first operand's
    shape is named again, as that of the output.
  }];
  let arguments = (ins Np_Ufunc:$name, Variadic<Np_ValueOrScalar>:$inputs);
  let results = (outs Np_ValueOrScalar:$result);
  let assemblyFormat = "$name `(` $inputs `)` attr-dict `:` functional-type($inputs, $result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
def Np_CastOp : Np_ValueOp<"cast", "Cheap", ["getRowShift", "keepsPosition"]> {
  let summary = "convert elements (ndarray.astype)";
  let description = "C's conversions, as NumPy: to bool is `!= 0`, complex to real drops the imaginary part.";
  let arguments = (ins Np_ValueOrScalar:$input);
  let results = (outs Np_ValueOrScalar:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
def Np_BroadcastOp : Np_ValueOp<"broadcast", "Cheap", ["getRowShift"]> {
  let summary = "a value stretched to given extents";
  let description = [{
    The source's axes are the last ones of the result. An axis whose extent is statically 1 is stretched, one whose
    extent is the same SSA value as the result's runs along, any other is decided at run time (it is 1 or the result's:
    checked before by `np.broadcast_extent`). After `npcc-resolve-extents` every operand of `np.ufunc` and `np.store`
    has its result's extents, by this operation where it must.
  }];
  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$extents);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source `extents` `[` $extents `]` attr-dict `:` type($source) `->` type($result)";
}
def Np_BroadcastExtentOp : Np_Op<"broadcast_extent", [MemoryEffects<[MemWrite<Np_Failure>]>]> {
  let summary = "the extent that two extents broadcast to";
  let description = [{
    They are equal, or one is 1; otherwise the function fails with ValueError. `kind` chooses the words: "ufunc"
    (operands could not be broadcast together with shapes), "store" (could not broadcast input array from shape),
    "output" (non-broadcastable output operand) and "positions" (shape mismatch: value array could not be broadcast to
    indexing result); of all but the first `lhs` is the source's and must be 1 or equal. `shapes` are the whole shapes,
    for the message: that of `lhs`, that of `rhs`, and with the attribute `np.output_rank` that of the array which the
    result is stored into.
  }];
  let arguments = (ins Index:$lhs, Index:$rhs, Np_BroadcastKind:$kind, Variadic<Index>:$shapes, I64Attr:$lhs_rank);
  let results = (outs Index:$result);
  let assemblyFormat = "$kind $lhs `,` $rhs `shapes` `[` $shapes `]` `lhs_rank` $lhs_rank attr-dict";
  let hasFolder = 1;
}
def Np_ReduceOp : Np_ValueOp<"reduce", "Walk", ["getRowShift"], [Pure, InferType]> {
  let summary = "reduce over axes (numpy.ufunc.reduce, argmax, argmin)";
  let description = [{
    `kind`: `add`, `multiply`, `maximum`, `minimum`, `logical_and`, `logical_or`, `bitwise_and`, `bitwise_or`,
    `bitwise_xor` keep the element type; `argmax`, `argmin` (one axis) give i64 positions of the first extremum. NaN
    propagates in maximum and minimum and is the extremum in argmax. `axes` is ascending and not empty. maximum,
    minimum, argmax and argmin of no elements are checked before (ValueError). Sums are no less accurate than NumPy's
    pairwise ones and their order depends on the extents only.
  }];
  let arguments = (ins Np_Reduction:$kind, AnyRankedTensor:$input, DenseI64ArrayAttr:$axes);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$kind $input `axes` $axes attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}
def Np_ScanOp : Np_ValueOp<"scan", "Whole", [], [Pure, InferType]> {
  let summary = "running reduction along an axis (numpy.cumsum, cumprod, ufunc.accumulate)";
  let arguments = (ins Np_Combiner:$kind, AnyRankedTensor:$input, I64Attr:$axis);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$kind $input `axis` $axis attr-dict `:` type($input) `->` type($result)";
}
def Np_SortOp : Np_ValueOp<"sort", "Whole", []> {
  let summary = "the elements along the last axis in order (numpy.sort), or where they stood (numpy.argsort)";
  let description = [{
    NaN comes last, complex numbers go by their real and then their imaginary part. `positions`: the result is i64, and
    equal elements keep their order.
  }];
  let arguments = (ins AnyRankedTensor:$input, BoolAttr:$positions);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input `positions` $positions attr-dict `:` type($input) `->` type($result)";
}
def Np_SearchOp : Np_ValueOp<"search", "Walk", ["getRowShift", "keepsPosition", "isReadOften"]> {
  let summary = "positions at which values would be inserted into a sorted vector to keep its order (numpy.searchsorted)";
  let description = [{
    For each element of `values` the number (i64) of elements of `sorted` that come before it, or with `right` of those
    that do not come behind it. The order is that of `np.sort`. Both have one element type. If `sorted` is in no order,
    some number from 0 to its extent.
  }];
  let arguments = (ins AnyRankedTensor:$sorted, AnyRankedTensor:$values, UnitAttr:$right);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$values `in` $sorted (`right` $right^)? attr-dict `:` type($values) `,` type($sorted) `->` type($result)";
  let hasVerifier = 1;
}
def Np_RandomBitsOp : Np_ValueOp<"random_bits", "Costly", []> {
  let summary = "random bits, each a function of its position alone";
  let description = [{
    Element i, in C order, is number `start` + i of the stream of Philox 2x32-10 with the key `key` (Salmon et al.,
    "Parallel Random Numbers: As Easy as 1, 2, 3", 2011), of which the lower 32 bits are taken: 64 random bits. The
    stream repeats after 2^64 numbers.
  }];
  let arguments = (ins I64:$key, I64:$start, Variadic<Index>:$extents);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$key `from` $start `extents` `[` $extents `]` attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def Np_MatmulOp : Np_ValueOp<"matmul", "Whole", ["keepsPosition"], [Pure, AttrSizedOperandSegments]> {
  let summary = "matrix product of two 2-D values, or of stacks of matrices (numpy.matmul)";
  let description = [{
    Extents are checked before. Products with vectors are made of views by the importer; 1-D by 1-D is multiply and
    reduce, with the attribute `np.product`, and so are stacks, of which those of large matrices become this operation
    again (npcc-batch-products): both have the same leading axes then.

    Operands have one element type, and the result has it too; or the operands are `f16` or `bf16` and the result is
    `f32` (npcc-narrow-products). Either way, products of narrow floats are summed in f32. With the attribute `np.tf32`
    operands of f32 may be rounded to the 11 bits that a GPU's units take.

    An epilogue (npcc-fuse-epilogues) is what happens to the elements of a 2-D product before they are stored,
    `activation(alpha A B + beta addend + bias)`: the addend has the result's type, the bias an element for each column,
    and what is left out changes nothing. It is computed in the type that is summed in.
  }];
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs, Optional<F64>:$alpha, Optional<AnyRankedTensor>:$addend, Optional<F64>:$beta,
                       Optional<AnyRankedTensor>:$bias, OptionalAttr<Np_Activation>:$activation);
  let results = (outs AnyRankedTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$lhs, "::mlir::Value":$rhs), [{
    build($_builder, $_state, type, lhs, rhs, {}, {}, {}, {}, {});
  }]>];
  let assemblyFormat = [{$lhs `,` $rhs (`alpha` $alpha^)? (`addend` $addend^ `:` type($addend))? (`beta` $beta^)? (`bias` $bias^ `:` type($bias))?
                         (`activation` $activation^)? attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)}];
  let hasVerifier = 1;
}
def Np_GatherOp : Np_ValueOp<"gather", "Walk", ["getRowShift"], [NoMemoryEffect]> {
  let summary = "elements at positions given by integer arrays (a[i, j])";
  let description = [{
    `indices` (i64) have the same extents and index the source axes `axes` (ascending, adjacent); their axes stand in
    the result where `axes` stood. Negative positions count from the end; IndexError otherwise.
  }];
  let arguments = (ins AnyRankedTensor:$source, Variadic<AnyRankedTensor>:$indices, DenseI64ArrayAttr:$axes);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source `[` $indices `]` `axes` $axes attr-dict `:` type($source) `,` type($indices) `->` type($result)";
}
def Np_CompressOp : Np_ValueOp<"compress", "Whole", []> {
  let summary = "elements where a mask is true, in C order (a[mask])";
  let description = [{
    The mask covers the leading axes of the source (its extents are checked before); they become one axis, whose extent
    is the number of true elements and is found at run time (`np.dim` of the result).
  }];
  let arguments = (ins AnyRankedTensor:$source, AnyRankedTensor:$mask);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source `,` $mask attr-dict `:` type($source) `,` type($mask) `->` type($result)";
}
def Np_InsertOp : Np_ValueOp<"insert", "Cheap", ["getRowShift"], [Pure, AttrSizedOperandSegments]> {
  let summary = "a value with a region replaced (made of stores into arrays that nobody else sees)";
  let description = "The region is described as in `np.view`. `value` has the region's extents.";
  let arguments = (ins AnyRankedTensor:$value, AnyRankedTensor:$destination, Variadic<Index>:$offsets, DenseI64ArrayAttr:$axes,
                       Variadic<Index>:$extents, Variadic<Index>:$steps);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{$value `into` $destination `offsets` `[` $offsets `]` `axes` $axes `extents` `[` $extents `]` `steps` `[` $steps `]`
                         attr-dict `:` type($value) `into` type($destination)  `->` type($result)}];
}
def Np_ItemOp : Np_Op<"item", [Pure]> {
  let summary = "a 0-d value as a host scalar (ndarray.item); waits for the device";
  let arguments = (ins AnyRankedTensor:$value);
  let results = (outs Np_Scalar:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasFolder = 1;
}

//===---- Python's integers ----------------------------------------------------------------------------------------===//

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

//===---- Checks and effects ---------------------------------------------------------------------------------------===//

def Np_CheckIndexOp : Np_Op<"check_index", [MemoryEffects<[MemWrite<Np_Failure>]>]> {
  let summary = "a position counted from the start; IndexError if it is out of bounds";
  let description = "index in [-size, size); negative ones count from the end. \"index 7 is out of bounds for axis 0 with size 5\".";
  let arguments = (ins Index:$position, Index:$size, I64Attr:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "$position `of` $size `axis` $axis attr-dict";
  let hasFolder = 1;
}
def Np_AssertOp : Np_Op<"assert", [MemoryEffects<[MemWrite<Np_Failure>]>]> {
  let summary = "fail with a Python exception unless the condition holds";
  let description = "`error` is the exception's name (\"ValueError\"); `{0}`, `{1}`... of the message stand for the arguments (integers).";
  let arguments = (ins I1:$condition, StrAttr:$error, StrAttr:$message, Variadic<AnyTypeOf<[Index, I64]>>:$arguments);
  let assemblyFormat = "$condition `,` $error $message `(` $arguments `)` attr-dict (`:` type($arguments)^)?";
}
def Np_PrintOp : Np_Op<"print", [MemoryEffects<[MemWrite<Np_Output>]>]> {
  let summary = "print()";
  let description = [{
    `pieces` are written one after the other: each is a literal text (a string attribute), or an array attribute
    [position of an operand, format spec, ...], where "unsigned" may follow, "bare" for a complex number without
    parentheses, or "text" for a string's number (np.text). All separators and the end are literals already.
  }];
  let arguments = (ins Variadic<Np_Scalar>:$arguments, ArrayAttr:$pieces);
  let assemblyFormat = "$pieces `(` $arguments `)` attr-dict (`:` type($arguments)^)?";
}

// Strings are the host's: the table is read as standard output is.
def Np_TextOp : Np_Op<"text", [MemoryEffects<[MemRead<Np_Output>]>]> {
  let summary = "a string that is known at run time only, by its number";
  let description = [{
    What np.print would write of the pieces, where "text" may follow an operand's format too: it is a string's number.
    Equal strings have equal numbers, a character alone has its code point's, and None is below 0.
  }];
  let arguments = (ins Variadic<Np_Scalar>:$arguments, ArrayAttr:$pieces);
  let results = (outs I64:$number);
  let assemblyFormat = "$pieces `(` $arguments `)` attr-dict (`:` type($arguments)^)?";
}
def Np_TextFunctionOp : Np_Op<"text_function", [MemoryEffects<[MemRead<Np_Output>]>]> {
  let summary = "what the runtime makes of strings and integers";
  let description = [{
    `function` is the end of a name in `runtime/npcc_rt.h` ("at" of `npcc_rt_text_at`), or `name:types` of one of
    Python's methods, as `npcc_rt_text_method` takes it. Strings are their numbers.
  }];
  let arguments = (ins StrAttr:$function, Variadic<I64>:$arguments);
  let results = (outs I64:$result);
  let assemblyFormat = "$function `(` $arguments `)` attr-dict";
}

def Np_PythonOp : Np_Op<"python", [MemoryEffects<[MemRead<Np_Output>, MemWrite<Np_Output>, MemWrite<Np_Failure>]>]> {
  let summary = "a part of the program that Python runs";
  let description = [{
    An expression or statement on Python's own objects, for what compiled code has no types for. `part` is `python
    text:types>type`: the text says what is run (npcc/objects.py), the letters what the arguments and the result are
    (frontend/module/parts.c). Objects are numbers.
  }];
  let arguments = (ins StrAttr:$part, Variadic<I64>:$arguments);
  let results = (outs I64:$result);
  let assemblyFormat = "$part `(` $arguments `)` attr-dict";
}
def Np_CheckStackOp : Np_Op<"check_stack", [MemoryEffects<[MemWrite<Np_Failure>]>]> {
  let summary = "RecursionError if little is left of the thread's stack";
  let description = "At the beginning of a function that may call itself.";
  let assemblyFormat = "attr-dict";
}
def Np_ClockOp : Np_Op<"clock", [MemoryEffects<[MemRead<Np_Output>, MemWrite<Np_Output>]>]> {
  let summary = "a clock of Python's module time, in seconds";
  let description = "`kind` is \"time\", \"perf_counter\", \"monotonic\" or \"process_time\". Waits for the device, so that what was begun before has ended.";
  let arguments = (ins StrAttr:$kind);
  let results = (outs F64:$seconds);
  let assemblyFormat = "$kind attr-dict";
}

def Np_RoutineOp : Np_Op<"routine", [AttrSizedOperandSegments]> {
  let summary = "a routine of the runtime's libraries on arrays: linear algebra, Fourier transforms";
  let description = [{
    `routine` is one of `runtime/Routines.h`, which says what its operands are. The inputs are only read and may have
    any strides; the outputs may be read too. `failed` is the number, from 1, of the first matrix of a stack that has no
    result, or 0.
  }];
  let arguments = (ins StrAttr:$routine, Arg<Variadic<Np_Any>, "", [MemRead]>:$inputs, Arg<Variadic<Np_Any>, "", [MemRead, MemWrite]>:$outputs);
  let results = (outs I64:$failed);
  let assemblyFormat = "$routine `(` $inputs `)` `to` `(` $outputs `)` attr-dict `:` functional-type(operands, results)";
}

//===---- Random numbers -------------------------------------------------------------------------------------------===//

def Np_NewGeneratorOp : Np_Op<"new_generator", [MemoryEffects<[MemRead<Np_Random>, MemWrite<Np_Random>, MemWrite<Np_Failure>]>,
                                               AttrSizedOperandSegments]> {
  let summary = "a new generator of random numbers, or another view of one";
  let description = [{
    `bits` is NumPy's bit generator ("PCG64", "PCG64DXSM", "Philox", "MT19937", "SFC64"), or "" where there is none or
    it is the parent's. `seeding` says where the state comes from:

    * "entropy": the operating system;
    * "integers": a `numpy.random.SeedSequence` of the integers in `seed` (int64, rank 1, contiguous), and "unsigned": of the bits of uint64;
    * "sequence": the parent, a SeedSequence;
    * "spawn": a new child of the parent's SeedSequence, of the parent's kind and bits;
    * "legacy": the one integer in `seed`, and "legacy_array": several, as `numpy.random.RandomState` takes them; "legacy_squeezed": several, or the one;
    * "share": the parent's own state, under another class.

    An integer that no seed may be is a ValueError, in NumPy's words. The state lives until the call ends.
  }];
  let arguments = (ins StrAttr:$bits, StrAttr:$seeding, Optional<Np_Generator>:$parent, Arg<Optional<Np_Any>, "", [MemRead]>:$seed);
  let results = (outs Np_Generator:$result);
  let assemblyFormat = [{
    $bits $seeding (`of` $parent^ `:` type($parent))? (`seed` $seed^ `:` type($seed))? attr-dict `->` type($result)
  }];
}
def Np_SeedGeneratorOp : Np_Op<"seed_generator", [MemoryEffects<[MemRead<Np_Random>, MemWrite<Np_Random>, MemWrite<Np_Failure>]>]> {
  let summary = "the state of a generator anew (numpy.random.seed)";
  let description = "`seeding` is \"entropy\", \"legacy\", \"legacy_array\" or \"legacy_squeezed\" of np.new_generator. A generator that is no MT19937 is a TypeError.";
  let arguments = (ins StrAttr:$seeding, Np_Generator:$generator, Arg<Optional<Np_Any>, "", [MemRead]>:$seed);
  let assemblyFormat = "$seeding `of` $generator `:` type($generator) (`seed` $seed^ `:` type($seed))? attr-dict";
}
def Np_CapturedGeneratorOp : Np_Op<"captured_generator", [MemoryEffects<[MemRead<Np_Random>, MemWrite<Np_Failure>]>]> {
  let summary = "a generator of the caller's that is no argument";
  let description = [{
    Number 0 is NumPy's global one, which `numpy.random.normal()` and its like draw from. The others are those that
    globals and closures name; the caller gives them with the call (npcc_call_options).
  }];
  let arguments = (ins I64Attr:$number);
  let results = (outs Np_Generator:$result);
  let assemblyFormat = "$number attr-dict `:` type($result)";
}

class Np_Drawing<string mnemonic, list<Trait> traits = []>
    : Np_Op<mnemonic, !listconcat([MemoryEffects<[MemRead<Np_Random>, MemWrite<Np_Random>, MemWrite<Np_Failure>]>], traits)>;

def Np_DrawOp : Np_Drawing<"draw", [AttrSizedOperandSegments]> {
  let summary = "random numbers into a whole array, in C order";
  let description = [{
    `distribution` is a row of runtime/random/Distributions.def, which says what the parameters are; `dtype` is NumPy's
    name of the array's. Parameters of elements are `scalars`, or they all are `arrays` (float64 or int64, contiguous)
    with as many elements as `out`. A parameter that is out of its bounds is a ValueError, in NumPy's words, before
    anything is drawn. Draws stay in order and are neither merged nor dropped: each changes the state.
  }];
  let arguments = (ins StrAttr:$distribution, StrAttr:$dtype, Np_Generator:$generator, Variadic<Np_Scalar>:$scalars,
                       Arg<Variadic<Np_Any>, "", [MemRead]>:$arrays, Arg<Np_Any, "", [MemWrite]>:$out);
  let assemblyFormat = [{
    $distribution $dtype `from` $generator `:` type($generator) (`(` $scalars^ `:` type($scalars) `)`)?
    (`of` `(` $arrays^ `:` type($arrays) `)`)? `into` $out `:` type($out) attr-dict
  }];
}
def Np_DrawScalarOp : Np_Drawing<"draw_scalar"> {
  let summary = "one random number, on the host";
  let description = "As np.draw of one element. Numbers narrower than 64 bits are given as float64, int64 or bool.";
  let arguments = (ins StrAttr:$distribution, StrAttr:$dtype, Np_Generator:$generator, Variadic<Np_Scalar>:$scalars);
  let results = (outs Np_Scalar:$result);
  let assemblyFormat = [{
    $distribution $dtype `from` $generator `:` type($generator) (`(` $scalars^ `:` type($scalars) `)`)? attr-dict `->` type($result)
  }];
}

//===---- Many devices ---------------------------------------------------------------------------------------------===//

def Np_RankOp : Np_Op<"rank", [Pure]> {
  let summary = "this device's position in the group";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}
def Np_DeviceCountOp : Np_Op<"device_count", [Pure]> {
  let summary = "the number of devices in the group";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}
def Np_ExchangeHaloOp : Np_Op<"exchange_halo"> {
  let summary = "fill the rows around a tile's own ones from the devices that own them";
  let description = [{
    The array's first axis holds `before` ghost rows, the tile's own rows, and `after` ghost rows; the rows of
    consecutive devices follow each other. A halo of all rows gathers the whole array.
  }];
  let arguments = (ins Arg<AnyTypeOf<[Np_Array, AnyMemRef]>, "", [MemRead, MemWrite]>:$tile, Index:$before, Index:$after);
  let assemblyFormat = "$tile `before` $before `after` $after attr-dict `:` type($tile)";
}

//===---- Kernels --------------------------------------------------------------------------------------------------===//

def Np_KernelKind : I32EnumAttr<"KernelKind", "how the iterations of a kernel meet memory", [
    I32EnumAttrCase<"map", 0>, I32EnumAttrCase<"rows", 1>, I32EnumAttrCase<"columns", 2>, I32EnumAttrCase<"scan", 3>,
    I32EnumAttrCase<"transpose", 4>, I32EnumAttrCase<"updates", 5>, I32EnumAttrCase<"steps", 6>]> {
  let cppNamespace = "::npcc::np";
}
def Np_Cut : I32EnumAttr<"Cut", "whether the loops inside a kernel are cut into parts that kernels of their own compute", [
    I32EnumAttrCase<"ask", 0>, I32EnumAttrCase<"always", 1>, I32EnumAttrCase<"never", 2>]> {
  let cppNamespace = "::npcc::np";
}

def Np_KernelOp : Np_Op<"kernel", [RecursiveMemoryEffects, AutomaticAllocationScope, SingleBlockImplicitTerminator<"EndOp">,
    DeclareOpInterfaceMethods<LoopLikeOpInterface,
      ["getLoopInductionVars", "getLoopLowerBounds", "getLoopUpperBounds", "getLoopSteps"]>]> {
  let summary = "what a device runs at once: independent iterations over a space, on memory";
  let description = [{
    An iteration has one position along each axis, from 0 to below the axis' extent. It gives no values, it stores. What
    is used inside and defined outside is a parameter: scalars and memrefs. No iteration touches an element that another
    one stores, with one exception: `memref.atomic_rmw`, an update that iterations may meet in: of integers, which leave
    the same in any order. Kernels do not hold kernels, and what stands outside of every kernel is host code.

    The body is scalar code, loads and stores, `scf.for`, `scf.if`, `scf.while`, checks, and inner `scf.parallel` loops
    from 0 in steps of 1: walks, which give nothing, and reductions, whose `scf.reduce` combines by one operation on its
    two arguments, beginning with its neutral element.

    `kind` says which emitter takes the kernel; `npcc-classify-kernels` gives it to those that were made without:

    | kind | an iteration ... |
    |---|---|
    | map | computes elements at its own position, and whatever has no kind of its own |
    | rows | holds loops along the contiguous axis; of a full reduction there is one |
    | columns | holds one reduction across the contiguous axis, along which its neighbours lie |
    | scan | is a running reduction along a line |
    | transpose | loads along one axis what it stores along another |
    | updates | updates elements that others may update too; or: is one part of them, an inner loop that updates `a[iteration, ...]` |
    | steps | is a loop of the host with all of its kernels, or one of its iterations: a block's threads take parts of the loops inside |

    `cut`: whether passes may cut its loops into parts: by the extents at run time (ask), in any case (always: the
    extents have been asked already), or not (it is a part itself). `cold`: not worth much code, its time goes into
    functions that it calls.

    ```mlir
    np.kernel rows (%i) = (%n) {                                                    // norms: sqrt(sum(x**2, -1))
      %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
        %x = memref.load %a[%i, %k] : memref<?x?xf64>
        %q = arith.mulf %x, %x : f64
        scf.reduce(%q : f64) { ^bb0(%l: f64, %r: f64): %t = arith.addf %l, %r : f64  scf.reduce.return %t : f64 }
      }
      %r = math.sqrt %s : f64
      memref.store %r, %out[%i] : memref<?xf64>
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$extents, OptionalAttr<Np_KernelKind>:$kind, DefaultValuedAttr<Np_Cut, "::npcc::np::Cut::ask">:$cut,
                       UnitAttr:$cold);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$extents)>];
  let extraClassDeclaration = [{
    unsigned getNumLoops() { return getExtents().size(); }
    ::mlir::Block::BlockArgListType getInductionVars() { return getBody()->getArguments(); }
    /// Whether there is one iteration, by constant extents.
    bool isUnit();
  }];
}
def Np_EndOp : Np_Op<"end", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "the end of a kernel's body";
  let assemblyFormat = "attr-dict";
}

def Np_Grouping : I32EnumAttr<"Grouping", "in which order a fold may combine", [I32EnumAttrCase<"ordered", 0>, I32EnumAttrCase<"any", 1>]> {
  let cppNamespace = "::npcc::np";
}
def Np_FoldOp : Np_Op<"fold", [RecursiveMemoryEffects, TypesMatchWith<"totals are of the types of the initial values", "totals", "initial", "$_self",
                               "std::equal_to<TypeRange>()">, DeclareOpInterfaceMethods<LoopLikeOpInterface>]> {
  let summary = "what a loop carries, apart from what it does beside: sums, running sums, recurrences";
  let description = [{
    For each position from 0 to below the extent, in order: `element` computes values at it that do not depend on what
    is carried; `combine` makes the new totals of the totals and these, by scalar code alone; and `each` may store what
    it makes of the new totals. The results are the last totals.

    So elements, and what `each` does, are computed for many positions at once. `any` says that totals may be grouped in
    any way too: `combine` is then one associative operation on each total and its element. No position reads what
    another one stores. `neutral`: the initial totals change nothing, so that every part of the line may begin with
    them.

    ```mlir
    %s = np.fold any %n init(%z) {                                   // y = cumsum(x), s = sum(x)
    ^bb0(%k: index):
      %x = memref.load %a[%k] : memref<?xf64>
      np.yield %x : f64
    } combine {
    ^bb0(%total: f64, %x: f64):
      %next = arith.addf %total, %x : f64
      np.yield %next : f64
    } each {
    ^bb0(%k: index, %total: f64):
      memref.store %total, %y[%k] : memref<?xf64>
      np.yield
    } : f64
    ```
  }];
  let arguments = (ins Np_Grouping:$grouping, UnitAttr:$neutral, Index:$extent, Variadic<AnyType>:$initial);
  let results = (outs Variadic<AnyType>:$totals);
  let regions = (region SizedRegion<1>:$element, SizedRegion<1>:$combine, SizedRegion<1>:$each);
  let assemblyFormat = "$grouping (`neutral` $neutral^)? $extent `init` `(` $initial `)` attr-dict-with-keyword $element `combine` $combine `each` $each `:` type($totals)";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The position, in the two regions that have one.
    ::mlir::BlockArgument getPosition() { return getElement().getArgument(0); }
    ::mlir::BlockArgument getEachPosition() { return getEach().getArgument(0); }
    unsigned getNumElements() { return getElement().front().getTerminator()->getNumOperands(); }
    /// Whether `each` does anything.
    bool isRunning() { return !getEach().front().without_terminator().empty(); }
    /// The code of `combine` at the builder.
    ::llvm::SmallVector<::mlir::Value> emitCombine(::mlir::OpBuilder &builder, ::mlir::ValueRange totals, ::mlir::ValueRange elements);
  }];
}
def Np_YieldOp : Np_Op<"yield", [Pure, Terminator, HasParent<"FoldOp">]> {
  let summary = "what a region of a fold gives";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

//===---- Memory form: what remains beside scf, memref, arith and math after lowering to loops -----------------------===//

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
def Np_CallReshapeOp : Np_Op<"call_reshape"> {
  let summary = "the source with other extents: a view of it (one more reference) or a new buffer";
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$source, Variadic<Index>:$extents, BoolAttr:$ravel, BoolAttr:$is_unsigned);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$result);
  let assemblyFormat = "$source `extents` `[` $extents `]` `ravel` $ravel attr-dict `:` type($source) `->` type($result)";
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
  let description = "The epilogue is that of np.matmul. The addend may be the result's own buffer, what is added to.";
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$lhs, Arg<AnyMemRef, "", [MemRead]>:$rhs, Arg<AnyMemRef, "", [MemWrite]>:$result, BoolAttr:$is_unsigned,
                       Optional<F64>:$alpha, Arg<Optional<AnyMemRef>, "", [MemRead]>:$addend, Optional<F64>:$beta,
                       Arg<Optional<AnyMemRef>, "", [MemRead]>:$bias, OptionalAttr<Np_Activation>:$activation);
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs, "::mlir::Value":$result, "bool":$isUnsigned), [{
    build($_builder, $_state, lhs, rhs, result, $_builder.getBoolAttr(isUnsigned), {}, {}, {}, {}, {});
  }]>];
  let extraClassDeclaration = "bool hasEpilogue() { return getAlpha() || getAddend() || getBias() || getActivation(); }";
  let assemblyFormat = [{$lhs `,` $rhs `into` $result (`alpha` $alpha^)? (`addend` $addend^ `:` type($addend))? (`beta` $beta^)?
                         (`bias` $bias^ `:` type($bias))? (`activation` $activation^)? attr-dict `:` type($lhs) `,` type($rhs) `,` type($result)}];
}

//===---- Threads --------------------------------------------------------------------------------------------------===//

include "dialects/Np/NpThreadOps.td"
#endif
