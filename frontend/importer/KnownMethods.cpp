// Methods of objects that are known when the function is compiled.
#include "frontend/importer/KnownMethods.h"
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Text.h"
#include "frontend/importer/Unions.h"

using namespace mlir;

namespace npcc::frontend {

std::optional<PyValue> evaluate(Interpreter &in, const py::Object &callee, Call &call) {
  std::vector<py::Object> args;
  for (const PyValue &arg : call.args) {
    args.push_back(asObject(in, arg));
    if (!args.back())
      return std::nullopt;
  }
  py::Object keywords = py::Object::take(PyDict_New());
  for (const auto &[name, value] : call.keywords) {
    py::Object object = asObject(in, value);
    if (!object)
      return std::nullopt;
    PyDict_SetItemString(keywords.get(), name.c_str(), object.get());
  }
  std::string errorType, message;
  py::Object result = py::tryCall(callee, args, keywords, errorType, message);
  return result ? fromResult(in, result) : in.fail(errorType + ": " + message);
}

/// Whether a method of a known object gives the same at every call and changes nothing: methods of constants do, and
/// those of containers that only look (the function is compiled again where a container's items change).
static bool onlyReads(const py::Object &object, const std::string &method) {
  static const std::set<std::string> constants = {"str",   "bytes", "int",       "bool",  "float", "complex",
                                                  "tuple", "range", "frozenset", "slice", "type",  "NoneType"};
  static const std::set<std::string> looks = {
      "index",       "count",    "copy",        "get",   "keys",         "values",     "items",
      "isdisjoint",  "issubset", "issuperset",  "union", "intersection", "difference", "symmetric_difference",
      "__getitem__", "__len__",  "__contains__"};
  std::string type = py::typeName(object);
  if (constants.count(type) ||
      isOfPackage(py::Object::borrow(reinterpret_cast<PyObject *>(Py_TYPE(object.get()))), "numpy"))
    return true;
  return (type == "list" || type == "dict" || type == "OrderedDict" || type == "set" || type == "mappingproxy") &&
         looks.count(method);
}

/// Whether Python may call methods of a known object while the function runs: the function knows nothing of what it
/// holds, as it does of containers.
static bool isLeftToPython(Interpreter &in, const py::Object &object) {
  static const std::set<std::string> containers = {"list", "dict", "set", "deque", "bytearray"};
  return in.outlines && in.outlines->parts && !in.ir.isThread && !containers.count(py::typeName(object)) &&
         !PyDict_Check(object.get()) && !PyList_Check(object.get());
}

static PyValue callInPython(Interpreter &in, const py::Object &object, const std::string &method, const Call &call) {
  std::vector<PyValue> values{PyValue::object(object)};
  std::string given;
  auto add = [&](const std::string &keyword, const PyValue &value) {
    given += (given.empty() ? "" : ", ") + keyword + static_cast<char>('a' + values.size());
    values.push_back(value);
  };
  for (const PyValue &value : call.args)
    add("", value);
  for (const auto &[keyword, value] : call.keywords)
    add(keyword + "=", value);
  return runSimple(in, "return a." + method + "(" + given + ")", values, 'o');
}

bool refusesChange(Interpreter &in, const PyValue &container, StringRef what) {
  bool isKnown = container.isObject() && container.object() &&
                 (PyDict_Check(container.object().get()) || PyList_Check(container.object().get()));
  if (!isKnown)
    return false;
  noteChanged(in, container.object());
  in.fail(what + " a global " + py::typeName(container.object()) +
              ", which cannot be compiled here: compiled code holds what it was",
          "pass it as an argument");
  return true;
}

PyValue refuseCache(Interpreter &in, const std::string &method, const py::Object &wrapper) {
  if (in.outlines)
    in.outlines->foundMore |= in.outlines->askedCaches.insert(wrapper.get()).second;
  return in.fail(method +
                     "() cannot be compiled: calls in compiled code do not go through Python's cache, which counts "
                     "and keeps others only",
                 "leave functions that ask for it to Python");
}

std::optional<PyValue> callKnownMethod(Interpreter &in, const py::Object &callee, const py::Object &self, Call &call) {
  std::string name = callee.string("__name__"), owner = py::typeName(self);
  if (owner == "_lru_cache_wrapper" && StringRef(name).starts_with("cache_")) {
    bool isLeft = in.outlines && in.outlines->askedCaches.count(self.get()) && isLeftToPython(in, self);
    return isLeft ? callInPython(in, self, name, call) : refuseCache(in, name, self);
  }
  if (!onlyReads(self, name) && isLeftToPython(in, self))
    return callInPython(in, self, name, call);
  if (!onlyReads(self, name)) {
    noteChanged(in, self);
    return in.fail("'" + name + "' of a global " + owner +
                       " cannot be compiled: it would run once, when the function is compiled",
                   "call it outside, and pass what it gives as an argument");
  }
  // The one value that all items of dict.fromkeys() are may be a list.
  std::optional<PyValue> result = name == "fromkeys" ? std::nullopt : evaluate(in, callee, call);
  bool isArray = result && result->isObject() && py::isInstance(result->object(), in.dtypes.numpy["ndarray"]);
  if (result && !isArray) // arrays are the program's own
    return *result;
  bool isGet = PyDict_CheckExact(self.get()) && name == "get" && call.keywords.empty();
  if (isGet && !call.args.empty() && call.args.size() <= 2) {
    if (call.args[0].isPoison() || call.args.back().isPoison())
      return PyValue::poison();
    PyValue otherwise = call.args.size() > 1 ? in.env.bound(call.args[1]) : PyValue::object(py::none());
    auto get = [&](const PyValue &key) { return knownDictItem(in, self, key, otherwise); };
    return call.args[0].is(PyValue::Kind::Union) ? overAlternatives(in, call.args[0], get) : get(call.args[0]);
  }
  if (PyUnicode_Check(self.get()))
    if (std::optional<PyValue> result = callFormatMethod(in, self, name, call))
      return *result;
  if (PyUnicode_Check(self.get()) && isStringMethod(name))
    return callStringMethod(in, PyValue::object(self), name, call);
  std::vector<PyValue> items;
  bool isQuestion = (name == "index" || name == "count") && call.args.size() == 1 && call.keywords.empty();
  if (isQuestion && asSequence(in, PyValue::object(self), items))
    return callMethod(in, PyValue::sequence(std::move(items), PyList_Check(self.get())), name, call);
  return std::nullopt;
}

} // namespace npcc::frontend
