// Python's operators: known operands are computed with now, arrays and NumPy scalars go to ufuncs, Python scalars to
// PythonScalars.cpp.
#include "frontend/importer/Operators.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Generators.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Text.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

namespace {
struct OperatorRow {
  const char *node;     // ast's class
  const char *symbol;   // as it is written
  const char *ufunc;    // numpy's function
  const char *function; // of module operator
};
constexpr OperatorRow binaryRows[] = {{"Add", "+", "add", "add"},
                                      {"Sub", "-", "subtract", "sub"},
                                      {"Mult", "*", "multiply", "mul"},
                                      {"Div", "/", "true_divide", "truediv"},
                                      {"FloorDiv", "//", "floor_divide", "floordiv"},
                                      {"Mod", "%", "remainder", "mod"},
                                      {"Pow", "**", "power", "pow"},
                                      {"BitAnd", "&", "bitwise_and", "and_"},
                                      {"BitOr", "|", "bitwise_or", "or_"},
                                      {"BitXor", "^", "bitwise_xor", "xor"},
                                      {"LShift", "<<", "left_shift", "lshift"},
                                      {"RShift", ">>", "right_shift", "rshift"},
                                      {"MatMult", "@", "matmul", "matmul"}};
/// Longer lists of one repeated item are arrays from the start: each item of a known list is a value of its own to the
/// importer.
constexpr int64_t longestKnownList = 128;
constexpr OperatorRow unaryRows[] = {
    {"USub", "-", "negative", "neg"}, {"UAdd", "+", "positive", "pos"}, {"Invert", "~", "invert", "invert"}};
constexpr OperatorRow compareRows[] = {{"Eq", "==", "equal", "eq"},  {"NotEq", "!=", "not_equal", "ne"},
                                       {"Lt", "<", "less", "lt"},    {"LtE", "<=", "less_equal", "le"},
                                       {"Gt", ">", "greater", "gt"}, {"GtE", ">=", "greater_equal", "ge"}};
/// What NumPy has no functions for.
constexpr OperatorRow otherRows[] = {
    {"Is", "is", "", "is_"}, {"IsNot", "is not", "", "is_not"}, {"In", "in", "", ""}, {"NotIn", "not in", "", ""}};
} // namespace

static const OperatorRow *findRow(ArrayRef<OperatorRow> rows, StringRef node) {
  for (const OperatorRow &row : rows)
    if (node == row.node)
      return &row;
  return nullptr;
}

StringRef symbolOf(StringRef operation) {
  for (ArrayRef<OperatorRow> rows :
       {ArrayRef(binaryRows), ArrayRef(unaryRows), ArrayRef(compareRows), ArrayRef(otherRows)})
    if (const OperatorRow *row = findRow(rows, operation))
      return row->symbol;
  return operation;
}

/// Computes with what is known, as Python does.
static PyValue compute(Interpreter &in, const OperatorRow &row, const std::vector<py::Object> &operands) {
  std::string errorType, message;
  // Compiled code gives no warnings of NumPy's; nor does compiling it.
  py::Object quiet;
  if (llvm::any_of(operands, [&](const py::Object &one) { return py::isInstance(one, in.dtypes.numpy["generic"]); }))
    quiet = py::call(in.dtypes.numpy["errstate"], {}, py::Object::take(Py_BuildValue("{ss}", "all", "ignore")));
  if (quiet)
    py::call(quiet["__enter__"], {});
  py::Object result = py::tryCall(py::import("operator")[row.function], operands, {}, errorType, message);
  if (quiet)
    py::call(quiet["__exit__"], {py::none(), py::none(), py::none()});
  if (!result)
    return in.fail(errorType + ": " + message);
  return fromObject(in, result);
}

bool isNumpys(Interpreter &in, const PyValue &value) {
  if (value.isRuntime())
    return !value.isPythonScalar();
  return value.isObject() && (py::isInstance(value.object(), in.dtypes.numpy["generic"]) ||
                              py::isInstance(value.object(), in.dtypes.numpy["ndarray"]));
}

/// Python's complex takes a numpy.float64 for the float that it is: the result is Python's.
static PyValue besideComplex(Interpreter &in, const PyValue &left, const PyValue &right) {
  bool isComplex = left.isPythonScalar() ? isa<ComplexType>(left.type())
                                         : left.isObject() && Py_TYPE(left.object().get()) == &PyComplex_Type;
  if (isComplex && right.isNumpyScalar() && right.elementType().isF64())
    return PyValue::runtime(in.ir.item(right.ir()));
  if (isComplex && right.isObject() && py::isInstance(right.object(), in.dtypes.numpy["float64"]))
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
static PyValue power(Interpreter &in, const PyValue &left, const PyValue &right) {
  py::Object ufunc = in.dtypes.numpy["power"];
  bool isScalar = !left.isArray() && !right.isArray();
  auto general = [&] { return applyUfunc(in, ufunc, {left, right}, {}, {}, /*isScalarMath=*/isScalar); };
  Type element = left.isRuntime() ? left.elementType() : Type();
  if (!element)
    return general();
  if (right.isObject()) {
    bool isPythons = !py::isInstance(right.object(), in.dtypes.numpy["generic"]) && !PyBool_Check(right.object().get());
    double exponent = isPythons ? PyFloat_AsDouble(right.object().get()) : 0;
    if (PyErr_Occurred() || !isPythons) {
      PyErr_Clear();
      return general();
    }
    bool isInteger = PyLong_Check(right.object().get());
    StringRef function = left.isArray() ? functionOfPower(element, exponent, isInteger) : "";
    if (!function.empty())
      return applyUfunc(in, function, {left});
    return general();
  }
  if (!left.isArray() || !right.isPythonScalar() || right.type().isInteger(1) || isa<ComplexType>(right.type()))
    return general();
  // The exponent is known too late to choose a function: each is computed, and one is selected.
  bool isInteger = isa<IntegerType>(right.type());
  if (element.isInteger(1) && isInteger)
    return in.fail("the dtype of a bool array's power depends on its exponent, which is not known at compile time",
                   "convert the array with astype()");
  PyValue result = general();
  for (double exponent : {2.0, 0.5, -1.0}) {
    StringRef function = functionOfPower(element, exponent, isInteger);
    bool isAlike = exponent == 2 && !isa<ComplexType>(element); // the power itself is the square, to a rounding
    if (function.empty() || isAlike || (isInteger && exponent == 0.5) || result.isPoison())
      continue;
    PyValue other = applyUfunc(in, function, {left});
    PyValue isIt = pythonCompare(in, "Eq", right, PyValue::object(py::real(exponent)));
    if (other.isPoison() || !isIt.isRuntime())
      return PyValue::poison();
    result = PyValue::runtime(in.ir.emitUfunc("where", {isIt.ir(), other.ir(), result.ir()}));
  }
  return result;
}

/// What objects of a dataclass are compared by: a tuple.
static PyValue comparedParts(Interpreter &in, const PyValue &object) {
  std::vector<PyValue> parts;
  for (const py::Object &field : py::elements(py::call(py::lookup("dataclasses.fields"), {object->cls})))
    if (py::isTrue(field["compare"]))
      parts.push_back(readHeld(in, object, py::string(field.string("name"))));
  return PyValue::sequence(std::move(parts));
}

/// Whether a method says that it does not know the other operand.
static bool isNotImplemented(const PyValue &value) {
  return value.isObject() && value.object().get() == Py_NotImplemented;
}

/// An operator that a class defines; nothing where neither operand's does.
static std::optional<PyValue> specialOperator(Interpreter &in, StringRef operation, const PyValue &left,
                                              const PyValue &right) {
  static const llvm::StringMap<std::pair<const char *, const char *>> names = {
      {"Add", {"__add__", "__radd__"}},
      {"Sub", {"__sub__", "__rsub__"}},
      {"Mult", {"__mul__", "__rmul__"}},
      {"Div", {"__truediv__", "__rtruediv__"}},
      {"FloorDiv", {"__floordiv__", "__rfloordiv__"}},
      {"Mod", {"__mod__", "__rmod__"}},
      {"Pow", {"__pow__", "__rpow__"}},
      {"MatMult", {"__matmul__", "__rmatmul__"}},
      {"BitAnd", {"__and__", "__rand__"}},
      {"BitOr", {"__or__", "__ror__"}},
      {"BitXor", {"__xor__", "__rxor__"}},
      {"LShift", {"__lshift__", "__rlshift__"}},
      {"RShift", {"__rshift__", "__rrshift__"}},
      {"Eq", {"__eq__", "__eq__"}},
      {"NotEq", {"__ne__", "__ne__"}},
      {"Lt", {"__lt__", "__gt__"}},
      {"LtE", {"__le__", "__ge__"}},
      {"Gt", {"__gt__", "__lt__"}},
      {"GtE", {"__ge__", "__le__"}},
      {"USub", {"__neg__", "__neg__"}},
      {"UAdd", {"__pos__", "__pos__"}}};
  auto found = names.find(operation);
  if (found == names.end())
    return std::nullopt;
  bool isOrder = operation.starts_with("Lt") || operation.starts_with("Gt");
  if (isOrder && left.is(PyValue::Kind::Instance) && right.is(PyValue::Kind::Instance) && left->cls == right->cls &&
      left->cls["__dataclass_params__"] && py::isTrue(left->cls["__dataclass_params__"]["order"]))
    return compare(in, operation, comparedParts(in, left), comparedParts(in, right));
  bool isUnary = operation == "USub" || operation == "UAdd", isRefused = false;
  auto take = [&](std::optional<PyValue> result) -> std::optional<PyValue> {
    bool isMissing = result && isNotImplemented(*result);
    isRefused |= isMissing;
    return isMissing ? std::nullopt : result;
  };
  if (std::optional<PyValue> result = take(callSpecial(in, left, found->second.first, {right})))
    return result;
  if (std::optional<PyValue> result = take(callSpecial(in, right, found->second.second, {left})))
    return result;
  if (!isRefused)
    return std::nullopt;
  std::string symbol = symbolOf(operation).str(), types = nameOfType(in, left) + " and " + nameOfType(in, right);
  if (isOrder)
    return in.fail("TypeError: '" + symbol + "' not supported between instances of " + types);
  return isUnary ? in.fail("TypeError: bad operand type for unary " + symbol + ": " + nameOfType(in, left))
                 : in.fail("TypeError: unsupported operand type(s) for " + symbol + ": " + types);
}

std::optional<PyValue> inPlaceOperator(Interpreter &in, StringRef operation, const PyValue &left,
                                       const PyValue &right) {
  static const llvm::StringMap<const char *> names = {
      {"Add", "__iadd__"},           {"Sub", "__isub__"},  {"Mult", "__imul__"},   {"Div", "__itruediv__"},
      {"FloorDiv", "__ifloordiv__"}, {"Mod", "__imod__"},  {"Pow", "__ipow__"},    {"MatMult", "__imatmul__"},
      {"BitAnd", "__iand__"},        {"BitOr", "__ior__"}, {"BitXor", "__ixor__"}, {"LShift", "__ilshift__"},
      {"RShift", "__irshift__"}};
  if (isDictionary(left) && operation == "BitOr") {
    Call update;
    update.args = {right};
    PyValue done = callDictMethod(in, left, "update", update);
    return done.isPoison() ? done : left;
  }
  std::optional<PyValue> result = callSpecial(in, left, names.lookup(operation), {right});
  return result && isNotImplemented(*result) ? std::nullopt : result;
}

PyValue binary(Interpreter &in, StringRef operation, const PyValue &left, const PyValue &given) {
  if (left.isPoison() || given.isPoison())
    return PyValue::poison();
  auto again = [&](ArrayRef<PyValue> operands) { return binary(in, operation, operands[0], operands[1]); };
  if (std::optional<PyValue> result = overAlternatives(in, {left, given}, again))
    return *result;
  if (isPythons(left) || isPythons(given))
    return runSimple(in, ("return a " + symbolOf(operation) + " b").str(), {left, given}, 'o');
  if (std::optional<PyValue> result = specialOperator(in, operation, left, given))
    return *result;
  if (isBox(left) || isBox(given))
    return binary(in, operation, unboxed(in, left), unboxed(in, given));
  if (operation == "BitOr" && isDictionary(left) && given.is(PyValue::Kind::Instance)) {
    Call copy;
    PyValue both = callDictMethod(in, left, "copy", copy);
    return both.isPoison() ? both : *inPlaceOperator(in, operation, both, given);
  }
  if (operation == "Mod" && left.isObject() && PyUnicode_Check(left.object().get()))
    return percentFormat(in, left.object(), given);
  if (std::optional<PyValue> result = combineStrings(in, operation, left, given))
    return *result;
  PyValue right = besideComplex(in, left, given);
  if (left.pythonBit || right.pythonBit)
    if (std::optional<PyValue> result = binaryOfPythonBits(in, operation, left, right))
      return *result;
  const OperatorRow &row = *findRow(binaryRows, operation);
  if (left.isGenerator() || right.isGenerator())
    return in.fail("TypeError: unsupported operand type(s): " + describe(in, left) + " and " + describe(in, right));
  bool numpys = isNumpys(in, left) || isNumpys(in, right);
  bool isSequence = left.isSequence() || right.isSequence();
  if (isSequence && operation == "Mult" && (left.isNumpyScalar() || right.isNumpyScalar())) {
    Type times = (left.isNumpyScalar() ? left : right).elementType();
    if (isa<IntegerType>(times) && !times.isInteger(1))
      return in.fail("a tuple or list repeated a number of times that is known at run time only cannot be compiled",
                     "use numpy.tile");
    return in.fail("TypeError: can't multiply sequence by non-int of type 'numpy." + in.dtypes.name(times) + "'");
  }

  bool areTuples = isTuple(left) && isTuple(right), areLists = isList(left) && isList(right);
  if (operation == "Add" && (areLists || areTuples) && (isRuntimeLength(left) || isRuntimeLength(right))) {
    PyValue both = concatenated(in, left, right);
    return areTuples && isRuntimeLength(both) ? both.asTuple() : both;
  }
  if (!numpys && isSequence) {
    std::vector<PyValue> items;
    const PyValue &list = left.isSequence() ? left : right, &times = left.isSequence() ? right : left;
    std::optional<int64_t> count = asInteger(in, times);
    // [x] * n is an array of n items where n is known at run time only, or large.
    auto isRepeatable = [&] {
      return list->isList && list->items.size() == 1 &&
             (list->items[0].isPythonScalar() || list->items[0].isNumpyScalar() || list->items[0].isObject() ||
              isRuntimeString(list->items[0]));
    };
    if (operation == "Add" && left.isSequence() && right.isSequence() && left->isList == right->isList) {
      items = left->items;
      items.insert(items.end(), right->items.begin(), right->items.end());
    } else if (operation == "Mult" && count && (*count <= longestKnownList || !isRepeatable())) {
      for (int64_t k = 0; k < *count; ++k)
        items.insert(items.end(), list->items.begin(), list->items.end());
    } else if (operation == "Mult" && isRepeatable() &&
               (count || (times.isPythonScalar() && isa<IntegerType>(times.type())))) {
      Value extent = in.ir.createOrFold<arith::MaxSIOp>(toIndex(in, times), in.ir.index(0));
      if (std::optional<PyValue> mixed = repeatedMixed(in, list->items[0], extent))
        return *mixed;
      bool areStrings = isString(list->items[0]);
      Value number = areStrings ? stringNumber(in, list->items[0]) : valueOf(in, list->items[0]);
      if (areStrings && number) {
        PyValue column = PyValue::list(PyValue::runtime(in.ir.newArray(in.ir.full(number, {extent}))), 1, true);
        PyValue strings = PyValue::rows({column}, stringModel()->cls);
        strings->id = stringTable;
        return strings;
      }
      return number ? PyValue::list(PyValue::runtime(in.ir.newArray(in.ir.full(number, {extent}))), 1,
                                    !isa<RankedTensorType>(number.getType()))
                    : PyValue::poison();
    } else if (operation == "Mult" && list->isList && times.isPythonScalar() && isa<IntegerType>(times.type())) {
      bool holdsLists = llvm::any_of(list->items, [](const PyValue &one) { return isList(one) || isBox(one); });
      return holdsLists
                 ? in.fail(
                       "a list of one list that is there a number of times known at run time only cannot be compiled",
                       "make a list for each: [[0] * 3 for _ in range(n)]")
                 : callInLibrary(in, "iteration.repeated", {list, times});
    } else {
      if (operation == "Add" && left.isSequence()) {
        std::string kind = nameOfType(in, left, false);
        return in.fail("TypeError: can only concatenate " + kind + " (not \"" + nameOfType(in, right, false) +
                       "\") to " + kind);
      }
      return in.fail("TypeError: unsupported operand type(s) for " + Twine(row.symbol) + ": " + nameOfType(in, left) +
                     " and " + nameOfType(in, right));
    }
    PyValue result = PyValue::sequence(std::move(items), left.isSequence() ? left->isList : right->isList);
    result->depth = in.env.depth;
    return result;
  }
  if (left.isObject() && right.isObject() && !py::isInstance(left.object(), in.dtypes.numpy["ndarray"]) &&
      !py::isInstance(right.object(), in.dtypes.numpy["ndarray"]))
    return compute(in, row, {left.object(), right.object()});
  if (numpys) {
    auto isNumber = [&](const PyValue &value) {
      return value.isNumpyScalar() || value.isPythonScalar() ||
             (value.isObject() && !py::isInstance(value.object(), in.dtypes.numpy["ndarray"]));
    };
    if (operation == "MatMult" && isNumber(left) && isNumber(right))
      return in.fail("TypeError: unsupported operand type(s) for @: " + nameOfType(in, left) + " and " +
                     nameOfType(in, right));
    if (operation == "MatMult")
      return callNumpy(in, "matmul", {left, right});
    if (operation == "Pow")
      return power(in, left, right);
    return applyUfunc(in, row.ufunc, {left, right});
  }
  return pythonBinary(in, operation, left, right);
}

PyValue unary(Interpreter &in, StringRef operation, const PyValue &operand) {
  if (operand.isPoison())
    return operand;
  if (operand.is(PyValue::Kind::Union))
    return overAlternatives(in, operand, [&](PyValue one) { return unary(in, operation, one); });
  if (isPythons(operand))
    return runSimple(in,
                     operation == "USub"   ? "return -a"
                     : operation == "UAdd" ? "return +a"
                                           : "return ~a",
                     {operand}, 'o');
  if (std::optional<PyValue> result = callSpecial(in, operand,
                                                  operation == "USub"   ? "__neg__"
                                                  : operation == "UAdd" ? "__pos__"
                                                                        : "__invert__",
                                                  {}))
    return *result;
  const OperatorRow &row = *findRow(unaryRows, operation);
  if (operand.isGenerator())
    return in.fail("TypeError: bad operand type: " + describe(in, operand));
  if (operand.isObject() && !py::isInstance(operand.object(), in.dtypes.numpy["ndarray"]))
    return compute(in, row, {operand.object()});
  if (operand.pythonBit) // an int's zero has no sign, Python's ints do not wrap, and ~ needs an int
    return operation == "USub" && isa<FloatType>(operand.elementType())
               ? binary(in, "Mult", operand, PyValue::object(py::integer(-1)))
               : overAlternatives(in, splitNumber(in, operand), [&](PyValue one) { return unary(in, operation, one); });
  if (isNumpys(in, operand))
    return applyUfunc(in, row.ufunc, {operand});
  if (!operand.isPythonScalar())
    return in.fail("TypeError: bad operand type for unary " + Twine(row.symbol) + ": " + describe(in, operand));
  Type type = operand.type();
  PyValue number = type.isInteger(1) ? PyValue::runtime(in.ir.castTo(operand.ir(), in.ir.getI64Type())) : operand;
  if (operation == "UAdd")
    return number;
  if (operation == "USub" && isa<FloatType>(type))
    return PyValue::runtime(in.ir.createOrFold<arith::NegFOp>(operand.ir()));
  if (operation == "USub" && isa<ComplexType>(type))
    return PyValue::runtime(in.ir.emitUfunc("negative", {operand.ir()}));
  if (isa<IntegerType>(type)) {
    Value zero = in.ir.constantInteger(in.ir.getI64Type(), operation == "USub" ? 0 : -1);
    if (operation == "USub")
      checkFits(in, np::Arithmetic::subtract, zero, number.ir());
    return PyValue::runtime(in.ir.createOrFold<arith::SubIOp>(zero, number.ir()));
  }
  return in.fail("TypeError: bad operand type for unary " + Twine(row.symbol) + ": " + describe(in, operand));
}

std::optional<PyValue> knownNumbers(Interpreter &in, const std::vector<PyValue> &items) {
  bool areInts =
      llvm::all_of(items, [](const PyValue &one) { return one.isObject() && PyLong_CheckExact(one.object().get()); });
  bool areFloats =
      llvm::all_of(items, [](const PyValue &one) { return one.isObject() && PyFloat_CheckExact(one.object().get()); });
  constexpr size_t mostConstant = 256;
  if ((!areInts && !areFloats) || items.size() > mostConstant)
    return std::nullopt;
  std::vector<py::Object> numbers;
  for (const PyValue &one : items)
    numbers.push_back(one.object());
  std::string error, message;
  py::Object array = py::tryCall(in.dtypes.numpy["array"], {py::tuple(numbers)}, {}, error, message);
  if (!array || array["dtype"].string("name") != (areInts ? "int64" : "float64"))
    return std::nullopt; // beyond 64 bits
  return fromObject(in, array);
}

PyValue contains(Interpreter &in, const PyValue &item, const PyValue &container) {
  if (isBox(container))
    return contains(in, item, unboxed(in, container));
  if (std::optional<PyValue> result = callSpecial(in, container, "__contains__", {item}))
    return *result;
  std::vector<PyValue> items;
  py::Object known = asObject(in, item), all = asObject(in, container);
  if (known && isDictionary(container)) {
    if (PyObject_Hash(known.get()) != -1)
      return isHeld(in, container, known);
    PyErr_Clear();
  }
  if (known && all) {
    int result = PySequence_Contains(all.get(), known.get());
    if (result >= 0)
      return PyValue::object(py::boolean(result));
    PyErr_Clear();
  }
  if (container.is(PyValue::Kind::Range) && !asSequence(in, container, items)) {
    items = container->items;
    items.push_back(item);
    return callIteration(in, "range_holds", items);
  }
  if (isRuntimeLength(container) || isGenerator(container) || container.is(PyValue::Kind::Iterator))
    return callIteration(in, "holds", {container, item});
  if (container.isArray() || (container.isObject() && py::isInstance(container.object(), in.dtypes.numpy["ndarray"])))
    return callIteration(in, "is_in_array", {container, item});
  if (!asSequence(in, container, items))
    return container.isPoison() ? container
                                : in.fail("'in' needs a tuple of known length, not " + describe(in, container),
                                          "use np.any(a == value)");
  if (items.size() > mostCompared) {
    std::optional<PyValue> sorted = knownNumbers(in, items);
    return sorted ? callIteration(in, "is_among", {*sorted, item})
                  : callIteration(in, "holds", {listOfItems(in, items), item});
  }
  std::function<PyValue(size_t)> from = [&](size_t k) -> PyValue {
    if (k == items.size())
      return PyValue::object(py::boolean(false));
    return choose(
        in, compare(in, "Eq", item, items[k]), [&] { return PyValue::object(py::boolean(true)); },
        [&] { return from(k + 1); });
  };
  return from(0);
}

static PyValue negated(Interpreter &in, const PyValue &bit) {
  if (bit.isPoison())
    return bit;
  if (bit.isObject())
    return PyValue::object(py::boolean(!py::isTrue(bit.object())));
  Value one = in.ir.boolean(true);
  return PyValue::runtime(arith::XOrIOp::create(in.ir, bit.ir(), one));
}

/// Lists one of which has a length that is known at run time only; nothing for others.
static std::optional<PyValue> compareLists(Interpreter &in, StringRef operation, const PyValue &left,
                                           const PyValue &right) {
  bool areTuples = isTuple(left) && isTuple(right);
  if (!areTuples && (!isList(left) || !isList(right)))
    return std::nullopt;
  if (!isRuntimeLength(left) && !isRuntimeLength(right))
    return std::nullopt;
  PyValue operands[2] = {left, right};
  bool anyEmpty = false;
  for (PyValue &operand : operands) {
    bool isEmpty = operand.isSequence() && operand->items.empty();
    anyEmpty |= isEmpty;
    if (!isEmpty)
      operand = ofRuntimeLength(in, operand);
    if (operand.isPoison())
      return operand;
  }
  if (anyEmpty) // the lengths decide
    return compare(in, operation, lengthOf(in, operands[0]), lengthOf(in, operands[1]));
  bool isEquality = operation == "Eq" || operation == "NotEq", isMore = StringRef(operation).starts_with("Gt");
  if (isEquality) {
    PyValue equal = callIteration(in, "equal_lists", {operands[0], operands[1]});
    return operation == "Eq" || equal.isPoison() ? equal : negated(in, equal);
  }
  if (isMore)
    std::swap(operands[0], operands[1]);
  PyValue orEqual = PyValue::object(py::boolean(operation.ends_with("E")));
  return callIteration(in, "less_list", {operands[0], operands[1], orEqual});
}

/// == of objects: as their class says; of dataclasses and dicts by what they hold, else the same object.
static std::optional<PyValue> equalObjects(Interpreter &in, const PyValue &left, const PyValue &right) {
  bool isLeft = left.is(PyValue::Kind::Instance), isRight = right.is(PyValue::Kind::Instance);
  if (!isLeft && !isRight)
    return std::nullopt;
  const PyValue &one = isLeft ? left : right, &other = isLeft ? right : left;
  // A dataclass has the methods that it was not given made of text.
  bool isMade = one->cls["__dataclass_fields__"] &&
                (one->cls["__eq__"]["__wrapped__"] ||
                 StringRef(one->cls["__eq__"]["__code__"].string("co_filename")).starts_with("<"));
  bool isByValue = isDictionary(one) || isMade;
  if (!isByValue) {
    std::optional<PyValue> result = callSpecial(in, one, "__eq__", {other});
    if (result && isNotImplemented(*result)) // the other one is asked, and then whether they are one object
      result = isLeft && isRight ? callSpecial(in, right, "__eq__", {left}) : std::nullopt;
    if (result && !isNotImplemented(*result))
      return result;
  }
  bool sameKind = isLeft && isRight && left->cls == right->cls, isSame = sameKind && left->id == right->id;
  if (!isByValue && isSame && left.isTabled() && right.isTabled())
    return compare(in, "Is", left, right);
  if (!sameKind || left == right || !isByValue)
    return PyValue::object(py::boolean(sameKind && left == right));
  if (!isDictionary(left))
    return compare(in, "Eq", comparedParts(in, left), comparedParts(in, right));
  std::vector<py::Object> keys = heldKeys(in, left);
  if (heldKeys(in, right).size() != keys.size())
    return PyValue::object(py::boolean(false));
  std::vector<PyValue> mine, others;
  for (const py::Object &key : keys) {
    if (!holds(in, right, key))
      return PyValue::object(py::boolean(false));
    mine.push_back(readHeld(in, left, key));
    others.push_back(readHeld(in, right, key));
  }
  return compare(in, "Eq", PyValue::sequence(mine), PyValue::sequence(others));
}

/// What `import` gives, on a path of its own: an exception of Python's that it reports is raised there.
static PyValue onItsPath(Interpreter &in, llvm::function_ref<PyValue()> import) {
  size_t first = in.diagnostics.size();
  PyValue value = import();
  if (in.diagnostics.size() != first + 1 || in.diagnostics.back().error.empty() ||
      !isRaisable(in.diagnostics.back().error))
    return value;
  Diagnostic found = std::move(in.diagnostics.back());
  in.diagnostics.pop_back();
  in.env.raise(exceptionClass(found.error), found.error, pythonError(found.message)->words, {});
  in.env.continueLost();
  return PyValue::poison();
}

PyValue compare(Interpreter &in, StringRef operation, const PyValue &left, const PyValue &given) {
  if (left.isPoison() || given.isPoison())
    return PyValue::poison();
  bool isIdentity = operation == "Is" || operation == "IsNot";
  if (isPythons(left) || isPythons(given)) {
    bool isBool = isIdentity || operation == "In" || operation == "NotIn";
    return runSimple(in, ("return a " + symbolOf(operation) + " b").str(), {left, given}, isBool ? 'b' : 'o');
  }
  // There is one True and one False.
  auto isBool = [](const PyValue &value) {
    return value.isObject() ? PyBool_Check(value.object().get()) : value.isPythonScalar() && value.type().isInteger(1);
  };
  if (isIdentity && isBool(left) && isBool(given))
    return compare(in, operation == "Is" ? "Eq" : "NotEq", left, given);
  bool mayBeBool = isBool(given) && left.is(PyValue::Kind::Union) && llvm::any_of(left->items, isBool);
  if (isIdentity && !mayBeBool && left.is(PyValue::Kind::Union) && given.isObject())
    return isAlternative(in, left,
                         [&](const PyValue &one) { return py::isTrue(compare(in, operation, one, given).object()); });
  auto again = [&](ArrayRef<PyValue> operands) { return compare(in, operation, operands[0], operands[1]); };
  if (std::optional<PyValue> result = overAlternatives(in, {left, given}, again))
    return *result;
  PyValue right = besideComplex(in, left, given);
  if (operation == "Is" || operation == "IsNot") {
    if (left.isTabled() && right.isTabled() && left->id == right->id)
      return compare(in, operation == "Is" ? "Eq" : "NotEq", left->items[0], right->items[0]);
    bool same = left.isObject() && right.isObject()
                    ? left.object() == right.object() || (left == right && PyBool_Check(left.object().get()))
                : left.isObject() || right.isObject() ? false
                                                      : left == right;
    // Lists that are values may be one that was chosen at run time: objects tell.
    auto isValue = [](const PyValue &value) { return isList(value) && !value->site.empty() && value->site != "given"; };
    if (!same && isValue(left) && isValue(right)) {
      needsBox(in, left, "'is' between these lists cannot be compiled", "compare what they hold with ==");
      return needsBox(in, right, "'is' between these lists cannot be compiled", "compare what they hold with ==");
    }
    bool areNumbers =
        (left.isPythonScalar() || right.isPythonScalar()) && runtimeType(in, left) && runtimeType(in, right);
    if (!left.isNone() && !right.isNone() && !same && ((left.isRuntime() && right.isRuntime()) || areNumbers))
      return in.fail("'is' between arrays or numbers cannot be compiled", "compare values with ==");
    return PyValue::object(py::boolean(same == (operation == "Is")));
  }
  if (std::optional<PyValue> result = compareStrings(in, operation, left, right))
    return *result;
  bool isMember = operation == "In" || operation == "NotIn";
  if (!isMember && (isBox(left) || isBox(right)))
    return compare(in, operation, unboxed(in, left), unboxed(in, right));
  if ((operation == "Eq" || operation == "NotEq") && (left.isRecords() || right.isRecords()))
    return callInLibrary(in, operation == "Eq" ? "records.equal" : "records.not_equal", {left, right});
  if (left.isRecords() || right.isRecords())
    return in.fail("comparisons of " + describe(in, left.isRecords() ? left : right) + " cannot be compiled",
                   "compare their fields: a['x'] < b['x']");
  if (operation == "Eq" || operation == "NotEq")
    if (std::optional<PyValue> result = equalObjects(in, left, right))
      return operation == "Eq" ? *result : negated(in, *result);
  if (std::optional<PyValue> result = specialOperator(in, operation, left, right))
    return *result;
  if (isMember) {
    PyValue found = contains(in, left, right);
    return operation == "In" || found.isPoison() ? found : negated(in, found);
  }
  if (left.isGenerator() || right.isGenerator())
    return in.fail("comparisons of " + describe(in, left.isGenerator() ? left : right) + " cannot be compiled");
  if (std::optional<PyValue> result = compareLists(in, operation, left, right))
    return *result;
  const OperatorRow &row = *findRow(compareRows, operation);
  bool numpys = isNumpys(in, left) || isNumpys(in, right);
  py::Object knownLeft = asObject(in, left), knownRight = asObject(in, right);
  if (knownLeft && knownRight && !py::isInstance(knownLeft, in.dtypes.numpy["ndarray"]) &&
      !py::isInstance(knownRight, in.dtypes.numpy["ndarray"]))
    return compute(in, row, {knownLeft, knownRight});
  bool isEquality = operation == "Eq" || operation == "NotEq";
  // Tuples of extents and so on: item by item.
  if (!numpys && isEquality && left.isSequence() && right.isSequence()) {
    bool isEqual = operation == "Eq";
    if (left->items.size() != right->items.size())
      return PyValue::object(py::boolean(!isEqual));
    std::function<PyValue(size_t)> from = [&](size_t k) -> PyValue {
      if (k == left->items.size())
        return PyValue::object(py::boolean(isEqual));
      PyValue same = compare(in, "Eq", left->items[k], right->items[k]);
      return choose(in, same, [&] { return from(k + 1); }, [&] { return PyValue::object(py::boolean(!isEqual)); });
    };
    return from(0);
  }
  // The first items that differ decide, or the lengths.
  if (!numpys && left.isSequence() && right.isSequence() && left->isList == right->isList) {
    size_t mine = left->items.size(), others = right->items.size();
    std::function<PyValue(size_t)> from = [&](size_t k) -> PyValue {
      if (k == std::min(mine, others))
        return compute(in, row, {py::integer(mine), py::integer(others)});
      PyValue same = compare(in, "Eq", left->items[k], right->items[k]);
      auto decide = [&] { return compare(in, operation, left->items[k], right->items[k]); };
      bool isAsked = same.isRuntime(); // items that cannot be ordered are an error only where they meet
      return choose(in, same, [&] { return from(k + 1); }, [&] { return isAsked ? onItsPath(in, decide) : decide(); });
    };
    return from(0);
  }
  // A tuple or list is equal to no number.
  auto isContainer = [](const PyValue &value) { return value.hasItems() || value.is(PyValue::Kind::Instance); };
  if (!numpys && isEquality && isContainer(left) != isContainer(right))
    return PyValue::object(py::boolean(operation == "NotEq"));
  // None, strings and the like are equal to nothing of the program.
  auto isForeign = [&](const PyValue &value) {
    return value.isObject() && !promotionKey(in, value) && !py::isInstance(value.object(), in.dtypes.numpy["ndarray"]);
  };
  if (isEquality && (isForeign(left) || isForeign(right))) {
    PyValue answer = PyValue::object(py::boolean(operation == "NotEq"));
    const PyValue &other = isForeign(left) ? right : left, &foreign = isForeign(left) ? left : right;
    // NumPy asks for each element.
    if (other.isArray() && other.rank() > 0)
      return callNumpy(in, "full", {callNumpy(in, "shape", {other}), answer});
    bool isText = foreign.isObject() && PyUnicode_Check(foreign.object().get());
    return numpys && (isText || other.arrayType()) ? callNumpy(in, "bool_", {answer}) : answer;
  }
  if (numpys)
    return applyUfunc(in, row.ufunc, {left, right});
  return pythonCompare(in, operation, left, right);
}

} // namespace npcc::frontend
