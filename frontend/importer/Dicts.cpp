// Dicts whose keys are known at compile time: objects that hold values by key.
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

/// A key as an object, null with an error reported.
static py::Object asKey(Interpreter &in, const PyValue &dict, const PyValue &value) {
  py::Object key = value.isPoison() ? py::Object() : asObject(in, value);
  if (!key && !value.isPoison())
    needsBox(in, dict, "the keys of this dict must be known at compile time",
             "use an array, and integers as positions");
  if (key && PyObject_Hash(key.get()) == -1) {
    PyErr_Clear();
    in.fail("TypeError: unhashable type: '" + py::typeName(key) + "'");
    return {};
  }
  return key;
}

/// A dict whose keys the program computes.
static PyValue computedDict(Interpreter &in, const std::vector<py::Object> &keys,
                            const std::vector<py::Object> &values) {
  PyValue dict = newContainer(in, "Dict", {});
  for (auto [key, value] : llvm::zip(keys, values)) {
    if (key.isNone()) { // {**other}
      Call update;
      update.node = in.currentNode;
      update.args = {in.expression(value)};
      if (dict.isPoison() || update.args[0].isPoison() || callInstanceMethod(in, dict, "update", update).isPoison())
        return PyValue::poison();
      continue;
    }
    PyValue keyValue = in.expression(key), item = in.expression(value);
    if (dict.isPoison() || keyValue.isPoison() || item.isPoison())
      return PyValue::poison();
    storeTo(in, dict, keyValue, item);
  }
  return dict;
}

PyValue setExpression(Interpreter &in, const py::Object &node) {
  std::vector<py::Object> elements = node.list("elts");
  bool isStarred = llvm::any_of(elements, [](const py::Object &one) { return py::typeName(one) == "Starred"; });
  PyValue items = isStarred ? listDisplay(in, node) : PyValue::sequence(in.expressions(elements));
  if (items.isPoison())
    return items;
  // CPython makes a frozenset of constants first, which lets them come in another order.
  bool areConstants = llvm::all_of(elements, [](const py::Object &one) { return py::typeName(one) == "Constant"; });
  if (areConstants && elements.size() > 2)
    items = newContainer(in, "Set", {items});
  return newContainer(in, "Set", {items});
}

/// Puts what a mapping holds into a dict of known keys; false with an error reported.
static bool addMapping(Interpreter &in, const PyValue &dict, const PyValue &mapping) {
  if (isDictionary(mapping)) {
    for (const py::Object &key : heldKeys(in, mapping))
      storeHeld(in, dict, key, readHeld(in, mapping, key));
    return true;
  }
  if (mapping.isObject() && PyDict_Check(mapping.object().get())) {
    for (const py::Object &item : py::elements(py::call(mapping.object()["items"], {}))) {
      std::vector<py::Object> pair = py::elements(item);
      storeHeld(in, dict, pair[0], fromObject(in, pair[1]));
    }
    return true;
  }
  bool hasComputedKeys = mapping.is(PyValue::Kind::Instance) && mapping->cls && isContainerClass(mapping->cls);
  if (hasComputedKeys)
    needsBox(in, dict, "the keys of this dict must be known at compile time", "use update()");
  else if (!mapping.isPoison())
    in.fail(describe(in, mapping) + " cannot be put into a dict here", "use update()");
  return false;
}

/// Puts an item into a dict of known keys; false with an error reported.
static bool addItem(Interpreter &in, const PyValue &dict, const py::Object &key, const py::Object &value) {
  PyValue keyValue = in.expression(key), item = in.expression(value);
  py::Object known = asKey(in, dict, keyValue);
  if (!known || item.isPoison())
    return false;
  storeHeld(in, dict, known, item);
  return true;
}

PyValue dictExpression(Interpreter &in, const py::Object &node) {
  std::vector<py::Object> keys = node.list("keys"), values = node.list("values");
  if (isBoxedAt(in, node))
    return computedDict(in, keys, values);
  PyValue dict = newInstance(in, py::import("builtins")["dict"]);
  dict->site = siteOf(in, node);
  if (llvm::any_of(keys, [](const py::Object &key) { return key.isNone(); })) { // {**other}
    for (auto [key, value] : llvm::zip(keys, values)) {
      if (key.isNone() ? !addMapping(in, dict, in.expression(value)) : !addItem(in, dict, key, value))
        return PyValue::poison();
    }
    return asMadeDict(in, dict);
  }
  std::vector<std::pair<PyValue, PyValue>> items;
  bool areKnown = true;
  for (auto [key, value] : llvm::zip(keys, values)) {
    PyValue one = in.expression(key);
    items.push_back({one, in.env.bound(in.expression(value))});
    if (items.back().first.isPoison() || items.back().second.isPoison())
      return PyValue::poison();
    areKnown &= bool(asObject(in, one));
  }
  if (!areKnown) {
    makesObjects(in, node);
    dict = newContainer(in, "Dict", {});
  }
  for (const auto &[key, value] : items) {
    if (!areKnown && !dict.isPoison()) {
      storeTo(in, dict, key, value);
      continue;
    }
    py::Object known = dict.isPoison() ? py::Object() : asKey(in, dict, key);
    if (!known)
      return PyValue::poison();
    storeHeld(in, dict, known, value);
  }
  return asMadeDict(in, dict);
}

PyValue newDict(Interpreter &in, Call &call) {
  if (call.node && isBoxedAt(in, call.node)) { // a dict whose keys the program computes
    PyValue made = newContainer(in, "Dict", call.args);
    for (const auto &[name, value] : call.keywords)
      if (!made.isPoison())
        storeTo(in, made, PyValue::object(py::string(name)), value);
    return made;
  }
  PyValue dict = newInstance(in, py::import("builtins")["dict"]);
  if (call.node)
    dict->site = siteOf(in, call.node);
  if (call.args.size() > 1)
    return in.fail("TypeError: dict expected at most 1 argument, got " + Twine(call.args.size()));
  std::vector<PyValue> pairs;
  bool isMapping = !call.args.empty() && (isDictionary(call.args[0]) ||
                                          (call.args[0].isObject() && PyDict_Check(call.args[0].object().get())));
  if (isMapping) {
    if (!addMapping(in, dict, call.args[0]))
      return PyValue::poison();
  } else if (!call.args.empty()) {
    if (call.args[0].isPoison())
      return call.args[0];
    if (!asSequence(in, call.args[0], pairs)) {
      if (!call.node || !call.keywords.empty())
        return needsBox(in, dict, "dict() of " + describe(in, call.args[0]) + " cannot be compiled",
                        "its keys must be known at compile time");
      makesObjects(in, call.node);
      return newContainer(in, "Dict", call.args);
    }
    for (const PyValue &pair : pairs) {
      std::vector<PyValue> parts;
      py::Object key = asSequence(in, pair, parts) && parts.size() == 2 ? asKey(in, dict, parts[0]) : py::Object();
      if (!key)
        return in.hasErrors() ? PyValue::poison()
                              : in.fail("dict() of " + describe(in, pair) + " cannot be compiled", "give it pairs");
      storeHeld(in, dict, key, parts[1]);
    }
  }
  for (const auto &[name, value] : call.keywords)
    storeHeld(in, dict, py::string(name), value);
  return asMadeDict(in, dict);
}

PyValue dictItem(Interpreter &in, const PyValue &dict, const PyValue &keyValue) {
  py::Object key = asKey(in, dict, keyValue);
  return key ? readHeld(in, dict, key) : PyValue::poison();
}

void storeDictItem(Interpreter &in, const PyValue &dict, const PyValue &keyValue, const PyValue &value) {
  py::Object key = asKey(in, dict, keyValue);
  if (key && dict.isTabled() && !canBeRowKey(key))
    needsBox(in, dict, "one of many dicts has a key that is no name", "let all keys be strings");
  else if (key)
    storeHeld(in, dict, key, value);
}

void deleteDictItem(Interpreter &in, const PyValue &dict, const PyValue &keyValue) {
  py::Object key = asKey(in, dict, keyValue);
  if (!key)
    return;
  PyValue isThere = isHeld(in, dict, key);
  if (isThere.isRuntime())
    needsBox(in, dict, "a key that this dict has on some paths only is removed", "give it a value on all paths");
  else if (isThere.object().get() != Py_True)
    in.fail("KeyError: " + py::repr(key));
  else
    deleteHeld(in, dict, key);
}

PyValue callDictMethod(Interpreter &in, const PyValue &dict, const std::string &name, Call &call) {
  auto sequenceOf = [&](bool keys, bool values) {
    std::vector<PyValue> items;
    for (const py::Object &key : heldKeys(in, dict)) {
      PyValue known = fromObject(in, key), held = values ? readHeld(in, dict, key) : PyValue();
      items.push_back(keys && values ? PyValue::sequence({known, held}) : keys ? known : held);
    }
    return PyValue::sequence(std::move(items));
  };
  bool noArguments = call.args.empty() && call.keywords.empty();
  if (name == "keys" && noArguments)
    return sequenceOf(true, false);
  if (name == "values" && noArguments)
    return sequenceOf(false, true);
  if (name == "items" && noArguments)
    return sequenceOf(true, true);
  if (name == "copy" && noArguments) {
    Call copy;
    copy.args.push_back(dict);
    return newDict(in, copy);
  }
  if (name == "clear" && noArguments) {
    for (const py::Object &key : heldKeys(in, dict))
      deleteHeld(in, dict, key);
    return PyValue::object(py::none());
  }
  if (name == "popitem" && noArguments) {
    std::vector<py::Object> keys = heldKeys(in, dict);
    if (keys.empty())
      return in.hasErrors() ? PyValue::poison() : in.fail("KeyError: 'popitem(): dictionary is empty'");
    PyValue pair = PyValue::sequence({fromObject(in, keys.back()), readHeld(in, dict, keys.back())});
    deleteHeld(in, dict, keys.back());
    return pair;
  }
  if ((name == "get" || name == "pop" || name == "setdefault") && !call.args.empty() && call.args.size() <= 2) {
    py::Object key = asKey(in, dict, call.args[0]);
    if (!key)
      return PyValue::poison();
    PyValue isThere = isHeld(in, dict, key);
    PyValue otherwise = call.args.size() > 1 ? in.env.bound(call.args[1]) : PyValue::object(py::none());
    if (name == "pop" && isThere.isRuntime())
      return needsBox(in, dict, "a key that this dict has on some paths only is removed",
                      "give it a value on all paths");
    auto held = [&] {
      PyValue value = readHeld(in, dict, key);
      if (name == "pop")
        deleteHeld(in, dict, key);
      return value;
    };
    auto missing = [&] {
      if (call.args.size() == 1 && name == "pop")
        return in.fail("KeyError: " + py::repr(key));
      if (name == "setdefault")
        storeHeld(in, dict, key, otherwise);
      return otherwise;
    };
    return choose(in, isThere, held, missing);
  }
  if (name == "update" && call.args.size() <= 1) {
    PyValue other = newDict(in, call);
    if (other.isPoison())
      return other;
    for (const py::Object &key : heldKeys(in, other))
      storeHeld(in, dict, key, readHeld(in, other, key));
    return PyValue::object(py::none());
  }
  return in.fail("dict." + name + " cannot be compiled");
}

} // namespace npcc::frontend
