// Decorated functions inside of compiled ones: decorators are called when the function is compiled, with the function
// as a value; functools.lru_cache becomes a dict of what was given.
#include "frontend/importer/Calls.h"
#include "frontend/importer/ControlFlow.h"

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

void functionStatement(Interpreter &in, const py::Object &definition) {
  std::vector<py::Object> decorators = definition.list("decorator_list");
  bool isOneCache = decorators.size() == 1 && isCache(in, decorators[0]);
  if (isOneCache) {
    std::string name = definition.string("name");
    for (const char *suffix : {" known", " plain"})
      in.env.frame->locals.insert(name + suffix);
    for (const py::Object &statement : rememberingStatements(in, definition))
      if (!in.hasErrors())
        in.statements({statement});
    return;
  }
  PyValue function = closure(in, definition);
  for (const py::Object &decorator : llvm::reverse(decorators)) {
    PyValue callable = in.expression(decorator);
    if (callable.isPoison())
      return;
    Call call{decorator, {function}, {}};
    function = callValue(in, callable, call);
  }
  in.env.bindName(definition.string("name"), function);
}

} // namespace npcc::frontend
