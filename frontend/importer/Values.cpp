// Constants, loads, casts and extents: what every other file emits operations with.
#include "frontend/importer/Values.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Values.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/PythonBits.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

/// What an array of the number gives as another dtype, without the warnings.
static py::Object castQuietly(Dtypes &dtypes, const py::Object &number, const py::Object &dtype) {
  py::Object quiet = py::import("warnings")["catch_warnings"], state = py::call(quiet, {});
  py::call(state["__enter__"], {});
  py::call(py::import("warnings")["simplefilter"], {py::string("ignore")});
  py::Object result = py::call(py::call(dtypes.numpy["array"], {number})["astype"], {dtype});
  py::call(state["__exit__"], {py::none(), py::none(), py::none()});
  return result;
}

Value constant(Interpreter &in, Type elementType, const py::Object &number) {
  if (auto complex = dyn_cast<ComplexType>(elementType)) {
    auto real = cast<FloatType>(complex.getElementType());
    // A numpy.complex64 is no complex of Python's.
    py::Object whole = PyComplex_Check(number.get()) ? number : py::call(py::import("builtins")["complex"], {number});
    double parts[] = {PyComplex_RealAsDouble(whole.get()), PyComplex_ImagAsDouble(whole.get())};
    PyErr_Clear();
    SmallVector<Attribute> attributes;
    for (double part : parts)
      attributes.push_back(in.ir.getFloatAttr(real, part));
    return complex::ConstantOp::create(in.ir, complex, in.ir.getArrayAttr(attributes));
  }
  if (auto real = dyn_cast<FloatType>(elementType)) {
    double value = PyFloat_AsDouble(number.get());
    if (value == -1.0 && PyErr_Occurred()) {
      PyErr_Clear();
      if (PyComplex_Check(number.get()))
        value = PyComplex_RealAsDouble(number.get());
    }
    return arith::ConstantOp::create(in.ir, in.ir.getFloatAttr(real, value));
  }
  auto integer = cast<IntegerType>(elementType);
  if (integer.getWidth() == 1)
    return arith::ConstantOp::create(in.ir, in.ir.getBoolAttr(py::isTrue(number)));
  // A float is cast as NumPy casts it, NaN and what is too large too.
  bool isInteger = PyLong_Check(number.get()) || py::isInstance(number, in.dtypes.numpy["integer"]) ||
                   py::isInstance(number, in.dtypes.numpy["bool_"]);
  py::Object real = isInteger ? number : castQuietly(in.dtypes, number, in.dtypes.dtype(integer));
  py::Object whole = py::Object::take(PyNumber_Long(real.get()));
  uint64_t bits = whole ? PyLong_AsUnsignedLongLongMask(whole.get()) : 0;
  if (PyErr_Occurred())
    PyErr_Clear();
  APInt value = APInt(64, bits).trunc(integer.getWidth());
  if (integer.isSignless())
    return arith::ConstantOp::create(in.ir, IntegerAttr::get(integer, value));
  // arith has signless constants only: unsigned ones are converted, which folds where it is lowered.
  Type signless = in.ir.getIntegerType(integer.getWidth());
  Value constant = arith::ConstantOp::create(in.ir, IntegerAttr::get(signless, value));
  return np::CastOp::create(in.ir, elementType, constant);
}

PyValue asNewArray(Interpreter &in, Value value) {
  return PyValue::runtime(
      np::getRank(value.getType()) == 0 && !isa<np::ArrayType>(value.getType()) ? in.ir.newArray(value) : value);
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

py::Object promotionKey(Interpreter &in, const PyValue &value) {
  static const py::Object pythonInt = py::Object::borrow(reinterpret_cast<PyObject *>(&PyLong_Type));
  static const py::Object pythonFloat = py::Object::borrow(reinterpret_cast<PyObject *>(&PyFloat_Type));
  static const py::Object pythonComplex = py::Object::borrow(reinterpret_cast<PyObject *>(&PyComplex_Type));
  if (value.isGenerator())
    return {};
  if (value.isRuntime()) {
    Type type = value.elementType();
    if (!value.isPythonScalar() || type.isInteger(1))
      return in.dtypes.dtype(type);
    return isa<ComplexType>(type) ? pythonComplex : isa<FloatType>(type) ? pythonFloat : pythonInt;
  }
  if (!value.isObject())
    return {};
  const py::Object &object = value.object();
  if (isNumpyScalar(in.dtypes, object))
    return in.dtypes.dtype(in.dtypes.elementType(object["dtype"]));
  if (PyBool_Check(object.get()))
    return in.dtypes.dtype(in.ir.getI1Type());
  if (PyLong_Check(object.get()))
    return pythonInt;
  if (PyFloat_Check(object.get()))
    return pythonFloat;
  if (PyComplex_Check(object.get()))
    return pythonComplex;
  return {};
}

Type resultType(Interpreter &in, ArrayRef<PyValue> values) {
  SmallVector<py::Object> keys;
  for (const PyValue &value : values) {
    py::Object key = promotionKey(in, value);
    if (!key)
      return {};
    keys.push_back(key);
  }
  return in.dtypes.resultType(keys);
}

Value valueOf(Interpreter &in, const PyValue &value) {
  if (value.isRuntime() && !value.isGenerator())
    return value.arrayType() ? in.ir.load(value.ir()) : value.ir();
  if (value.isObject()) {
    const py::Object &object = value.object();
    if (isNumpyScalar(in.dtypes, object) || isNumber(object)) {
      Type type = in.dtypes.elementType(dtypeOfConstant(in.dtypes, object));
      if (!type) {
        in.fail("the number " + py::repr(object) + " does not fit 64 bits");
        return {};
      }
      Value scalar = constant(in, type, object);
      return isNumpyScalar(in.dtypes, object) ? in.ir.rankZero(scalar) : scalar;
    }
  }
  if (value.hasItems() || value.isObject() || value.is(PyValue::Kind::Range)) {
    Value array = asArray(in, value);
    return array && isa<np::ArrayType>(array.getType()) ? in.ir.load(array) : array;
  }
  if (!value.isPoison())
    in.fail("a number or an array is needed, not " + describe(in, value));
  return {};
}

Value operandAs(Interpreter &in, const PyValue &value, Type elementType) {
  if (value.isObject() && (isNumber(value.object()) || isNumpyScalar(in.dtypes, value.object()))) {
    const py::Object &object = value.object();
    // NEP 50: a Python int must fit the dtype it is converted to.
    if (PyLong_Check(object.get()) && !PyBool_Check(object.get()) && isa<IntegerType>(elementType) &&
        !elementType.isInteger(1)) {
      std::string errorType, message;
      if (!py::tryCall(in.dtypes.dtype(elementType)["type"], {object}, {}, errorType, message)) {
        in.fail(errorType + ": " + message);
        return {};
      }
    }
    return constant(in, elementType, object);
  }
  Value plain = valueOf(in, value);
  if (!plain)
    return plain;
  auto integer = dyn_cast<IntegerType>(elementType);
  if (value.isPythonScalar() && plain.getType() == in.ir.getI64Type() && integer && !integer.isInteger(1))
    checkFits(in, plain, integer);
  return in.ir.castTo(plain, elementType);
}

Value tensorOf(Interpreter &in, const PyValue &value, Type elementType) {
  Value plain = elementType ? operandAs(in, value, elementType) : valueOf(in, value);
  return !plain || isa<RankedTensorType>(plain.getType()) ? plain : in.ir.rankZero(plain);
}

Value toIndex(Interpreter &in, const PyValue &value, StringRef what) {
  if (std::optional<int64_t> known = asInteger(in, value))
    return in.ir.index(*known);
  if (value.isPoison())
    return {};
  if (value.is(PyValue::Kind::Instance))
    if (std::optional<PyValue> number = callSpecial(in, value, "__index__", {}))
      return toIndex(in, *number, what);
  if (value.pythonBit)
    return toIndex(in, intOf(in, value, "TypeError", "'float' object cannot be interpreted as an integer"), what);
  Value scalar = value.isRuntime() ? value.ir() : Value();
  if (value.arrayType() && value.rank() == 0)
    scalar = in.ir.load(value.ir());
  if (!scalar || !isa<IntegerType>(getElementTypeOrSelf(scalar.getType())) || np::getRank(scalar.getType()) != 0) {
    bool isFloat = scalar ? isa<FloatType>(getElementTypeOrSelf(scalar.getType())) && np::getRank(scalar.getType()) == 0
                          : value.isObject() && PyFloat_Check(value.object().get());
    if (what.empty() && isFloat) {
      bool isPythons = scalar ? value.isPythonScalar() : bool(PyFloat_CheckExact(value.object().get()));
      std::string dtype = scalar ? in.dtypes.name(getElementTypeOrSelf(scalar.getType())) : "float64";
      in.fail("TypeError: '" + (isPythons ? "float" : "numpy." + dtype) +
              "' object cannot be interpreted as an integer");
      return {};
    }
    in.fail((what.empty() ? "an integer" : what) + " is needed, not " + describe(in, value));
    return {};
  }
  if (isa<RankedTensorType>(scalar.getType()))
    scalar = in.ir.item(scalar);
  scalar = in.ir.castTo(scalar, in.ir.getI64Type());
  if (auto cast = scalar.getDefiningOp<arith::IndexCastOp>())
    return cast.getIn();
  return arith::IndexCastOp::create(in.ir, in.ir.getIndexType(), scalar);
}

PyValue fromIndex(Interpreter &in, Value position) {
  IntegerAttr known;
  if (matchPattern(position, m_Constant(&known)))
    return PyValue::object(py::integer(known.getValue().getSExtValue()));
  return PyValue::runtime(arith::IndexCastOp::create(in.ir, in.ir.getI64Type(), position));
}

bool computesPythonsInts(const PyValue &function) {
  if (!function->isLibrary)
    return true;
  const py::Object &globals = function->globals;
  PyObject *names = PyDict_Check(globals.get()) ? PyDict_GetItemString(globals.get(), "PYTHONS_INTS") : nullptr;
  return names && PySequence_Contains(names, py::string(function->name).get()) == 1;
}

void checkFits(Interpreter &in, np::Arithmetic kind, Value lhs, Value rhs) {
  if (!in.env.frame->checksInts)
    return;
  in.ir.checkIn64Bits(in.ir.createOrFold<np::FitsOp>(kind, lhs, rhs));
}

} // namespace npcc::frontend
