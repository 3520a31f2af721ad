// Types where values of different types meet: the one that holds both, and the values as one of it.
#include "frontend/importer/Values.h"

#include "dialects/Np/NarrowFloats.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;

namespace npcc::frontend {

/// Whether a number is of a class of the program's, as members of an IntEnum are: a value of the program would lose it.
static bool isOfOwnClass(Interpreter &in, const py::Object &object) {
  bool isNumber = PyLong_Check(object.get()) || PyFloat_Check(object.get());
  return isNumber && !PyLong_CheckExact(object.get()) && !PyFloat_CheckExact(object.get()) &&
         !PyBool_Check(object.get()) && !py::isInstance(object, in.dtypes.numpy["generic"]);
}

Type runtimeType(Interpreter &in, const PyValue &value) {
  if (value.isRuntime())
    return value.type();
  if (value.is(PyValue::Kind::Slot))
    return cast<np::SlotType>(value.slot.getType()).getValueType();
  if (!value.isObject() || isOfOwnClass(in, value.object()))
    return {};
  py::Object key = promotionKey(in, value);
  if (!key)
    return {};
  Type type = PyType_Check(key.get()) ? in.dtypes.resultType(key) : in.dtypes.elementType(key);
  bool isStrong = !PyType_Check(key.get()) && !PyBool_Check(value.object().get());
  return isStrong && type ? Type(RankedTensorType::get({}, type)) : type;
}

/// int, float, complex or a dtype, of a scalar's type.
static PyValue placeholder(Dtypes &dtypes, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<RankedTensorType>(type) || element.isInteger(1))
    return PyValue::object(py::call(dtypes.dtype(element)["type"], {py::integer(0)}));
  if (isa<ComplexType>(element))
    return PyValue::object(py::Object::take(PyComplex_FromDoubles(0, 0)));
  return PyValue::object(isa<FloatType>(element) ? py::real(0) : py::integer(0));
}

Type joinTypes(Interpreter &in, Type left, Type right) {
  if (left == right || !left || !right)
    return left == right ? left : Type();
  auto leftArray = dyn_cast<np::ArrayType>(left), rightArray = dyn_cast<np::ArrayType>(right);
  if (leftArray && rightArray) {
    if (leftArray.getElementType() != rightArray.getElementType() || leftArray.getRank() != rightArray.getRank())
      return {};
    SmallVector<int64_t> shape;
    for (auto [mine, other] : llvm::zip(leftArray.getShape(), rightArray.getShape()))
      shape.push_back(mine == other ? mine : ShapedType::kDynamic);
    return np::ArrayType::get(in.ir.getContext(), shape, leftArray.getElementType(),
                              leftArray.getContiguous() && rightArray.getContiguous());
  }
  if (isa<np::GeneratorType>(left) || isa<np::GeneratorType>(right))
    return {};
  if (np::getRank(left) > 0 || np::getRank(right) > 0)
    return {};
  // An array of no axes joins a scalar as a NumPy scalar.
  if (leftArray)
    return joinTypes(in, leftArray.getValueType(), right);
  if (rightArray)
    return joinTypes(in, left, rightArray.getValueType());
  // Scalars: a Python scalar joins a NumPy scalar as NumPy would promote them.
  Type element = resultType(in, {placeholder(in.dtypes, left), placeholder(in.dtypes, right)});
  bool isTensor = isa<RankedTensorType>(left) || isa<RankedTensorType>(right);
  return element && isTensor ? Type(RankedTensorType::get({}, element)) : element;
}

/// Whether the type holds fewer floats than Python's do.
static bool isNarrowFloat(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return np::isNarrowFloat(element) || element.isF32();
}

/// Whether a Python number becomes infinite as a float of these semantics, without being so itself.
static bool overflows(const py::Object &number, const llvm::fltSemantics &semantics) {
  auto partOverflows = [&](double part) {
    llvm::APFloat held(part);
    bool losesInfo;
    held.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return held.isInfinity() && !std::isinf(part);
  };
  if (PyComplex_CheckExact(number.get()))
    return partOverflows(PyComplex_RealAsDouble(number.get())) || partOverflows(PyComplex_ImagAsDouble(number.get()));
  double value = PyFloat_AsDouble(number.get());
  if (!PyErr_Occurred())
    return partOverflows(value);
  PyErr_Clear();
  return true; // an int beyond all floats
}

/// A Python number that a narrow float takes in is rounded, as NumPy rounds it wherever the two meet (NEP 50), but it
/// must not become infinite. False with an error reported.
static bool checkHolds(Interpreter &in, const PyValue &value, Type element) {
  std::string words = ", which it has here with another value of its name";
  std::string name = in.dtypes.name(element);
  if (value.isObject()) {
    const py::Object &number = value.object();
    if (!number ||
        !(PyFloat_CheckExact(number.get()) || PyComplex_CheckExact(number.get()) || PyLong_CheckExact(number.get())))
      return true;
    Type part = isa<ComplexType>(element) ? cast<ComplexType>(element).getElementType() : element;
    if (!overflows(number, cast<FloatType>(part).getFloatSemantics()))
      return true;
    in.fail("the Python number " + py::repr(number) + " does not fit " + name + words,
            "make it a number of NumPy's: numpy." + name + "(" + py::repr(number) + ")");
    return false;
  }
  if (!value.isPythonScalar() || value.type().isInteger(1))
    return true;
  Value number = value.ir(), fits = in.ir.emitUfunc("isfinite", {in.ir.castTo(number, element)});
  if (isa<IntegerType>(number.getType())) {
    in.ir.checkOwnLimit(fits, "the Python int {0} does not fit " + name + words, number);
    return true;
  }
  Value isFinite = in.ir.emitUfunc("isfinite", {number});
  Value yes = arith::ConstantIntOp::create(in.ir, 1, 1);
  Value wasNot = in.ir.createOrFold<arith::XOrIOp>(isFinite, yes);
  fits = in.ir.createOrFold<arith::OrIOp>(fits, wasNot);
  in.ir.checkOwnLimit(fits, "a Python number does not fit " + name + words);
  return true;
}

bool isCheckedAs(Interpreter &in, const PyValue &value, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (!value.isPythonScalar() || value.type().isInteger(1) || value.type() == element)
    return false;
  return isNarrowFloat(element) || (value.type().isInteger(64) && isa<IntegerType>(element));
}

Value convertTo(Interpreter &in, const PyValue &value, Type type) {
  if (isa<np::GeneratorType>(type))
    return value.ir();
  if (auto array = dyn_cast<np::ArrayType>(type)) {
    Value source = value.ir();
    if (source.getType() == type)
      return source;
    SmallVector<Value> extents = in.ir.dims(source), offsets, steps;
    SmallVector<int64_t> axes;
    for (int64_t axis = 0; axis < array.getRank(); ++axis) {
      offsets.push_back(in.ir.index(0));
      steps.push_back(in.ir.index(1));
      axes.push_back(axis);
    }
    auto same = np::ViewOp::create(in.ir, type, source, offsets, axes, extents, steps);
    same.setSame(true); // the object itself
    return same;
  }
  // A Python number that meets a narrower one of NumPy's: nothing else would tell that it is cut or rounded.
  Type element = getElementTypeOrSelf(type);
  auto narrow = dyn_cast<IntegerType>(element);
  PyValue whole = value;
  if (value.isPythonScalar() && value.type() == in.ir.getI64Type() && narrow && narrow != value.type() &&
      !narrow.isInteger(1)) {
    in.ir.checkOwnLimit(in.ir.fits(value.ir(), narrow),
                        "the Python int {0} does not fit " + in.dtypes.name(narrow) +
                            ", which it has here with another value of its name",
                        value.ir());
    whole = PyValue::runtime(in.ir.castTo(value.ir(), narrow));
  } else if (isNarrowFloat(element) && !checkHolds(in, value, element)) {
    return {};
  }
  Value scalar = operandAs(in, whole, getElementTypeOrSelf(type));
  if (!scalar)
    return scalar;
  if (isa<RankedTensorType>(type))
    return isa<RankedTensorType>(scalar.getType()) ? scalar : in.ir.rankZero(scalar);
  return isa<RankedTensorType>(scalar.getType()) ? in.ir.item(scalar) : scalar;
}

} // namespace npcc::frontend
