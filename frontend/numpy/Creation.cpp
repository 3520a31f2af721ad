// New arrays. What has one value everywhere, or follows from positions, is a value; numpy.empty is an array.
#include "frontend/numpy/Creation.h"
#include "dialects/Np/Values.h"
#include "frontend/importer/Assignment.h"
#include "frontend/numpy/Table.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

bool shapeOf(Interpreter &in, const PyValue &argument, SmallVectorImpl<Value> &extents) {
  SmallVector<int64_t> shape;
  if (!asShape(in, argument, extents, shape))
    return false;
  Value zero = in.ir.index(0);
  for (Value extent : extents) {
    IntegerAttr known;
    if (matchPattern(extent, m_Constant(&known))) {
      if (known.getValue().isNegative()) {
        in.fail("ValueError: negative dimensions are not allowed");
        return false;
      }
    } else if (!extent.getDefiningOp<np::DimOp>()) {
      in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::sge, extent, zero), "ValueError",
                  "negative dimensions are not allowed");
    }
  }
  return true;
}

namespace {

PyValue runtime(Value value) { return value ? PyValue::runtime(value) : PyValue::poison(); }

/// Whether an array that nothing is a model of lies in F order.
std::optional<bool> isFortran(Interpreter &in, Arguments &args) {
  std::optional<Order> order = asOrder(in, args["order"], Order::C);
  if (!order || *order == Order::C || *order == Order::F)
    return order ? std::optional(*order == Order::F) : std::nullopt;
  in.fail("ValueError: only 'C' or 'F' order is permitted");
  return std::nullopt;
}

/// A new array: of its value, as long as its layout is the usual one.
PyValue inOrder(Interpreter &in, Value value, bool fortran) {
  return runtime(fortran && np::getRank(value.getType()) > 1 ? newArrayIn(in, value, true) : value);
}

PyValue filledWith(Interpreter &in, Value value, ArrayRef<Value> extents, bool fortran);

PyValue filled(Interpreter &in, Arguments &args, const PyValue &fill, Type element) {
  SmallVector<Value> extents;
  if (!element || !shapeOf(in, args["shape"], extents))
    return PyValue::poison();
  std::optional<bool> fortran = isFortran(in, args);
  if (!fortran)
    return PyValue::poison();
  Value scalar = operandAs(in, fill, element);
  if (!scalar)
    return PyValue::poison();
  if (isa<RankedTensorType>(scalar.getType())) {
    if (np::getRank(scalar.getType()) > 0)
      return filledWith(in, scalar, extents, *fortran);
    scalar = in.ir.item(scalar);
  }
  Value value = in.ir.full(scalar, extents);
  // A 0-d array, not a NumPy scalar.
  return extents.empty() ? runtime(in.ir.newArray(value)) : inOrder(in, value, *fortran);
}

PyValue integer(int64_t value) { return PyValue::object(py::integer(value)); }

PyValue emitZeros(Interpreter &in, Arguments &args) {
  return filled(in, args, integer(0), asDtype(in, args["dtype"], in.ir.getF64Type()));
}
const Registered zerosRows{{"numpy.zeros", "shape, dtype=None, order='C'", emitZeros}};
PyValue emitOnes(Interpreter &in, Arguments &args) {
  return filled(in, args, integer(1), asDtype(in, args["dtype"], in.ir.getF64Type()));
}
const Registered onesRows{{"numpy.ones", "shape, dtype=None, order='C'", emitOnes}};

PyValue emptyOf(Interpreter &in, SmallVector<Value> extents, Type element, bool fortran) {
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
  auto type = np::ArrayType::get(in.ir.getContext(), shape, element, /*contiguous=*/true);
  Value array = np::EmptyOp::create(in.ir, type, dynamic);
  return runtime(fortran ? in.ir.turned(array) : array);
}

/// A new array with an array stored into all of it.
PyValue filledWith(Interpreter &in, Value value, ArrayRef<Value> extents, bool fortran) {
  PyValue array = emptyOf(in, llvm::to_vector(extents), np::getElementType(value.getType()), fortran);
  storeWhole(in, array.ir(), PyValue::runtime(value));
  return array;
}

PyValue emitEmpty(Interpreter &in, Arguments &args) {
  // Of no order the type makes one of C's, and for others too.
  if (StringRef(args.row->name) == "numpy.ndarray" && args["order"].isObject()) {
    std::string order = py::text(args["order"].object());
    if (order != "C" && order != "F")
      return in.fail("numpy.ndarray with order='" + order + "' cannot be compiled", "use 'C' or 'F'");
  }
  Type element = asDtype(in, args["dtype"], in.ir.getF64Type());
  SmallVector<Value> extents;
  std::optional<bool> fortran = isFortran(in, args);
  if (!element || !fortran || !shapeOf(in, args["shape"], extents))
    return PyValue::poison();
  return emptyOf(in, extents, element, *fortran);
}
const Registered emptyRows{
    {"numpy.empty", "shape, dtype=None, order='C'", emitEmpty},
    {"numpy.ndarray", "shape, dtype=None, *, order='C'", emitEmpty},
};

Type dtypeOf(Interpreter &in, const PyValue &value) {
  if (value.isRuntime())
    return value.elementType();
  if (Value array = asArray(in, value))
    return np::getElementType(array.getType());
  return {};
}

PyValue emitFull(Interpreter &in, Arguments &args) {
  Type element = asDtype(in, args["dtype"], Type());
  if (!element && args["dtype"].isNone())
    element = dtypeOf(in, args["fill_value"]);
  return filled(in, args, args["fill_value"], element);
}
const Registered fullRows{{"numpy.full", "shape, fill_value, dtype=None, order='C'", emitFull}};

/// The like-functions: extents (and dtype, unless given) of a prototype.
PyValue like(Interpreter &in, Arguments &args, const PyValue *fill) {
  Value prototype = asArray(in, args["a"]);
  if (!prototype)
    return PyValue::poison();
  Type element = asDtype(in, args["dtype"], np::getElementType(prototype.getType()));
  std::optional<bool> fortran = isFortranLike(in, args["order"], prototype, Order::K);
  if (!element || !fortran)
    return PyValue::poison();
  SmallVector<Value> extents;
  if (args.given("shape")) {
    if (!shapeOf(in, args["shape"], extents))
      return PyValue::poison();
  } else {
    extents = in.ir.dims(prototype);
  }
  if (!fill)
    return emptyOf(in, extents, element, *fortran);
  Value scalar = operandAs(in, *fill, element);
  if (!scalar)
    return PyValue::poison();
  if (isa<RankedTensorType>(scalar.getType())) {
    if (np::getRank(scalar.getType()) > 0)
      return filledWith(in, scalar, extents, *fortran);
    scalar = in.ir.item(scalar);
  }
  Value value = in.ir.full(scalar, extents);
  return extents.empty() ? runtime(in.ir.newArray(value)) : inOrder(in, value, *fortran);
}
PyValue emitEmptyLike(Interpreter &in, Arguments &args) { return like(in, args, nullptr); }
const Registered emptyLikeRows{{"numpy.empty_like", "a, dtype=None, order='K', subok=True, shape=None", emitEmptyLike}};

PyValue emitZerosLike(Interpreter &in, Arguments &args) {
  PyValue fill = integer(0);
  return like(in, args, &fill);
}
const Registered zerosLikeRows{{"numpy.zeros_like", "a, dtype=None, order='K', subok=True, shape=None", emitZerosLike}};
PyValue emitOnesLike(Interpreter &in, Arguments &args) {
  PyValue fill = integer(1);
  return like(in, args, &fill);
}
const Registered onesLikeRows{{"numpy.ones_like", "a, dtype=None, order='K', subok=True, shape=None", emitOnesLike}};
PyValue emitFullLike(Interpreter &in, Arguments &args) {
  PyValue fill = args["fill_value"];
  return like(in, args, &fill);
}
const Registered fullLikeRows{
    {"numpy.full_like", "a, fill_value, dtype=None, order='K', subok=True, shape=None", emitFullLike}};

/// The extent that a quotient gives, as NumPy rounds it up.
Value extentOfQuotient(Interpreter &in, Value quotient, Value hasSpan) {
  NpBuilder &b = in.ir;
  auto number = [&](double value) -> Value { return arith::ConstantOp::create(b, b.getF64FloatAttr(value)); };
  auto compare = [&](arith::CmpFPredicate predicate, Value left, Value right) {
    return b.createOrFold<arith::CmpFOp>(predicate, left, right);
  };
  in.ir.check(compare(arith::CmpFPredicate::ORD, quotient, quotient), "ValueError", "arange: cannot compute length");
  Value up = in.ir.emitUfunc("ceil", {quotient});
  // A span that is lost in a large step still holds its first element.
  Value sign = in.ir.emitUfunc("copysign", {number(1), quotient});
  Value isLost = b.createOrFold<arith::AndIOp>(compare(arith::CmpFPredicate::OEQ, quotient, number(0)), hasSpan);
  isLost = b.createOrFold<arith::AndIOp>(isLost, compare(arith::CmpFPredicate::OGT, sign, number(0)));
  up = b.createOrFold<arith::SelectOp>(isLost, number(1), up);
  Value fits = b.createOrFold<arith::AndIOp>(compare(arith::CmpFPredicate::OLT, up, number(0x1p63)),
                                             compare(arith::CmpFPredicate::OGE, up, number(-0x1p63)));
  in.ir.check(fits, "ValueError", "Maximum allowed size exceeded");
  Value count = b.createOrFold<arith::IndexCastOp>(b.getIndexType(), in.ir.castTo(up, b.getI64Type()));
  return b.createOrFold<arith::MaxSIOp>(count, in.ir.index(0));
}

/// A Python int beside NumPy's integers that do not hold it: what their difference raises is another error here.
void checkInBounds(Interpreter &in, const PyValue &number, const PyValue &other) {
  auto type = dyn_cast_if_present<IntegerType>(runtimeType(in, other));
  if (other.isRuntime() && !other.isPythonScalar())
    type = dyn_cast<IntegerType>(other.elementType());
  bool isNumpys =
      other.isRuntime() ? !other.isPythonScalar() : py::isInstance(other.object(), in.dtypes.numpy["generic"]);
  bool isInt = number.isRuntime() ? number.isPythonScalar() && number.type() == in.ir.getI64Type()
                                  : PyLong_CheckExact(number.object().get());
  if (isNumpys && isInt && type && !type.isInteger(1))
    in.ir.check(in.ir.fits(valueOf(in, number), type), "ValueError", "Maximum allowed size exceeded");
}

/// ceil((stop - start) / step) elements, in the numbers' own arithmetic. Null with an error reported.
Value extentOfRange(Interpreter &in, const PyValue &start, const PyValue &stop, const PyValue &step) {
  NpBuilder &b = in.ir;
  auto isPythonInt = [&](const PyValue &value) {
    return value.isRuntime() ? value.isPythonScalar() && isa<IntegerType>(value.type())
                             : bool(PyLong_Check(value.object().get()));
  };
  if (isPythonInt(start) && isPythonInt(stop) && isPythonInt(step)) {
    Value from = toIndex(in, start), to = toIndex(in, stop), by = toIndex(in, step);
    if (!from || !to || !by)
      return {};
    in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::ne, by, in.ir.index(0)), "ZeroDivisionError",
                "division by zero");
    Value span = b.createOrFold<arith::SubIOp>(to, from);
    Value count =
        matchPattern(by, m_One()) || matchPattern(by, m_Zero()) ? span : b.createOrFold<arith::CeilDivSIOp>(span, by);
    return b.createOrFold<arith::MaxSIOp>(count, in.ir.index(0));
  }
  checkInBounds(in, start, stop);
  checkInBounds(in, stop, start);
  PyValue span = binary(in, "Sub", stop, start);
  if (span.isPoison())
    return {};
  Value difference = valueOf(in, span);
  if (!difference)
    return {};
  if (isa<RankedTensorType>(difference.getType()))
    difference = in.ir.item(difference);
  Type held = difference.getType();
  if (isa<IntegerType>(held) && asInteger(in, step) == 1) {
    Value wide = in.ir.castTo(difference, b.getI64Type());
    if (held.isUnsignedInteger(64))
      in.ir.check(
          b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, wide, in.ir.constantInteger(b.getI64Type(), 0)),
          "ValueError", "Maximum allowed size exceeded");
    return b.createOrFold<arith::MaxSIOp>(b.createOrFold<arith::IndexCastOp>(b.getIndexType(), wide), in.ir.index(0));
  }
  checkInBounds(in, step, span);
  PyValue quotient = binary(in, "Div", span, step);
  Value number = quotient.isPoison() ? Value() : operandAs(in, quotient, b.getF64Type());
  if (!number)
    return {};
  if (isa<RankedTensorType>(number.getType()))
    number = in.ir.item(number);
  return extentOfQuotient(in, number, in.ir.emitUfunc("not_equal", {difference, constant(in, held, py::integer(0))}));
}

PyValue emitArange(Interpreter &in, Arguments &args) {
  PyValue start = args["start"], stop = args["stop"], step = args["step"];
  if (start.isNone() && stop.isNone())
    return in.fail("TypeError: arange() requires stop to be specified.");
  if (stop.isNone())
    std::swap(start, stop);
  if (start.isNone())
    start = integer(0);
  // NumPy's promotion of int64 and the dtypes that the numbers have of their own.
  SmallVector<py::Object> keys{in.dtypes.dtype(in.ir.getI64Type())};
  for (const PyValue &part : {start, stop, step}) {
    Type type = runtimeType(in, part);
    if (part.isPoison() || !type || np::getRank(type) > 0)
      return part.isPoison() ? part : in.fail("arange needs numbers, not " + describe(in, part));
    keys.push_back(in.dtypes.dtype(np::getElementType(type)));
  }
  Type common = in.dtypes.resultType(keys);
  Type element = asDtype(in, args["dtype"], common);
  if (!element)
    return PyValue::poison();
  if (isa<ComplexType>(common) || isa<ComplexType>(element))
    return in.fail("arange of complex numbers cannot be compiled",
                   "make a range of real numbers and convert it with astype()");
  NpBuilder &b = in.ir;
  Value extent = extentOfRange(in, start, stop, step);
  if (!extent)
    return PyValue::poison();
  if (element.isInteger(1))
    b.check(b.compareIndex(arith::CmpIPredicate::sle, extent, b.index(2)), "TypeError",
            "arange() is only supported for booleans when the result has at most length 2.");
  // NumPy fills with start + i * ((start + step) - start), computed in the result's dtype.
  Type computed = element.isInteger(1) ? Type(b.getI64Type()) : element;
  auto inDtype = [&](const PyValue &value) {
    Value plain = operandAs(in, value, computed);
    return plain && isa<RankedTensorType>(plain.getType()) ? in.ir.item(plain) : plain;
  };
  Value first = inDtype(start), step0 = inDtype(step);
  if (!first || !step0)
    return PyValue::poison();
  Value delta = step0;
  auto isPythons = [&](const PyValue &value) {
    return value.isRuntime() ? value.isPythonScalar() : !py::isInstance(value.object(), in.dtypes.numpy["generic"]);
  };
  // The second element is computed in the numbers' own types, where integers may wrap.
  if (!computed.isInteger() || !isPythons(start) || !isPythons(step)) {
    Value second = inDtype(binary(in, "Add", start, step));
    if (!second)
      return PyValue::poison();
    delta = in.ir.emitUfunc("subtract", {second, first});
  }
  Value value = np::ArangeOp::create(b, RankedTensorType::get({ShapedType::kDynamic}, computed), first, delta, extent);
  return runtime(in.ir.castTo(value, element));
}
const Registered arangeRows{{"numpy.arange", "start=None, stop=None, step=1, dtype=None", emitArange}};

/// Ones where column = row + k.
PyValue emitEye(Interpreter &in, Arguments &args) {
  Type element = asDtype(in, args["dtype"], in.ir.getF64Type());
  Value rows = toIndex(in, args["N"]);
  Value columns = args.given("M") ? toIndex(in, args["M"]) : rows;
  std::optional<int64_t> k = asInteger(in, args["k"]);
  std::optional<bool> fortran = isFortran(in, args);
  if (!element || !rows || !columns || !fortran)
    return PyValue::poison();
  if (!k && args["k"].isObject())
    return in.fail("TypeError: " + nameOfType(in, args["k"]) + " object cannot be interpreted as an integer");
  if (!k)
    return in.fail("the diagonal of eye must be known at compile time");
  NpBuilder &b = in.ir;
  Type i64 = b.getI64Type();
  auto positions = [&](Value extent, int64_t first) -> Value {
    return np::ArangeOp::create(b, RankedTensorType::get({ShapedType::kDynamic}, i64),
                                in.ir.constantInteger(i64, first), in.ir.constantInteger(i64, 1), extent);
  };
  Value row = in.ir.expandDims(positions(rows, *k), {1});
  Value equal = in.ir.emitUfunc("equal", {row, positions(columns, 0)});
  return inOrder(in, in.ir.castTo(equal, element), *fortran);
}
const Registered eyeRows{{"numpy.eye", "N, M=None, k=0, dtype=None, order='C'", emitEye}};
PyValue emitIdentity(Interpreter &in, Arguments &args) {
  return callNumpy(in, "eye", {args["n"], PyValue::object(py::none()), integer(0), args["dtype"]});
}
const Registered identityRows{{"numpy.identity", "n, dtype=None", emitIdentity}};

/// The array in C order (turned: in F order): itself where it lies so, which the run time finds out, and a copy
/// otherwise.
Value ordered(Interpreter &in, Value array, Value turned, bool isFortran) {
  if (cast<np::ArrayType>(turned.getType()).getContiguous()) {
    Value same = in.ir.viewUnlessCopied(array);
    if (auto view = same.getDefiningOp<np::ViewOp>())
      view.setSame(true);
    return same;
  }
  Value result = in.ir.reshape(turned, in.ir.dims(turned), np::getShape(turned.getType()), /*ravel=*/true);
  SmallVector<Operation *> steps{result.getDefiningOp()};
  if (isFortran) {
    result = in.ir.turned(result);
    steps.append({turned.getDefiningOp(), result.getDefiningOp()});
  }
  for (Operation *step : steps)
    if (auto view = dyn_cast_if_present<np::ViewOp>(step))
      view.setSame(true);
    else if (auto reshape = dyn_cast_if_present<np::ReshapeStridedOp>(step))
      reshape.setSame(true);
  return result;
}

/// A `copy` argument: whether there must be a copy, or none where it is made only if it must be; false with an error
/// reported.
bool asCopy(Interpreter &in, const PyValue &argument, std::optional<bool> &copy) {
  if (argument.isNone())
    return true;
  if (!argument.isObject()) {
    in.fail("copy must be known at compile time");
    return false;
  }
  // The members of NumPy's own enumeration, by which libraries say it for all of its versions: one has no truth.
  static const py::Object modes = in.dtypes.numpy["_CopyMode"];
  if (!modes || !py::isInstance(argument.object(), modes))
    copy = py::isTrue(argument.object());
  else if (argument.object().string("name") != "IF_NEEDED")
    copy = argument.object().string("name") == "ALWAYS";
  return true;
}

/// numpy.array and numpy.asarray. Lists and tuples are nested sequences of numbers and arrays.
PyValue arrayOf(Interpreter &in, const PyValue &object, Arguments &args) {
  Type element = asDtype(in, args["dtype"], Type());
  std::optional<bool> copy;
  if ((!element && !args["dtype"].isNone()) || !asCopy(in, args["copy"], copy))
    return PyValue::poison();
  // Of what is an array already, in this dtype; everything else becomes a new one.
  bool isArray = object.isArray() || object.arrayType();
  bool isConverted = isArray && element && object.elementType() != element;
  Value array = asArray(in, object, element);
  if (!array)
    return PyValue::poison();
  using Order = Order;
  std::optional<Order> order = asOrder(in, args["order"], Order::K);
  if (!order)
    return PyValue::poison();
  if (copy == false && (!isArray || isConverted))
    return in.fail("ValueError: Unable to avoid copy while creating an array as requested.");
  if (copy == true || !isArray || isConverted) {
    std::optional<bool> fortran = isFortranLike(in, args["order"], array, Order::K);
    if (!fortran)
      return PyValue::poison();
    bool isMade = isa<np::ArrayType>(array.getType()) && !object.isRuntime(); // of a list, just now
    if (*fortran && np::getRank(array.getType()) > 1)
      return runtime(newArrayIn(in, isa<np::ArrayType>(array.getType()) ? in.ir.load(array) : array, true));
    if (copy != true || isMade)
      return asNewArray(in, array);
    return runtime(in.ir.newArray(isa<np::ArrayType>(array.getType()) ? in.ir.load(array) : array));
  }
  // A view, or the array itself, where it lies in this order; a copy otherwise, which the run time decides.
  bool isFortran = *order == Order::F;
  if ((!isFortran && *order != Order::C) || np::getRank(array.getType()) == 0)
    return runtime(array);
  if (!isa<np::ArrayType>(array.getType()))
    return runtime(isFortran ? newArrayIn(in, array, true) : array);
  Value turned = isFortran ? in.ir.turned(array) : array;
  if (copy == false && !cast<np::ArrayType>(turned.getType()).getContiguous())
    return in.fail("whether this array lies in order '" + Twine(isFortran ? "F" : "C") +
                       "' is not known at compile time",
                   "leave copy=False out");
  return runtime(ordered(in, array, turned, isFortran));
}

PyValue emitArray(Interpreter &in, Arguments &args) {
  PyValue result = arrayOf(in, args["object"], args);
  if (result.isPoison())
    return result;
  std::optional<int64_t> ndmin = asInteger(in, args["ndmin"]);
  if (!ndmin)
    return args["ndmin"].isPoison() ? PyValue::poison() : in.fail("ndmin must be an integer known at compile time");
  if (int64_t more = *ndmin - result.rank(); more > 0)
    return runtime(in.ir.expandDims(result.ir(), llvm::to_vector(llvm::seq<int64_t>(0, more))));
  return result;
}
const Registered arrayRows{{"numpy.array", "object, dtype=None, *, copy=True, order='K', ndmin=0", emitArray}};
PyValue emitAsarray(Interpreter &in, Arguments &args) { return arrayOf(in, args["a"], args); }
const Registered asarrayRows{
    {"numpy.asarray", "a, dtype=None, order=None, *, copy=None", emitAsarray},
    {"numpy.asanyarray", "a, dtype=None, order=None, *, copy=None", emitAsarray},
};

/// At least one axis, and in C order (or F order).
PyValue contiguous(Interpreter &in, Arguments &args, bool isFortran) {
  Type element = asDtype(in, args["dtype"], Type());
  if (!element && !args["dtype"].isNone())
    return PyValue::poison();
  Value array = asArray(in, args["a"], element);
  if (!array)
    return PyValue::poison();
  if (np::getRank(array.getType()) == 0)
    return runtime(in.ir.expandDims(asNewArray(in, array).ir(), {0}));
  Value turned = isFortran ? in.ir.turned(array) : array;
  if (!isa<np::ArrayType>(turned.getType()))
    return inOrder(in, array, isFortran);
  return runtime(ordered(in, array, turned, isFortran));
}
PyValue emitAscontiguous(Interpreter &in, Arguments &args) { return contiguous(in, args, false); }
const Registered ascontiguousRows{{"numpy.ascontiguousarray", "a, dtype=None", emitAscontiguous}};

PyValue emitAsfortran(Interpreter &in, Arguments &args) { return contiguous(in, args, true); }
const Registered asfortranRows{{"numpy.asfortranarray", "a, dtype=None", emitAsfortran}};

PyValue emitCopy(Interpreter &in, Arguments &args) {
  Value array = asArray(in, args["a"]);
  std::optional<bool> fortran = array ? isFortranLike(in, args["order"], array, Order::K) : std::nullopt;
  if (!fortran)
    return PyValue::poison();
  return runtime(newArrayIn(in, isa<np::ArrayType>(array.getType()) ? in.ir.load(array) : array, *fortran));
}
const Registered copyRows{{"numpy.copy", "a, order='K'", emitCopy}};

} // namespace

} // namespace npcc::frontend
