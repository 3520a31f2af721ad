// The classes of the program: whether compiled code makes their objects, and the calls that make them.
#include "frontend/importer/Classes.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/LateAttributes.h"
#include "frontend/importer/Namespaces.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Tables.h"

using namespace mlir;

namespace npcc::frontend {

static bool isNamedTuple(const py::Object &cls) {
  return py::isTrue(py::call(py::import("builtins")["issubclass"], {cls, py::import("builtins")["tuple"]})) &&
         cls["_fields"] && cls["_field_defaults"];
}

bool isFrozen(const py::Object &cls) {
  py::Object parameters = cls["__dataclass_params__"];
  return parameters && py::isTrue(parameters["frozen"]);
}

/// Whether an attribute that is assigned to is held, or given to a method of the program's; of frozen dataclasses none
/// can be.
static bool hasKnownStores(const py::Object &cls) {
  std::string type = py::typeName(cls["__setattr__"]);
  return isFrozen(cls) || type == "wrapper_descriptor" || type == "function";
}

bool isCompiledClass(Interpreter &, const py::Object &cls) {
  if (!PyType_Check(cls.get()))
    return false;
  if (isNamedTuple(cls))
    return true;
  py::Object object = py::import("builtins")["object"];
  for (const py::Object &base : cls.list("__mro__")) {
    if (base == object)
      continue;
    std::string module = base.string("__module__");
    if (module == "abc" || module == "typing")
      continue;
    bool isOfLibrary =
        isOfPackage(base, "numpy") || isOfPackage(base, "scipy"); // whose objects hold more than their attributes
    if (module == "builtins" || isOfLibrary || !base["__dict__"])
      return false;
  }
  // What makes attributes something else than names in an object's dict.
  py::Object meta = cls["__class__"];
  bool isPlain = meta == py::import("builtins")["type"] || meta == py::import("abc")["ABCMeta"];
  py::Object getter = cls["__getattr__"];
  return isPlain && (!getter || py::typeName(getter) == "function") &&
         py::typeName(cls["__getattribute__"]) == "wrapper_descriptor" && hasKnownStores(cls) &&
         (cls["__new__"]["__self__"] == object || isNamespaceClass(cls));
}

/// Arguments of a call by the names of parameters; what is missing is Unbound. False with an error reported.
static bool bindFields(Interpreter &in, const std::string &name, const std::vector<std::string> &fields, Call &call,
                       std::vector<PyValue> &values) {
  values.assign(fields.size(), PyValue::unbound());
  if (call.args.size() > fields.size()) {
    in.fail("TypeError: " + name + ".__init__() takes " + Twine(fields.size() + 1) + " positional arguments but " +
            Twine(call.args.size() + 1) + " were given");
    return false;
  }
  for (auto [value, given] : llvm::zip(values, call.args))
    value = in.env.bound(given);
  for (const auto &[keyword, value] : call.keywords) {
    auto at = llvm::find(fields, keyword);
    if (at == fields.end()) {
      in.fail("TypeError: " + name + ".__init__() got an unexpected keyword argument '" + keyword + "'");
      return false;
    }
    PyValue &place = values[at - fields.begin()];
    if (!place.is(PyValue::Kind::Unbound)) {
      in.fail("TypeError: " + name + ".__init__() got multiple values for argument '" + keyword + "'");
      return false;
    }
    place = in.env.bound(value);
  }
  return true;
}

static bool reportMissing(Interpreter &in, const std::string &name, const std::vector<std::string> &fields,
                          const std::vector<PyValue> &values) {
  for (auto [field, value] : llvm::zip(fields, values))
    if (value.is(PyValue::Kind::Unbound)) {
      in.fail("TypeError: " + name + ".__init__() missing a required argument: '" + field + "'");
      return true;
    }
  return false;
}

static PyValue callNamedTuple(Interpreter &in, const py::Object &cls, Call &call) {
  std::vector<std::string> fields;
  for (const py::Object &field : cls.list("_fields"))
    fields.push_back(py::toString(field.get()));
  std::vector<PyValue> values;
  if (!bindFields(in, cls.string("__name__"), fields, call, values))
    return PyValue::poison();
  py::Object defaults = cls["_field_defaults"];
  for (auto [field, value] : llvm::zip(fields, values))
    if (PyObject *given =
            value.is(PyValue::Kind::Unbound) ? PyDict_GetItemString(defaults.get(), field.c_str()) : nullptr)
      value = fromObject(in, py::Object::borrow(given));
  if (reportMissing(in, cls.string("__name__"), fields, values))
    return PyValue::poison();
  PyValue tuple = PyValue::sequence(std::move(values));
  tuple->cls = cls;
  return tuple;
}

/// The __init__ that dataclasses writes has no source: its fields say what it does.
static bool initializeDataclass(Interpreter &in, const PyValue &instance, Call &call) {
  const py::Object &cls = instance->cls;
  py::Object missing = py::lookup("dataclasses.MISSING");
  std::vector<py::Object> fields = py::elements(py::call(py::lookup("dataclasses.fields"), {cls}));
  std::vector<std::string> names;
  for (const py::Object &field : fields)
    if (py::isTrue(field["init"]))
      names.push_back(field.string("name"));
  std::vector<PyValue> values;
  if (!bindFields(in, cls.string("__name__"), names, call, values))
    return false;
  size_t next = 0;
  for (const py::Object &field : fields) {
    PyValue value = py::isTrue(field["init"]) ? values[next++] : PyValue::unbound();
    if (value.is(PyValue::Kind::Unbound)) {
      if (py::Object known = field["default"]; !(known == missing)) {
        value = fromObject(in, known);
      } else if (py::Object factory = field["default_factory"]; !(factory == missing)) {
        Call make;
        std::string site = siteOf(in, call.node ? call.node : in.currentNode) + "." + field.string("name");
        value = madeAt(in, site, in.env.bound(callObject(in, factory, make)));
      } else if (py::isTrue(field["init"])) {
        return !reportMissing(in, cls.string("__name__"), {field.string("name")}, {value});
      } else {
        continue;
      }
    }
    storeHeld(in, instance, py::string(field.string("name")), value);
  }
  Call after;
  return !cls["__post_init__"] || !callInstanceMethod(in, instance, "__post_init__", after).isPoison();
}

/// How many exceptions are caught so far by the clauses around.
static size_t countRaised(Interpreter &in) {
  size_t count = 0;
  for (const Handler *handler : in.env.allHandlers())
    for (const auto &clause : handler->raised)
      count += clause.size();
  return count;
}

PyValue callClass(Interpreter &in, const py::Object &cls, Call &call) {
  if (isNamedTuple(cls))
    return callNamedTuple(in, cls, call);
  if (py::Object abstract = cls["__abstractmethods__"]; abstract && PyObject_Size(abstract.get()) > 0)
    return in.fail("TypeError: Can't instantiate abstract class " + cls.string("__name__"));
  std::string site = !call.site.empty() ? call.site : siteOf(in, call.node ? call.node : in.currentNode);
  PyValue instance = isTabledAt(in, tableKey(in, cls, site)) ? tabledObject(in, cls, site) : newInstance(in, cls);
  instance->site = site;
  py::Object init = cls["__init__"];
  if (cls["__dataclass_fields__"] && StringRef(init["__code__"].string("co_filename")).starts_with("<")) {
    bool isDone = false;
    auto construct = [&] { isDone = initializeDataclass(in, instance, call); };
    instance.isTabled() ? whileMaking(in, instance, construct) : construct();
    return isDone ? instance : PyValue::poison();
  }
  if (doesAsNamespace(cls, "__init__"))
    return fillNamespace(in, instance, call) ? instance : PyValue::poison();
  if (py::typeName(init) == "wrapper_descriptor") { // object's
    if (!call.args.empty() || !call.keywords.empty())
      return in.fail("TypeError: " + cls.string("__name__") + "() takes no arguments");
    return instance;
  }
  Call withSelf = call;
  withSelf.args.insert(withSelf.args.begin(), instance);
  size_t raisedBefore = countRaised(in);
  PyValue result;
  auto construct = [&] { result = callObject(in, init, withSelf); };
  instance.isTabled() ? whileMaking(in, instance, construct) : construct();
  if (instance.isTabled() && countRaised(in) > raisedBefore)
    noteUnfinished(in, instance);
  return result.isPoison() && in.hasErrors() ? result : instance;
}

} // namespace npcc::frontend
