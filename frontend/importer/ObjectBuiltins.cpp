// Builtins and functions of the standard library about objects: getattr, dataclasses.replace, copy.copy, ...
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Unions.h"
#include "frontend/numpy/Table.h"

namespace npcc::frontend {
namespace {

/// The name of an attribute, nothing with an error reported.
std::optional<std::string> asName(Interpreter &in, const PyValue &value) {
  py::Object name = asObject(in, value);
  if (name && PyUnicode_Check(name.get()))
    return py::toString(name.get());
  bool isNumber = value.isPythonScalar() || value.isNumpyScalar() || value.isObject();
  if (isNumber)
    in.fail("TypeError: attribute name must be string, not " + nameOfType(in, value));
  else if (!value.isPoison())
    in.fail("the name of an attribute must be known at compile time");
  return std::nullopt;
}

/// Whether attribute() finds it.
PyValue hasAttribute(Interpreter &in, const PyValue &value, const std::string &name) {
  if (value.is(PyValue::Kind::Instance) && !value->cls[name.c_str()] && !value->cls["__getattr__"])
    return isHeld(in, value, py::string(name));
  bool isOfClass = (value.isRuntime() && !value.isGenerator()) || (value.isSequence() && !value->cls);
  if (py::Object cls = isOfClass ? typeOf(in, value) : py::Object()) // also of what compiled code cannot read
    return PyValue::object(py::boolean(bool(cls[name.c_str()])));
  Environment::Snapshot before = in.env.snapshot();
  bool found = !attribute(in, value, name).isPoison();
  in.env.rollBack(before);
  return PyValue::object(py::boolean(found));
}

/// The names of attributes of an object that the function's text has: what a name that is made or passed on at run time
/// is likely to be.
std::vector<std::string> namesInText(Interpreter &in, const PyValue &object) {
  static const py::Object walk = py::lookup("ast.walk");
  std::vector<std::string> names;
  for (const py::Object &node : py::elements(py::call(walk, {in.env.frame->definition}))) {
    if (py::typeName(node) != "Constant" || !PyUnicode_CheckExact(node["value"].get()))
      continue;
    std::string name = node.string("value");
    if (object.object()[name.c_str()] && !llvm::is_contained(names, name))
      names.push_back(name);
  }
  return names;
}

/// getattr(math, name) of a name that is known at run time only: each attribute that the text names on a path of its
/// own.
PyValue attributeAtRunTime(Interpreter &in, const PyValue &object, const PyValue &name) {
  std::vector<std::string> names = object.isObject() ? namesInText(in, object) : std::vector<std::string>();
  if (names.empty() || names.size() > mostAlternatives)
    return in.fail("the name of an attribute must be known at compile time",
                   "let it be a string that the function is given, or one of a few that it compares the name with");
  std::function<PyValue(size_t)> from = [&](size_t k) -> PyValue {
    if (k == names.size()) {
      in.env.raise(exceptionClass("NotImplementedError"), "NotImplementedError",
                   "compiled code takes for the name of an attribute what the function's text has", {});
      return PyValue::poison();
    }
    PyValue isIt = compare(in, "Eq", name, PyValue::object(py::string(names[k])));
    return choose(in, isIt, [&] { return attribute(in, object, names[k]); }, [&] { return from(k + 1); });
  };
  return from(0);
}

PyValue emitGetattr(Interpreter &in, Arguments &args) {
  if (args["name"].is(PyValue::Kind::Union) && !isString(args["name"]))
    return overAlternatives(in, args["name"], [&](PyValue name) {
      Arguments one = args;
      one["name"] = name;
      return emitGetattr(in, one);
    });
  if (isString(args["name"]) && !asObject(in, args["name"]) && args["otherwise"].isSequence() &&
      args["otherwise"]->items.empty())
    return attributeAtRunTime(in, args["obj"], args["name"]);
  std::optional<std::string> name = asName(in, args["name"]);
  if (!name)
    return PyValue::poison();
  std::vector<PyValue> otherwise;
  asSequence(in, args["otherwise"], otherwise);
  auto found = [&] { return attribute(in, args["obj"], *name); };
  return otherwise.empty() ? found()
                           : choose(in, hasAttribute(in, args["obj"], *name), found, [&] { return otherwise[0]; });
}

PyValue emitHasattr(Interpreter &in, Arguments &args) {
  std::optional<std::string> name = asName(in, args["obj"].isPoison() ? PyValue::poison() : args["name"]);
  return name ? hasAttribute(in, args["obj"], *name) : PyValue::poison();
}

PyValue emitSetattr(Interpreter &in, Arguments &args) {
  std::optional<std::string> name = asName(in, args["name"]);
  if (!name)
    return PyValue::poison();
  noteChangedObject(in, args["obj"]);
  if (!args["obj"].is(PyValue::Kind::Instance))
    return in.fail("setattr() of anything but an object of a class of the program's cannot be compiled");
  storeAttribute(in, args["obj"], *name, args["value"]);
  return PyValue::object(py::none());
}

PyValue emitVars(Interpreter &in, Arguments &args) {
  const PyValue &object = args["object"];
  if (object.isPoison())
    return object;
  if (!object.is(PyValue::Kind::Instance) || isDictionary(object) || isBox(object))
    return in.fail("vars() of anything but an object of a class of the program's cannot be compiled");
  return attributesOf(object);
}

/// A new object that holds the same.
PyValue copyOf(Interpreter &in, const PyValue &instance) {
  PyValue copy = newInstance(in, instance->cls);
  for (const py::Object &key : heldKeys(in, instance))
    storeHeld(in, copy, key, readHeld(in, instance, key));
  return copy;
}

PyValue emitCopy(Interpreter &in, Arguments &args) {
  PyValue &value = args["x"];
  bool isContainer = value.is(PyValue::Kind::Instance) && !isDictionary(value) && !isBox(value) &&
                     isContainerClass(value->cls) && value->cls["copy"];
  if (isContainer) { // whose items lie in lists of its own
    Call call;
    return callMethod(in, value, "copy", call);
  }
  if (value.is(PyValue::Kind::Instance))
    return copyOf(in, value);
  if (value.isArray()) {
    Call call;
    return callMethod(in, value, "copy", call);
  }
  if (value.isSequence() && value->isList) {
    PyValue copy = PyValue::sequence(value->items, true);
    copy->depth = in.env.depth;
    copy->owner = in.env.frame.get();
    return copy;
  }
  return value;
}

/// Whether a value leads to rows of tables, of which there are as many as the program makes.
bool leadsToRows(const PyValue &value) {
  bool isRow = value.is(PyValue::Kind::Instance) && value.isTabled();
  bool isList = value.isRows() && value->id;
  bool hasItems = value.hasItems() || value.is(PyValue::Kind::Union);
  return isRow || isList || (hasItems && llvm::any_of(value->items, leadsToRows));
}

/// Arrays, lists and objects all the way down are copied, each once: what is there twice is so in the copy.
class DeepCopy {
public:
  explicit DeepCopy(Interpreter &in) : in(in) {}

  PyValue of(const PyValue &value) {
    for (const auto &[original, copy] : made)
      if (original == value)
        return copy;
    if (isString(value)) // also one of run time, which is an object of no class
      return value;
    if (value.is(PyValue::Kind::Instance))
      return ofObject(value);
    if (value.isObject())
      return ofConstant(value);
    if (value.isArray()) {
      Call call;
      return noted(value, callMethod(in, value, "copy", call));
    }
    if (value.isRows() && value->id)
      return value->kinds.empty() ? callInLibrary(in, "copies.list_of", {value}) : refuse(value);
    if (value.is(PyValue::Kind::Union) && leadsToRows(value))
      return refuse(value);
    if (value.isRuntimeList()) {
      std::vector<PyValue> items = value->items;
      Call call;
      items[0] = callMethod(in, in.env.bound(items[0]), "copy", call);
      return items[0].isPoison() ? items[0] : value.withItems(std::move(items));
    }
    if (!value.isSequence())
      return value;
    std::vector<PyValue> items;
    for (const PyValue &item : value->items)
      items.push_back(of(item));
    bool isPlainList = value->isList && !value->cls;
    PyValue copy = isPlainList ? PyValue::sequence(std::move(items), true) : value.withItems(std::move(items));
    copy->owner = in.env.frame.get();
    copy->depth = in.env.depth;
    return copy;
  }

private:
  PyValue noted(const PyValue &value, const PyValue &copy) {
    made.push_back({value, copy});
    return copy;
  }

  PyValue ofObject(const PyValue &object) {
    PyValue copy = noted(object, newInstance(in, object->cls));
    for (const py::Object &key : heldKeys(in, object)) {
      PyValue held = readHeld(in, object, key);
      if (object.isTabled() && leadsToRows(held)) // to itself, it may be
        return refuse(object);
      storeHeld(in, copy, key, of(held));
    }
    return copy;
  }

  /// What a global holds becomes a container of the function's own, which may change.
  PyValue ofConstant(const PyValue &value) {
    PyObject *object = value.object().get();
    if (PyDict_CheckExact(object) || PyAnySet_CheckExact(object)) {
      PyValue copy = callBuiltin(in, py::typeName(value.object()).c_str(), {value});
      return noted(value, copy.is(PyValue::Kind::Instance) && !isBox(copy) ? ofObject(copy) : copy);
    }
    std::vector<PyValue> items;
    bool isList = PyList_CheckExact(object);
    if ((!isList && !PyTuple_CheckExact(object)) || !asSequence(in, value, items))
      return value;
    for (PyValue &item : items)
      item = of(item);
    PyValue copy = PyValue::sequence(std::move(items), isList);
    copy->owner = in.env.frame.get();
    copy->depth = in.env.depth;
    return noted(value, copy);
  }

  PyValue refuse(const PyValue &value) {
    return in.fail("copy.deepcopy() of " + describe(in, value) + " that leads to other objects cannot be compiled",
                   "write a method that makes the copy");
  }

  Interpreter &in;
  std::vector<std::pair<PyValue, PyValue>> made;
};

PyValue deepCopy(Interpreter &in, const PyValue &value) { return DeepCopy(in).of(value); }

PyValue emitDeepcopy(Interpreter &in, Arguments &args) { return deepCopy(in, args["x"]); }

bool isDataclass(const PyValue &value) {
  return value.is(PyValue::Kind::Instance) && value->cls && value->cls["__dataclass_fields__"];
}

/// A deep copy in which the objects of dataclasses are dicts or tuples of their fields, also those in containers.
PyValue withoutDataclasses(Interpreter &in, const PyValue &value, bool asTuples) {
  static const py::Object fieldsOf = py::lookup("dataclasses.fields"), dict = py::import("builtins")["dict"];
  auto inner = [&](const py::Object &key) { return withoutDataclasses(in, readHeld(in, value, key), asTuples); };
  if (isDataclass(value)) {
    std::vector<PyValue> items;
    PyValue made = newInstance(in, dict);
    for (const py::Object &field : py::elements(py::call(fieldsOf, {value->cls}))) {
      items.push_back(inner(field["name"]));
      if (!asTuples)
        storeHeld(in, made, field["name"], items.back());
    }
    return asTuples ? PyValue::sequence(std::move(items)) : made;
  }
  if (value.is(PyValue::Kind::Instance) && value->cls && value->cls == dict) {
    PyValue made = newInstance(in, dict);
    for (const py::Object &key : heldKeys(in, value))
      storeHeld(in, made, key, inner(key));
    return made;
  }
  if (value.isSequence()) {
    std::vector<PyValue> items;
    for (const PyValue &item : value->items)
      items.push_back(withoutDataclasses(in, item, asTuples));
    PyValue copy = value.withItems(std::move(items));
    copy->depth = in.env.depth;
    return copy;
  }
  if (value.isRows() && value->id)
    return in.fail("asdict() and astuple() of a list of objects whose length is known at run time only cannot be "
                   "compiled",
                   "call them for each object");
  return deepCopy(in, value);
}

PyValue fieldsOf(Interpreter &in, Arguments &args, const char *name, bool asTuples) {
  if (!isDataclass(args["obj"]))
    return in.fail(llvm::Twine("TypeError: ") + name + "() should be called on dataclass instances");
  return withoutDataclasses(in, args["obj"], asTuples);
}
PyValue emitAsdict(Interpreter &in, Arguments &args) { return fieldsOf(in, args, "asdict", false); }
PyValue emitAstuple(Interpreter &in, Arguments &args) { return fieldsOf(in, args, "astuple", true); }

const Registered objectRows{{"builtins.getattr", "obj, name, *otherwise", emitGetattr},
                            {"builtins.hasattr", "obj, name", emitHasattr},
                            {"builtins.setattr", "obj, name, value", emitSetattr},
                            {"builtins.vars", "object", emitVars},
                            {"copy.copy", "x", emitCopy},
                            {"copy.deepcopy", "x", emitDeepcopy},
                            {"dataclasses.asdict", "obj", emitAsdict},
                            {"dataclasses.astuple", "obj", emitAstuple}};

} // namespace

PyValue replaceFields(Interpreter &in, Call &call) {
  if (call.args.size() != 1 || !call.args[0].is(PyValue::Kind::Instance))
    return in.fail("TypeError: replace() should be called on dataclass instances");
  // Its __init__ is called, as Python does, with what is not given taken from the object.
  const PyValue &object = call.args[0];
  Call make;
  make.node = call.node;
  make.site = call.site;
  make.keywords = call.keywords;
  for (const py::Object &field : py::elements(py::call(py::lookup("dataclasses.fields"), {object->cls}))) {
    std::string name = field.string("name");
    bool isGiven = llvm::any_of(call.keywords, [&](const auto &keyword) { return keyword.first == name; });
    if (isGiven && !py::isTrue(field["init"]))
      return in.fail("TypeError: field " + name +
                     " is declared with init=False, it cannot be specified with replace()");
    if (!isGiven && py::isTrue(field["init"]))
      make.keywords.emplace_back(name, attribute(in, object, name));
  }
  return callClass(in, object->cls, make);
}

} // namespace npcc::frontend
