// Methods of lists that leave their length as it is, and builtins over what has a length at run time only: most are
// Python functions of the library (npcc/library/iteration.py).
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {

PyValue callIteration(Interpreter &in, const char *name, std::vector<PyValue> arguments) {
  return callInLibrary(in, std::string("iteration.") + name, std::move(arguments));
}

PyValue callInLibrary(Interpreter &in, StringRef path, std::vector<PyValue> arguments) {
  py::Object function = py::lookup(("npcc.library." + path).str());
  Call call;
  call.node = in.currentNode;
  call.args = std::move(arguments);
  return callFunction(in, functionOf(in, function, /*isLibrary=*/true), call);
}

PyValue callBuiltin(Interpreter &in, const char *name, std::vector<PyValue> arguments) {
  Call call;
  call.node = in.currentNode;
  call.args = std::move(arguments);
  return callObject(in, py::import("builtins")[name], call);
}

/// Puts the items of one list into another of the same kind and length.
static void storeItems(Interpreter &in, const PyValue &list, const PyValue &items) {
  if (list.isRows()) {
    for (auto [column, other] : llvm::zip(list->items, items->items))
      storeItems(in, column, other);
    return;
  }
  Value copy = in.ir.newArray(in.ir.load(listArray(in, items)));
  np::StoreOp::create(in.ir, in.ir.load(copy), listArray(in, list));
  in.ir.clobber();
}

static PyValue text(const char *words) { return PyValue::object(py::string(words)); }

PyValue callListMethod(Interpreter &in, const PyValue &list, const std::string &name, Call &call) {
  PyValue none = PyValue::object(py::none());
  if ((name == "sort" || name == "reverse") && !checkIsOwn(in, list))
    return PyValue::poison();
  if (name == "sort" && call.args.empty()) {
    PyValue key = none, reverse = PyValue::object(py::boolean(false));
    for (const auto &[keyword, value] : call.keywords)
      (keyword == "key" ? key : reverse) = value;
    PyValue items = list.isSequence() ? listOfItems(in, list->items) : list;
    PyValue sorted = items.isPoison() ? items : callIteration(in, "sorted_list", {items, key, reverse});
    if (!sorted.isPoison() && !sorted.isLike(list))
      return needsBox(in, list, "list.sort() cannot be compiled here", "use sorted()");
    if (!sorted.isPoison())
      storeItems(in, list, sorted);
    return sorted.isPoison() ? sorted : none;
  }
  if (name == "reverse" && call.args.empty()) {
    PyValue reversed = listItem(in, list, PyValue::slice(none, none, PyValue::object(py::integer(-1))));
    if (!reversed.isPoison())
      storeItems(in, list, reversed);
    return reversed.isPoison() ? reversed : none;
  }
  if (name == "copy" && call.args.empty())
    return listOf(in, list);
  if (name == "index" && call.args.size() == 1)
    return callIteration(in, "position_of", {list, call.args[0], text("list.index(x): x not in list")});
  if (name == "index" && (call.args.size() == 2 || call.args.size() == 3)) {
    std::vector<PyValue> arguments{list, call.args[0], text("list.index(x): x not in list")};
    arguments.insert(arguments.end(), call.args.begin() + 1, call.args.end());
    return callIteration(in, "position_between", arguments);
  }
  if (name == "count" && call.args.size() == 1)
    return callIteration(in, "count_of", {list, call.args[0]});
  return needsBox(in, list, "list." + name + "() cannot be compiled here",
                  "a list changes its length where it is a name of the function's, and has no other name");
}

namespace {

PyValue emitSorted(Interpreter &in, Arguments &args) {
  std::vector<PyValue> known;
  PyValue &value = args["iterable"];
  py::Object items = asObject(in, value), reverse = asObject(in, args["reverse"]);
  if (!items && asSequence(in, value, known)) // the keys of a dict
    items = asObject(in, PyValue::sequence(known, /*isList=*/true));
  if (items && reverse && args["key"].isNone()) {
    std::string error, message;
    py::Object keywords = py::Object::take(Py_BuildValue("{sO}", "reverse", reverse.get()));
    py::Object sorted = py::tryCall(py::import("builtins")["sorted"], {items}, keywords, error, message);
    return sorted ? fromResult(in, sorted) : in.fail(error + ": " + message);
  }
  PyValue source = value;
  known.clear();
  if (asSequence(in, value, known))
    source = listOfItems(in, known);
  return source.isPoison() ? source : callIteration(in, "sorted_list", {source, args["key"], args["reverse"]});
}

PyValue emitFilter(Interpreter &in, Arguments &args) {
  return askedInPlaces(in, callIteration(in, "filtered", {args["function"], args["iterable"]}));
}

const Registered sortedRows{{"builtins.sorted", "iterable, key=None, reverse=False", emitSorted},
                            {"builtins.filter", "function, iterable", emitFilter}};

} // namespace
} // namespace npcc::frontend
