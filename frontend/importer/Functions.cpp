// Python functions: imported in place at each call.
#include "frontend/importer/FunctionImporter.h"
#include "frontend/importer/Source.h"

using namespace mlir;

namespace npcc::frontend {

PyValue FunctionImporter::functionOf(const py::Object &function, bool isLibrary) {
  Source source;
  std::string problem;
  if (!findSource(function, source, problem))
    return fail(problem, "only functions whose source can be read are compiled");
  auto data = std::make_shared<Composite>();
  data->name = function.string("__name__");
  data->definition = source.definition;
  data->file = source.file;
  data->globals = function["__globals__"];
  data->closure = freeNames(function);
  data->isLibrary = isLibrary;
  py::Object args = source.definition["args"];
  size_t positional = args.list("posonlyargs").size() + args.list("args").size();
  std::vector<py::Object> defaults = function.list("__defaults__");
  for (size_t k = 0; k < positional; ++k) {
    size_t fromEnd = positional - k;
    data->items.push_back(fromEnd <= defaults.size() ? fromObject(defaults[defaults.size() - fromEnd]) : PyValue::unbound());
  }
  py::Object keywordDefaults = function["__kwdefaults__"];
  for (const py::Object &arg : args.list("kwonlyargs")) {
    PyObject *value = keywordDefaults && !keywordDefaults.isNone() ? PyDict_GetItemWithError(keywordDefaults.get(), arg["arg"].get()) : nullptr;
    data->items.push_back(value ? fromObject(py::Object::borrow(value)) : PyValue::unbound());
    ++data->keywordDefaults;
  }
  return PyValue::composite(PyValue::Kind::Function, data);
}

PyValue FunctionImporter::closure(const py::Object &definition) {
  auto data = std::make_shared<Composite>();
  data->name = definition.string("name");
  data->definition = definition;
  data->file = frame->file;
  data->globals = frame->globals;
  data->parent = frame;
  data->isLibrary = frame->isLibrary;
  py::Object args = definition["args"];
  std::vector<py::Object> defaults = args.list("defaults"), keywordDefaults = args.list("kw_defaults");
  size_t positional = args.list("posonlyargs").size() + args.list("args").size();
  for (size_t k = 0; k < positional; ++k) {
    size_t fromEnd = positional - k;
    data->items.push_back(fromEnd <= defaults.size() ? bound(expression(defaults[defaults.size() - fromEnd])) : PyValue::unbound());
  }
  for (const py::Object &value : keywordDefaults) {
    data->items.push_back(value.isNone() ? PyValue::unbound() : bound(expression(value)));
    ++data->keywordDefaults;
  }
  return PyValue::composite(PyValue::Kind::Function, data);
}

bool FunctionImporter::bindParameters(const PyValue &function, Call &call, Environment &environment) {
  py::Object args = function->definition["args"];
  std::string name = function->name.empty() ? "<lambda>" : function->name;
  std::vector<std::string> positional, keywordOnly;
  size_t positionalOnly = args.list("posonlyargs").size();
  for (const char *group : {"posonlyargs", "args"})
    for (const py::Object &arg : args.list(group))
      positional.push_back(arg.string("arg"));
  for (const py::Object &arg : args.list("kwonlyargs"))
    keywordOnly.push_back(arg.string("arg"));
  py::Object rest = args["vararg"], keywordRest = args["kwarg"];
  std::vector<PyValue> extra;
  for (size_t k = 0; k < call.args.size(); ++k) {
    if (k < positional.size())
      environment[positional[k]] = bound(call.args[k]);
    else
      extra.push_back(bound(call.args[k]));
  }
  if (rest.isNone() && !extra.empty()) {
    fail("TypeError: " + name + "() takes " + Twine(positional.size()) + " positional argument" + (positional.size() == 1 ? "" : "s") + " but " +
         Twine(call.args.size()) + (call.args.size() == 1 ? " was" : " were") + " given");
    return false;
  }
  if (!rest.isNone())
    environment[rest.string("arg")] = PyValue::sequence(extra);
  for (const auto &[keyword, value] : call.keywords) {
    auto at = llvm::find(positional, keyword);
    bool known = (at != positional.end() && static_cast<size_t>(at - positional.begin()) >= positionalOnly) || llvm::is_contained(keywordOnly, keyword);
    if (!known) {
      fail("TypeError: " + name + "() got an unexpected keyword argument '" + keyword + "'");
      return false;
    }
    if (environment.count(keyword)) {
      fail("TypeError: " + name + "() got multiple values for argument '" + keyword + "'");
      return false;
    }
    environment[keyword] = bound(value);
  }
  if (!keywordRest.isNone()) {
    fail("a function with '**" + keywordRest.string("arg") + "' cannot be compiled", "name each keyword");
    return false;
  }
  std::vector<std::string> all = positional;
  all.insert(all.end(), keywordOnly.begin(), keywordOnly.end());
  std::string missing;
  for (auto [k, parameter] : llvm::enumerate(all)) {
    if (environment.count(parameter))
      continue;
    if (k < function->items.size() && !function->items[k].is(PyValue::Kind::Unbound))
      environment[parameter] = function->items[k];
    else
      missing += (missing.empty() ? "'" : ", '") + parameter + "'";
  }
  if (!missing.empty()) {
    fail("TypeError: " + name + "() missing required arguments: " + missing);
    return false;
  }
  return true;
}

PyValue FunctionImporter::callFunction(const PyValue &function, Call &call) {
  if (function.isPoison())
    return function;
  Environment environment;
  if (!bindParameters(function, call, environment))
    return PyValue::poison();
  py::Object definition = function->definition;
  std::string type = py::typeName(definition);
  if (type == "AsyncFunctionDef")
    return fail("an async function cannot be compiled");
  // Library functions are made of each other, and end: their recursion is over what is known.
  if (llvm::is_contained(callStack, definition.get()) && (!function->isLibrary || callStack.size() > 40))
    return fail("recursion cannot be compiled: '" + function->name + "' calls itself", "write it as a loop");

  Location callLoc = here();
  auto callee = std::make_shared<Frame>(callLoc);
  callee->environment = std::move(environment);
  callee->locals = assignedNames(definition);
  callee->parent = function->parent;
  callee->definition = definition;
  callee->globals = function->globals;
  callee->closure = function->closure;
  callee->file = function->file;
  callee->isLibrary = function->isLibrary || frame->isLibrary;
  callee->depth = depth;
  py::Object callNode = currentNode;
  std::shared_ptr<Frame> caller = frame;
  frame = callee;
  callStack.push_back(definition.get());
  PyValue result;
  size_t errors = diagnostics.size();
  if (type == "Lambda") {
    result = bound(expression(definition["body"]));
  } else {
    statements(definition.list("body"));
    if (isReachable) {
      frame->environment["%return"] = PyValue::object(py::none());
      frame->returns.push_back(edgeHere());
    }
    std::vector<Edge> returns = std::move(frame->returns);
    for (Edge &edge : returns) {
      Environment only{{"%return", edge.environment["%return"]}};
      edge.environment = std::move(only);
    }
    joinEdges(std::move(returns));
    if (isReachable)
      result = readName(definition, "%return");
  }
  callStack.pop_back();
  frame = caller;
  currentNode = callNode;
  if (!isReachable) {
    // It always fails. The rest is imported for its errors, in a block that nothing reaches.
    if (diagnostics.size() == errors)
      return PyValue::poison();
    continueIn(newBlock());
    return PyValue::poison();
  }
  return result;
}

} // namespace npcc::frontend
