// The same elements with other axes: views of arrays, values of values.
#include "frontend/importer/Subscripts.h"
#include "frontend/numpy/Table.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

PyValue runtime(Value value) { return value ? PyValue::runtime(value) : PyValue::poison(); }
Value product(Interpreter &in, ArrayRef<Value> extents, std::optional<size_t> but = {}) {
  Value result;
  for (auto [k, extent] : llvm::enumerate(extents))
    if (!but || *but != k)
      result = result ? in.ir.createOrFold<arith::MulIOp>(result, extent) : extent;
  return result ? result : in.ir.index(1);
}

/// Several integers or one tuple, as ndarray.reshape and transpose take them.
PyValue oneOrMany(const PyValue &rest) {
  const std::vector<PyValue> &items = rest->items;
  if (items.size() == 1 &&
      (items[0].isSequence() || (items[0].isObject() && PyTuple_Check(items[0].object().get())) || items[0].isNone()))
    return items[0];
  return rest;
}

/// A temporary array that loses all its axes is an array of no axes still, which a value of rank 0 (NumPy's scalar) is
/// not.
Value arrayOfNoAxes(Interpreter &in, Value source, Value result) {
  bool isRight =
      isa<np::ArrayType>(result.getType()) || np::getRank(result.getType()) > 0 || np::getRank(source.getType()) == 0;
  return isRight ? result : in.ir.newArray(result);
}

/// A reshape that the program asks for. Nobody stores into what NumPy's own functions reshape, so there a view serves
/// as well as NumPy's copy.
static Value reshapedView(Interpreter &in, Value source, ArrayRef<Value> extents, ArrayRef<int64_t> shape, bool ravel) {
  return in.env.frame->isLibrary ? in.ir.reshape(source, extents, shape, ravel)
                                 : in.ir.reshapeAsNumpy(source, extents, shape, ravel);
}

PyValue reshapeTo(Interpreter &in, const PyValue &a, const PyValue &newShape, const PyValue &order) {
  Value source = asArray(in, a);
  std::optional<size_t> unknown;
  PyValue wantedShape = newShape;
  std::vector<PyValue> items;
  if (!asSequence(in, newShape, items))
    items = {newShape};
  for (auto [k, item] : llvm::enumerate(items))
    if (std::optional<int64_t> known = asInteger(in, item); known && *known < 0) {
      if (unknown)
        return in.fail("ValueError: can only specify one unknown dimension");
      unknown = k;
      if (*known < -1) { // which says the same
        item = PyValue::object(py::integer(-1));
        wantedShape = PyValue::sequence(items);
      }
    }
  SmallVector<Value> extents;
  SmallVector<int64_t> shape;
  if (!source || !asShape(in, wantedShape, extents, shape))
    return PyValue::poison();
  NpBuilder &b = in.ir;
  Value size = in.ir.size(source);
  Value wanted = product(in, extents, unknown);
  Value zero = in.ir.index(0);
  // NumPy names the shape: all its extents are arguments of the message, but an unknown first one.
  auto fail = [&](Value fits) {
    std::string text;
    SmallVector<Value> arguments{size};
    size_t named = 0;
    for (auto [k, extent] : llvm::enumerate(extents)) {
      if (unknown == k && k == 0)
        continue;
      text += named++ ? "," : "";
      if (unknown == k) {
        text += "newaxis";
        continue;
      }
      text += "{" + std::to_string(arguments.size()) + "}";
      arguments.push_back(extent);
    }
    text += named == 1 && !unknown ? ",)" : ")";
    in.ir.check(fits, "ValueError", "cannot reshape array of size {0} into shape (" + text, arguments);
  };
  if (unknown) {
    Value divisor = b.createOrFold<arith::MaxSIOp>(wanted, in.ir.index(1));
    extents[*unknown] = b.createOrFold<arith::DivUIOp>(size, divisor);
    shape[*unknown] = ShapedType::kDynamic;
    Value rest = b.createOrFold<arith::RemUIOp>(size, divisor);
    // Where the others' product is 0, any extent would do.
    Value fits = b.createOrFold<arith::AndIOp>(in.ir.compareIndex(arith::CmpIPredicate::eq, rest, zero),
                                               in.ir.compareIndex(arith::CmpIPredicate::ne, wanted, zero));
    fail(fits);
  } else if (size != wanted) {
    fail(in.ir.compareIndex(arith::CmpIPredicate::eq, size, wanted));
  }
  return inOrderOf(in, order, source, /*isReshape=*/true, [&](bool isFortran) {
    if (!isFortran)
      return runtime(arrayOfNoAxes(in, source, reshapedView(in, source, extents, shape, /*ravel=*/false)));
    auto turnedExtents = llvm::to_vector(llvm::reverse(extents));
    auto turnedShape = llvm::to_vector(llvm::reverse(shape));
    Value result = in.ir.reshape(in.ir.turned(source), turnedExtents, turnedShape);
    if (!isa<np::ArrayType>(result.getType()) && extents.size() > 1)
      result = in.ir.newArray(result);
    return runtime(arrayOfNoAxes(in, source, in.ir.turned(result)));
  });
}

/// reshape(copy=True) is never a view, and copy=False never a copy.
PyValue reshaped(Interpreter &in, PyValue a, const PyValue &shape, const PyValue &order, const PyValue &copy) {
  if (!copy.isNone()) {
    if (!copy.isObject())
      return in.fail("copy must be known at compile time");
    if (py::isTrue(copy.object()))
      a = callNumpy(in, "copy", {a, order});
    else if (np::ArrayType type = a.arrayType(); type && !type.getContiguous())
      return in.fail("whether this array can be reshaped without a copy is not known at compile time",
                     "leave copy=False out");
  }
  return reshapeTo(in, a, shape, order);
}
PyValue emitReshape(Interpreter &in, Arguments &args) {
  return reshaped(in, args["a"], args["shape"], args["order"], args["copy"]);
}
const Registered reshapeRows{{"numpy.reshape", "a, shape, order='C', *, copy=None", emitReshape}};
PyValue emitReshapeMethod(Interpreter &in, Arguments &args) {
  return reshaped(in, args["a"], oneOrMany(args["shape"]), args["order"], args["copy"]);
}
const Registered reshapeMethodRows{{"ndarray.reshape", "a, *shape, order='C', copy=None", emitReshapeMethod}};

PyValue emitRavel(Interpreter &in, Arguments &args) {
  Value source = asArray(in, args["a"]);
  if (!source)
    return PyValue::poison();
  return inOrderOf(in, args["order"], source, /*isReshape=*/false, [&](bool isFortran) {
    Value ordered = isFortran ? in.ir.turned(source) : source;
    auto array = dyn_cast<np::ArrayType>(ordered.getType());
    if (array && array.getRank() == 1 && array.getContiguous())
      return runtime(in.ir.viewUnlessCopied(ordered));
    return runtime(reshapedView(in, ordered, {in.ir.size(ordered)}, {ShapedType::kDynamic}, /*ravel=*/true));
  });
}
const Registered ravelRows{{"numpy.ravel", "a, order='C'", emitRavel}};
PyValue emitFlatten(Interpreter &in, Arguments &args) {
  Value array = asArray(in, args["a"]);
  if (!array)
    return PyValue::poison();
  return inOrderOf(in, args["order"], array, /*isReshape=*/false, [&](bool isFortran) {
    Value source = isa<np::ArrayType>(array.getType()) ? in.ir.load(array) : array;
    if (isFortran)
      source = in.ir.turned(source);
    if (np::getRank(source.getType()) != 1)
      source = in.ir.reshape(source, {in.ir.size(source)}, {ShapedType::kDynamic});
    return runtime(in.ir.newArray(source));
  });
}
const Registered flattenRows{{"ndarray.flatten", "a, order='C'", emitFlatten}};

PyValue permuted(Interpreter &in, const PyValue &a, const PyValue &axes) {
  Value source = asArray(in, a);
  if (!source)
    return PyValue::poison();
  int64_t rank = np::getRank(source.getType());
  SmallVector<int64_t> order;
  if (axes.arrayType() || (axes.isSequence() && axes->items.size() == 1 && axes->items[0].arrayType()))
    return in.fail("axes must be known at compile time, not an array", "write them as a tuple");
  if (axes.isNone() || (axes.isSequence() && axes->items.empty())) {
    for (int64_t axis = rank; axis-- > 0;)
      order.push_back(axis);
  } else {
    std::vector<PyValue> given;
    if (asSequence(in, axes, given) && static_cast<int64_t>(given.size()) != rank)
      return in.fail("ValueError: axes don't match array");
    if (!asAxes(in, axes, rank, order, "", "repeated axis in transpose"))
      return PyValue::poison();
    if (static_cast<int64_t>(order.size()) != rank)
      return in.fail("ValueError: axes don't match array");
  }
  return a.isNumpyScalar() ? a : asNewArray(in, in.ir.permute(source, order));
}
PyValue emitTranspose(Interpreter &in, Arguments &args) { return permuted(in, args["a"], args["axes"]); }
const Registered transposeRows{
    {"numpy.transpose", "a, axes=None", emitTranspose},
    {"numpy.permute_dims", "a, axes=None", emitTranspose},
};

PyValue emitTransposeMethod(Interpreter &in, Arguments &args) {
  return permuted(in, args["a"], oneOrMany(args["axes"]));
}
const Registered transposeMethodRows{{"ndarray.transpose", "a, *axes", emitTransposeMethod}};

PyValue emitSwapaxes(Interpreter &in, Arguments &args) {
  Value source = asArray(in, args["a"]);
  if (!source)
    return PyValue::poison();
  int64_t rank = np::getRank(source.getType());
  auto first = asAxis(in, args["axis1"], rank, "axis1"), second = asAxis(in, args["axis2"], rank, "axis2");
  if (!first || !second)
    return PyValue::poison();
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(order[*first], order[*second]);
  return runtime(in.ir.permute(source, order));
}
const Registered swapaxesRows{{"numpy.swapaxes", "a, axis1, axis2", emitSwapaxes}};

PyValue emitMoveaxis(Interpreter &in, Arguments &args) {
  Value array = asArray(in, args["a"]);
  if (!array)
    return PyValue::poison();
  int64_t rank = np::getRank(array.getType());
  SmallVector<int64_t> from, to;
  if (!asAxes(in, args["source"], rank, from, "source") || !asAxes(in, args["destination"], rank, to, "destination"))
    return PyValue::poison();
  if (from.size() != to.size())
    return in.fail("ValueError: `source` and `destination` arguments must have the same number of elements");
  SmallVector<int64_t> rest, order(rank, -1);
  for (int64_t axis = 0; axis < rank; ++axis)
    if (!llvm::is_contained(from, axis))
      rest.push_back(axis);
  for (auto [source, target] : llvm::zip(from, to))
    order[target] = source;
  size_t next = 0;
  for (int64_t &axis : order)
    if (axis < 0)
      axis = rest[next++];
  return runtime(in.ir.permute(array, order));
}
const Registered moveaxisRows{{"numpy.moveaxis", "a, source, destination", emitMoveaxis}};

PyValue emitExpandDims(Interpreter &in, Arguments &args) {
  Value source = asArray(in, args["a"]);
  if (!source)
    return PyValue::poison();
  if (args["axis"].isNone()) // of other functions all axes
    return in.fail("TypeError: 'NoneType' object cannot be interpreted as an integer");
  std::vector<PyValue> items;
  if (!asSequence(in, args["axis"], items))
    items = {args["axis"]};
  SmallVector<int64_t> axes;
  if (!asAxes(in, args["axis"], np::getRank(source.getType()) + items.size(), axes, {}, "repeated axis"))
    return PyValue::poison();
  return runtime(in.ir.expandDims(source, axes));
}
const Registered expandDimsRows{{"numpy.expand_dims", "a, axis", emitExpandDims}};

PyValue emitSqueeze(Interpreter &in, Arguments &args) {
  Value source = asArray(in, args["a"]);
  if (!source)
    return PyValue::poison();
  if (!args["a"].isRuntime() || args["a"].isPythonScalar()) // no method of its own: NumPy makes an array of it
    source = isa<np::ArrayType>(source.getType()) ? source : in.ir.newArray(source);
  ArrayRef<int64_t> shape = np::getShape(source.getType());
  SmallVector<int64_t> dropped;
  if (args["axis"].isNone()) {
    for (auto [axis, extent] : llvm::enumerate(shape)) {
      if (extent == 1)
        dropped.push_back(axis);
      else // the rank of the result is known now, so an extent that happens to be 1 must not be
        in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::ne, in.ir.dim(source, axis), in.ir.index(1)),
                    "NotImplementedError",
                    "squeeze() would drop axis " + Twine(axis) +
                        ", whose extent 1 is not known at compile time: give axis=");
    }
  } else if (!asAxes(in, args["axis"], shape.size(), dropped)) {
    return PyValue::poison();
  }
  SmallVector<AxisIndex> axes;
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    bool drop = llvm::is_contained(dropped, static_cast<int64_t>(axis));
    if (drop && extent != 1)
      in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::eq, in.ir.dim(source, axis), in.ir.index(1)), "ValueError",
                  "cannot select an axis to squeeze out which has size not equal to one");
    using AxisIndex = AxisIndex;
    axes.push_back({drop ? AxisIndex::Position : AxisIndex::Whole, drop ? in.ir.index(0) : Value(), {}, {}, {}});
  }
  return runtime(dropped.empty() ? source : arrayOfNoAxes(in, source, in.ir.makeView(source, axes)));
}
const Registered squeezeRows{{"numpy.squeeze", "a, axis=None", emitSqueeze}};

/// An array stretched: a view of the array, as NumPy's. The value of a temporary is stretched as a value.
PyValue broadcastView(Interpreter &in, Arguments &args, bool isReadOnly) {
  PyValue array = args["array"];
  Value source = array.arrayType() ? array.ir() : asArray(in, array);
  SmallVector<Value> extents;
  SmallVector<int64_t> shape;
  if (!source || !asShape(in, args["shape"], extents, shape))
    return PyValue::poison();
  NpBuilder &b = in.ir;
  for (Value extent : extents)
    in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::sge, extent, in.ir.index(0)), "ValueError",
                "all elements of broadcast shape must be non-negative");
  int64_t rank = np::getRank(source.getType()), missing = static_cast<int64_t>(extents.size()) - rank;
  if (missing < 0)
    return in.fail("ValueError: input operand has more dimensions than allowed by the axis remapping");
  SmallVector<Value> own = in.ir.dims(source), steps(extents.size(), in.ir.index(0));
  SmallVector<int64_t> axes(extents.size(), -1);
  Value fits;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (np::getShape(source.getType())[axis] == 1)
      continue;
    Value equal = in.ir.compareIndex(arith::CmpIPredicate::eq, own[axis], extents[missing + axis]);
    axes[missing + axis] = axis;
    steps[missing + axis] = b.createOrFold<arith::SelectOp>(equal, in.ir.index(1), in.ir.index(0));
    Value one =
        b.createOrFold<arith::OrIOp>(equal, in.ir.compareIndex(arith::CmpIPredicate::eq, own[axis], in.ir.index(1)));
    fits = fits ? b.createOrFold<arith::AndIOp>(fits, one) : one;
  }
  if (fits) {
    auto spell = [](size_t from, size_t count) {
      std::string text = "(";
      for (size_t k = 0; k < count; ++k)
        text += (k ? ",{" : "{") + std::to_string(from + k) + "}";
      return text + (count == 1 ? ",)" : ")");
    };
    SmallVector<Value> arguments(own);
    arguments.append(extents);
    in.ir.check(fits, "ValueError",
                "operands could not be broadcast together with remapped shapes [original->remapped]: " +
                    spell(0, own.size()) + "  and requested shape " + spell(own.size(), extents.size()),
                arguments);
  }
  // What is no array yet is one to look at: the result may not be stored into.
  if (!isa<np::ArrayType>(source.getType()))
    source = in.ir.newArray(isa<RankedTensorType>(source.getType()) ? source : in.ir.rankZero(source));
  auto type = cast<np::ArrayType>(source.getType());
  Value view = np::ViewOp::create(
      b, in.ir.getLoc(), np::ArrayType::get(in.ir.getContext(), shape, type.getElementType(), /*contiguous=*/false),
      source, SmallVector<Value>(rank, in.ir.index(0)), axes, extents, steps);
  return runtime(isReadOnly ? in.ir.part("read_only", view) : view);
}
PyValue emitBroadcastTo(Interpreter &in, Arguments &args) { return broadcastView(in, args, /*isReadOnly=*/true); }
const Registered broadcastToRows{{"numpy.broadcast_to", "array, shape", emitBroadcastTo}};
/// What numpy.broadcast_arrays gives.
PyValue emitStretched(Interpreter &in, Arguments &args) { return broadcastView(in, args, /*isReadOnly=*/false); }
const Registered stretchedRows{{"npcc.library.routines.stretched", "array, shape", emitStretched}};

/// Elements (.., i, .., i + offset, ..), along a new last axis: a view of an array.
PyValue diagonalOf(Interpreter &in, const PyValue &a, const PyValue &offset, const PyValue &axis1, const PyValue &axis2,
                   bool isReadOnly) {
  Value source = asArray(in, a);
  if (!source)
    return PyValue::poison();
  int64_t rank = np::getRank(source.getType());
  if (rank < 2)
    return in.fail("ValueError: diag requires an array of at least two dimensions");
  std::optional<int64_t> first = asAxis(in, axis1, rank, "axis1"), second = asAxis(in, axis2, rank, "axis2");
  if (!first || !second)
    return PyValue::poison();
  if (*first == *second)
    return in.fail("ValueError: axis1 and axis2 cannot be the same");
  Value shift = toIndex(in, offset, "the offset of a diagonal: an integer");
  if (!shift)
    return PyValue::poison();
  if (!isa<np::ArrayType>(source.getType()))
    source = in.ir.newArray(source);
  NpBuilder &b = in.ir;
  Value zero = in.ir.index(0);
  if (!matchPattern(shift, m_Zero())) {
    using AxisIndex = AxisIndex;
    SmallVector<AxisIndex> axes(rank, AxisIndex{AxisIndex::Whole, {}, {}, {}, {}});
    auto dropFirst = [&](int64_t axis, Value count) {
      Value extent = in.ir.dim(source, axis);
      count = b.createOrFold<arith::MinSIOp>(b.createOrFold<arith::MaxSIOp>(count, zero), extent);
      axes[axis] = {AxisIndex::Slice, count, b.createOrFold<arith::SubIOp>(extent, count), in.ir.index(1), {}};
    };
    dropFirst(*first, b.createOrFold<arith::SubIOp>(zero, shift));
    dropFirst(*second, shift);
    source = in.ir.makeView(source, axes);
  }
  SmallVector<int64_t> order;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (axis != *first && axis != *second)
      order.push_back(axis);
  order.append({*first, *second});
  Value diagonal = in.ir.part("diagonal", in.ir.permute(source, order));
  return runtime(isReadOnly ? in.ir.part("read_only", diagonal) : diagonal);
}
PyValue emitDiagonal(Interpreter &in, Arguments &args) {
  return diagonalOf(in, args["a"], args["offset"], args["axis1"], args["axis2"], /*isReadOnly=*/true);
}
const Registered diagonalRows{{"numpy.diagonal", "a, offset=0, axis1=0, axis2=1", emitDiagonal}};
/// What numpy.einsum gives.
PyValue emitWritableDiagonal(Interpreter &in, Arguments &args) {
  return diagonalOf(in, args["a"], PyValue::object(py::integer(0)), args["axis1"], args["axis2"],
                    /*isReadOnly=*/false);
}
const Registered writableDiagonalRows{
    {"npcc.library.routines.writable_diagonal", "a, axis1, axis2", emitWritableDiagonal}};

/// Reversed axes.
PyValue flipped(Interpreter &in, const PyValue &m, ArrayRef<int64_t> axes) {
  Value source = asArray(in, m);
  if (!source)
    return PyValue::poison();
  using AxisIndex = AxisIndex;
  SmallVector<AxisIndex> indices;
  Value one = in.ir.index(1);
  for (int64_t axis = 0; axis < np::getRank(source.getType()); ++axis) {
    if (!llvm::is_contained(axes, axis)) {
      indices.push_back({AxisIndex::Whole, {}, {}, {}, {}});
      continue;
    }
    Value extent = in.ir.dim(source, axis);
    Value last = in.ir.createOrFold<arith::SubIOp>(extent, one);
    indices.push_back({AxisIndex::Slice, last, extent, in.ir.index(-1), {}});
  }
  return runtime(in.ir.makeView(source, indices));
}
PyValue emitFlip(Interpreter &in, Arguments &args) {
  Value source = asArray(in, args["m"]);
  SmallVector<int64_t> axes;
  if (!source || !asAxes(in, args["axis"], np::getRank(source.getType()), axes))
    return PyValue::poison();
  // Like m[...] with one slice an axis, which of no axes is an element.
  if (!np::getRank(source.getType()))
    return subscript(in, PyValue::runtime(source), PyValue::sequence({}));
  return flipped(in, PyValue::runtime(source), axes);
}
const Registered flipRows{{"numpy.flip", "m, axis=None", emitFlip}};
PyValue emitFlipud(Interpreter &in, Arguments &args) {
  Value source = asArray(in, args["m"]);
  if (source && np::getRank(source.getType()) < 1)
    return in.fail("ValueError: Input must be >= 1-d.");
  return flipped(in, args["m"], {0});
}
const Registered flipudRows{{"numpy.flipud", "m", emitFlipud}};
PyValue emitFliplr(Interpreter &in, Arguments &args) {
  Value source = asArray(in, args["m"]);
  if (source && np::getRank(source.getType()) < 2)
    return in.fail("ValueError: Input must be >= 2-d.");
  return flipped(in, args["m"], {1});
}
const Registered fliplrRows{{"numpy.fliplr", "m", emitFliplr}};

PyValue atLeast(Interpreter &in, Arguments &args, int64_t wanted) {
  std::vector<PyValue> results;
  for (const PyValue &item : args["arys"]->items) {
    Value source = asArray(in, item);
    if (!source)
      return PyValue::poison();
    int64_t rank = np::getRank(source.getType());
    SmallVector<int64_t> added;
    if (wanted == 3 && rank == 2)
      added = {2};
    else if (wanted == 3 && rank == 1)
      added = {0, 2};
    else
      for (int64_t axis = 0; axis < wanted - rank; ++axis)
        added.push_back(axis);
    results.push_back(runtime(added.empty() ? source : in.ir.expandDims(source, added)));
  }
  return results.size() == 1 ? results[0] : PyValue::sequence(std::move(results));
}
PyValue emitAtLeast1(Interpreter &in, Arguments &args) { return atLeast(in, args, 1); }
const Registered atLeast1Rows{{"numpy.atleast_1d", "*arys", emitAtLeast1}};

PyValue emitAtLeast2(Interpreter &in, Arguments &args) { return atLeast(in, args, 2); }
const Registered atLeast2Rows{{"numpy.atleast_2d", "*arys", emitAtLeast2}};

PyValue emitAtLeast3(Interpreter &in, Arguments &args) { return atLeast(in, args, 3); }
const Registered atLeast3Rows{{"numpy.atleast_3d", "*arys", emitAtLeast3}};

PyValue emitShape(Interpreter &in, Arguments &args) {
  Value source = asArray(in, args["a"]);
  return source ? attribute(in, PyValue::runtime(source), "shape") : PyValue::poison();
}
const Registered shapeRows{{"numpy.shape", "a", emitShape}};
PyValue emitNdim(Interpreter &in, Arguments &args) {
  Value source = asArray(in, args["a"]);
  return source ? PyValue::object(py::integer(np::getRank(source.getType()))) : PyValue::poison();
}
const Registered ndimRows{{"numpy.ndim", "a", emitNdim}};
PyValue emitSize(Interpreter &in, Arguments &args) {
  Value source = asArray(in, args["a"]);
  if (!source)
    return PyValue::poison();
  if (args["axis"].isNone())
    return fromIndex(in, in.ir.size(source));
  SmallVector<int64_t> axes;
  if (!asAxes(in, args["axis"], np::getRank(source.getType()), axes))
    return PyValue::poison();
  Value count = in.ir.index(1);
  for (int64_t axis : axes)
    count = in.ir.createOrFold<arith::MulIOp>(count, in.ir.dim(source, axis));
  return fromIndex(in, count);
}
const Registered sizeRows{{"numpy.size", "a, axis=None", emitSize}};

} // namespace

} // namespace npcc::frontend
