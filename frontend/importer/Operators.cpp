// Python's operators: known operands are computed with now, arrays and NumPy scalars go to ufuncs, Python scalars to
// PythonScalars.cpp. Comparisons are in Comparisons.cpp.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Generators.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/OperatorRows.h"
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

const OperatorRow &comparisonRow(StringRef operation) { return *findRow(compareRows, operation); }

StringRef symbolOf(StringRef operation) {
  for (ArrayRef<OperatorRow> rows :
       {ArrayRef(binaryRows), ArrayRef(unaryRows), ArrayRef(compareRows), ArrayRef(otherRows)})
    if (const OperatorRow *row = findRow(rows, operation))
      return row->symbol;
  return operation;
}

PyValue compute(Interpreter &in, const OperatorRow &row, const std::vector<py::Object> &operands) {
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
  return fromResult(in, result);
}

bool isNumpys(Interpreter &in, const PyValue &value) {
  if (value.isRuntime())
    return !value.isPythonScalar();
  return value.isObject() && (py::isInstance(value.object(), in.dtypes.numpy["generic"]) ||
                              py::isInstance(value.object(), in.dtypes.numpy["ndarray"]));
}

PyValue besideComplex(Interpreter &in, const PyValue &left, const PyValue &right) {
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

bool isNotImplemented(const PyValue &value) { return value.isObject() && value.object().get() == Py_NotImplemented; }

/// Whether NumPy's arrays make an array of objects of an operation with what is on their right, each of which is asked
/// with a number of Python's: its class has the method and does not say that arrays shall leave that to it.
static bool makesObjects(const PyValue &right, const char *method) {
  py::Object cls = classOf(right);
  py::Object found = cls ? cls[method] : py::Object();
  return found && py::typeName(found) == "function" && !cls["__array_ufunc__"] && !cls["__array_priority__"] &&
         !StringRef(cls.string("__module__")).starts_with("npcc.");
}

std::optional<PyValue> specialOperator(Interpreter &in, StringRef operation, const PyValue &left,
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
  py::Object cls = left.is(PyValue::Kind::Instance) || right.is(PyValue::Kind::Instance) ? classOf(left) : py::Object();
  if (isOrder && cls && cls == classOf(right) && cls["__dataclass_params__"] &&
      py::isTrue(cls["__dataclass_params__"]["order"]))
    return compare(in, operation, comparedParts(in, left), comparedParts(in, right));
  bool isUnary = operation == "USub" || operation == "UAdd", isRefused = false;
  auto take = [&](std::optional<PyValue> result) -> std::optional<PyValue> {
    bool isMissing = result && isNotImplemented(*result);
    isRefused |= isMissing;
    return isMissing ? std::nullopt : result;
  };
  if (std::optional<PyValue> result = take(callOperator(in, left, found->second.first, right)))
    return result;
  PyValue given = left;
  if ((left.isArray() || left.isNumpyScalar()) && makesObjects(right, found->second.second)) {
    if (left.isArray())
      return in.fail("NumPy makes an array of objects of this, which cannot be compiled",
                     "let the object stand on the left, or give its class __array_ufunc__ = None");
    given = PyValue::runtime(in.ir.item(valueOf(in, left)));
  }
  if (std::optional<PyValue> result = take(callOperator(in, right, found->second.second, given)))
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

/// What an operation gives for an array and a list of ints and floats, which is an array of either dtype.
static std::optional<PyValue> besideMixedList(Interpreter &in, const PyValue &left, const PyValue &right,
                                              llvm::function_ref<PyValue(ArrayRef<PyValue>)> operation) {
  bool isLeft = isMixed(left);
  if (!(isLeft ? right : left).isArray() || !(isLeft || isMixed(right)))
    return std::nullopt;
  std::optional<PyValue> arrays = mixedArrays(in, isLeft ? left : right);
  if (!arrays || arrays->isPoison())
    return arrays;
  return isLeft ? operation({*arrays, right}) : operation({left, *arrays});
}

/// The class of an operand as Python has it where the other one is None: NumPy makes objects of the elements then.
static std::string besideNone(Interpreter &in, const PyValue &value) {
  if (value.isNone())
    return "NoneType";
  Type element = value.elementType();
  return isa<ComplexType>(element) ? "complex"
         : isa<FloatType>(element) ? "float"
         : element.isInteger(1)    ? "bool"
                                   : "int";
}

/// Whether `a * b` has a sequence and something else than an int, which is an error: Python's words are about the right
/// one where the left one is a sequence.
static bool refusesRepetition(Interpreter &in, const PyValue &left, const PyValue &right) {
  auto isRepeated = [](const PyValue &one) { return isString(one) || isList(one) || isTuple(one); };
  bool isLeft = isRepeated(left);
  const PyValue &times = isLeft ? right : left;
  if ((!isLeft && !isRepeated(right)) || times.pythonBit || (left.isObject() && right.isObject()))
    return false;
  bool isFloat =
      (times.isPythonScalar() && !isa<IntegerType>(times.type())) ||
      (times.isObject() && (PyFloat_CheckExact(times.object().get()) || PyComplex_CheckExact(times.object().get())));
  if (!isFloat && !times.isNone() && !isRepeated(times) && !isDictionary(times))
    return false;
  in.fail("TypeError: can't multiply sequence by non-int of type " + nameOfType(in, times));
  return true;
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
  // A global list or tuple beside one that compiled code makes.
  auto itemsOf = [&](const PyValue &one) {
    bool isPlain = one.isObject() && (PyList_CheckExact(one.object().get()) || PyTuple_CheckExact(one.object().get()));
    return isPlain ? fromObject(in, one.object()) : one;
  };
  if (left.isObject() && given.hasItems())
    if (PyValue items = itemsOf(left); !items.isObject())
      return binary(in, operation, items, given);
  if (given.isObject() && left.hasItems())
    if (PyValue items = itemsOf(given); !items.isObject())
      return binary(in, operation, left, items);
  if (operation == "BitOr" && isDictionary(left) && given.is(PyValue::Kind::Instance)) {
    Call copy;
    PyValue both = callDictMethod(in, left, "copy", copy);
    return both.isPoison() ? both : *inPlaceOperator(in, operation, both, given);
  }
  if (operation == "Mod" && left.isObject() && PyUnicode_Check(left.object().get()))
    return percentFormat(in, left.object(), given);
  if (std::optional<PyValue> result = besideMixedList(in, left, given, again))
    return *result;
  if (operation == "Mult" && refusesRepetition(in, left, given))
    return PyValue::poison();
  if (std::optional<PyValue> result = combineStrings(in, operation, left, given))
    return *result;
  auto isPythons = [&](const PyValue &one) {
    return one.isPythonScalar() || (one.isObject() && promotionKey(in, one) && !isNumpys(in, one));
  };
  bool areKnown = left.isObject() && given.isObject(); // which Python is asked for
  if (!areKnown && operation != "Mult" && operation != "Mod" && isString(left) && isPythons(given))
    return in.fail(operation == "Add"
                       ? "TypeError: can only concatenate str (not \"" + nameOfType(in, given, false) + "\") to str"
                       : "TypeError: unsupported operand type(s) for " + symbolOf(operation).str() + ": 'str' and " +
                             nameOfType(in, given));
  if (!areKnown && operation != "Mult" && isString(given) && isPythons(left))
    return in.fail("TypeError: unsupported operand type(s) for " + symbolOf(operation) + ": " + nameOfType(in, left) +
                   " and 'str'");
  bool isContainer = given.hasItems() || given.is(PyValue::Kind::Instance);
  if (operation == "Add" && isString(left) && isContainer && !isString(given))
    return in.fail("TypeError: can only concatenate str (not \"" + nameOfType(in, given, false) + "\") to str");
  PyValue right = besideComplex(in, left, given);
  if (left.pythonBit || right.pythonBit)
    if (std::optional<PyValue> result = binaryOfPythonBits(in, operation, left, right))
      return *result;
  const OperatorRow &row = *findRow(binaryRows, operation);
  if ((left.isNone() && right.isRuntime()) || (right.isNone() && left.isRuntime()))
    return in.fail("TypeError: unsupported operand type(s) for " + symbolOf(operation) + ": '" + besideNone(in, left) +
                   "' and '" + besideNone(in, right) + "'");
  if (left.isGenerator() || right.isGenerator())
    return in.fail("TypeError: unsupported operand type(s): " + describe(in, left) + " and " + describe(in, right));
  bool numpys = isNumpys(in, left) || isNumpys(in, right);
  bool isSequence = left.isSequence() || right.isSequence();
  bool isOfRunTime = isRuntimeLength(left) != isRuntimeLength(right);
  if ((isSequence || isOfRunTime) && operation == "Mult") {
    auto isKnownScalar = [&](const PyValue &one) {
      return one.isObject() && py::isInstance(one.object(), in.dtypes.numpy["generic"]) &&
             !PyUnicode_Check(one.object().get()) && !PyBytes_Check(one.object().get());
    };
    bool isLeft = left.isNumpyScalar() || isKnownScalar(left);
    const PyValue &times = isLeft ? left : right;
    if (isLeft || times.isNumpyScalar() || isKnownScalar(times)) {
      Type type = getElementTypeOrSelf(runtimeType(in, times));
      if (!isa<IntegerType>(type) || type.isInteger(1))
        return in.fail("TypeError: can't multiply sequence by non-int of type 'numpy." + in.dtypes.name(type) + "'");
      // The sequence is repeated, as by an int of Python's.
      PyValue plain =
          times.isObject() ? PyValue::object(py::integer(*asInteger(in, times))) : fromIndex(in, toIndex(in, times));
      return isLeft ? binary(in, operation, plain, right) : binary(in, operation, left, plain);
    }
  }

  bool areTuples = isTuple(left) && isTuple(right), areLists = isList(left) && isList(right);
  if (operation == "Add" && (areLists || areTuples) && (isRuntimeLength(left) || isRuntimeLength(right))) {
    PyValue both = concatenated(in, left, right);
    return areTuples && isRuntimeLength(both) ? both.asTuple() : both;
  }
  if (operation == "Mult" && isOfRunTime && !numpys) {
    const PyValue &list = isRuntimeLength(left) ? left : right, &times = isRuntimeLength(left) ? right : left;
    if (asInteger(in, times) || (times.isPythonScalar() && isa<IntegerType>(times.type()))) {
      PyValue repeated = callInLibrary(in, "iteration.repeated", {list, times});
      return isTuple(list) && isRuntimeLength(repeated) ? repeated.asTuple() : repeated;
    }
    if (times.isPythonScalar() || times.isObject())
      return in.fail("TypeError: can't multiply sequence by non-int of type " + nameOfType(in, times));
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
      if (operation == "Mult" && times.isPythonScalar() && isa<IntegerType>(times.type())) { // as a list of its items
        if (list->items.empty())
          return list;
        PyValue repeated = binary(in, operation, PyValue::sequence(list->items, /*isList=*/true), times);
        return isRuntimeLength(repeated) ? repeated.asTuple() : repeated;
      }
      // A set, a dict and an object on the left are asked as sequences themselves.
      bool isLeft = left.isSequence() || isString(left);
      const PyValue &other = isLeft ? right : left;
      if (operation == "Mult" && (isLeft || !(left.is(PyValue::Kind::Instance) || isDictionary(left))))
        return in.fail("TypeError: can't multiply sequence by non-int of type " + nameOfType(in, other));
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

} // namespace npcc::frontend
