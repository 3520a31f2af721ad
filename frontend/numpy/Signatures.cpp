// A call of a NumPy function, as the table's row or the library's function takes it: arguments for parameters that
// these do not have are dropped where they say what holds anyway, and refused otherwise. What NumPy itself does not
// take is an error in NumPy's words.
#include "frontend/numpy/Table.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

struct Parameter {
  std::string name;
  py::Object otherwise; // the default; null if there is none
  bool isPositional = false, isKeyword = false;
};

struct Parameters {
  std::vector<Parameter> list;
  bool takesMore = false;     // *args
  bool takesKeywords = false; // **kwargs
};

/// Whether NumPy takes by position what its signature has as a keyword only.
bool isPositionalToo(const std::string &function, const std::string &parameter) {
  return function == "arange" && parameter == "dtype"; // since NumPy 2.4, whose signature has two forms in one
}

/// The parameters by NumPy's own signature; nothing where NumPy has none (functions in C, before NumPy 2.4).
const Parameters *parametersOf(const py::Object &function) {
  static std::map<PyObject *, std::optional<Parameters>> known;
  auto [found, isNew] = known.try_emplace(function.get());
  if (!isNew)
    return found->second ? &*found->second : nullptr;
  Py_INCREF(function.get()); // for as long as the table lives
  py::Object empty = py::import("inspect")["Parameter"]["empty"];
  std::string errorType, message;
  py::Object signature = py::tryCall(py::import("npcc.parameters")["signature_of"], {function}, {}, errorType, message);
  if (!signature)
    return nullptr;
  Parameters parameters;
  for (const py::Object &one : py::elements(py::call(signature["parameters"]["values"], {}))) {
    std::string kind = one["kind"].string("name");
    if (kind == "VAR_POSITIONAL" || kind == "VAR_KEYWORD") {
      (kind == "VAR_POSITIONAL" ? parameters.takesMore : parameters.takesKeywords) = true;
      continue;
    }
    py::Object otherwise = one["default"];
    parameters.list.push_back(
        {one.string("name"), otherwise == empty ? py::Object() : otherwise,
         kind != "KEYWORD_ONLY" || isPositionalToo(function.string("__name__"), one.string("name")),
         kind != "POSITIONAL_ONLY"});
  }
  found->second = std::move(parameters);
  return &*found->second;
}

/// Whether an argument says what holds without it.
bool saysNothing(const Parameter &parameter, const PyValue &value) {
  if (parameter.name == "like" && value.arrayType()) // NumPy's arrays are what its functions make anyway
    return true;
  if (!value.isObject())
    return false;
  if (parameter.name == "subok") // there are no subclasses in compiled code
    return true;
  if (parameter.name == "device" && py::text(value.object()) == "cpu")
    return true;
  if (!parameter.otherwise)
    return false;
  if (value.object() == parameter.otherwise)
    return true;
  int same = Py_TYPE(value.object().get()) == Py_TYPE(parameter.otherwise.get())
                 ? PyObject_RichCompareBool(value.object().get(), parameter.otherwise.get(), Py_EQ)
                 : 0;
  if (same < 0)
    PyErr_Clear();
  return same > 0;
}

} // namespace

bool fitCall(Interpreter &in, const py::Object &function, ArrayRef<std::string> positional,
             ArrayRef<std::string> keywordOnly, Call &call, bool takesMore) {
  const Parameters *parameters = parametersOf(function);
  if (!parameters)
    return true;
  std::string name = function.string("__name__");
  auto isTaken = [&](const std::string &word) {
    return llvm::is_contained(positional, word) || llvm::is_contained(keywordOnly, word);
  };
  auto drop = [&](const Parameter &parameter, const PyValue &value) {
    if (saysNothing(parameter, value))
      return true;
    if (parameter.name == "device" && value.isObject() && PyUnicode_Check(value.object().get()))
      in.fail("ValueError: Device not understood. Only \"cpu\" is allowed, but received: " + py::text(value.object()));
    else if (parameter.name == "like" && (value.isObject() || value.isSequence()))
      in.fail(
          "TypeError: The `like` argument must be an array-like that implements the `__array_function__` protocol.");
    else
      in.fail("the argument '" + parameter.name + "' of numpy." + name + " cannot be compiled",
              "leave it out: the function takes " + llvm::join(positional, ", ") + (keywordOnly.empty() ? "" : ", ") +
                  llvm::join(keywordOnly, ", "));
    return false;
  };

  if (!parameters->takesMore) {
    std::vector<const Parameter *> inOrder;
    for (const Parameter &parameter : parameters->list)
      if (parameter.isPositional)
        inOrder.push_back(&parameter);
    if (call.args.size() > inOrder.size()) {
      size_t least = llvm::count_if(inOrder, [](const Parameter *parameter) { return !parameter->otherwise; });
      in.fail("TypeError: " + name + "() takes " +
              (least == inOrder.size() ? Twine("") : "from " + Twine(least) + " to ") + Twine(inOrder.size()) +
              " positional argument" + (inOrder.size() == 1 ? "" : "s") + " but " + Twine(call.args.size()) +
              (call.args.size() == 1 ? " was" : " were") + " given");
      return false;
    }
    // From the first place on where the orders differ, arguments go by name.
    size_t same = 0;
    while (same < call.args.size() && same < positional.size() &&
           (positional[same] == inOrder[same]->name || !inOrder[same]->isKeyword))
      ++same;
    for (size_t k = same; k < call.args.size(); ++k) {
      if (!isTaken(inOrder[k]->name)) {
        if (!drop(*inOrder[k], call.args[k]))
          return false;
      } else {
        call.keywords.emplace_back(inOrder[k]->name, call.args[k]);
      }
    }
    call.args.resize(same);
  }
  std::vector<std::pair<std::string, PyValue>> kept;
  for (auto &[keyword, value] : call.keywords) {
    auto found = llvm::find_if(
        parameters->list, [&](const Parameter &parameter) { return parameter.isKeyword && parameter.name == keyword; });
    bool isPassedOn = takesMore && found == parameters->list.end() && parameters->takesKeywords;
    if (isTaken(keyword) || isPassedOn) {
      kept.emplace_back(keyword, value);
    } else if (found == parameters->list.end() && parameters->takesKeywords) {
      in.fail("the argument '" + keyword + "' of numpy." + name + " cannot be compiled");
      return false;
    } else if (found == parameters->list.end()) {
      in.fail("TypeError: " + name + "() got an unexpected keyword argument '" + keyword + "'");
      return false;
    } else if (!drop(*found, value)) {
      return false;
    }
  }
  call.keywords = std::move(kept);
  return true;
}

} // namespace npcc::frontend
