// Python's comparisons: ==, <, is and in. What is known is compared now; lists, objects and sets as their classes say.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Generators.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Namespaces.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/OperatorRows.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/StringArrays.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/TabledTuples.h"
#include "frontend/importer/Text.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace npcc::frontend {

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
  if (std::optional<PyValue> result = callOperator(in, container, "__contains__", item))
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
  std::optional<bool> known;
  Value holds = truth(in, bit, known); // what a class's __eq__ gives may be anything
  if (known)
    return PyValue::object(py::boolean(!*known));
  if (!holds)
    return PyValue::poison();
  Value one = in.ir.boolean(true);
  return PyValue::runtime(arith::XOrIOp::create(in.ir, holds, one));
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

PyValue comparedParts(Interpreter &in, const PyValue &object) {
  std::vector<PyValue> parts;
  for (const py::Object &field : py::elements(py::call(py::lookup("dataclasses.fields"), {classOf(object)}))) {
    std::string name = field.string("name");
    if (py::isTrue(field["compare"]))
      parts.push_back(object.isObject() ? attribute(in, object, name) : readHeld(in, object, py::string(name)));
  }
  return PyValue::sequence(std::move(parts));
}

static constexpr unsigned deepestComparison = 16; // objects that hold each other

/// == of objects: as their class says; of dataclasses and dicts by what they hold, else the same object.
static std::optional<PyValue> equalObjects(Interpreter &in, const PyValue &left, const PyValue &right) {
  bool isLeft = left.is(PyValue::Kind::Instance), isRight = right.is(PyValue::Kind::Instance);
  if (!isLeft && !isRight)
    return std::nullopt;
  if (isLeft && isRight && isDictionary(left) && isContainerClass(right->cls)) // it knows how to look into the other
    return equalObjects(in, right, left);
  const PyValue &one = isLeft ? left : right, &other = isLeft ? right : left;
  // A dataclass has the methods that it was not given made of text.
  bool isMade = one->cls["__dataclass_fields__"] &&
                (one->cls["__eq__"]["__wrapped__"] ||
                 StringRef(one->cls["__eq__"]["__code__"].string("co_filename")).starts_with("<"));
  bool isByValue = isDictionary(one) || isMade || doesAsNamespace(one->cls, "__eq__");
  if (!isByValue) {
    std::optional<PyValue> result = callSpecial(in, one, "__eq__", {other});
    if (result && isNotImplemented(*result)) // the other one is asked, and then whether they are one object
      result = isLeft && isRight ? callSpecial(in, right, "__eq__", {left}) : std::nullopt;
    if (result && !isNotImplemented(*result))
      return result;
  }
  bool sameKind = classOf(left) == classOf(right), isSame = isLeft && isRight && sameKind && left->id == right->id;
  if (!isByValue && isSame && left.isTabled() && right.isTabled())
    return compare(in, "Is", left, right);
  if (!sameKind || left == right || !isByValue)
    return PyValue::object(py::boolean(sameKind && left == right));
  if (isMade) {
    // Those of a chain are compared in place, field by field, and of many objects nobody knows where that ends.
    static thread_local unsigned depth = 0;
    llvm::SaveAndRestore<unsigned> inner(depth, depth + 1);
    if (depth > deepestComparison)
      return in.fail("objects of the dataclass '" + one->cls.string("__name__") +
                         "' that hold each other cannot be compared in compiled code",
                     "compare them with 'is', or give the class an __eq__()");
    return compare(in, "Eq", comparedParts(in, left), comparedParts(in, right));
  }
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

/// What a class of the program gives for '!='. One without a method for it has the opposite of '=='.
static std::optional<PyValue> unequalObjects(Interpreter &in, const PyValue &left, const PyValue &right) {
  for (auto [one, other] : {std::pair(&left, &right), std::pair(&right, &left)}) {
    if (!one->is(PyValue::Kind::Instance) || py::typeName((*one)->cls["__ne__"]) != "function")
      continue;
    std::optional<PyValue> result = callSpecial(in, *one, "__ne__", {*other});
    if (result && !isNotImplemented(*result))
      return result;
  }
  return std::nullopt;
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
  bool besideArray = isStringArray(left) || isStringArray(right);
  if (std::optional<PyValue> result = besideArray ? std::nullopt : compareStrings(in, operation, left, right))
    return *result;
  bool isMember = operation == "In" || operation == "NotIn";
  if (!isMember)
    if (std::optional<PyValue> result = compareRows(in, operation, left, right))
      return *result;
  if (!isMember && (isBox(left) || isBox(right)))
    return compare(in, operation, unboxed(in, left), unboxed(in, right));
  if ((operation == "Eq" || operation == "NotEq") && (left.isRecords() || right.isRecords()))
    return callInLibrary(in, operation == "Eq" ? "records.equal" : "records.not_equal", {left, right});
  if (left.isRecords() || right.isRecords())
    return in.fail("comparisons of " + describe(in, left.isRecords() ? left : right) + " cannot be compiled",
                   "compare their fields: a['x'] < b['x']");
  if (!besideArray && operation == "NotEq")
    if (std::optional<PyValue> result = unequalObjects(in, left, right))
      return *result;
  if (!besideArray && (operation == "Eq" || operation == "NotEq"))
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
  const OperatorRow &row = comparisonRow(operation);
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
    // Items that cannot be ordered are an error only where they meet: whether they do is asked from the first item on
    // whose equality is known at run time only.
    std::function<PyValue(size_t, bool)> from = [&](size_t k, bool isAsked) -> PyValue {
      if (k == std::min(mine, others))
        return compute(in, row, {py::integer(mine), py::integer(others)});
      PyValue same = compare(in, "Eq", left->items[k], right->items[k]);
      isAsked |= same.isRuntime();
      auto decide = [&] { return compare(in, operation, left->items[k], right->items[k]); };
      return choose(
          in, same, [&] { return from(k + 1, isAsked); }, [&] { return isAsked ? onItsPath(in, decide) : decide(); });
    };
    return from(0, false);
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
