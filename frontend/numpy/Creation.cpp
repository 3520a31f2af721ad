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

/// Whether an array that nothing is a model of lies in F order.
std::optional<bool> isFortran(FunctionImporter &importer, Arguments &args) {
  std::optional<FunctionImporter::Order> order = importer.asOrder(args["order"], FunctionImporter::Order::C);
  if (!order || *order == FunctionImporter::Order::C || *order == FunctionImporter::Order::F)
    return order ? std::optional(*order == FunctionImporter::Order::F) : std::nullopt;
  importer.fail("ValueError: only 'C' or 'F' order is permitted");
  return std::nullopt;
}

/// A new array: of its value, as long as its layout is the usual one.
PyValue inOrder(FunctionImporter &importer, Value value, bool fortran) {
  return runtime(fortran && np::getRank(value.getType()) > 1 ? importer.newArrayIn(value, true) : value);
}

PyValue filledWith(FunctionImporter &importer, Value value, ArrayRef<Value> extents, bool fortran);

PyValue filled(FunctionImporter &importer, Arguments &args, const PyValue &fill, Type element) {
  SmallVector<Value> extents;
  if (!element || !shapeOf(importer, args["shape"], extents))
    return PyValue::poison();
  std::optional<bool> fortran = isFortran(importer, args);
  if (!fortran)
    return PyValue::poison();
  Value scalar = importer.operandAs(fill, element);
  if (!scalar)
    return PyValue::poison();
  if (isa<RankedTensorType>(scalar.getType())) {
    if (np::getRank(scalar.getType()) > 0)
      return filledWith(importer, scalar, extents, *fortran);
    scalar = importer.item(scalar);
  }
  Value value = importer.full(scalar, extents);
  // A 0-d array, not a NumPy scalar.
  return extents.empty() ? runtime(importer.newArray(value)) : inOrder(importer, value, *fortran);
}

PyValue integer(int64_t value) { return PyValue::object(py::integer(value)); }

PyValue emitZeros(FunctionImporter &importer, Arguments &args) {
  return filled(importer, args, integer(0), importer.asDtype(args["dtype"], importer.builder.getF64Type()));
}
PyValue emitOnes(FunctionImporter &importer, Arguments &args) {
  return filled(importer, args, integer(1), importer.asDtype(args["dtype"], importer.builder.getF64Type()));
}

PyValue emptyOf(FunctionImporter &importer, SmallVector<Value> extents, Type element, bool fortran) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  if (fortran)
    std::reverse(extents.begin(), extents.end());
  for (Value extent : extents) {
    bool isOne = matchPattern(extent, m_One());
    shape.push_back(isOne ? 1 : ShapedType::kDynamic);
    if (!isOne)
      dynamic.push_back(extent);
  }
  auto type = np::ArrayType::get(importer.context, shape, element, /*contiguous=*/true);
  Value array = np::EmptyOp::create(importer.builder, importer.here(), type, dynamic);
  return runtime(fortran ? importer.turned(array) : array);
}

/// A new array with an array stored into all of it.
PyValue filledWith(FunctionImporter &importer, Value value, ArrayRef<Value> extents, bool fortran) {
  PyValue array = emptyOf(importer, llvm::to_vector(extents), np::getElementType(value.getType()), fortran);
  importer.storeWhole(array.ir(), PyValue::runtime(value));
  return array;
}

PyValue emitEmpty(FunctionImporter &importer, Arguments &args) {
  Type element = importer.asDtype(args["dtype"], importer.builder.getF64Type());
  SmallVector<Value> extents;
  std::optional<bool> fortran = isFortran(importer, args);
  if (!element || !fortran || !shapeOf(importer, args["shape"], extents))
    return PyValue::poison();
  return emptyOf(importer, extents, element, *fortran);
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
  return filled(importer, args, args["fill_value"], element);
}

/// The like-functions: extents (and dtype, unless given) of a prototype.
PyValue like(FunctionImporter &importer, Arguments &args, const PyValue *fill) {
  Value prototype = importer.asArray(args["a"]);
  if (!prototype)
    return PyValue::poison();
  Type element = importer.asDtype(args["dtype"], np::getElementType(prototype.getType()));
  std::optional<bool> fortran = importer.isFortranLike(args["order"], prototype, FunctionImporter::Order::K);
  if (!element || !fortran)
    return PyValue::poison();
  SmallVector<Value> extents;
  if (args.given("shape")) {
    if (!shapeOf(importer, args["shape"], extents))
      return PyValue::poison();
  } else {
    extents = importer.dims(prototype);
  }
  if (!fill)
    return emptyOf(importer, extents, element, *fortran);
  Value scalar = importer.operandAs(*fill, element);
  if (!scalar)
    return PyValue::poison();
  if (isa<RankedTensorType>(scalar.getType())) {
    if (np::getRank(scalar.getType()) > 0)
      return filledWith(importer, scalar, extents, *fortran);
    scalar = importer.item(scalar);
  }
  Value value = importer.full(scalar, extents);
  return extents.empty() ? runtime(importer.newArray(value)) : inOrder(importer, value, *fortran);
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

/// The extent that a quotient gives, as NumPy rounds it up.
Value extentOfQuotient(FunctionImporter &importer, Value quotient, Value hasSpan) {
  OpBuilder &b = importer.builder;
  Location loc = importer.here();
  auto number = [&](double value) -> Value { return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(value)); };
  auto compare = [&](arith::CmpFPredicate predicate, Value left, Value right) {
    return b.createOrFold<arith::CmpFOp>(loc, predicate, left, right);
  };
  importer.check(compare(arith::CmpFPredicate::ORD, quotient, quotient), "ValueError", "arange: cannot compute length");
  Value up = importer.emitUfunc("ceil", {quotient});
  // A span that is lost in a large step still holds its first element.
  Value sign = importer.emitUfunc("copysign", {number(1), quotient});
  Value isLost = b.createOrFold<arith::AndIOp>(loc, compare(arith::CmpFPredicate::OEQ, quotient, number(0)), hasSpan);
  isLost = b.createOrFold<arith::AndIOp>(loc, isLost, compare(arith::CmpFPredicate::OGT, sign, number(0)));
  up = b.createOrFold<arith::SelectOp>(loc, isLost, number(1), up);
  Value fits = b.createOrFold<arith::AndIOp>(loc, compare(arith::CmpFPredicate::OLT, up, number(0x1p63)),
                                             compare(arith::CmpFPredicate::OGE, up, number(-0x1p63)));
  importer.check(fits, "ValueError", "Maximum allowed size exceeded");
  Value count = b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), importer.castTo(up, b.getI64Type()));
  return b.createOrFold<arith::MaxSIOp>(loc, count, importer.index(0));
}

/// A Python int beside NumPy's integers that do not hold it: what their difference raises is another error here.
void checkInBounds(FunctionImporter &importer, const PyValue &number, const PyValue &other) {
  auto type = dyn_cast_if_present<IntegerType>(importer.runtimeType(other));
  if (other.isRuntime() && !other.isPythonScalar())
    type = dyn_cast<IntegerType>(other.elementType());
  bool isNumpys = other.isRuntime() ? !other.isPythonScalar()
                                    : py::isInstance(other.object(), importer.dtypes.numpy["generic"]);
  bool isInt = number.isRuntime() ? number.isPythonScalar() && number.type() == importer.builder.getI64Type()
                                  : PyLong_CheckExact(number.object().get());
  if (isNumpys && isInt && type && !type.isInteger(1))
    importer.check(importer.fits(importer.valueOf(number), type), "ValueError", "Maximum allowed size exceeded");
}

/// ceil((stop - start) / step) elements, in the numbers' own arithmetic. Null with an error reported.
Value extentOfRange(FunctionImporter &importer, const PyValue &start, const PyValue &stop, const PyValue &step) {
  OpBuilder &b = importer.builder;
  Location loc = importer.here();
  auto isPythonInt = [&](const PyValue &value) {
    return value.isRuntime() ? value.isPythonScalar() && isa<IntegerType>(value.type())
                             : bool(PyLong_Check(value.object().get()));
  };
  if (isPythonInt(start) && isPythonInt(stop) && isPythonInt(step)) {
    Value from = importer.toIndex(start), to = importer.toIndex(stop), by = importer.toIndex(step);
    if (!from || !to || !by)
      return {};
    importer.check(importer.compareIndex(arith::CmpIPredicate::ne, by, importer.index(0)), "ZeroDivisionError",
                   "division by zero");
    Value span = b.createOrFold<arith::SubIOp>(loc, to, from);
    Value count = matchPattern(by, m_One()) || matchPattern(by, m_Zero())
                      ? span
                      : b.createOrFold<arith::CeilDivSIOp>(loc, span, by);
    return b.createOrFold<arith::MaxSIOp>(loc, count, importer.index(0));
  }
  checkInBounds(importer, start, stop);
  checkInBounds(importer, stop, start);
  PyValue span = importer.binary("Sub", stop, start);
  if (span.isPoison())
    return {};
  Value difference = importer.valueOf(span);
  if (!difference)
    return {};
  if (isa<RankedTensorType>(difference.getType()))
    difference = importer.item(difference);
  Type held = difference.getType();
  if (isa<IntegerType>(held) && importer.asInteger(step) == 1) {
    Value wide = importer.castTo(difference, b.getI64Type());
    if (held.isUnsignedInteger(64))
      importer.check(b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, wide,
                                                   importer.constantInteger(b.getI64Type(), 0)),
                     "ValueError", "Maximum allowed size exceeded");
    return b.createOrFold<arith::MaxSIOp>(loc, b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), wide),
                                          importer.index(0));
  }
  checkInBounds(importer, step, span);
  PyValue quotient = importer.binary("Div", span, step);
  Value number = quotient.isPoison() ? Value() : importer.operandAs(quotient, b.getF64Type());
  if (!number)
    return {};
  if (isa<RankedTensorType>(number.getType()))
    number = importer.item(number);
  return extentOfQuotient(importer, number, importer.emitUfunc("not_equal", {difference, importer.constant(held, py::integer(0))}));
}

PyValue emitArange(FunctionImporter &importer, Arguments &args) {
  PyValue start = args["start"], stop = args["stop"], step = args["step"];
  if (stop.isNone()) {
    stop = start;
    start = integer(0);
  }
  // NumPy's promotion of int64 and the dtypes that the numbers have of their own.
  SmallVector<py::Object> keys{importer.dtypes.dtype(importer.builder.getI64Type())};
  for (const PyValue &part : {start, stop, step}) {
    Type type = importer.runtimeType(part);
    if (part.isPoison() || !type || np::getRank(type) > 0)
      return part.isPoison() ? part : importer.fail("arange needs numbers, not " + importer.describe(part));
    keys.push_back(importer.dtypes.dtype(np::getElementType(type)));
  }
  Type common = importer.dtypes.resultType(keys);
  Type element = importer.asDtype(args["dtype"], common);
  if (!element)
    return PyValue::poison();
  if (isa<ComplexType>(common) || isa<ComplexType>(element))
    return importer.fail("arange of complex numbers cannot be compiled",
                         "make a range of real numbers and convert it with astype()");
  OpBuilder &b = importer.builder;
  Location loc = importer.here();
  Value extent = extentOfRange(importer, start, stop, step);
  if (!extent)
    return PyValue::poison();
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
  auto isPythons = [&](const PyValue &value) {
    return value.isRuntime() ? value.isPythonScalar() : !py::isInstance(value.object(), importer.dtypes.numpy["generic"]);
  };
  // The second element is computed in the numbers' own types, where integers may wrap.
  if (!computed.isInteger() || !isPythons(start) || !isPythons(step)) {
    Value second = inDtype(importer.binary("Add", start, step));
    if (!second)
      return PyValue::poison();
    delta = importer.emitUfunc("subtract", {second, first});
  }
  Value value = np::ArangeOp::create(b, loc, RankedTensorType::get({ShapedType::kDynamic}, computed), first, delta, extent);
  return runtime(importer.castTo(value, element));
}

/// Ones where column = row + k.
PyValue emitEye(FunctionImporter &importer, Arguments &args) {
  Type element = importer.asDtype(args["dtype"], importer.builder.getF64Type());
  Value rows = importer.toIndex(args["N"]);
  Value columns = args.given("M") ? importer.toIndex(args["M"]) : rows;
  std::optional<int64_t> k = importer.asInteger(args["k"]);
  std::optional<bool> fortran = isFortran(importer, args);
  if (!element || !rows || !columns || !fortran)
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
  return inOrder(importer, importer.castTo(equal, element), *fortran);
}
PyValue emitIdentity(FunctionImporter &importer, Arguments &args) {
  return callNumpy(importer, "eye", {args["n"], PyValue::object(py::none()), integer(0), args["dtype"]});
}

/// The array in C order (turned: in F order): itself where it lies so, which the run time finds out, and a copy
/// otherwise.
Value ordered(FunctionImporter &importer, Value turned, bool isFortran) {
  Value result = importer.reshape(turned, importer.dims(turned), np::getShape(turned.getType()), /*ravel=*/true);
  SmallVector<Operation *> steps{result.getDefiningOp()};
  if (isFortran) {
    result = importer.turned(result);
    steps.append({turned.getDefiningOp(), result.getDefiningOp()});
  }
  for (Operation *step : steps)
    if (isa_and_nonnull<np::ViewOp, np::ReshapeStridedOp>(step))
      step->setAttr("np.same", importer.builder.getUnitAttr());
  return result;
}

/// A `copy` argument: whether there must be a copy, or none where it is made only if it must be; false with an error
/// reported.
bool asCopy(FunctionImporter &importer, const PyValue &argument, std::optional<bool> &copy) {
  if (argument.isNone())
    return true;
  if (!argument.isObject()) {
    importer.fail("copy must be known at compile time");
    return false;
  }
  copy = py::isTrue(argument.object());
  return true;
}

/// numpy.array and numpy.asarray. Lists and tuples are nested sequences of numbers and arrays.
PyValue arrayOf(FunctionImporter &importer, const PyValue &object, Arguments &args) {
  Type element = importer.asDtype(args["dtype"], Type());
  std::optional<bool> copy;
  if ((!element && !args["dtype"].isNone()) || !asCopy(importer, args["copy"], copy))
    return PyValue::poison();
  // Of what is an array already, in this dtype; everything else becomes a new one.
  bool isArray = object.isArray() || object.arrayType();
  bool isConverted = isArray && element && object.elementType() != element;
  Value array = importer.asArray(object, element);
  if (!array)
    return PyValue::poison();
  using Order = FunctionImporter::Order;
  std::optional<Order> order = importer.asOrder(args["order"], Order::K);
  if (!order)
    return PyValue::poison();
  if (copy == false && (!isArray || isConverted))
    return importer.fail("ValueError: Unable to avoid copy while creating an array as requested.");
  if (copy == true || !isArray || isConverted) {
    std::optional<bool> fortran = importer.isFortranLike(args["order"], array, Order::K);
    if (!fortran)
      return PyValue::poison();
    bool isMade = isa<np::ArrayType>(array.getType()) && !object.isRuntime(); // of a list, just now
    if (*fortran && np::getRank(array.getType()) > 1)
      return runtime(importer.newArrayIn(isa<np::ArrayType>(array.getType()) ? importer.load(array) : array, true));
    if (copy != true || isMade)
      return importer.asNewArray(array);
    return runtime(importer.newArray(isa<np::ArrayType>(array.getType()) ? importer.load(array) : array));
  }
  // A view, or the array itself, where it lies in this order; a copy otherwise, which the run time decides.
  bool isFortran = *order == Order::F;
  if ((!isFortran && *order != Order::C) || np::getRank(array.getType()) < 2)
    return runtime(array);
  if (!isa<np::ArrayType>(array.getType()))
    return runtime(isFortran ? importer.newArrayIn(array, true) : array);
  Value turned = isFortran ? importer.turned(array) : array;
  if (cast<np::ArrayType>(turned.getType()).getContiguous())
    return runtime(array);
  if (copy == false)
    return importer.fail("whether this array lies in order '" + Twine(isFortran ? "F" : "C") +
                             "' is not known at compile time",
                         "leave copy=False out");
  return runtime(ordered(importer, turned, isFortran));
}

PyValue emitArray(FunctionImporter &importer, Arguments &args) {
  PyValue result = arrayOf(importer, args["object"], args);
  if (result.isPoison())
    return result;
  std::optional<int64_t> ndmin = importer.asInteger(args["ndmin"]);
  if (!ndmin)
    return args["ndmin"].isPoison() ? PyValue::poison() : importer.fail("ndmin must be an integer known at compile time");
  if (int64_t more = *ndmin - result.rank(); more > 0)
    return runtime(importer.expandDims(result.ir(), llvm::to_vector(llvm::seq<int64_t>(0, more))));
  return result;
}
PyValue emitAsarray(FunctionImporter &importer, Arguments &args) { return arrayOf(importer, args["a"], args); }

/// At least one axis, and in C order (or F order).
PyValue contiguous(FunctionImporter &importer, Arguments &args, bool isFortran) {
  Type element = importer.asDtype(args["dtype"], Type());
  if (!element && !args["dtype"].isNone())
    return PyValue::poison();
  Value array = importer.asArray(args["a"], element);
  if (!array)
    return PyValue::poison();
  if (np::getRank(array.getType()) == 0)
    return runtime(importer.expandDims(importer.asNewArray(array).ir(), {0}));
  Value turned = isFortran ? importer.turned(array) : array;
  auto type = dyn_cast<np::ArrayType>(turned.getType());
  if (!type)
    return inOrder(importer, array, isFortran);
  if (type.getContiguous())
    return runtime(array);
  return runtime(ordered(importer, turned, isFortran));
}
PyValue emitAscontiguous(FunctionImporter &importer, Arguments &args) { return contiguous(importer, args, false); }
PyValue emitAsfortran(FunctionImporter &importer, Arguments &args) { return contiguous(importer, args, true); }

PyValue emitCopy(FunctionImporter &importer, Arguments &args) {
  Value array = importer.asArray(args["a"]);
  std::optional<bool> fortran =
      array ? importer.isFortranLike(args["order"], array, FunctionImporter::Order::K) : std::nullopt;
  if (!fortran)
    return PyValue::poison();
  return runtime(importer.newArrayIn(isa<np::ArrayType>(array.getType()) ? importer.load(array) : array, *fortran));
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
    {"numpy.eye", "N, M=None, k=0, dtype=None, order='C'", emitEye},
    {"numpy.identity", "n, dtype=None", emitIdentity},
    {"numpy.array", "object, dtype=None, *, copy=True, order='K', ndmin=0", emitArray},
    {"numpy.asarray", "a, dtype=None, order=None, *, copy=None", emitAsarray},
    {"numpy.asanyarray", "a, dtype=None, order=None, *, copy=None", emitAsarray},
    {"numpy.ascontiguousarray", "a, dtype=None", emitAscontiguous},
    {"numpy.asfortranarray", "a, dtype=None", emitAsfortran},
    {"numpy.copy", "a, order='K'", emitCopy},
};
} // namespace

ArrayRef<FunctionRow> creationRows() { return rows; }

} // namespace npcc::frontend
