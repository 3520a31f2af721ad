// Python's operators: known operands are computed with now, arrays and NumPy scalars go to ufuncs, Python scalars to PythonScalars.cpp.
#include "frontend/importer/FunctionImporter.h"
#include "frontend/numpy/Table.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

namespace {
struct OperatorRow {
  const char *node;      // ast's class
  const char *symbol;    // as it is written
  const char *ufunc;     // numpy's function
  const char *function;  // of module operator
};
constexpr OperatorRow binaryRows[] = {
    {"Add", "+", "add", "add"},           {"Sub", "-", "subtract", "sub"},         {"Mult", "*", "multiply", "mul"},
    {"Div", "/", "true_divide", "truediv"}, {"FloorDiv", "//", "floor_divide", "floordiv"}, {"Mod", "%", "remainder", "mod"},
    {"Pow", "**", "power", "pow"},        {"BitAnd", "&", "bitwise_and", "and_"},  {"BitOr", "|", "bitwise_or", "or_"},
    {"BitXor", "^", "bitwise_xor", "xor"}, {"LShift", "<<", "left_shift", "lshift"}, {"RShift", ">>", "right_shift", "rshift"},
    {"MatMult", "@", "matmul", "matmul"}};
constexpr OperatorRow unaryRows[] = {
    {"USub", "-", "negative", "neg"}, {"UAdd", "+", "positive", "pos"}, {"Invert", "~", "invert", "invert"}};
constexpr OperatorRow compareRows[] = {
    {"Eq", "==", "equal", "eq"},   {"NotEq", "!=", "not_equal", "ne"}, {"Lt", "<", "less", "lt"},
    {"LtE", "<=", "less_equal", "le"}, {"Gt", ">", "greater", "gt"},   {"GtE", ">=", "greater_equal", "ge"}};
} // namespace

static const OperatorRow *findRow(ArrayRef<OperatorRow> rows, StringRef node) {
  for (const OperatorRow &row : rows)
    if (node == row.node)
      return &row;
  return nullptr;
}

/// Computes with what is known, as Python does.
static PyValue compute(FunctionImporter &importer, const OperatorRow &row, const std::vector<py::Object> &operands) {
  std::string errorType, message;
  py::Object result = py::tryCall(py::import("operator")[row.function], operands, {}, errorType, message);
  if (!result)
    return importer.fail(errorType + ": " + message);
  return importer.fromObject(result);
}

/// Whether NumPy decides what the operator does: there is an array or a NumPy scalar among the operands.
static bool isNumpys(FunctionImporter &importer, const PyValue &value) {
  if (value.isRuntime())
    return !value.isPythonScalar();
  return value.isObject() &&
         (py::isInstance(value.object(), importer.dtypes.numpy["generic"]) || py::isInstance(value.object(), importer.dtypes.numpy["ndarray"]));
}

/// Python's complex takes a numpy.float64 for the float that it is: the result is Python's.
static PyValue besideComplex(FunctionImporter &importer, const PyValue &left, const PyValue &right) {
  bool isComplex = left.isPythonScalar() ? isa<ComplexType>(left.type())
                                         : left.isObject() && Py_TYPE(left.object().get()) == &PyComplex_Type;
  if (isComplex && right.isNumpyScalar() && right.elementType().isF64())
    return PyValue::runtime(importer.item(right.ir()));
  if (isComplex && right.isObject() && py::isInstance(right.object(), importer.dtypes.numpy["float64"]))
    return PyValue::object(py::real(PyFloat_AsDouble(right.object().get())));
  return right;
}

/// The function that ndarray.__pow__ takes for an exponent which is a Python number, if it takes one; empty otherwise.
static StringRef functionOfPower(Type element, double exponent, bool isInteger) {
  if (exponent == 2 && (!isa<IntegerType>(element) || isInteger))
    return "square";
  if (exponent == 0.5 && !isa<IntegerType>(element))
    return "sqrt";
  return exponent == -1 && isa<ComplexType>(element) ? "reciprocal" : "";
}

/// x ** y of which one is NumPy's, as ndarray.__pow__ and the scalars' own arithmetic have it.
static PyValue power(FunctionImporter &importer, const PyValue &left, const PyValue &right) {
  py::Object ufunc = importer.dtypes.numpy["power"];
  bool isScalar = !left.isArray() && !right.isArray();
  auto general = [&] { return importer.applyUfunc(ufunc, {left, right}, {}, {}, /*isScalarMath=*/isScalar); };
  Type element = left.isRuntime() ? left.elementType() : Type();
  if (!element)
    return general();
  if (right.isObject()) {
    bool isPythons = !py::isInstance(right.object(), importer.dtypes.numpy["generic"]) && !PyBool_Check(right.object().get());
    double exponent = isPythons ? PyFloat_AsDouble(right.object().get()) : 0;
    if (PyErr_Occurred() || !isPythons) {
      PyErr_Clear();
      return general();
    }
    bool isInteger = PyLong_Check(right.object().get());
    StringRef function = left.isArray() ? functionOfPower(element, exponent, isInteger) : "";
    if (!function.empty())
      return importer.applyUfunc(function, {left});
    if (isa<IntegerType>(element) && !element.isUnsignedInteger() && isInteger && exponent < 0)
      return importer.fail("ValueError: Integers to negative integer powers are not allowed.", "make the base a float");
    return general();
  }
  if (!left.isArray() || !right.isPythonScalar() || right.type().isInteger(1) || isa<ComplexType>(right.type()))
    return general();
  // The exponent is known too late to choose a function: each is computed, and one is selected.
  bool isInteger = isa<IntegerType>(right.type());
  if (element.isInteger(1) && isInteger)
    return importer.fail("the dtype of a bool array's power depends on its exponent, which is not known at compile time",
                         "convert the array with astype()");
  PyValue result = general();
  for (double exponent : {2.0, 0.5, -1.0}) {
    StringRef function = functionOfPower(element, exponent, isInteger);
    bool isAlike = exponent == 2 && !isa<ComplexType>(element); // the power itself is the square, to a rounding
    if (function.empty() || isAlike || (isInteger && exponent == 0.5) || result.isPoison())
      continue;
    PyValue other = importer.applyUfunc(function, {left});
    PyValue isIt = importer.pythonCompare("Eq", right, PyValue::object(py::real(exponent)));
    if (other.isPoison() || !isIt.isRuntime())
      return PyValue::poison();
    result = PyValue::runtime(importer.emitUfunc("where", {isIt.ir(), other.ir(), result.ir()}));
  }
  return result;
}

PyValue FunctionImporter::binary(StringRef operation, const PyValue &left, const PyValue &given) {
  if (left.isPoison() || given.isPoison())
    return PyValue::poison();
  PyValue right = besideComplex(*this, left, given);
  const OperatorRow &row = *findRow(binaryRows, operation);
  bool numpys = isNumpys(*this, left) || isNumpys(*this, right);
  bool isSequence = left.isSequence() || right.isSequence();

  if (!numpys && isSequence) {
    std::vector<PyValue> items, more;
    std::optional<int64_t> count = asInteger(left.isSequence() ? right : left);
    if (operation == "Add" && left.isSequence() && right.isSequence() && left->isList == right->isList) {
      items = left->items;
      items.insert(items.end(), right->items.begin(), right->items.end());
    } else if (operation == "Mult" && count) {
      for (int64_t k = 0; k < *count; ++k)
        for (const PyValue &item : (left.isSequence() ? left : right)->items)
          items.push_back(item);
    } else if (const PyValue &list = left.isSequence() ? left : right, &times = left.isSequence() ? right : left;
               operation == "Mult" && list->isList && list->items.size() == 1 && times.isPythonScalar() && isa<IntegerType>(times.type()) &&
               (list->items[0].isPythonScalar() || list->items[0].isObject())) {
      // [x] * n of an n known at run time
      Value extent = builder.createOrFold<arith::MaxSIOp>(here(), toIndex(times), index(0)), number = valueOf(list->items[0]);
      return number ? PyValue::list(PyValue::runtime(newArray(full(number, {extent}))), 1, !isa<RankedTensorType>(number.getType())) : PyValue::poison();
    } else {
      return fail("TypeError: unsupported operand type(s) for " + Twine(row.symbol) + ": " + describe(left) + " and " + describe(right));
    }
    PyValue result = PyValue::sequence(std::move(items), left.isSequence() ? left->isList : right->isList);
    result->depth = depth;
    return result;
  }
  if (left.isObject() && right.isObject() && !py::isInstance(left.object(), dtypes.numpy["ndarray"]) &&
      !py::isInstance(right.object(), dtypes.numpy["ndarray"]))
    return compute(*this, row, {left.object(), right.object()});
  if (left.isObject() && PyUnicode_Check(left.object().get()) && operation == "Mod")
    return fail("formatting with % cannot be compiled", "use an f-string");
  if (left.is(PyValue::Kind::Text) || right.is(PyValue::Kind::Text)) {
    PyValue head = text(left, ""), tail = text(right, "");
    if (operation != "Add" || head.isPoison() || tail.isPoison())
      return head.isPoison() || tail.isPoison() ? PyValue::poison() : fail("TypeError: strings of the program can be joined and printed only");
    auto data = std::make_shared<Composite>();
    for (const PyValue &part : {head, tail}) {
      if (part.isObject())
        data->pieces.push_back({py::text(part.object()), PyValue()});
      else
        data->pieces.insert(data->pieces.end(), part->pieces.begin(), part->pieces.end());
    }
    return PyValue::composite(PyValue::Kind::Text, data);
  }
  if (numpys) {
    if (operation == "MatMult" && (left.isNumpyScalar() || left.isPythonScalar() || left.isObject()) &&
        (right.isNumpyScalar() || right.isPythonScalar() || right.isObject()) && !left.isArray() && !right.isArray())
      return fail("TypeError: unsupported operand type(s) for @: " + describe(left) + " and " + describe(right));
    if (operation == "MatMult")
      return callNumpy(*this, "matmul", {left, right});
    if (operation == "Pow")
      return power(*this, left, right);
    return applyUfunc(row.ufunc, {left, right});
  }
  return pythonBinary(operation, left, right);
}

PyValue FunctionImporter::unary(StringRef operation, const PyValue &operand) {
  if (operand.isPoison())
    return operand;
  const OperatorRow &row = *findRow(unaryRows, operation);
  if (operand.isObject() && !py::isInstance(operand.object(), dtypes.numpy["ndarray"]))
    return compute(*this, row, {operand.object()});
  if (isNumpys(*this, operand))
    return applyUfunc(row.ufunc, {operand});
  if (!operand.isPythonScalar())
    return fail("TypeError: bad operand type for unary " + Twine(row.symbol) + ": " + describe(operand));
  Type type = operand.type();
  PyValue number = type.isInteger(1) ? PyValue::runtime(castTo(operand.ir(), builder.getI64Type())) : operand;
  if (operation == "UAdd")
    return number;
  if (operation == "USub" && isa<FloatType>(type))
    return PyValue::runtime(builder.createOrFold<arith::NegFOp>(here(), operand.ir()));
  if (operation == "USub" && isa<ComplexType>(type))
    return PyValue::runtime(emitUfunc("negative", {operand.ir()}));
  if (isa<IntegerType>(type)) {
    Value zero = constantInteger(builder.getI64Type(), operation == "USub" ? 0 : -1);
    if (operation == "USub")
      checkFits(np::Arithmetic::subtract, zero, number.ir());
    return PyValue::runtime(builder.createOrFold<arith::SubIOp>(here(), zero, number.ir()));
  }
  return fail("TypeError: bad operand type for unary " + Twine(row.symbol) + ": " + describe(operand));
}

PyValue FunctionImporter::contains(const PyValue &item, const PyValue &container) {
  std::vector<PyValue> items;
  py::Object known = asObject(item), all = asObject(container);
  if (known && all) {
    int result = PySequence_Contains(all.get(), known.get());
    if (result >= 0)
      return PyValue::object(py::boolean(result));
    PyErr_Clear();
  }
  if (!asSequence(container, items))
    return container.isPoison() ? container : fail("'in' needs a tuple of known length, not " + describe(container), "use np.any(a == value)");
  std::function<PyValue(size_t)> from = [&](size_t k) -> PyValue {
    if (k == items.size())
      return PyValue::object(py::boolean(false));
    return choose(compare("Eq", item, items[k]), [&] { return PyValue::object(py::boolean(true)); }, [&] { return from(k + 1); });
  };
  return from(0);
}

PyValue FunctionImporter::compare(StringRef operation, const PyValue &left, const PyValue &given) {
  if (left.isPoison() || given.isPoison())
    return PyValue::poison();
  PyValue right = besideComplex(*this, left, given);
  if (operation == "Is" || operation == "IsNot") {
    bool same = left.isObject() && right.isObject() ? left.object() == right.object() || (left == right && PyBool_Check(left.object().get()))
                : left.isObject() || right.isObject() ? false
                                                      : left == right;
    if (!left.isNone() && !right.isNone() && !same && left.isRuntime() && right.isRuntime())
      return fail("'is' between arrays or numbers cannot be compiled", "compare values with ==");
    return PyValue::object(py::boolean(same == (operation == "Is")));
  }
  if (operation == "In" || operation == "NotIn") {
    PyValue found = contains(left, right);
    if (operation == "In" || found.isPoison())
      return found;
    if (found.isObject())
      return PyValue::object(py::boolean(!py::isTrue(found.object())));
    Value one = arith::ConstantOp::create(builder, here(), builder.getBoolAttr(true));
    return PyValue::runtime(arith::XOrIOp::create(builder, here(), found.ir(), one));
  }
  const OperatorRow &row = *findRow(compareRows, operation);
  bool numpys = isNumpys(*this, left) || isNumpys(*this, right);
  py::Object knownLeft = asObject(left), knownRight = asObject(right);
  if (knownLeft && knownRight && !py::isInstance(knownLeft, dtypes.numpy["ndarray"]) && !py::isInstance(knownRight, dtypes.numpy["ndarray"]))
    return compute(*this, row, {knownLeft, knownRight});
  bool isEquality = operation == "Eq" || operation == "NotEq";
  // Tuples of extents and so on: item by item.
  if (!numpys && isEquality && left.isSequence() && right.isSequence()) {
    bool isEqual = operation == "Eq";
    if (left->items.size() != right->items.size())
      return PyValue::object(py::boolean(!isEqual));
    std::function<PyValue(size_t)> from = [&](size_t k) -> PyValue {
      if (k == left->items.size())
        return PyValue::object(py::boolean(isEqual));
      PyValue same = compare("Eq", left->items[k], right->items[k]);
      return choose(same, [&] { return from(k + 1); }, [&] { return PyValue::object(py::boolean(!isEqual)); });
    };
    return from(0);
  }
  // None, strings and the like are equal to nothing of the program.
  auto isForeign = [&](const PyValue &value) { return value.isObject() && !promotionKey(value) && !py::isInstance(value.object(), dtypes.numpy["ndarray"]); };
  if (isEquality && (isForeign(left) || isForeign(right)))
    return PyValue::object(py::boolean(operation == "NotEq"));
  if (numpys)
    return applyUfunc(row.ufunc, {left, right});
  return pythonCompare(operation, left, right);
}

} // namespace npcc::frontend
