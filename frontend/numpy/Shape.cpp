// The same elements with other axes: views of arrays, values of values.
#include "frontend/numpy/Table.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

PyValue runtime(Value value) { return value ? PyValue::runtime(value) : PyValue::poison(); }
Value product(FunctionImporter &importer, ArrayRef<Value> extents, std::optional<size_t> but = {}) {
  Value result;
  for (auto [k, extent] : llvm::enumerate(extents))
    if (!but || *but != k)
      result = result ? importer.builder.createOrFold<arith::MulIOp>(importer.here(), result, extent) : extent;
  return result ? result : importer.index(1);
}

/// Several integers or one tuple, as ndarray.reshape and transpose take them.
PyValue oneOrMany(const PyValue &rest) {
  const std::vector<PyValue> &items = rest->items;
  if (items.size() == 1 && (items[0].isSequence() || (items[0].isObject() && PyTuple_Check(items[0].object().get())) || items[0].isNone()))
    return items[0];
  return rest;
}

/// A temporary array that loses all its axes is an array of no axes still, which a value of rank 0 (NumPy's scalar) is not.
Value arrayOfNoAxes(FunctionImporter &importer, Value source, Value result) {
  bool isRight = isa<np::ArrayType>(result.getType()) || np::getRank(result.getType()) > 0 || np::getRank(source.getType()) == 0;
  return isRight ? result : importer.newArray(result);
}

PyValue reshapeTo(FunctionImporter &importer, const PyValue &a, const PyValue &newShape, const PyValue &order) {
  Value source = importer.asArray(a);
  SmallVector<Value> extents;
  SmallVector<int64_t> shape;
  if (!source || !importer.asShape(newShape, extents, shape))
    return PyValue::poison();
  std::optional<bool> isFortran = importer.isFortranOrder(order, source, /*isReshape=*/true);
  if (!isFortran)
    return PyValue::poison();
  OpBuilder &b = importer.builder;
  std::optional<size_t> unknown;
  std::vector<PyValue> items;
  if (!importer.asSequence(newShape, items))
    items = {newShape};
  for (auto [k, item] : llvm::enumerate(items))
    if (importer.asInteger(item) == -1) {
      if (unknown)
        return importer.fail("ValueError: can only specify one unknown dimension");
      unknown = k;
    }
  Value size = importer.size(source);
  Value wanted = product(importer, extents, unknown);
  Value zero = importer.index(0);
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
    importer.check(fits, "ValueError", "cannot reshape array of size {0} into shape (" + text, arguments);
  };
  if (unknown) {
    Value divisor = b.createOrFold<arith::MaxSIOp>(importer.here(), wanted, importer.index(1));
    extents[*unknown] = b.createOrFold<arith::DivUIOp>(importer.here(), size, divisor);
    shape[*unknown] = ShapedType::kDynamic;
    Value rest = b.createOrFold<arith::RemUIOp>(importer.here(), size, divisor);
    // Where the others' product is 0, any extent would do.
    Value fits = b.createOrFold<arith::AndIOp>(importer.here(), importer.compareIndex(arith::CmpIPredicate::eq, rest, zero),
                                               importer.compareIndex(arith::CmpIPredicate::ne, wanted, zero));
    fail(fits);
  } else if (size != wanted) {
    fail(importer.compareIndex(arith::CmpIPredicate::eq, size, wanted));
  }
  if (*isFortran) {
    std::reverse(extents.begin(), extents.end());
    std::reverse(shape.begin(), shape.end());
    Value result = importer.reshape(importer.turned(source), extents, shape);
    if (!isa<np::ArrayType>(result.getType()) && extents.size() > 1)
      result = importer.newArray(result);
    return runtime(arrayOfNoAxes(importer, source, importer.turned(result)));
  }
  return runtime(arrayOfNoAxes(importer, source, importer.reshape(source, extents, shape)));
}

/// reshape(copy=True) is never a view, and copy=False never a copy.
PyValue reshaped(FunctionImporter &importer, PyValue a, const PyValue &shape, const PyValue &order,
                 const PyValue &copy) {
  if (!copy.isNone()) {
    if (!copy.isObject())
      return importer.fail("copy must be known at compile time");
    if (py::isTrue(copy.object()))
      a = callNumpy(importer, "copy", {a, order});
    else if (np::ArrayType type = a.arrayType(); type && !type.getContiguous())
      return importer.fail("whether this array can be reshaped without a copy is not known at compile time",
                           "leave copy=False out");
  }
  return reshapeTo(importer, a, shape, order);
}
PyValue emitReshape(FunctionImporter &importer, Arguments &args) {
  return reshaped(importer, args["a"], args["shape"], args["order"], args["copy"]);
}
PyValue emitReshapeMethod(FunctionImporter &importer, Arguments &args) {
  return reshaped(importer, args["a"], oneOrMany(args["shape"]), args["order"], args["copy"]);
}

PyValue emitRavel(FunctionImporter &importer, Arguments &args) {
  Value source = importer.asArray(args["a"]);
  if (!source)
    return PyValue::poison();
  std::optional<bool> isFortran = importer.isFortranOrder(args["order"], source, /*isReshape=*/false);
  if (!isFortran)
    return PyValue::poison();
  if (*isFortran)
    source = importer.turned(source);
  auto array = dyn_cast<np::ArrayType>(source.getType());
  if (array && array.getRank() == 1 && array.getContiguous())
    return runtime(importer.makeView(source, {}, /*isObject=*/true));
  return runtime(importer.reshape(source, {importer.size(source)}, {ShapedType::kDynamic}, /*ravel=*/true));
}
PyValue emitFlatten(FunctionImporter &importer, Arguments &args) {
  Value array = importer.asArray(args["a"]);
  std::optional<bool> isFortran =
      array ? importer.isFortranOrder(args["order"], array, /*isReshape=*/false) : std::nullopt;
  if (!isFortran)
    return PyValue::poison();
  Value source = isa<np::ArrayType>(array.getType()) ? importer.load(array) : array;
  if (*isFortran)
    source = importer.turned(source);
  if (np::getRank(source.getType()) != 1)
    source = importer.reshape(source, {importer.size(source)}, {ShapedType::kDynamic});
  return runtime(importer.newArray(source));
}

PyValue permuted(FunctionImporter &importer, const PyValue &a, const PyValue &axes) {
  Value source = importer.asArray(a);
  if (!source)
    return PyValue::poison();
  int64_t rank = np::getRank(source.getType());
  SmallVector<int64_t> order;
  if (axes.isNone() || (axes.isSequence() && axes->items.empty())) {
    for (int64_t axis = rank; axis-- > 0;)
      order.push_back(axis);
  } else {
    std::vector<PyValue> given;
    if (importer.asSequence(axes, given) && static_cast<int64_t>(given.size()) != rank)
      return importer.fail("ValueError: axes don't match array");
    if (!importer.asAxes(axes, rank, order))
      return PyValue::poison();
    if (static_cast<int64_t>(order.size()) != rank)
      return importer.fail("ValueError: axes don't match array");
  }
  return a.isNumpyScalar() ? a : importer.asNewArray(importer.permute(source, order));
}
PyValue emitTranspose(FunctionImporter &importer, Arguments &args) { return permuted(importer, args["a"], args["axes"]); }
PyValue emitTransposeMethod(FunctionImporter &importer, Arguments &args) {
  return permuted(importer, args["a"], oneOrMany(args["axes"]));
}

PyValue emitSwapaxes(FunctionImporter &importer, Arguments &args) {
  Value source = importer.asArray(args["a"]);
  if (!source)
    return PyValue::poison();
  int64_t rank = np::getRank(source.getType());
  auto first = importer.asAxis(args["axis1"], rank, "axis1"), second = importer.asAxis(args["axis2"], rank, "axis2");
  if (!first || !second)
    return PyValue::poison();
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(order[*first], order[*second]);
  return runtime(importer.permute(source, order));
}

PyValue emitMoveaxis(FunctionImporter &importer, Arguments &args) {
  Value array = importer.asArray(args["a"]);
  if (!array)
    return PyValue::poison();
  int64_t rank = np::getRank(array.getType());
  SmallVector<int64_t> from, to;
  if (!importer.asAxes(args["source"], rank, from, "source") || !importer.asAxes(args["destination"], rank, to, "destination"))
    return PyValue::poison();
  if (from.size() != to.size())
    return importer.fail("ValueError: `source` and `destination` arguments must have the same number of elements");
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
  return runtime(importer.permute(array, order));
}

PyValue emitExpandDims(FunctionImporter &importer, Arguments &args) {
  Value source = importer.asArray(args["a"]);
  if (!source)
    return PyValue::poison();
  std::vector<PyValue> items;
  if (!importer.asSequence(args["axis"], items))
    items = {args["axis"]};
  SmallVector<int64_t> axes;
  if (!importer.asAxes(args["axis"], np::getRank(source.getType()) + items.size(), axes))
    return PyValue::poison();
  return runtime(importer.expandDims(source, axes));
}

PyValue emitSqueeze(FunctionImporter &importer, Arguments &args) {
  Value source = importer.asArray(args["a"]);
  if (!source)
    return PyValue::poison();
  if (!args["a"].isRuntime() || args["a"].isPythonScalar()) // no method of its own: NumPy makes an array of it
    source = isa<np::ArrayType>(source.getType()) ? source : importer.newArray(source);
  ArrayRef<int64_t> shape = np::getShape(source.getType());
  SmallVector<int64_t> dropped;
  if (args["axis"].isNone()) {
    for (auto [axis, extent] : llvm::enumerate(shape)) {
      if (extent == 1)
        dropped.push_back(axis);
      else  // the rank of the result is known now, so an extent that happens to be 1 must not be
        importer.check(importer.compareIndex(arith::CmpIPredicate::ne, importer.dim(source, axis), importer.index(1)), "NotImplementedError",
                       "squeeze() would drop axis " + Twine(axis) + ", whose extent 1 is not known at compile time: give axis=");
    }
  } else if (!importer.asAxes(args["axis"], shape.size(), dropped)) {
    return PyValue::poison();
  }
  SmallVector<FunctionImporter::AxisIndex> axes;
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    bool drop = llvm::is_contained(dropped, static_cast<int64_t>(axis));
    if (drop && extent != 1)
      importer.check(importer.compareIndex(arith::CmpIPredicate::eq, importer.dim(source, axis), importer.index(1)), "ValueError",
                     "cannot select an axis to squeeze out which has size not equal to one");
    using AxisIndex = FunctionImporter::AxisIndex;
    axes.push_back({drop ? AxisIndex::Position : AxisIndex::Whole, drop ? importer.index(0) : Value(), {}, {}, {}});
  }
  return runtime(dropped.empty() ? source : arrayOfNoAxes(importer, source, importer.makeView(source, axes)));
}

/// An array stretched: a view of the array, as NumPy's. The value of a temporary is stretched as a value.
PyValue emitBroadcastTo(FunctionImporter &importer, Arguments &args) {
  PyValue array = args["array"];
  Value source = array.arrayType() ? array.ir() : importer.asArray(array);
  SmallVector<Value> extents;
  SmallVector<int64_t> shape;
  if (!source || !importer.asShape(args["shape"], extents, shape))
    return PyValue::poison();
  OpBuilder &b = importer.builder;
  int64_t rank = np::getRank(source.getType()), missing = static_cast<int64_t>(extents.size()) - rank;
  if (missing < 0)
    return importer.fail("ValueError: input operand has more dimensions than allowed by the axis remapping");
  SmallVector<Value> own = importer.dims(source), steps(extents.size(), importer.index(0));
  SmallVector<int64_t> axes(extents.size(), -1);
  Value fits;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (np::getShape(source.getType())[axis] == 1)
      continue;
    Value equal = importer.compareIndex(arith::CmpIPredicate::eq, own[axis], extents[missing + axis]);
    axes[missing + axis] = axis;
    steps[missing + axis] = b.createOrFold<arith::SelectOp>(importer.here(), equal, importer.index(1), importer.index(0));
    Value one = b.createOrFold<arith::OrIOp>(importer.here(), equal,
                                             importer.compareIndex(arith::CmpIPredicate::eq, own[axis], importer.index(1)));
    fits = fits ? b.createOrFold<arith::AndIOp>(importer.here(), fits, one) : one;
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
    importer.check(fits, "ValueError",
                   "operands could not be broadcast together with remapped shapes [original->remapped]: " + spell(0, own.size()) +
                       "  and requested shape " + spell(own.size(), extents.size()),
                   arguments);
  }
  auto type = dyn_cast<np::ArrayType>(source.getType());
  if (!type)
    return runtime(importer.broadcastTo(source, extents, shape));
  Value view = np::ViewOp::create(
      b, importer.here(), np::ArrayType::get(importer.context, shape, type.getElementType(), /*contiguous=*/false),
      source, SmallVector<Value>(rank, importer.index(0)), axes, extents, steps);
  return runtime(importer.part("read_only", view));
}

/// Elements (.., i, .., i + offset, ..), along a new last axis: a view of an array.
PyValue diagonalOf(FunctionImporter &importer, const PyValue &a, const PyValue &offset, const PyValue &axis1,
                   const PyValue &axis2, bool isReadOnly) {
  Value source = importer.asArray(a);
  if (!source)
    return PyValue::poison();
  int64_t rank = np::getRank(source.getType());
  if (rank < 2)
    return importer.fail("ValueError: diag requires an array of at least two dimensions");
  std::optional<int64_t> first = importer.asAxis(axis1, rank, "axis1"), second = importer.asAxis(axis2, rank, "axis2");
  if (!first || !second)
    return PyValue::poison();
  if (*first == *second)
    return importer.fail("ValueError: axis1 and axis2 cannot be the same");
  Value shift = importer.toIndex(offset, "the offset of a diagonal: an integer");
  if (!shift)
    return PyValue::poison();
  if (!isa<np::ArrayType>(source.getType()))
    source = importer.newArray(source);
  OpBuilder &b = importer.builder;
  Location loc = importer.here();
  Value zero = importer.index(0);
  if (!matchPattern(shift, m_Zero())) {
    using AxisIndex = FunctionImporter::AxisIndex;
    SmallVector<AxisIndex> axes(rank, AxisIndex{AxisIndex::Whole, {}, {}, {}, {}});
    auto dropFirst = [&](int64_t axis, Value count) {
      Value extent = importer.dim(source, axis);
      count = b.createOrFold<arith::MinSIOp>(loc, b.createOrFold<arith::MaxSIOp>(loc, count, zero), extent);
      axes[axis] = {AxisIndex::Slice, count, b.createOrFold<arith::SubIOp>(loc, extent, count), importer.index(1), {}};
    };
    dropFirst(*first, b.createOrFold<arith::SubIOp>(loc, zero, shift));
    dropFirst(*second, shift);
    source = importer.makeView(source, axes);
  }
  SmallVector<int64_t> order;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (axis != *first && axis != *second)
      order.push_back(axis);
  order.append({*first, *second});
  Value diagonal = importer.part("diagonal", importer.permute(source, order));
  return runtime(isReadOnly ? importer.part("read_only", diagonal) : diagonal);
}
PyValue emitDiagonal(FunctionImporter &importer, Arguments &args) {
  return diagonalOf(importer, args["a"], args["offset"], args["axis1"], args["axis2"], /*isReadOnly=*/true);
}
/// What numpy.einsum gives.
PyValue emitWritableDiagonal(FunctionImporter &importer, Arguments &args) {
  return diagonalOf(importer, args["a"], PyValue::object(py::integer(0)), args["axis1"], args["axis2"],
                    /*isReadOnly=*/false);
}

/// Reversed axes.
PyValue flipped(FunctionImporter &importer, const PyValue &m, ArrayRef<int64_t> axes) {
  Value source = importer.asArray(m);
  if (!source)
    return PyValue::poison();
  using AxisIndex = FunctionImporter::AxisIndex;
  SmallVector<AxisIndex> indices;
  Value one = importer.index(1);
  for (int64_t axis = 0; axis < np::getRank(source.getType()); ++axis) {
    if (!llvm::is_contained(axes, axis)) {
      indices.push_back({AxisIndex::Whole, {}, {}, {}, {}});
      continue;
    }
    Value extent = importer.dim(source, axis);
    Value last = importer.builder.createOrFold<arith::SubIOp>(importer.here(), extent, one);
    indices.push_back({AxisIndex::Slice, last, extent, importer.index(-1), {}});
  }
  return runtime(importer.makeView(source, indices));
}
PyValue emitFlip(FunctionImporter &importer, Arguments &args) {
  Value source = importer.asArray(args["m"]);
  SmallVector<int64_t> axes;
  if (!source || !importer.asAxes(args["axis"], np::getRank(source.getType()), axes))
    return PyValue::poison();
  // Like m[...] with one slice an axis, which of no axes is an element.
  if (!np::getRank(source.getType()))
    return importer.subscript(PyValue::runtime(source), PyValue::sequence({}));
  return flipped(importer, PyValue::runtime(source), axes);
}
PyValue emitFlipud(FunctionImporter &importer, Arguments &args) {
  Value source = importer.asArray(args["m"]);
  if (source && np::getRank(source.getType()) < 1)
    return importer.fail("ValueError: Input must be >= 1-d.");
  return flipped(importer, args["m"], {0});
}
PyValue emitFliplr(FunctionImporter &importer, Arguments &args) {
  Value source = importer.asArray(args["m"]);
  if (source && np::getRank(source.getType()) < 2)
    return importer.fail("ValueError: Input must be >= 2-d.");
  return flipped(importer, args["m"], {1});
}

PyValue atLeast(FunctionImporter &importer, Arguments &args, int64_t wanted) {
  std::vector<PyValue> results;
  for (const PyValue &item : args["arys"]->items) {
    Value source = importer.asArray(item);
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
    results.push_back(runtime(added.empty() ? source : importer.expandDims(source, added)));
  }
  return results.size() == 1 ? results[0] : PyValue::sequence(std::move(results));
}
PyValue emitAtLeast1(FunctionImporter &importer, Arguments &args) { return atLeast(importer, args, 1); }
PyValue emitAtLeast2(FunctionImporter &importer, Arguments &args) { return atLeast(importer, args, 2); }
PyValue emitAtLeast3(FunctionImporter &importer, Arguments &args) { return atLeast(importer, args, 3); }

PyValue emitShape(FunctionImporter &importer, Arguments &args) {
  Value source = importer.asArray(args["a"]);
  return source ? importer.attribute(PyValue::runtime(source), "shape") : PyValue::poison();
}
PyValue emitNdim(FunctionImporter &importer, Arguments &args) {
  Value source = importer.asArray(args["a"]);
  return source ? PyValue::object(py::integer(np::getRank(source.getType()))) : PyValue::poison();
}
PyValue emitSize(FunctionImporter &importer, Arguments &args) {
  Value source = importer.asArray(args["a"]);
  if (!source)
    return PyValue::poison();
  if (args["axis"].isNone())
    return importer.fromIndex(importer.size(source));
  std::optional<int64_t> axis = importer.asAxis(args["axis"], np::getRank(source.getType()));
  return axis ? importer.fromIndex(importer.dim(source, *axis)) : PyValue::poison();
}

const FunctionRow rows[] = {
    {"numpy.reshape", "a, shape, order='C', *, copy=None", emitReshape},
    {"ndarray.reshape", "a, *shape, order='C', copy=None", emitReshapeMethod},
    {"numpy.ravel", "a, order='C'", emitRavel},
    {"ndarray.flatten", "a, order='C'", emitFlatten},
    {"numpy.transpose", "a, axes=None", emitTranspose},
    {"numpy.permute_dims", "a, axes=None", emitTranspose},
    {"ndarray.transpose", "a, *axes", emitTransposeMethod},
    {"numpy.swapaxes", "a, axis1, axis2", emitSwapaxes},
    {"numpy.moveaxis", "a, source, destination", emitMoveaxis},
    {"numpy.expand_dims", "a, axis", emitExpandDims},
    {"numpy.squeeze", "a, axis=None", emitSqueeze},
    {"numpy.broadcast_to", "array, shape", emitBroadcastTo},
    {"numpy.diagonal", "a, offset=0, axis1=0, axis2=1", emitDiagonal},
    {"npcc.library.routines.writable_diagonal", "a, axis1, axis2", emitWritableDiagonal},
    {"numpy.flip", "m, axis=None", emitFlip},
    {"numpy.flipud", "m", emitFlipud},
    {"numpy.fliplr", "m", emitFliplr},
    {"numpy.atleast_1d", "*arys", emitAtLeast1},
    {"numpy.atleast_2d", "*arys", emitAtLeast2},
    {"numpy.atleast_3d", "*arys", emitAtLeast3},
    {"numpy.shape", "a", emitShape},
    {"numpy.ndim", "a", emitNdim},
    {"numpy.size", "a, axis=None", emitSize},
};
} // namespace

ArrayRef<FunctionRow> shapeRows() { return rows; }

} // namespace npcc::frontend
