// f(**mapping): the items of a mapping as arguments by name. Of a dict whose keys are known at run time only, the
// callee says which keys it takes: its parameters, or the names in a format.
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/StarredArguments.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

/// A callee as the error of a name that is given twice has it: "__main__.f()".
static std::string fullName(const PyValue &callee) {
  py::Object function = callee.isObject() ? callee.object() : py::Object();
  if (!function || !function["__qualname__"])
    return callee.is(PyValue::Kind::Function) ? callee->name + "()" : "function";
  std::string module = function["__module__"] && !function["__module__"].isNone() ? function.string("__module__") : "";
  return (module.empty() || module == "builtins" ? "" : module + ".") + function.string("__qualname__") + "()";
}

static bool isGiven(const Call &call, StringRef name) {
  return llvm::any_of(call.keywords, [&](const auto &keyword) { return keyword.first == name; });
}

/// Adds one argument, if none has its name.
static bool addKeyword(Interpreter &in, const PyValue &callee, const std::string &name, const PyValue &value,
                       Call &call) {
  if (isGiven(call, name)) {
    in.fail("TypeError: " + fullName(callee) + " got multiple values for keyword argument '" + name + "'");
    return false;
  }
  call.keywords.emplace_back(name, value);
  return !value.isPoison();
}

static PyValue texts(ArrayRef<std::string> names) {
  std::vector<py::Object> items;
  for (const std::string &name : names)
    items.push_back(py::string(name));
  return PyValue::object(py::tuple(items));
}

static PyValue item(Interpreter &in, const PyValue &mapping, const std::string &name) {
  return *callSpecial(in, mapping, "__getitem__", {PyValue::object(py::string(name))}, {});
}

/// What a dict whose keys are known at run time only gives a format: the names that it has.
static bool addNamesOfFormat(Interpreter &in, const PyValue &callee, const PyValue &mapping, Call &call) {
  py::Object names = py::call(py::lookup("npcc.library.arguments.shown_names"), {callee.object()["__self__"]});
  for (const py::Object &name : py::elements(names)) {
    std::string text = py::toString(name.get());
    if (isGiven(call, text)) {
      if (callInLibrary(in, "arguments.check_given_once", {mapping, PyValue::object(name)}).isPoison())
        return false;
      continue;
    }
    call.keywords.emplace_back(text, item(in, mapping, text));
    if (call.keywords.back().second.isPoison())
      return false;
  }
  return true;
}

/// What such a dict gives a function: an argument for each parameter that has none yet, where the dict has its name.
static bool addParameters(Interpreter &in, const PyValue &callee, const PyValue &mapping, Call &call) {
  Running running = runBy(in, asFunction(in, callee));
  bool isFunction = running.function.is(PyValue::Kind::Function);
  if (!isFunction || !running.function->definition["args"]["kwarg"].isNone()) {
    in.fail("the keys of a dict that is given with '**' are not known when this call is compiled",
            isFunction ? "give the dict itself, in place of '**kwargs'" : "give the arguments one by one");
    return false;
  }
  py::Object args = running.function->definition["args"];
  std::vector<std::string> needed, optional, given;
  std::map<std::string, PyValue> defaults;
  size_t place = running.isBound ? 1 : 0, positional = call.args.size() + place, at = 0;
  for (const char *group : {"posonlyargs", "args", "kwonlyargs"})
    for (const py::Object &one : args.list(group)) {
      std::string name = one.string("arg");
      size_t k = at++;
      if (k < place || StringRef(group) == "posonlyargs")
        continue;
      if ((k < positional && StringRef(group) == "args") || isGiven(call, name)) {
        given.push_back(name);
        continue;
      }
      const PyValue &value = running.function->items[k];
      (value.is(PyValue::Kind::Unbound) ? needed : optional).push_back(name);
      defaults[name] = value;
    }
  PyValue check =
      callInLibrary(in, "arguments.check_names",
                    {mapping, PyValue::object(py::string(running.name)), texts(needed), texts(optional), texts(given)});
  if (check.isPoison())
    return false;
  for (const std::string &name : needed)
    call.keywords.emplace_back(name, item(in, mapping, name));
  for (const std::string &name : optional) {
    PyValue has = *callSpecial(in, mapping, "__contains__", {PyValue::object(py::string(name))}, {});
    if (has.isPoison())
      return false;
    call.keywords.emplace_back(
        name, choose(in, has, [&] { return item(in, mapping, name); }, [&] { return defaults[name]; }));
  }
  return llvm::none_of(call.keywords, [](const auto &keyword) { return keyword.second.isPoison(); });
}

/// Adds what a mapping holds.
static bool addMapping(Interpreter &in, const PyValue &callee, const PyValue &mapping, Call &call) {
  if (mapping.isPoison())
    return false;
  static const py::Object ofRunTime = py::lookup("npcc.library.dicts.Dict");
  bool isComputed = mapping.is(PyValue::Kind::Instance) && mapping->cls && PyType_Check(mapping->cls.get()) &&
                    PyObject_IsSubclass(mapping->cls.get(), ofRunTime.get()) == 1;
  if (isComputed) {
    bool isFormat = callee.isObject() && py::typeName(callee.object()) == "builtin_function_or_method" &&
                    callee.object().string("__name__") == "format" &&
                    PyUnicode_Check(callee.object()["__self__"].get());
    return isFormat ? addNamesOfFormat(in, callee, mapping, call) : addParameters(in, callee, mapping, call);
  }
  bool isKnown = mapping.isObject() && PyDict_Check(mapping.object().get());
  if (!isKnown && !isDictionary(mapping)) {
    in.fail("TypeError: " + fullName(callee) + " argument after ** must be a mapping, not " +
            nameOfType(in, mapping, /*isQuoted=*/false));
    return false;
  }
  std::vector<std::pair<py::Object, PyValue>> items;
  if (isKnown)
    for (const py::Object &item : py::elements(py::call(mapping.object()["items"], {}))) {
      std::vector<py::Object> pair = py::elements(item);
      items.emplace_back(pair[0], fromObject(in, pair[1]));
    }
  else
    for (const py::Object &key : heldKeys(in, mapping))
      items.emplace_back(key, readHeld(in, mapping, key));
  for (const auto &[key, value] : items) {
    if (!PyUnicode_Check(key.get())) {
      in.fail("TypeError: keywords must be strings");
      return false;
    }
    if (!addKeyword(in, callee, py::toString(key.get()), value, call))
      return false;
  }
  return true;
}

PyValue callWithKeywords(Interpreter &in, const PyValue &callee, const Keywords &keywords, const Call &given,
                         function_ref<PyValue(Call &)> callIt) {
  Call call = given;
  for (size_t k = 0; k < keywords.size(); ++k) {
    const auto &[name, value] = keywords[k];
    bool isOneOfSeveral = !name && value.is(PyValue::Kind::Union);
    if (isOneOfSeveral)
      return overAlternatives(
          in, value,
          [&](PyValue one) {
            Keywords rest(keywords.begin() + k, keywords.end());
            rest.front().second = one;
            return callWithKeywords(in, callee, rest, call, callIt);
          },
          /*isCall=*/true);
    if (name ? !addKeyword(in, callee, *name, value, call) : !addMapping(in, callee, value, call))
      return PyValue::poison();
  }
  return callIt(call);
}

} // namespace npcc::frontend
