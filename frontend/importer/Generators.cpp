#include "frontend/importer/Generators.h"
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Resumption.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

bool isGeneratorFunction(const py::Object &definition) {
  static const py::Object question = py::import("npcc.definitions")["is_generator"];
  static std::map<PyObject *, std::pair<py::Object, bool>> known; // which keeps the definitions, too
  auto [found, isNew] = known.try_emplace(definition.get(), definition, false);
  if (isNew)
    found->second.second = py::isTrue(py::call(question, {definition}));
  return found->second.second;
}

static PyValue loopsAround(Interpreter &in) {
  return PyValue::object(py::integer(in.outlines ? in.outlines->loops : 0));
}

PyValue makeGenerator(Interpreter &in, const PyValue &function, const Bindings &arguments) {
  // Where it is called, and which it is. One that the library calls, as it does `__iter__`, is called from ever new
  // places where it calls itself.
  bool isCalledByLibrary = in.env.frame->isLibrary && !function->isLibrary;
  std::string site = function->file + ":" + std::to_string(function->definition.integer("lineno", 0));
  if (!isCalledByLibrary)
    site += " " + siteOf(in, in.currentNode ? in.currentNode : function->definition);
  if (isResumedAt(in, site))
    return makeResumable(in, function, arguments, site);
  auto data = std::make_shared<Composite>();
  data->site = site;
  data->depth = in.env.depth;
  data->isLibrary = function->isLibrary || in.env.frame->isLibrary;
  data->name = "generator";
  data->items.push_back(function);
  for (const auto &argument : arguments) {
    data->items.push_back(argument.second);
    data->parameters.push_back(argument.first);
  }
  data->items.push_back(loopsAround(in));
  return PyValue::composite(PyValue::Kind::Iterator, data);
}

bool isGenerator(const PyValue &value) { return value.is(PyValue::Kind::Iterator) && value->name == "generator"; }

static py::Object functionOfExpression(const py::Object &node) {
  static const py::Object define = py::lookup("npcc.expressions.generator_function");
  return py::call(define, {node});
}

bool isCollected(Interpreter &in, const py::Object &node) {
  return in.outlines && in.outlines->collected.count(functionOfExpression(node).get()) > 0;
}

PyValue generatorExpression(Interpreter &in, const py::Object &node) {
  if (isCollected(in, node) && !isResumedAt(in, siteOf(in, node)))
    return in.expression(node);
  NodeScope scope(in, node);
  Call call;
  call.node = node;
  call.args.push_back(in.env.bound(in.expression(node.list("generators")[0]["iter"])));
  if (call.args[0].isPoison())
    return call.args[0];
  return callValue(in, closure(in, functionOfExpression(node)), call);
}

PyValue collectedItems(Interpreter &in, const PyValue &generator) {
  return callIteration(in, "collected", {generator});
}

/// What a name stands for in a generator function that is not defined in the frame at hand; nothing if it is nothing
/// there.
static std::optional<PyValue> lookUp(Interpreter &in, const PyValue &function, const std::string &name) {
  auto inside = std::make_shared<Frame>(in.env.frame->callLoc);
  inside->parent = function->parent;
  inside->globals = function->globals;
  inside->closure = function->closure;
  moveHeld(in.env.frame->bindings, inside->bindings); // a global may be one that the call hands over
  std::swap(inside, in.env.frame);
  size_t errors = in.diagnostics.size();
  auto raised = std::move(in.raised); // an unknown name is no failure here
  in.raised.clear();
  PyValue value = in.env.readName(in.currentNode, name);
  in.raised = std::move(raised);
  std::swap(inside, in.env.frame);
  if (in.diagnostics.size() > errors) {
    in.diagnostics.resize(errors);
    return std::nullopt;
  }
  return value;
}

/// The object that holds what a name of the generator function's scopes is bound to, where functions inside assign to
/// it.
static std::optional<unsigned> cellOf(const PyValue &function, const std::string &name) {
  for (Frame *scope = function->parent.get(); scope; scope = scope->parent.get()) {
    if (auto found = scope->cells.find(name); found != scope->cells.end())
      return found->second;
    if (scope->locals.count(name))
      return std::nullopt;
  }
  return std::nullopt;
}

static std::shared_ptr<InlinedGenerator> inlined(Interpreter &in, const PyValue &generator, const py::Object &loop) {
  static const py::Object inlineBody = py::import("npcc.generators")["inline"],
                          namesRead = py::import("npcc.generators")["names_read"];
  const PyValue &function = generator->items[0];
  const py::Object &definition = function->definition;
  auto result = std::make_shared<InlinedGenerator>();
  std::string suffix = "." + std::to_string(in.temporaries++);
  for (const std::string &name : in.syntax.localNames(definition))
    result->renamed[name] = name + suffix;
  result->renamed["yield from"] = "item" + suffix;
  // A function that is defined in the loop's function looks for all other names where the loop stands.
  if (function->parent != in.env.frame)
    for (const py::Object &one : py::elements(py::call(namesRead, {definition})))
      if (std::string name = py::toString(one.get()); result->renamed.try_emplace(name, name + suffix).second)
        result->free.insert(name);
  py::Object names = py::Object::take(PyDict_New());
  for (const auto &[name, as] : result->renamed)
    PyDict_SetItem(names.get(), py::string(name).get(), py::string(as).get());
  std::string error, message;
  result->statements = py::tryCall(inlineBody, {definition, names, loop}, {}, error, message);
  if (!result->statements)
    needsResumption(in, generator, message, "");
  return result;
}

/// A generator gives its items once: nothing is left for those who hold it too. False with an error reported where a
/// loop would go over it in each iteration.
static bool use(Interpreter &in, const PyValue &generator) {
  if (*py::asInteger(generator->items.back().object()) != *py::asInteger(loopsAround(in).object())) {
    const py::Object &definition = generator->items[0]->definition;
    if (in.outlines && definition.string("name") == "<genexpr>")
      in.outlines->foundMore |= in.outlines->collected.insert(definition.get()).second;
    else
      noteResumed(in, generator);
    in.fail("a generator is gone over in a loop that it was not made in", "make it where it is gone over");
    return false;
  }
  for (Frame *frame = in.env.frame.get(); frame; frame = frame->caller)
    frame->bindings.update(
        [&](const PyValue &value) { return value.is(PyValue::Kind::Iterator) && &*value == &*generator; },
        [](const PyValue &used) {
          PyValue conflict = PyValue::conflict("is a generator whose items have been used");
          conflict->site = used->site; // where it is read
          return conflict;
        });
  return true;
}

/// Goes over from the loop's function to the generator's, or back.
static void changePlace(Interpreter &in, GeneratorLoop &loop) {
  Frame &frame = *in.env.frame;
  std::swap(frame.file, loop.file);
  std::swap(frame.isLibrary, loop.isLibrary);
  std::swap(frame.isLibraryCode, loop.isLibraryCode);
  std::swap(frame.checksInts, loop.checksInts);
  std::swap(frame.callLoc, loop.callLoc);
}

/// The class of the object that a generator is a method of, if it is one of the program's.
static py::Object receiverOf(const PyValue &generator) {
  std::vector<py::Object> parameters = generator->items[0]->definition["args"].list("args");
  if (parameters.empty())
    return {};
  auto found = llvm::find(generator->parameters, parameters[0].string("arg"));
  if (found == generator->parameters.end())
    return {};
  const PyValue &first = generator->items[1 + (found - generator->parameters.begin())];
  return first.is(PyValue::Kind::Instance) && !isDictionary(first) && !isBox(first) ? first->cls : py::Object();
}

/// Whether a generator goes over one of its own. A method that goes over that of an object of another class, as the
/// parameters of a network are those of its layers, ends where the classes do (callsItself() in Functions.cpp).
static bool goesOverItself(Interpreter &in, const PyValue &generator, const py::Object &receiver) {
  const py::Object &definition = generator->items[0]->definition;
  auto open = llvm::count(in.callStack, definition.get());
  if (open == 0 || !receiver)
    return open > 0;
  for (Frame *frame = in.env.frame.get(); frame; frame = frame->caller)
    for (const GeneratorLoop *loop : frame->generatorLoops) {
      if (!(loop->definition == definition))
        continue;
      if (!loop->receiver || loop->receiver == receiver)
        return true;
      --open;
    }
  return open > 0;
}

void generatorLoop(Interpreter &in, const py::Object &node, const PyValue &generator) {
  const PyValue &function = generator->items[0];
  const py::Object &definition = function->definition;
  py::Object receiver = receiverOf(generator);
  if (goesOverItself(in, generator, receiver) && (!generator->isLibrary || in.callStack.size() > 40)) {
    needsResumption(in, generator, "'" + function->name + "' is a generator that goes over itself",
                    "let it make a list, or write it as a loop");
    return;
  }
  if (!use(in, generator))
    return;
  // Made once for each loop, so that what is known of its nodes stays known.
  std::shared_ptr<InlinedGenerator> &made = in.inlinedGenerators[{definition.get(), node.get()}];
  if (!made)
    made = inlined(in, generator, node);
  if (!made->statements)
    return;
  Frame &frame = *in.env.frame;
  Bindings known;
  for (const auto &[name, as] : made->renamed)
    if (auto found = llvm::find(generator->parameters, name); found != generator->parameters.end())
      known[as] = in.env.bound(generator->items[1 + (found - generator->parameters.begin())]);
    else if (std::optional<unsigned> cell = made->free.count(name) ? cellOf(function, name) : std::nullopt)
      frame.cells[as] = *cell;
    else if (made->free.count(name))
      if (std::optional<PyValue> value = lookUp(in, function, name))
        known[as] = *value;
  for (const auto &[name, as] : made->renamed) {
    if (frame.cells.count(as))
      continue;
    frame.locals.insert(as);
    frame.bindings.erase(as);
  }
  for (const auto &[name, value] : known)
    frame.bindings[name] = value;

  bool isLibrary = generator->isLibrary || frame.isLibrary;
  GeneratorLoop loop{{},
                     {},
                     function->file,
                     isLibrary,
                     function->isLibrary,
                     computesPythonsInts(function),
                     isLibrary && !frame.isLibrary ? in.ir.getLoc() : frame.callLoc,
                     py::typeName(node) == "ManagedFor",
                     definition,
                     receiver};
  changePlace(in, loop);
  frame.generatorLoops.push_back(&loop);
  in.callStack.push_back(definition.get());
  in.statements(py::elements(made->statements));
  in.callStack.pop_back();
  frame.generatorLoops.pop_back();
  changePlace(in, loop);

  auto forget = [&](Edge &edge) {
    for (const auto &[name, as] : made->renamed)
      edge.bindings.erase(as);
  };
  std::vector<Edge> ends = std::move(loop.finished), after = std::move(loop.breaks);
  if (in.env.isReachable)
    ends.push_back(in.env.edgeHere());
  llvm::for_each(ends, forget);
  llvm::for_each(after, forget);
  in.env.joinEdges(std::move(ends));
  if (in.env.isReachable)
    in.statements(node.list("orelse"));
  if (in.env.isReachable)
    after.push_back(in.env.edgeHere());
  in.env.joinEdges(std::move(after));
}

void yieldedStatement(Interpreter &in, const py::Object &node) {
  Frame &frame = *in.env.frame;
  PyValue value = in.env.bound(in.expression(node["value"]));
  if (value.isPoison())
    return;
  GeneratorLoop &loop = *frame.generatorLoops.back();
  frame.generatorLoops.pop_back();
  PyObject *definition = in.callStack.back();
  in.callStack.pop_back();
  changePlace(in, loop);
  LoopTargets targets; // of a context manager's body `break` and `continue` are those of the loop around it
  bool isLoop = !loop.isManaged;
  if (isLoop)
    frame.loops.push_back(&targets);
  assign(in, node["target"], value);
  in.statements(node.list("body"));
  if (isLoop)
    frame.loops.pop_back();
  changePlace(in, loop);
  in.callStack.push_back(definition);
  frame.generatorLoops.push_back(&loop);
  llvm::append_range(loop.breaks, targets.breaks);
  if (in.env.isReachable)
    targets.continues.push_back(in.env.edgeHere());
  in.env.joinEdges(std::move(targets.continues));
}

void finishedStatement(Interpreter &in) {
  in.env.frame->generatorLoops.back()->finished.push_back(in.env.edgeHere());
  in.env.isReachable = false;
}

PyValue loopComprehension(Interpreter &in, const py::Object &node, const PyValue &container) {
  static const py::Object asLoops = py::import("npcc.generators")["as_loops"];
  if (container.isPoison())
    return container;
  auto [found, isNew] = in.comprehensionLoops.try_emplace(node.get());
  auto &[name, loops] = found->second;
  if (isNew) {
    name = "%items" + std::to_string(in.temporaries++);
    loops = py::call(asLoops, {node, py::string(name)});
  }
  in.env.frame->locals.insert(name);
  in.env.frame->bindings[name] = container;
  withOwnTargets(in, node.list("generators"), [&] { in.statements({loops}); });
  if (!in.env.isReachable)
    return PyValue::poison();
  PyValue made = in.env.readName(node, name);
  in.env.frame->bindings.erase(name);
  return made;
}

} // namespace npcc::frontend
