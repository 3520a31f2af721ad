// Constants, loads, casts and extents: what every other file emits operations with.
#include "frontend/importer/FunctionImporter.h"
#include "frontend/importer/Selections.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

void FunctionImporter::enterBlock() {
  if (cacheBlock == builder.getInsertionBlock())
    return;
  forgetCaches();
  cacheBlock = builder.getInsertionBlock();
}

void FunctionImporter::forgetCaches() {
  loads.clear();
  indices.clear();
  extents.clear();
  cacheBlock = nullptr;
}

Value FunctionImporter::index(int64_t value) {
  enterBlock();
  Value &known = indices[value];
  if (!known)
    known = arith::ConstantIndexOp::create(builder, here(), value);
  return known;
}

Value FunctionImporter::constantInteger(Type elementType, int64_t value) {
  return constant(elementType, py::integer(value));
}

/// What an array of the number gives as another dtype, without the warnings.
static py::Object castQuietly(Dtypes &dtypes, const py::Object &number, const py::Object &dtype) {
  py::Object quiet = py::import("warnings")["catch_warnings"], state = py::call(quiet, {});
  py::call(state["__enter__"], {});
  py::call(py::import("warnings")["simplefilter"], {py::string("ignore")});
  py::Object result = py::call(py::call(dtypes.numpy["array"], {number})["astype"], {dtype});
  py::call(state["__exit__"], {py::none(), py::none(), py::none()});
  return result;
}

Value FunctionImporter::constant(Type elementType, const py::Object &number) {
  Location location = here();
  if (auto complex = dyn_cast<ComplexType>(elementType)) {
    auto real = cast<FloatType>(complex.getElementType());
    double parts[] = {PyComplex_RealAsDouble(number.get()), PyComplex_ImagAsDouble(number.get())};
    PyErr_Clear();
    SmallVector<Attribute> attributes;
    for (double part : parts)
      attributes.push_back(builder.getFloatAttr(real, part));
    return complex::ConstantOp::create(builder, location, complex, builder.getArrayAttr(attributes));
  }
  if (auto real = dyn_cast<FloatType>(elementType)) {
    double value = PyFloat_AsDouble(number.get());
    if (value == -1.0 && PyErr_Occurred()) {
      PyErr_Clear();
      if (PyComplex_Check(number.get()))
        value = PyComplex_RealAsDouble(number.get());
    }
    return arith::ConstantOp::create(builder, location, builder.getFloatAttr(real, value));
  }
  auto integer = cast<IntegerType>(elementType);
  if (integer.getWidth() == 1)
    return arith::ConstantOp::create(builder, location, builder.getBoolAttr(py::isTrue(number)));
  // A float is cast as NumPy casts it, NaN and what is too large too.
  bool isInteger = PyLong_Check(number.get()) || py::isInstance(number, dtypes.numpy["integer"]) ||
                   py::isInstance(number, dtypes.numpy["bool_"]);
  py::Object real = isInteger ? number : castQuietly(dtypes, number, dtypes.dtype(integer));
  py::Object whole = py::Object::take(PyNumber_Long(real.get()));
  uint64_t bits = whole ? PyLong_AsUnsignedLongLongMask(whole.get()) : 0;
  if (PyErr_Occurred())
    PyErr_Clear();
  APInt value = APInt(64, bits).trunc(integer.getWidth());
  if (integer.isSignless())
    return arith::ConstantOp::create(builder, location, IntegerAttr::get(integer, value));
  // arith has signless constants only: unsigned ones are converted, which folds where it is lowered.
  Type signless = builder.getIntegerType(integer.getWidth());
  Value constant = arith::ConstantOp::create(builder, location, IntegerAttr::get(signless, value));
  return np::CastOp::create(builder, location, elementType, constant);
}

void FunctionImporter::clobber() { loads.clear(); }

Value FunctionImporter::load(Value array) {
  enterBlock();
  Value &known = loads[array];
  if (!known)
    known = np::LoadOp::create(builder, here(), array);
  return known;
}

Value FunctionImporter::newArray(Value value) {
  Value array = np::NewOp::create(builder, here(), value);
  // What is selected stays known by its mask while nothing is written: its sum needs no array.
  if (value.getDefiningOp<np::CompressOp>()) {
    enterBlock();
    loads[array] = value;
  }
  return array;
}

Value FunctionImporter::rankZero(Value scalar) {
  return np::FullOp::create(builder, here(), RankedTensorType::get({}, scalar.getType()), scalar, ValueRange());
}

PyValue FunctionImporter::asNewArray(Value value) {
  return PyValue::runtime(np::getRank(value.getType()) == 0 && !isa<np::ArrayType>(value.getType()) ? newArray(value)
                                                                                                    : value);
}

Value FunctionImporter::item(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (auto full = tensor.getDefiningOp<np::FullOp>())
    return full.getValue();
  return np::ItemOp::create(builder, here(), type.getElementType(), tensor);
}

/// The dtype NumPy gives a constant on its own.
static py::Object dtypeOfConstant(Dtypes &dtypes, const py::Object &object) {
  if (py::Object dtype = object["dtype"])
    return dtype;
  return py::call(dtypes.numpy["result_type"], {object});
}

static bool isNumber(const py::Object &object) {
  return object && (PyFloat_Check(object.get()) || PyLong_Check(object.get()) || PyComplex_Check(object.get()));
}

/// numpy.float64(2.5) and so on.
static bool isNumpyScalar(Dtypes &dtypes, const py::Object &object) {
  return py::isInstance(object, dtypes.numpy["generic"]);
}

py::Object FunctionImporter::promotionKey(const PyValue &value) {
  static const py::Object pythonInt = py::Object::borrow(reinterpret_cast<PyObject *>(&PyLong_Type));
  static const py::Object pythonFloat = py::Object::borrow(reinterpret_cast<PyObject *>(&PyFloat_Type));
  static const py::Object pythonComplex = py::Object::borrow(reinterpret_cast<PyObject *>(&PyComplex_Type));
  if (value.isRuntime()) {
    Type type = value.elementType();
    if (!value.isPythonScalar() || type.isInteger(1))
      return dtypes.dtype(type);
    return isa<ComplexType>(type) ? pythonComplex : isa<FloatType>(type) ? pythonFloat : pythonInt;
  }
  if (!value.isObject())
    return {};
  const py::Object &object = value.object();
  if (isNumpyScalar(dtypes, object))
    return dtypes.dtype(dtypes.elementType(object["dtype"]));
  if (PyBool_Check(object.get()))
    return dtypes.dtype(builder.getI1Type());
  if (PyLong_Check(object.get()))
    return pythonInt;
  if (PyFloat_Check(object.get()))
    return pythonFloat;
  if (PyComplex_Check(object.get()))
    return pythonComplex;
  return {};
}

Type FunctionImporter::resultType(ArrayRef<PyValue> values) {
  SmallVector<py::Object> keys;
  for (const PyValue &value : values) {
    py::Object key = promotionKey(value);
    if (!key)
      return {};
    keys.push_back(key);
  }
  return dtypes.resultType(keys);
}

Value FunctionImporter::castTo(Value value, Type elementType) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == elementType)
    return value;
  // What was selected is converted before the selection (see emitUfunc).
  if (auto selection = value.getDefiningOp<np::CompressOp>()) {
    Type type = RankedTensorType::get(selection.getType().getShape(), elementType);
    return np::CompressOp::create(builder, here(), type, castTo(selection.getSource(), elementType), selection.getMask());
  }
  Type to = elementType;
  if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
    to = RankedTensorType::get(tensor.getShape(), elementType);
  return builder.createOrFold<np::CastOp>(here(), to, value);
}

Value FunctionImporter::valueOf(const PyValue &value) {
  if (value.isRuntime())
    return value.arrayType() ? load(value.ir()) : value.ir();
  if (value.isObject()) {
    const py::Object &object = value.object();
    if (isNumpyScalar(dtypes, object) || isNumber(object)) {
      Type type = dtypes.elementType(dtypeOfConstant(dtypes, object));
      if (!type) {
        fail("the number " + py::repr(object) + " does not fit 64 bits");
        return {};
      }
      Value scalar = constant(type, object);
      return isNumpyScalar(dtypes, object) ? rankZero(scalar) : scalar;
    }
  }
  if (value.hasItems() || value.isObject() || value.is(PyValue::Kind::Range)) {
    Value array = asArray(value);
    return array && isa<np::ArrayType>(array.getType()) ? load(array) : array;
  }
  if (!value.isPoison())
    fail("a number or an array is needed, not " + describe(value));
  return {};
}

Value FunctionImporter::operandAs(const PyValue &value, Type elementType) {
  if (value.isObject() && (isNumber(value.object()) || isNumpyScalar(dtypes, value.object()))) {
    const py::Object &object = value.object();
    // NEP 50: a Python int must fit the dtype it is converted to.
    if (PyLong_Check(object.get()) && !PyBool_Check(object.get()) && isa<IntegerType>(elementType) && !elementType.isInteger(1)) {
      std::string errorType, message;
      if (!py::tryCall(dtypes.dtype(elementType)["type"], {object}, {}, errorType, message)) {
        fail(errorType + ": " + message);
        return {};
      }
    }
    return constant(elementType, object);
  }
  Value plain = valueOf(value);
  if (!plain)
    return plain;
  auto integer = dyn_cast<IntegerType>(elementType);
  if (value.isPythonScalar() && plain.getType() == builder.getI64Type() && integer && !integer.isInteger(1))
    checkFits(plain, integer);
  return castTo(plain, elementType);
}

Value FunctionImporter::tensorOf(const PyValue &value, Type elementType) {
  Value plain = elementType ? operandAs(value, elementType) : valueOf(value);
  return !plain || isa<RankedTensorType>(plain.getType()) ? plain : rankZero(plain);
}

Value FunctionImporter::toIndex(const PyValue &value, StringRef what) {
  if (std::optional<int64_t> known = asInteger(value))
    return index(*known);
  if (value.isPoison())
    return {};
  Value scalar = value.isRuntime() ? value.ir() : Value();
  if (value.arrayType() && value.rank() == 0)
    scalar = load(value.ir());
  if (!scalar || !isa<IntegerType>(getElementTypeOrSelf(scalar.getType())) || np::getRank(scalar.getType()) != 0) {
    fail((what.empty() ? "an integer" : what) + " is needed, not " + describe(value));
    return {};
  }
  if (isa<RankedTensorType>(scalar.getType()))
    scalar = item(scalar);
  scalar = castTo(scalar, builder.getI64Type());
  if (auto cast = scalar.getDefiningOp<arith::IndexCastOp>())
    return cast.getIn();
  return arith::IndexCastOp::create(builder, here(), builder.getIndexType(), scalar);
}

PyValue FunctionImporter::fromIndex(Value position) {
  IntegerAttr known;
  if (matchPattern(position, m_Constant(&known)))
    return PyValue::object(py::integer(known.getValue().getSExtValue()));
  return PyValue::runtime(arith::IndexCastOp::create(builder, here(), builder.getI64Type(), position));
}

Value FunctionImporter::dim(Value shaped, int64_t axis) {
  if (int64_t known = np::getShape(shaped.getType())[axis]; !ShapedType::isDynamic(known))
    return index(known);
  enterBlock();
  Value extent = extents.lookup({shaped, axis});
  if (extent)
    return extent;
  auto selection = shaped.getDefiningOp<np::CompressOp>();
  if (selection && axis > 0)
    return dim(selection.getSource(), axis + np::getRank(selection.getMask().getType()) - 1);
  if (selection) {
    // One count for all selections by one mask.
    Value mask = selection.getMask();
    extent = extents.lookup({mask, -1});
    if (!extent)
      extents[{mask, -1}] = extent = countTrue(builder, here(), mask);
  } else {
    extent = np::getExtent(builder, here(), shaped, axis);
  }
  extents[{shaped, axis}] = extent;
  return extent;
}

SmallVector<Value> FunctionImporter::dims(Value shaped) {
  SmallVector<Value> result;
  for (int64_t axis = 0, rank = np::getRank(shaped.getType()); axis < rank; ++axis)
    result.push_back(dim(shaped, axis));
  return result;
}

Value FunctionImporter::size(Value shaped) {
  Value product;
  for (Value extent : dims(shaped)) {
    if (matchPattern(extent, m_One()))
      continue;
    product = product ? Value(arith::MulIOp::create(builder, here(), product, extent)) : extent;
  }
  return product ? product : index(1);
}

Value FunctionImporter::compareIndex(arith::CmpIPredicate predicate, Value left, Value right) {
  return builder.createOrFold<arith::CmpIOp>(here(), predicate, left, right);
}

void FunctionImporter::check(Value condition, StringRef error, const Twine &message, ValueRange arguments) {
  if (matchPattern(condition, m_One()))
    return;
  np::AssertOp::create(builder, here(), condition, builder.getStringAttr(error), builder.getStringAttr(message), arguments);
}

void FunctionImporter::checkIn64Bits(Value fits) {
  check(fits, "OverflowError", "an int of the compiled program does not fit into 64 bits");
}

void FunctionImporter::checkFits(np::Arithmetic kind, Value lhs, Value rhs) {
  if (frame->isLibrary) // what it computes of its own are extents and positions
    return;
  checkIn64Bits(builder.createOrFold<np::FitsOp>(here(), kind, lhs, rhs));
}

/// The static shape that belongs to extents: 1 where it is known to broadcast.
static SmallVector<int64_t> shapeOf(ArrayRef<Value> extents) {
  SmallVector<int64_t> shape;
  for (Value extent : extents)
    shape.push_back(matchPattern(extent, m_One()) ? 1 : ShapedType::kDynamic);
  return shape;
}

Value FunctionImporter::broadcastTo(Value value, ArrayRef<Value> extents, ArrayRef<int64_t> shape) {
  if (!isa<RankedTensorType>(value.getType()))
    return full(value, extents);
  SmallVector<int64_t> known = shape.empty() && !extents.empty() ? shapeOf(extents) : SmallVector<int64_t>(shape);
  Type type = RankedTensorType::get(known, getElementTypeOrSelf(value.getType()));
  return np::BroadcastOp::create(builder, here(), type, value, extents);
}

Value FunctionImporter::full(Value scalar, ArrayRef<Value> extents) {
  return np::FullOp::create(builder, here(), RankedTensorType::get(shapeOf(extents), scalar.getType()), scalar, extents);
}

} // namespace npcc::frontend
