// New arrays. What has one value everywhere, or follows from positions, is a value; numpy.empty is an array.
#include "frontend/numpy/Table.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

PyValue runtime(Value value) { return value ? PyValue::runtime(value) : PyValue::poison(); }

/// Extents of a shape argument: negative ones known only at run time are checked there.
bool shapeOf(FunctionImporter &importer, const PyValue &argument, SmallVectorImpl<Value> &extents) {
  SmallVector<int64_t> shape;
  if (!importer.asShape(argument, extents, shape))
    return false;
  Value zero = importer.index(0);
  for (Value extent : extents) {
    IntegerAttr known;
    if (matchPattern(extent, m_Constant(&known))) {
      if (known.getValue().isNegative()) {
        importer.fail("ValueError: negative dimensions are not allowed");
        return false;
      }
    } else if (!extent.getDefiningOp<np::DimOp>()) {
      importer.check(importer.compareIndex(arith::CmpIPredicate::sge, extent, zero), "ValueError", "negative dimensions are not allowed");
    }
  }
  return true;
}

PyValue filled(FunctionImporter &importer, const PyValue &shape, const PyValue &fill, Type element) {
  SmallVector<Value> extents;
  if (!element || !shapeOf(importer, shape, extents))
    return PyValue::poison();
  Value scalar = importer.operandAs(fill, element);
  if (!scalar)
    return PyValue::poison();
  if (isa<RankedTensorType>(scalar.getType())) {
    if (np::getRank(scalar.getType()) == 0)
      scalar = importer.item(scalar);
    else
      return runtime(importer.newArray(importer.broadcastTo(scalar, extents, {})));
  }
  Value value = importer.full(scalar, extents);
  // A 0-d array, not a NumPy scalar.
  return runtime(extents.empty() ? importer.newArray(value) : value);
}

PyValue integer(int64_t value) { return PyValue::object(py::integer(value)); }

PyValue emitZeros(FunctionImporter &importer, Arguments &args) {
  return filled(importer, args["shape"], integer(0), importer.asDtype(args["dtype"], importer.builder.getF64Type()));
}
PyValue emitOnes(FunctionImporter &importer, Arguments &args) {
  return filled(importer, args["shape"], integer(1), importer.asDtype(args["dtype"], importer.builder.getF64Type()));
}

PyValue emptyOf(FunctionImporter &importer, ArrayRef<Value> extents, Type element) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  for (Value extent : extents) {
    bool isOne = matchPattern(extent, m_One());
    shape.push_back(isOne ? 1 : ShapedType::kDynamic);
    if (!isOne)
      dynamic.push_back(extent);
  }
  auto type = np::ArrayType::get(importer.context, shape, element, /*contiguous=*/true);
  return runtime(np::EmptyOp::create(importer.builder, importer.here(), type, dynamic));
}

PyValue emitEmpty(FunctionImporter &importer, Arguments &args) {
  Type element = importer.asDtype(args["dtype"], importer.builder.getF64Type());
  SmallVector<Value> extents;
  if (!element || !shapeOf(importer, args["shape"], extents))
    return PyValue::poison();
  return emptyOf(importer, extents, element);
}

Type dtypeOf(FunctionImporter &importer, const PyValue &value) {
  if (value.isRuntime())
    return value.elementType();
  if (Value array = importer.asArray(value))
    return np::getElementType(array.getType());
  return {};
}

PyValue emitFull(FunctionImporter &importer, Arguments &args) {
  Type element = importer.asDtype(args["dtype"], Type());
  if (!element && args["dtype"].isNone())
    element = dtypeOf(importer, args["fill_value"]);
  return filled(importer, args["shape"], args["fill_value"], element);
}

/// The like-functions: extents (and dtype, unless given) of a prototype.
PyValue like(FunctionImporter &importer, Arguments &args, const PyValue *fill) {
  Value prototype = importer.asArray(args["a"]);
  if (!prototype)
    return PyValue::poison();
  Type element = importer.asDtype(args["dtype"], np::getElementType(prototype.getType()));
  if (!element)
    return PyValue::poison();
  SmallVector<Value> extents;
  if (args.given("shape")) {
    if (!shapeOf(importer, args["shape"], extents))
      return PyValue::poison();
  } else {
    extents = importer.dims(prototype);
  }
  if (!fill)
    return emptyOf(importer, extents, element);
  Value scalar = importer.operandAs(*fill, element);
  if (!scalar)
    return PyValue::poison();
  if (isa<RankedTensorType>(scalar.getType())) {
    if (np::getRank(scalar.getType()) > 0)
      return runtime(importer.broadcastTo(scalar, extents, {}));
    scalar = importer.item(scalar);
  }
  Value value = importer.full(scalar, extents);
  return runtime(extents.empty() ? importer.newArray(value) : value);
}
PyValue emitEmptyLike(FunctionImporter &importer, Arguments &args) { return like(importer, args, nullptr); }
PyValue emitZerosLike(FunctionImporter &importer, Arguments &args) {
  PyValue fill = integer(0);
  return like(importer, args, &fill);
}
PyValue emitOnesLike(FunctionImporter &importer, Arguments &args) {
  PyValue fill = integer(1);
  return like(importer, args, &fill);
}
PyValue emitFullLike(FunctionImporter &importer, Arguments &args) {
  PyValue fill = args["fill_value"];
  return like(importer, args, &fill);
}

/// ceil((stop - start) / step) elements, in float64 for floats.
PyValue emitArange(FunctionImporter &importer, Arguments &args) {
  PyValue start = args["start"], stop = args["stop"], step = args["step"];
  if (stop.isNone()) {
    stop = start;
    start = integer(0);
  }
  SmallVector<PyValue> parts{start, stop, step};
  Type common = importer.resultType(parts);
  if (!common)
    return importer.fail("arange needs numbers, not " + importer.describe(stop));
  // All Python ints: int64.
  Type element = importer.asDtype(args["dtype"], common.isInteger(1) ? importer.builder.getI64Type() : common);
  if (!element)
    return PyValue::poison();
  OpBuilder &b = importer.builder;
  Location loc = importer.here();
  Value extent;
  if (common.isInteger()) {
    Value from = importer.toIndex(start), to = importer.toIndex(stop), by = importer.toIndex(step);
    if (!from || !to || !by)
      return PyValue::poison();
    Value zero = importer.index(0);
    if (!matchPattern(by, m_Constant()))
      importer.check(importer.compareIndex(arith::CmpIPredicate::ne, by, zero), "ZeroDivisionError", "division by zero");
    Value span = b.createOrFold<arith::SubIOp>(loc, to, from);
    extent = b.createOrFold<arith::MaxSIOp>(loc, matchPattern(by, m_One()) ? span : b.createOrFold<arith::CeilDivSIOp>(loc, span, by), zero);
  } else {
    Type f64 = b.getF64Type();
    auto scalar = [&](const PyValue &value) {
      Value plain = importer.operandAs(value, f64);
      return plain && isa<RankedTensorType>(plain.getType()) ? importer.item(plain) : plain;
    };
    Value from = scalar(start), to = scalar(stop), by = scalar(step);
    if (!from || !to || !by)
      return PyValue::poison();
    Value span = importer.emitUfunc("divide", {importer.emitUfunc("subtract", {to, from}), by});
    Value count = importer.castTo(importer.emitUfunc("ceil", {span}), b.getI64Type());
    Value asIndex = b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), count);
    extent = b.createOrFold<arith::MaxSIOp>(loc, asIndex, importer.index(0));
  }
  // NumPy fills with start + i * ((start + step) - start), computed in the result's dtype.
  Type computed = element.isInteger(1) ? Type(b.getI64Type()) : element;
  auto inDtype = [&](const PyValue &value) {
    Value plain = importer.operandAs(value, computed);
    return plain && isa<RankedTensorType>(plain.getType()) ? importer.item(plain) : plain;
  };
  Value first = inDtype(start), step0 = inDtype(step);
  if (!first || !step0)
    return PyValue::poison();
  Value delta = step0;
  if (!computed.isInteger())
    delta = importer.emitUfunc("subtract", {importer.emitUfunc("add", {first, step0}), first});
  Value value = np::ArangeOp::create(b, loc, RankedTensorType::get({ShapedType::kDynamic}, computed), first, delta, extent);
  return runtime(importer.castTo(value, element));
}

/// Ones where column = row + k.
PyValue emitEye(FunctionImporter &importer, Arguments &args) {
  Type element = importer.asDtype(args["dtype"], importer.builder.getF64Type());
  Value rows = importer.toIndex(args["N"]);
  Value columns = args.given("M") ? importer.toIndex(args["M"]) : rows;
  std::optional<int64_t> k = importer.asInteger(args["k"]);
  if (!element || !rows || !columns)
    return PyValue::poison();
  if (!k)
    return importer.fail("the diagonal of eye must be known at compile time");
  OpBuilder &b = importer.builder;
  Type i64 = b.getI64Type();
  auto positions = [&](Value extent, int64_t first) -> Value {
    return np::ArangeOp::create(b, importer.here(), RankedTensorType::get({ShapedType::kDynamic}, i64), importer.constantInteger(i64, first),
                                importer.constantInteger(i64, 1), extent);
  };
  Value row = importer.expandDims(positions(rows, *k), {1});
  Value equal = importer.emitUfunc("equal", {row, positions(columns, 0)});
  return runtime(importer.castTo(equal, element));
}
PyValue emitIdentity(FunctionImporter &importer, Arguments &args) {
  return callNumpy(importer, "eye", {args["n"], PyValue::object(py::none()), integer(0), args["dtype"]});
}

/// numpy.array: always a copy. Lists and tuples are nested sequences of numbers and arrays.
PyValue emitArray(FunctionImporter &importer, Arguments &args) {
  Type element = importer.asDtype(args["dtype"], Type());
  if (!element && !args["dtype"].isNone())
    return PyValue::poison();
  Value array = importer.asArray(args["object"], element);
  if (!array)
    return PyValue::poison();
  if (isa<np::ArrayType>(array.getType()) && args["object"].isRuntime())
    array = importer.load(array);
  std::optional<int64_t> ndmin = importer.asInteger(args["ndmin"]);
  if (!ndmin)
    return args["ndmin"].isPoison() ? PyValue::poison() : importer.fail("ndmin must be an integer known at compile time");
  Value result = isa<np::ArrayType>(array.getType()) ? array : importer.newArray(array);
  if (int64_t more = *ndmin - np::getRank(result.getType()); more > 0)
    result = importer.expandDims(result, llvm::to_vector(llvm::seq<int64_t>(0, more)));
  return runtime(result);
}

/// numpy.asarray: the array itself where it has the dtype.
PyValue emitAsarray(FunctionImporter &importer, Arguments &args) {
  Type element = importer.asDtype(args["dtype"], Type());
  if (!element && !args["dtype"].isNone())
    return PyValue::poison();
  return runtime(importer.asArray(args["a"], element));
}
PyValue emitAscontiguous(FunctionImporter &importer, Arguments &args) {
  Type element = importer.asDtype(args["dtype"], Type());
  if (!element && !args["dtype"].isNone())
    return PyValue::poison();
  Value array = importer.asArray(args["a"], element);
  if (!array)
    return PyValue::poison();
  if (auto type = dyn_cast<np::ArrayType>(array.getType()); type && !type.getContiguous())
    array = importer.reshape(array, importer.dims(array), np::getShape(array.getType()), /*ravel=*/true);
  return runtime(array);
}
PyValue emitCopy(FunctionImporter &importer, Arguments &args) {
  Value array = importer.asArray(args["a"]);
  if (!array)
    return PyValue::poison();
  return runtime(importer.newArray(isa<np::ArrayType>(array.getType()) ? importer.load(array) : array));
}

const FunctionRow rows[] = {
    {"numpy.zeros", "shape, dtype=None, order='C'", emitZeros},
    {"numpy.ones", "shape, dtype=None, order='C'", emitOnes},
    {"numpy.empty", "shape, dtype=None, order='C'", emitEmpty},
    {"numpy.ndarray", "shape, dtype=None, *, order='C'", emitEmpty},
    {"numpy.full", "shape, fill_value, dtype=None, order='C'", emitFull},
    {"numpy.zeros_like", "a, dtype=None, order='K', subok=True, shape=None", emitZerosLike},
    {"numpy.ones_like", "a, dtype=None, order='K', subok=True, shape=None", emitOnesLike},
    {"numpy.empty_like", "a, dtype=None, order='K', subok=True, shape=None", emitEmptyLike},
    {"numpy.full_like", "a, fill_value, dtype=None, order='K', subok=True, shape=None", emitFullLike},
    {"numpy.arange", "start, stop=None, step=1, dtype=None", emitArange},
    {"numpy.eye", "N, M=None, k=0, dtype=None", emitEye},
    {"numpy.identity", "n, dtype=None", emitIdentity},
    {"numpy.array", "object, dtype=None, *, copy=True, ndmin=0", emitArray},
    {"numpy.asarray", "a, dtype=None", emitAsarray},
    {"numpy.asanyarray", "a, dtype=None", emitAsarray},
    {"numpy.ascontiguousarray", "a, dtype=None", emitAscontiguous},
    {"numpy.copy", "a", emitCopy},
};
} // namespace

ArrayRef<FunctionRow> creationRows() { return rows; }

} // namespace npcc::frontend
