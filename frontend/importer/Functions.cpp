// Python functions: imported in place at each call.
#include "dialects/Np/Names.h"
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/ComprehensionScopes.h"
#include "frontend/importer/Generators.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Values.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace npcc::frontend {

/// On the definition of a function that Python has made: its name with those of the classes and functions around it.
static constexpr const char *qualifiedAttribute = "npcc_qualified_name";

PyValue functionOf(Interpreter &in, const py::Object &function, bool isLibrary) {
  Source source;
  std::string problem;
  if (!in.sources.find(function, source, problem))
    return in.fail(problem, "only functions whose source can be read are compiled");
  auto data = std::make_shared<Composite>();
  data->name = function.string("__name__");
  data->definition = source.definition;
  if (py::Object qualified = function["__qualname__"])
    PyObject_SetAttrString(source.definition.get(), qualifiedAttribute, qualified.get());
  if (py::Object called = isLibrary ? function[calledAttribute] : py::Object())
    PyObject_SetAttrString(source.definition.get(), calledAttribute, called.get());
  data->file = source.file;
  data->globals = function["__globals__"];
  data->closure = freeCells(function);
  data->isLibrary = isLibrary;
  py::Object args = source.definition["args"];
  auto addDefault = [&](const std::string &parameter, const py::Object &value) {
    std::optional<PyValue> changed;
    if (std::optional<AssignedPlace> place = assignedPlace(in, function, parameter))
      changed = readAssigned(in, *place);
    data->items.push_back(changed ? *changed : value ? fromObject(in, value) : PyValue::unbound());
  };
  std::vector<py::Object> defaults = function.list("__defaults__"), parameters = args.list("posonlyargs");
  llvm::append_range(parameters, args.list("args"));
  for (auto [k, parameter] : llvm::enumerate(parameters)) {
    size_t fromEnd = parameters.size() - k;
    addDefault(parameter.string("arg"),
               fromEnd <= defaults.size() ? defaults[defaults.size() - fromEnd] : py::Object());
  }
  py::Object keywordDefaults = function["__kwdefaults__"];
  for (const py::Object &parameter : args.list("kwonlyargs")) {
    PyObject *value = keywordDefaults && !keywordDefaults.isNone()
                          ? PyDict_GetItemWithError(keywordDefaults.get(), parameter["arg"].get())
                          : nullptr;
    addDefault(parameter.string("arg"), py::Object::borrow(value));
    ++data->keywordDefaults;
  }
  return PyValue::composite(PyValue::Kind::Function, data);
}

PyValue closure(Interpreter &in, const py::Object &definition) {
  auto data = std::make_shared<Composite>();
  data->name = definition.string("name");
  data->definition = definition;
  data->file = in.env.frame->file;
  data->globals = in.env.frame->globals;
  data->parent = ComprehensionScope::around(in, definition);
  data->isLibrary = in.env.frame->isLibraryCode;
  py::Object args = definition["args"];
  std::vector<py::Object> defaults = args.list("defaults"), keywordDefaults = args.list("kw_defaults");
  size_t positional = args.list("posonlyargs").size() + args.list("args").size();
  for (size_t k = 0; k < positional; ++k) {
    size_t fromEnd = positional - k;
    data->items.push_back(fromEnd <= defaults.size() ? in.env.bound(in.expression(defaults[defaults.size() - fromEnd]))
                                                     : PyValue::unbound());
  }
  for (const py::Object &value : keywordDefaults) {
    data->items.push_back(value.isNone() ? PyValue::unbound() : in.env.bound(in.expression(value)));
    ++data->keywordDefaults;
  }
  return PyValue::composite(PyValue::Kind::Function, data);
}

std::string missingArguments(StringRef function, ArrayRef<std::string> names, StringRef kind) {
  std::string text = (function + "() missing " + Twine(names.size()) + " required " + kind + " argument" +
                      (names.size() == 1 ? "" : "s") + ": ")
                         .str();
  for (auto [k, name] : llvm::enumerate(names))
    text += (k == 0 ? "'" : k + 1 < names.size() ? ", '" : names.size() == 2 ? " and '" : ", and '") + name + "'";
  return text;
}

/// What errors call a function: one that is defined in a class or another function by their names, too.
static std::string qualifiedName(const PyValue &function) {
  auto given = [](const py::Object &definition) {
    py::Object name = definition ? definition[qualifiedAttribute] : py::Object();
    return name ? py::toString(name.get()) : "";
  };
  std::string name = given(function->definition);
  if (!name.empty())
    return name;
  name = function->name.empty() ? "<lambda>" : function->name;
  for (Frame *frame = function->parent.get(); frame; frame = frame->parent.get()) {
    std::string around = given(frame->definition), type = frame->definition ? py::typeName(frame->definition) : "";
    if (around.empty() && type != "FunctionDef" && type != "Lambda")
      continue;
    bool isWhole = !around.empty();
    name = (isWhole ? around : type == "Lambda" ? "<lambda>" : frame->definition.string("name")) + ".<locals>." + name;
    if (isWhole)
      break;
  }
  return name;
}

bool bindParameters(Interpreter &in, const PyValue &function, Call &call, Bindings &environment) {
  py::Object args = function->definition["args"];
  std::string name = qualifiedName(function);
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
      environment[positional[k]] = in.env.bound(call.args[k]);
    else
      extra.push_back(in.env.bound(call.args[k]));
  }
  if (rest.isNone() && !extra.empty()) {
    size_t most = positional.size(), least = most - args.list("defaults").size();
    std::string range = least < most ? "from " + std::to_string(least) + " to " : "";
    in.fail("TypeError: " + name + "() takes " + range + Twine(most) + " positional argument" +
            (most == 1 && range.empty() ? "" : "s") + " but " + Twine(call.args.size()) +
            (call.args.size() == 1 ? " was" : " were") + " given");
    return false;
  }
  if (!rest.isNone())
    environment[rest.string("arg")] = !call.rest      ? PyValue::sequence(extra)
                                      : extra.empty() ? *call.rest
                                                      : binary(in, "Add", PyValue::sequence(extra), *call.rest);
  PyValue keywords = keywordRest.isNone() ? PyValue() : newInstance(in, py::import("builtins")["dict"]);
  for (const auto &[keyword, value] : call.keywords) {
    auto at = llvm::find(positional, keyword);
    bool known = (at != positional.end() && static_cast<size_t>(at - positional.begin()) >= positionalOnly) ||
                 llvm::is_contained(keywordOnly, keyword);
    if (!known && !keywordRest.isNone()) {
      storeHeld(in, keywords, py::string(keyword), value);
      continue;
    }
    if (!known) {
      in.fail("TypeError: " + name + "() got an unexpected keyword argument '" + keyword + "'");
      return false;
    }
    if (environment.count(keyword)) {
      in.fail("TypeError: " + name + "() got multiple values for argument '" + keyword + "'");
      return false;
    }
    environment[keyword] = in.env.bound(value);
  }
  if (!keywordRest.isNone())
    environment[keywordRest.string("arg")] = keywords;
  std::vector<std::string> all = positional;
  all.insert(all.end(), keywordOnly.begin(), keywordOnly.end());
  std::vector<std::string> missing, missingKeywords;
  for (auto [k, parameter] : llvm::enumerate(all)) {
    if (environment.count(parameter))
      continue;
    if (k < function->items.size() && !function->items[k].is(PyValue::Kind::Unbound))
      environment[parameter] = function->items[k];
    else
      (k < positional.size() ? missing : missingKeywords).push_back(parameter);
  }
  if (!missing.empty() || !missingKeywords.empty()) {
    in.fail("TypeError: " + (missing.empty() ? missingArguments(name, missingKeywords, "keyword-only")
                                             : missingArguments(name, missing)));
    return false;
  }
  return true;
}

/// Whether a value leads to a function that was defined in a frame, and so to the names there.
static bool leadsTo(const PyValue &value, const Frame *frame) {
  const Frame *scope = value.is(PyValue::Kind::Function) ? value->parent.get() : nullptr;
  while (scope && scope != frame && scope->definition == frame->definition) // of comprehensions in it
    scope = scope->parent.get();
  bool isHeld = scope == frame;
  bool hasParts = value.hasItems() || value.is(PyValue::Kind::Function) || value.is(PyValue::Kind::Method) ||
                  value.is(PyValue::Kind::Union);
  return isHeld || (hasParts && llvm::any_of(value->items, [&](const PyValue &part) { return leadsTo(part, frame); }));
}

/// Whether it is what a generator of the program does next, which the library calls.
static bool goesOn(const py::Object &definition) { return bool(definition["npcc_is_resumption"]); }

/// The object that a method is called of; poison where the first parameter is none of the program's classes.
static PyValue receiverOf(const py::Object &definition, const Bindings &bindings) {
  std::vector<py::Object> parameters = definition["args"].list("posonlyargs");
  if (parameters.empty())
    parameters = definition["args"].list("args");
  auto found = parameters.empty() ? bindings.end() : bindings.find(parameters[0].string("arg"));
  bool isObject = found != bindings.end() && found->second.is(PyValue::Kind::Instance) &&
                  !isDictionary(found->second) && !isBox(found->second);
  return isObject ? found->second : PyValue::poison();
}

/// Whether a call is made on the way to itself. A method that objects of several classes have from their base, as
/// `__call__` of a network and of its layers, ends where the classes do: those are copies. So do functions that one
/// decorator has made, which are as many as it decorates.
static bool callsItself(Interpreter &in, const PyValue &function, const Bindings &arguments) {
  py::Object definition = function->definition;
  auto open = llvm::count(in.callStack, definition.get());
  if (open == 0)
    return false;
  PyValue receiver = receiverOf(definition, arguments);
  for (Frame *frame = in.env.frame.get(); frame; frame = frame->caller) {
    if (!(frame->definition == definition))
      continue;
    PyValue other = receiver.isPoison() ? receiver : receiverOf(definition, frame->bindings);
    bool isOther = !other.isPoison() && !(other->cls == receiver->cls);
    if (!isOther && haveOneClosure(frame->closure, function->closure))
      return true;
    --open;
  }
  return open > 0; // of a function of the module, whose callers' names are not known here
}

PyValue callFunction(Interpreter &in, const PyValue &function, Call &call) {
  if (function.isPoison())
    return function;
  Bindings environment;
  if (!bindParameters(in, function, call, environment) || !giveObjects(in, call, function, environment))
    return PyValue::poison();
  py::Object definition = function->definition;
  std::string type = py::typeName(definition);
  if (type == "AsyncFunctionDef")
    return in.fail("an async function cannot be compiled");
  if (isGeneratorFunction(definition))
    return makeGenerator(in, function, environment);
  // Library functions are made of each other, and end: their recursion is over what is known.
  if (!function->isLibrary && !in.ir.isThread && isOutlined(in, definition))
    return callOutlined(in, function, environment);
  if (function->isLibrary && definition[calledAttribute]) {
    if (std::optional<PyValue> result = callOfLibrary(in, function, environment))
      return *result;
  }
  bool isRecursive = callsItself(in, function, environment) && (!function->isLibrary || in.callStack.size() > 40);
  if (isRecursive && in.ir.isThread)
    return in.fail("recursion cannot be compiled: '" + function->name + "' calls itself in a thread",
                   "write it as a loop");
  if (isRecursive)
    return foundRecursion(in, function);

  Location callLoc = in.ir.getLoc();
  auto callee = std::make_shared<Frame>(callLoc);
  callee->bindings = std::move(environment);
  moveHeld(in.env.frame->bindings, callee->bindings);
  callee->locals = in.syntax.localNames(definition);
  callee->parent = function->parent;
  callee->definition = definition;
  callee->globals = function->globals;
  callee->closure = function->closure;
  callee->file = function->file;
  callee->isLibrary = function->isLibrary || (in.env.frame->isLibrary && !goesOn(definition));
  callee->isLibraryCode = function->isLibrary;
  callee->checksInts = computesPythonsInts(function);
  callee->depth = in.env.depth;
  if (in.env.depth > 0 && !in.ir.isThread) // a place, which is gone when the names are raised
    callee->entry = np::UnboundOp::create(in.ir, in.ir.getIndexType(), function->name);
  callee->caller = in.env.frame.get();
  py::Object callNode = in.currentNode;
  std::shared_ptr<Frame> caller = in.env.frame;
  // Code of the program that runs inside of a function of the library, as a generator's does that list() goes over,
  // tells what it has the library make by its own places.
  std::string place = in.currentArgument;
  if (function->isLibrary && caller->isLibrary && !caller->isLibraryCode && callNode)
    place += "@" + siteIn(caller->file, callNode);
  llvm::SaveAndRestore<std::string> saved(in.currentArgument, place);
  in.env.frame = callee;
  in.callStack.push_back(definition.get());
  PyValue result;
  size_t errors = in.diagnostics.size();
  in.env.makeCells();
  Bindings before = callee->bindings;
  int64_t statements = in.outlines ? in.outlines->statements : 0;
  in.body(definition);
  if (in.outlines && !callee->isLibrary) {
    Outlines::Imported &imported = in.outlines->imported[definition.get()];
    ++imported.calls;
    imported.statements += in.outlines->statements - statements;
  }
  bool handsOutNames = false;
  for (const Edge &edge : callee->returns) // what is bound as before the call cannot lead here
    Bindings::findDifferent(before, edge.bindings, [&](const std::string &name) {
      const PyValue *value = edge.bindings.get(name);
      handsOutNames |= value && (name == "%return" || name[0] == '@') && leadsTo(*value, callee.get());
    });
  in.env.joinReturns("%return", handsOutNames);
  if (in.env.isReachable)
    result = in.env.readName(definition, "%return");
  in.callStack.pop_back();
  if (in.env.isReachable)
    moveHeld(callee->bindings, caller->bindings);
  in.env.frame = caller;
  in.currentNode = callNode;
  if (!in.env.isReachable) {
    // It always fails. The rest is imported for its errors, in a block that nothing reaches.
    if (in.diagnostics.size() == errors)
      return PyValue::poison();
    in.env.continueLost();
    return PyValue::poison();
  }
  return result;
}

} // namespace npcc::frontend
