#ifndef NPCC_DIALECTS_NP_NPVALUES_TD
#define NPCC_DIALECTS_NP_NPVALUES_TD
// Values: what NumPy's functions give, whole.
include "dialects/Np/NpBase.td"

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
def Np_UfuncOp : Np_Op<"ufunc", [Pure, InferTypeButExtents,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<Np_ValueOpInterface, ["getElementCost", "getRowShift", "keepsPosition"]>, DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]> {
  let summary = "an elementwise function; operands broadcast";
  let description = [{
    `name` is a row of `dialects/Np/Ufuncs.def`, by NumPy's name. All operands have one element type (casts are
    operations of their own), except `where`, whose first is bool. Of scalars the result is a scalar. ValueError
    "operands could not be broadcast together with shapes ..."; with `in_place`, of `a += b`, the first operand's
    shape is named again, as that of the output.
  }];
  let arguments = (ins Np_Ufunc:$name, Variadic<Np_ValueOrScalar>:$inputs, UnitAttr:$in_place);
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
def Np_ReduceOp : Np_ValueOp<"reduce", "Walk", ["getRowShift"], [Pure, InferTypeButExtents]> {
  let summary = "reduce over axes (numpy.ufunc.reduce, argmax, argmin)";
  let description = [{
    `kind`: `add`, `multiply`, `maximum`, `minimum`, `logical_and`, `logical_or`, `bitwise_and`, `bitwise_or`,
    `bitwise_xor` keep the element type; `argmax`, `argmin` (one axis) give i64 positions of the first extremum. NaN
    propagates in maximum and minimum and is the extremum in argmax. `axes` is ascending and not empty. maximum,
    minimum, argmax and argmin of no elements are checked before (ValueError). Sums are no less accurate than NumPy's
    pairwise ones and their order depends on the extents only. `product`: the sum belongs to a product of matrices or
    vectors, whose order is a library's.
  }];
  let arguments = (ins Np_Reduction:$kind, AnyRankedTensor:$input, DenseI64ArrayAttr:$axes, UnitAttr:$product);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$kind $input `axes` $axes attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}
def Np_ScanOp : Np_ValueOp<"scan", "Whole", [], [Pure, InferTypeButExtents]> {
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
    reduce, with `product`, and so are stacks, of which those of large matrices become this operation
    again (npcc-batch-products): both have the same leading axes then.

    Operands have one element type, and the result has it too; or the operands are `f16` or `bf16` and the result is
    `f32` (npcc-narrow-products). Either way, products of narrow floats are summed in f32. With `tf32`
    operands of f32 may be rounded to the 11 bits that a GPU's units take.

    An epilogue (npcc-fuse-epilogues) is what happens to the elements of a 2-D product before they are stored,
    `activation(alpha A B + beta addend + bias)`: the addend has the result's type, the bias an element for each column,
    and what is left out changes nothing. It is computed in the type that is summed in.
  }];
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs, Optional<F64>:$alpha, Optional<AnyRankedTensor>:$addend, Optional<F64>:$beta,
                       Optional<AnyRankedTensor>:$bias, OptionalAttr<Np_Activation>:$activation, UnitAttr:$tf32);
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
    the result where `axes` stood. Negative positions count from the end; IndexError otherwise. `as_taken`: positions
    are looked at for each element before `axes`, so of an array without any there is no error (np.take).
  }];
  let arguments = (ins AnyRankedTensor:$source, Variadic<AnyRankedTensor>:$indices, DenseI64ArrayAttr:$axes,
                       UnitAttr:$as_taken);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{$source `[` $indices `]` `axes` $axes (`as_taken` $as_taken^)? attr-dict
                         `:` type($source) `,` type($indices) `->` type($result)}];
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
#endif
