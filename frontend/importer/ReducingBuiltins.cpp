// min, max, sum, any, all: over arrays, known items and lists.
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Attempt.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Generators.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

PyValue boolean(bool value) { return PyValue::object(py::boolean(value)); }

/// An array whose items a loop would go over; an error instead of arrays and NumPy scalars that have none. Nothing of
/// other values.
std::optional<PyValue> iteratedArray(Interpreter &in, const PyValue &value) {
  if (!value.isArray() && !value.isNumpyScalar())
    return std::nullopt;
  if (value.rank() > 0)
    return value;
  return in.fail(value.arrayType() ? "TypeError: iteration over a 0-d array"
                                   : "TypeError: " + nameOfType(in, value) + " object is not iterable");
}

/// In a loop, items that are numbers are gone over one by one: the loop may become a kernel with this one inside, which
/// an array of its own would prevent.
bool isInLoop(Interpreter &in) { return in.outlines && in.outlines->loops > 0; }

/// The items of a list of NumPy's numbers, or of arrays of one shape, as an array; the value itself if it is another.
PyValue asItems(Interpreter &in, const PyValue &value) {
  bool areNumpys = value.isRuntimeList() && value->levels == 1 && !value->isPython;
  return areNumpys && (value->items[0].rank() > 1 || !isInLoop(in)) ? PyValue::runtime(listArray(in, value)) : value;
}

PyValue extremumOfItems(Interpreter &in, const PyValue &items, const PyValue &key, bool isLargest) {
  return callIteration(in, isInLoop(in) ? "extremum" : "extremum_at_once", {items, key, boolean(isLargest)});
}

/// NumPy's function of a list of Python's numbers, as a Python number; nothing if the list is another.
std::optional<PyValue> ofList(Interpreter &in, const PyValue &list, const char *numpy) {
  if (!list.isRuntimeList() || !list->isPython || list->items[0].rank() != 1)
    return std::nullopt;
  PyValue result = callNumpy(in, numpy, {PyValue::runtime(listArray(in, list))});
  return result.isNumpyScalar() ? PyValue::runtime(in.ir.item(result.ir())) : result;
}

constexpr const char *emptyWords =
    PY_VERSION_HEX < 0x030c0000 ? "() arg is an empty sequence" : "() iterable argument is empty";

/// A default that stands for "no default".
bool isMissing(const PyValue &value) { return value.isObject() && value.object().get() == Py_Ellipsis; }

/// min(items, key=..., default=...).
PyValue extremumBy(Interpreter &in, const std::vector<PyValue> &given, const PyValue &key, const PyValue &otherwise,
                   StringRef numpy) {
  std::vector<PyValue> items;
  if (given.size() != 1)
    items = given;
  if (given.size() == 1 && !asSequence(in, given[0], items)) {
    PyValue all = given[0];
    auto best = [&] { return extremumOfItems(in, all, key, numpy == "max"); };
    if (isMissing(otherwise))
      return best();
    if (isGenerator(all) || all.is(PyValue::Kind::Iterator)) // whether there is an item has to be known first
      all = callBuiltin(in, "list", {all});
    std::optional<bool> known;
    Call length{in.currentNode, {all}, {}};
    Value isThere = truth(in, callObject(in, py::import("builtins")["len"], length), known);
    return choose(in, known ? PyValue::object(py::boolean(*known)) : PyValue::runtime(isThere), best,
                  [&] { return otherwise; });
  }
  if (items.empty())
    return isMissing(otherwise) ? in.fail("ValueError: " + Twine(numpy) + emptyWords) : otherwise;
  auto keyOf = [&](const PyValue &item) {
    Call call{in.currentNode, {item}, {}};
    return key.isNone() ? item : in.env.bound(callValue(in, key, call));
  };
  PyValue best = items[0], bestKey = keyOf(best);
  for (const PyValue &item : llvm::drop_begin(items)) {
    PyValue itemKey = keyOf(item), beforeKey = bestKey, before = best;
    PyValue pair = choose(
        in, compare(in, numpy == "min" ? "Lt" : "Gt", itemKey, beforeKey),
        [&] { return PyValue::sequence({item, itemKey}); }, [&] { return PyValue::sequence({before, beforeKey}); });
    if (!pair.isSequence())
      return pair;
    best = pair->items[0];
    bestKey = pair->items[1];
  }
  return best;
}

/// min and max keep the first of equals, and compare as Python does.
PyValue extremum(Interpreter &in, Arguments &args, const char *operation, const char *numpy) {
  std::vector<PyValue> &given = args["values"]->items, items;
  PyValue &key = args["key"], &otherwise = args["default"];
  if (!key.isNone() || !isMissing(otherwise))
    return extremumBy(in, given, key, otherwise, numpy);
  if (given.size() == 1) {
    if (std::optional<PyValue> array = iteratedArray(in, given[0])) {
      if (array->isPoison())
        return *array;
      if (array->rank() == 1)
        return callIteration(in, "extremum_of_array", {given[0], boolean(StringRef(numpy) == "max")});
      return in.fail(
          "ValueError: The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()",
          "use numpy." + Twine(numpy));
    }
    // Floats are compared one by one: where a NaN stands decides.
    if (given[0].isRuntimeList() && given[0]->isPython && isa<IntegerType>(given[0]->items[0].elementType())) {
      Value count = in.ir.dim(listArray(in, given[0]), 0);
      in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::ne, count, in.ir.index(0)), "ValueError",
                  Twine(numpy) + emptyWords);
      if (std::optional<PyValue> result = ofList(in, given[0], numpy))
        return *result;
    }
    if (!asSequence(in, given[0], items))
      return given[0].isPoison() ? given[0] : extremumOfItems(in, given[0], key, StringRef(numpy) == "max");
  } else {
    items = given;
  }
  if (items.empty())
    return in.fail("ValueError: " + Twine(numpy) + emptyWords);
  PyValue best = items[0];
  for (size_t k = 1; k < items.size(); ++k) {
    PyValue item = items[k], before = best;
    // Numbers of one type need no branch.
    Type left = runtimeType(in, before), right = runtimeType(in, item);
    if (before.isRuntime() && item.isRuntime() && left == right && left.isInteger(64)) {
      best = PyValue::runtime(
          in.ir.emitUfunc(StringRef(operation) == "Lt" ? "minimum" : "maximum", {before.ir(), item.ir()}));
      continue;
    }
    best = choose(in, compare(in, operation, item, before), [&] { return item; }, [&] { return before; });
  }
  return best;
}
PyValue emitMin(Interpreter &in, Arguments &args) { return extremum(in, args, "Lt", "min"); }
const Registered minRows{{"builtins.min", "*values, key=None, default=builtins.Ellipsis", emitMin}};

PyValue emitMax(Interpreter &in, Arguments &args) { return extremum(in, args, "Gt", "max"); }
const Registered maxRows{{"builtins.max", "*values, key=None, default=builtins.Ellipsis", emitMax}};

/// Nothing where the items are to be added up one by one, in a loop over them.
std::optional<PyValue> sumOfList(Interpreter &in, const PyValue &iterable, const PyValue &value, PyValue total) {
  if (std::optional<PyValue> array = iteratedArray(in, value)) {
    if (array->isPoison())
      return *array;
    // Item by item: in the array's own dtype, and of bools in int64.
    Type own = resultType(in, {total, value});
    PyValue dtype = PyValue::object(own ? in.dtypes.dtype(own) : py::none());
    auto ofAll = [&] {
      return binary(in, "Add", callNumpy(in, "sum", {value, PyValue::object(py::integer(0)), dtype}), total);
    };
    // Of no items it is what it starts with.
    Value isEmpty = in.ir.compareIndex(arith::CmpIPredicate::eq, in.ir.dim(value.ir(), 0), in.ir.index(0));
    if (iterable.isRuntimeList() && value.rank() > 1)
      return choose(in, PyValue::runtime(isEmpty), [&] { return total; }, ofAll);
    PyValue sum = ofAll();
    if (value.rank() != 1 || sum.isPoison())
      return sum;
    Type python = pythonTypeAmong(in, total, sum.type());
    return withPythonBit(in, sum, isEmpty, python);
  }
  bool areInts = value.isRuntimeList() && value->levels == 1 && value->isPython &&
                 np::getElementType(listArray(in, value).getType()).isInteger(64);
  bool areFloats = value.isRuntimeList() && value->levels == 1 && value->isPython &&
                   isa<FloatType, ComplexType>(np::getElementType(listArray(in, value).getType()));
  if (areFloats) // one after the other, so that they are rounded as Python rounds them
    return callIteration(in, "sum_of_floats", {value, total});
  std::optional<PyValue> result =
      areInts ? callIteration(in, "sum_of_ints", {PyValue::runtime(listArray(in, value))}) : ofList(in, value, "sum");
  if (result)
    return binary(in, "Add", *result, total);
  std::vector<PyValue> items;
  if (!asSequence(in, value, items))
    return value.isPoison() ? std::optional(value) : std::nullopt;
  for (const PyValue &item : items)
    total = in.env.bound(binary(in, "Add", total, item));
  return total;
}

PyValue emitSum(Interpreter &in, Arguments &args) {
  PyValue iterable = args["iterable"], start = args["start"];
  // Numbers are collected first: then they are made beside each other. Arrays of any shape are added as they come.
  Attempt attempt(in);
  PyValue items = asItems(in, iterable);
  if (std::optional<PyValue> sum = sumOfList(in, iterable, items, start))
    return *sum;
  if (isGenerator(iterable)) {
    attempt.takeBack();
    items = iterable;
  }
  return callIteration(in, "sum_of", {items, start});
}
const Registered sumRows{{"builtins.sum", "iterable, start=0", emitSum}};

PyValue quantified(Interpreter &in, const PyValue &iterable, bool isAny) {
  PyValue value = asItems(in, iterable);
  if (std::optional<PyValue> array = iteratedArray(in, value)) {
    if (array->isPoison())
      return *array;
    if (value.rank() > 1)
      return in.fail(
          "ValueError: The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()");
    PyValue result = callNumpy(in, isAny ? "any" : "all", {value});
    return result.isNumpyScalar() ? PyValue::runtime(in.ir.item(result.ir())) : result;
  }
  if (std::optional<PyValue> result = ofList(in, value, isAny ? "any" : "all"))
    return *result;
  std::vector<PyValue> items;
  if (!asSequence(in, value, items))
    return value.isPoison() ? value : callIteration(in, isAny ? "any_of" : "all_of", {value});
  std::function<PyValue(size_t)> from = [&](size_t k) -> PyValue {
    if (k == items.size())
      return boolean(!isAny);
    auto rest = [&] { return from(k + 1); };
    auto decided = [&] { return boolean(isAny); };
    return isAny ? choose(in, items[k], decided, rest) : choose(in, items[k], rest, decided);
  };
  return from(0);
}
PyValue emitAny(Interpreter &in, Arguments &args) { return quantified(in, args["iterable"], true); }
const Registered anyRows{{"builtins.any", "iterable", emitAny}};

PyValue emitAll(Interpreter &in, Arguments &args) { return quantified(in, args["iterable"], false); }
const Registered allRows{{"builtins.all", "iterable", emitAll}};

} // namespace
} // namespace npcc::frontend
