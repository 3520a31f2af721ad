#include "frontend/importer/Given.h"
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/LoopItems.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Unions.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace npcc::frontend {

std::vector<PyValue> Given::values(const py::Object &forms) { return items(forms, "given", false); }

std::vector<PyValue> Given::items(const py::Object &forms, const std::string &path, bool areAlike) {
  std::vector<PyValue> result;
  for (auto [k, form] : llvm::enumerate(py::elements(forms)))
    result.push_back(value(form, path + "[" + (areAlike ? "" : std::to_string(k)) + "]"));
  return result;
}

static bool isFrozenSet(const py::Object &key) { return PyFrozenSet_CheckExact(key["value"].get()); }

/// A key of a dict whose keys the function computes, among which are objects of the compiled code.
static PyValue keyOf(Interpreter &in, const py::Object &key, const std::string &path) {
  PyValue known = fromObject(in, key);
  return PyFrozenSet_CheckExact(key.get()) ? newContainer(in, "FrozenSet", {known}, path + " key") : known;
}

/// A dict whose keys the function computes.
PyValue Given::computedDict(const py::Object &keys, const py::Object &forms, const std::string &path,
                            const py::Object &madeBy) {
  size_t number = found.size();
  found.push_back({PyValue(), {}, {}});
  llvm::SaveAndRestore<std::string> place(in.currentArgument, path);
  bool isNamed = madeBy && PyUnicode_CheckExact(madeBy.get());
  std::string cls = !madeBy ? "Dict" : isNamed ? py::toString(madeBy.get()) : "DefaultDict";
  PyValue dict =
      newContainer(in, cls.c_str(),
                   !madeBy || isNamed ? std::vector<PyValue>() : std::vector<PyValue>{fromObject(in, madeBy)}, path);
  std::vector<PyValue> held = items(forms, path, true);
  // Many numbers are put into it by a loop: code for each of them takes long to compile.
  constexpr size_t fewItems = 8;
  if ((cls == "Dict" || cls == "DefaultDict") && held.size() > fewItems && !dict.isPoison()) {
    std::vector<PyValue> pairs;
    for (auto [key, one] : llvm::zip(py::elements(keys), held))
      pairs.push_back(PyValue::sequence({keyOf(in, key["value"], path), one}));
    if (llvm::all_of(pairs, [&](const PyValue &pair) { return areOfOneType(in, pairs[0], pair, false); })) {
      Call update;
      update.node = in.currentNode;
      update.args = {PyValue::sequence(std::move(pairs), /*isList=*/true)};
      found[number].value = dict;
      return callInstanceMethod(in, dict, "update", update).isPoison() ? PyValue::poison() : dict;
    }
  }
  for (auto [key, one] : llvm::zip(py::elements(keys), held))
    if (!dict.isPoison() && !one.isPoison())
      storeTo(in, dict, keyOf(in, key["value"], path), one);
  return found[number].value = dict;
}

PyValue Given::value(const py::Object &form, const std::string &path) {
  std::vector<py::Object> parts = py::elements(form);
  std::string kind = py::toString(parts[0].get());
  if (kind == "leaf" || kind == "strided" || kind == "text")
    return next < leaves.size() ? leaves[next++] : PyValue::poison();
  if (kind == "held")
    return next < leaves.size() ? pythonObject(leaves[next++]) : PyValue::poison();
  if (kind == "known")
    return fromObject(in, parts[1]["value"]);
  if (kind == "same")
    return found[py::asInteger(parts[1]).value_or(0)].value;
  if (kind == "opaque")
    return PyValue::conflict((opaqueWords + py::toString(parts[1].get())).str());
  if (kind == "tuple" || kind == "named") {
    PyValue tuple = PyValue::sequence(items(parts.back(), path, false));
    if (kind == "named")
      tuple->cls = parts[1];
    return tuple;
  }
  if (kind == "range") {
    auto range = std::make_shared<Composite>();
    range->items = items(parts[1], path, false);
    return PyValue::composite(PyValue::Kind::Range, range);
  }
  if (kind == "list") {
    PyValue list = PyValue::sequence({}, true);
    list->owner = in.env.frame.get();
    list->isShared = true; // the caller has names for it
    list->site = "given";
    found.push_back({list, {}, {}});
    list->items = items(parts.back(), path, false);
    return list;
  }
  if (kind == "texts") {
    PyValue separator = PyValue::object(py::lookup("npcc.structures.SEPARATOR"));
    return next < leaves.size() ? callInLibrary(in, "strings.split", {leaves[next++], separator}) : PyValue::poison();
  }
  if (kind == "strings") {
    size_t number = found.size();
    found.push_back({PyValue(), {}, {}});
    std::vector<PyValue> read = items(parts.back(), path, false);
    PyValue strings = read.back(), width = read[read.size() - 2];
    PyValue shape = PyValue::sequence({read.begin(), read.end() - 2});
    return found[number].value = callInLibrary(in, "string_arrays.given", {strings, shape, width});
  }
  if (kind == "rows") {
    std::vector<PyValue> columns = items(parts.back(), path, true);
    for (PyValue &column : columns)
      column = ofRuntimeLength(in, column);
    return PyValue::rows(std::move(columns), parts[1].isNone() ? py::Object() : parts[1]);
  }
  if (kind == "many") {
    size_t number = found.size();
    found.push_back({PyValue(), {}, {}});
    PyValue list = items(parts.back(), path, false)[0];
    list->owner = in.env.frame.get();
    list->isShared = list->isCopy = true; // of the caller's, which sees no change
    list->site = "given";
    return found[number].value = list;
  }
  if (kind == "records" || kind == "field") {
    py::Object dtype = py::call(py::lookup("npcc.records.dtype_of"), {parts[1]});
    if (!dtype)
      return in.fail("internal error: no dtype is " + py::text(parts[1]));
    std::vector<PyValue> fields = items(parts.back(), path, false);
    for (PyValue &field : fields)
      if (field.is(PyValue::Kind::Conflict)) // of a dtype that is not compiled
        field = PyValue::object(py::none());
    PyValue records = recordsOf(std::move(fields), dtype, py::asInteger(parts[2]).value_or(0));
    if (kind == "records")
      records = withOneLength(in, records);
    if (kind == "records")
      found.push_back({records, {}, {}});
    return records;
  }
  if (kind == "grown") {
    size_t number = found.size();
    found.push_back({PyValue(), {}, {}});
    PyValue list = items(parts.back(), path, false)[0];
    list = list.isSequence() ? PyValue::sequence(list->items, true) : listOf(in, list);
    list->depth = in.env.depth;
    list->owner = in.env.frame.get();
    list->site = "given " + std::to_string(number);
    return found[number].value = asMade(in, list, /*isBoxed=*/true);
  }
  if (kind == "mapping")
    return computedDict(parts[2], parts[3], path, parts[1]["value"]);
  if (kind == "deque") {
    size_t number = found.size();
    found.push_back({PyValue(), {}, {}});
    llvm::SaveAndRestore<std::string> place(in.currentArgument, path);
    PyValue given = items(parts.back(), path, false)[0];
    return found[number].value = newContainer(in, "Deque", {given, fromObject(in, parts[1]["value"])}, path);
  }
  if (kind == "set" || kind == "frozenset") {
    size_t number = found.size();
    found.push_back({PyValue(), {}, {}});
    llvm::SaveAndRestore<std::string> place(in.currentArgument, path);
    const char *cls = kind == "set" ? "Set" : "FrozenSet";
    PyValue set = newContainer(in, cls, items(parts.back(), path, false), path);
    found[number].value = set;
    return set;
  }
  if (kind == "function") {
    size_t number = found.size();
    found.push_back({PyValue(), {}, {}});
    PyValue function = functionOf(in, parts[1]["value"]);
    if (function.isPoison())
      return function;
    // Its names are looked up in a scope that has nothing else.
    function->closure = py::Object();
    function->parent = std::make_shared<Frame>(in.env.frame->callLoc);
    function->parent->globals = function->globals;
    function->parent->file = function->file;
    found[number].value = function; // before its names, which may be bound to itself
    std::vector<PyValue> cells = items(parts[3], path, false);
    for (auto [key, value] : llvm::zip(py::elements(parts[2]), cells)) {
      std::string name = py::toString(key.get());
      if (isCell(value)) {
        function->parent->cells[name] = value->id;
      } else { // a function
        function->parent->locals.insert(name);
        function->parent->bindings[name] = value;
      }
    }
    return function;
  }
  if (kind == "cell") {
    PyValue cell = newCell(in);
    found.push_back({cell, {}, {}});
    setCell(in, cell, items(parts[1], path, false)[0]);
    return cell;
  }
  if (kind == "method")
    return boundMethod(items(parts[2], path, false)[0], py::toString(parts[1].get()));
  bool isDict = kind == "dict";
  if (isDict && (isBoxedAt(in, path) || llvm::any_of(py::elements(parts[1]), isFrozenSet)))
    return computedDict(parts[1], parts[2], path);
  py::Object cls = isDict ? py::import("builtins")["dict"] : parts[1];
  bool isRow = !isDict && isTabledAt(in, tableKey(in, cls, path));
  PyValue instance = isRow ? tabledObject(in, cls, path) : newInstance(in, cls);
  instance->site = path;
  size_t number = found.size();
  found.push_back({instance, {}, {}});
  std::vector<py::Object> keys = py::elements(parts[parts.size() - 2]);
  std::vector<PyValue> held = items(parts.back(), path, isDict);
  for (auto [key, one] : llvm::zip(keys, held))
    storeHeld(in, instance, isDict ? key["value"] : key, one);
  if (PyValue made = isDict ? asMadeDict(in, instance) : instance; made.isTabled() || made.isPoison())
    return found[number].value = made;
  return instance;
}

static bool isOfLibrary(const PyValue &value) {
  return value.is(PyValue::Kind::Instance) && value->cls && isContainerClass(value->cls);
}

/// What an object holds under a name: of a list its items, which change in place.
static PyValue heldItems(Interpreter &in, const PyValue &instance, const py::Object &key) {
  PyValue held = *boundHeld(in, instance, key);
  if (isBox(held) && !held.isTabled())
    held = *boundHeld(in, held, heldKeys(in, held)[0]);
  return held.isSequence() ? PyValue::sequence(held->items) : held;
}

bool Given::isAsGiven(const Container &container) const {
  return llvm::all_of(container.held,
                      [&](const auto &held) { return held.second == heldItems(in, container.value, held.first); });
}

bool Given::holdsAsGiven(const Container &container) const {
  auto isSame = [&](const auto &held) {
    std::optional<PyValue> now = boundHeld(in, container.value, held.first);
    return now && *now == held.second;
  };
  return boundKeys(in, container.value) == container.keys && llvm::all_of(container.held, isSame);
}

void Given::remember() {
  for (Container &container : found) {
    if (container.value.isSequence()) {
      container.items = container.value->items;
      continue;
    }
    // Nothing in it is stored to.
    bool isWhole = container.value.isRows() || container.value.isRecords() ||
                   container.value.is(PyValue::Kind::Function) || isContainer(container.value, "FrozenSet");
    if (container.value.isTabled() || container.value.isPoison() || isWhole)
      continue;
    container.keys = boundKeys(in, container.value);
    for (const py::Object &key : heldKeys(in, container.value))
      container.held.emplace_back(key, isOfLibrary(container.value) ? heldItems(in, container.value, key)
                                                                    : *boundHeld(in, container.value, key));
  }
}

std::optional<size_t> Given::numberOf(const PyValue &value) const {
  if (value.isTabled()) // which of its table's it is, is known at run time only
    return std::nullopt;
  for (auto [k, container] : llvm::enumerate(found)) {
    bool isInstance = value.is(PyValue::Kind::Instance) && container.value.is(PyValue::Kind::Instance) &&
                      value->cls == container.value->cls; // not its dict
    bool isList = (value.isSequence() && container.value.isSequence()) || (value.isRows() && container.value.isRows());
    bool isFunction = value.is(PyValue::Kind::Function) && container.value.is(PyValue::Kind::Function);
    bool isSame = (value.isRecords() || isFunction) && value == container.value;
    if (isSame || (isInstance && value->id == container.value->id) || (isList && &*value == &*container.value))
      return k;
  }
  return std::nullopt;
}

} // namespace npcc::frontend
