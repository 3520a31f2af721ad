// Decorated functions inside of compiled ones: decorators are called when the function is compiled, with the function
// as a value; functools.lru_cache becomes a dict of what was given.
#include "frontend/importer/Calls.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Source.h"

namespace npcc::frontend {

/// Whether it is functools.cache, functools.lru_cache or a call of that.
static bool isCache(Interpreter &in, const py::Object &decorator) {
  static const py::Object caches[] = {py::lookup("functools.cache"), py::lookup("functools.lru_cache")};
  bool isCall = py::typeName(decorator) == "Call";
  PyValue value = in.expression(isCall ? decorator["func"] : decorator);
  return value.isObject() && llvm::is_contained(caches, value.object());
}

/// The statements that stand for a definition, made once: they are told apart by their addresses.
static std::vector<py::Object> rememberingStatements(Interpreter &in, const py::Object &definition) {
  static std::map<PyObject *, std::pair<py::Object, std::vector<py::Object>>> known;
  auto &[kept, statements] = known[definition.get()];
  if (!kept) {
    std::string error, message;
    py::Object made = py::tryCall(py::lookup("npcc.decorated.remembering"), {definition}, {}, error, message);
    if (!made) {
      in.fail(message);
      return {};
    }
    kept = definition;
    statements = py::elements(made);
  }
  return statements;
}

static void define(Interpreter &in, const py::Object &definition) {
  std::string name = definition.string("name");
  for (const char *suffix : {" known", " plain"})
    in.env.frame->locals.insert(name + suffix);
  for (const py::Object &statement : rememberingStatements(in, definition))
    if (!in.hasErrors())
      in.statements({statement});
}

void defineRemembering(Interpreter &in) {
  Frame &frame = *in.env.frame;
  for (PyObject *wrapper : in.outlines->remembering) {
    py::Object function = py::Object::borrow(wrapper)["__wrapped__"];
    Source source;
    std::string problem;
    // Its names are looked for here.
    bool isNear = !in.outlines->askedCaches.count(wrapper) && function["__globals__"] == frame.globals &&
                  in.sources.find(function, source, problem) && source.definition.list("decorator_list").size() == 1;
    std::string name = isNear ? source.definition.string("name") : "";
    if (!isNear || !frame.locals.insert(name).second)
      continue;
    define(in, source.definition);
    in.remembering[wrapper] = frame.bindings[name];
  }
}

PyValue callRemembering(Interpreter &in, const py::Object &wrapper, Call &call) {
  if (auto found = in.remembering.find(wrapper.get()); found != in.remembering.end())
    return callValue(in, found->second, call);
  in.outlines->foundMore |= in.outlines->remembering.insert(wrapper.get()).second;
  return in.fail("functools.lru_cache of a function that calls itself cannot be compiled here",
                 "let it be the function's one decorator, in the module of the function that is compiled");
}

/// @functools.wraps(function): the function that is defined goes by the name of the other one. Nothing else of it can
/// be told apart in compiled code. False where the decorator is another one.
static bool takeName(Interpreter &in, const py::Object &decorator, PyValue &function) {
  if (py::typeName(decorator) != "Call" || decorator.list("args").size() != 1)
    return false;
  static const py::Object wraps = py::lookup("functools.wraps");
  PyValue callable = in.expression(decorator["func"]);
  if (!callable.isObject() || !(callable.object() == wraps))
    return false;
  PyValue wrapped = in.expression(decorator.list("args")[0]);
  bool isKnown = wrapped.isObject() && wrapped.object()["__name__"];
  if (!wrapped.is(PyValue::Kind::Function) && !isKnown)
    return false;
  auto data = std::make_shared<Composite>(*function);
  data->name = isKnown ? wrapped.object().string("__name__") : wrapped->name;
  function = function.withData(data);
  return true;
}

void functionStatement(Interpreter &in, const py::Object &definition) {
  std::vector<py::Object> decorators = definition.list("decorator_list");
  bool isOneCache = decorators.size() == 1 && isCache(in, decorators[0]);
  if (isOneCache)
    return define(in, definition);
  PyValue function = closure(in, definition);
  for (const py::Object &decorator : llvm::reverse(decorators)) {
    if (function.is(PyValue::Kind::Function) && takeName(in, decorator, function))
      continue;
    PyValue callable = in.expression(decorator);
    if (callable.isPoison())
      return;
    Call call{decorator, {function}, {}};
    function = callValue(in, callable, call);
  }
  in.env.bindName(definition.string("name"), function);
}

} // namespace npcc::frontend
