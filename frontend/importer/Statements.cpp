#include "frontend/importer/Assignment.h"
#include "frontend/importer/Attempt.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Generators.h"
#include "frontend/importer/Installed.h"
#include "frontend/importer/Interpreter.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Results.h"
#include "frontend/importer/StatementBudget.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Text.h"
#include "frontend/numpy/Autocast.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace npcc::frontend {

void Interpreter::body(const py::Object &definition) {
  bool isLambda = py::typeName(definition) == "Lambda";
  PyValue result = PyValue::object(py::none());
  if (isLambda)
    result = env.bound(expression(definition["body"]));
  else
    statements(definition.list("body"));
  if (env.isReachable && !env.isLost()) {
    env.frame->bindings["%return"] = result;
    env.frame->returns.push_back(env.edgeHere());
  }
  env.isReachable = false;
}

static void deleteStatement(Interpreter &in, const py::Object &node);

void Interpreter::statements(const std::vector<py::Object> &nodes) {
  for (const py::Object &node : nodes) {
    // The import begins again: the rest would be imported with what has failed.
    bool isGivenUp = outlines && ((outlines->parts && outlines->foundMore) || outlines->isGivenUp() ||
                                  StatementBudget::isSpent(outlines->statements));
    if (!env.isReachable || isGivenUp)
      return;
    bool wasLost = env.isLost();
    size_t errors = diagnostics.size();
    if (outlines)
      ++outlines->statements;
    statement(node);
    if (!env.isReachable || !env.isLost())
      continue;
    if (!env.goesOnLost()) {
      env.isReachable = false;
      continue;
    }
    // What the statement binds is not known now, and nothing is to be found of what it was before.
    std::set<std::string> assigned;
    if (!wasLost || diagnostics.size() > errors)
      syntax.addAssigned(node, assigned);
    for (const std::string &name : assigned)
      if (env.frame->locals.count(name))
        env.frame->bindings[name] = PyValue::poison();
  }
}

/// Whether a mistake in a statement is one when it runs: on some paths only, or where the program catches it.
static bool failsWhereItRuns(Interpreter &in, const std::string &type) {
  // Of those with statements inside the test or the iterable is meant: what is inside is asked about by itself.
  static const std::set<std::string> known = {"Expr",   "Assign", "AnnAssign", "AugAssign", "Return", "Assert",
                                              "Delete", "If",     "While",     "For",       "Match"};
  return known.count(type) && !in.env.frame->isLibrary && (in.env.depth > 0 || !in.env.handlers.empty());
}

/// Whether an error of the import is one of these classes: of others, a mistake is better told of when compiling.
static bool raisesWhereItRuns(const Diagnostic &problem) {
  static const std::set<StringRef> known = {"IndexError",     "KeyError",      "ZeroDivisionError",
                                            "AttributeError", "OverflowError", "UnboundLocalError"};
  return known.count(problem.error);
}

void runOrRaise(Interpreter &in, llvm::function_ref<void()> import, bool ofAnyClass) {
  Environment::Snapshot before = in.env.snapshot();
  CallersNames callers(in);
  in.env.starts.push_back(&before.bindings);
  size_t outer = in.raised.size();
  while (true) {
    import();
    if (in.diagnostics.size() == before.diagnostics)
      break;
    if (in.raised.size() > outer && (!in.env.isReachable || in.env.isLost())) {
      in.diagnostics.resize(before.diagnostics); // of what is never reached
      break;
    }
    Diagnostic first = in.diagnostics[before.diagnostics];
    bool isRaised = ofAnyClass && !first.error.empty() && isRaisable(first.error);
    if (!isRaised && !raisesWhereItRuns(first))
      break;
    in.env.rollBack(before);
    callers.restore();
    in.raised.push_back(std::move(first));
  }
  in.raised.resize(outer);
  in.env.starts.pop_back();
}

void Interpreter::statement(const py::Object &node) {
  using Handler = void (*)(Interpreter &, const py::Object &);
  static const std::map<std::string, Handler> handlers = {
      {"Expr", [](Interpreter &in, const py::Object &n) { in.expression(n["value"]); }},
      {"Pass", [](Interpreter &, const py::Object &) {}},
      {"Assign",
       [](Interpreter &in, const py::Object &n) {
         std::vector<py::Object> targets = n.list("targets");
         size_t first = in.diagnostics.size();
         PyValue value = deferred(in, n, in.expression(n["value"]), first);
         for (const py::Object &target : targets)
           noteValue(in, target, n["value"], value);
         // A value that is only stored needs no array of its own.
         if (targets.size() > 1 || py::typeName(targets[0]) != "Subscript")
           value = in.env.bound(value);
         for (const py::Object &target : targets)
           assign(in, target, value);
       }},
      {"AnnAssign",
       [](Interpreter &in, const py::Object &n) {
         if (n["value"].isNone())
           return;
         PyValue value = in.expression(n["value"]);
         noteValue(in, n["target"], n["value"], value);
         assign(in, n["target"], in.env.bound(value));
       }},
      {"AugAssign", [](Interpreter &in, const py::Object &n) { augmentedAssignment(in, n); }},
      {"If", [](Interpreter &in, const py::Object &n) { ifStatement(in, n); }},
      {"While", [](Interpreter &in, const py::Object &n) { whileStatement(in, n); }},
      {"For", [](Interpreter &in, const py::Object &n) { forStatement(in, n); }},
      {"Break", [](Interpreter &in, const py::Object &) { breakStatement(in); }},
      {"Continue", [](Interpreter &in, const py::Object &) { continueStatement(in); }},
      {"Return",
       [](Interpreter &in, const py::Object &n) {
         PyValue value = n["value"].isNone() ? PyValue::object(py::none()) : in.env.bound(in.expression(n["value"]));
         if (!in.env.isReachable || (in.env.isLost() && !in.env.goesOnLost()))
           return;
         in.env.frame->bindings["%return"] = value; // a name of what `finally` may change
         runFinals(in, 0);
         if (!in.env.isReachable)
           return;
         in.env.frame->returnNode = n;
         in.env.frame->returns.push_back(in.env.edgeHere());
         in.env.isReachable = false;
       }},
      {"FunctionDef",
       [](Interpreter &in, const py::Object &n) {
         if (!n.list("decorator_list").empty())
           return functionStatement(in, n);
         in.env.bindName(n.string("name"), closure(in, n));
       }},
      {"ClassDef", [](Interpreter &in, const py::Object &n) { classStatement(in, n); }},
      {"Try", [](Interpreter &in, const py::Object &n) { tryStatement(in, n); }},
      {"Match", [](Interpreter &in, const py::Object &n) { matchStatement(in, n); }},
      {"Assert", [](Interpreter &in, const py::Object &n) { assertion(in, n); }},
      {"Raise", [](Interpreter &in, const py::Object &n) { raise(in, n); }},
      {"Delete", [](Interpreter &in, const py::Object &n) { deleteStatement(in, n); }},
      {"With", [](Interpreter &in, const py::Object &n) { withStatement(in, n); }},
      {"Yielded", [](Interpreter &in, const py::Object &n) { yieldedStatement(in, n); }},
      {"Finished", [](Interpreter &in, const py::Object &) { finishedStatement(in); }},
      {"Global", [](Interpreter &, const py::Object &) {}},
      {"Nonlocal", [](Interpreter &, const py::Object &) {}},
      {"Import",
       [](Interpreter &in, const py::Object &n) {
         for (const py::Object &alias : n.list("names")) {
           std::string name = alias.string("name"), as = alias.string("asname");
           py::Object module = py::import((as.empty() ? name.substr(0, name.find('.')) : name).c_str());
           if (!module || !py::import(name.c_str()))
             in.fail("ModuleNotFoundError: No module named '" + name + "'");
           else
             in.env.bindName(as.empty() ? name.substr(0, name.find('.')) : as,
                             PyValue::object(as.empty() ? module : py::lookup(name)));
         }
       }},
      {"ImportFrom",
       [](Interpreter &in, const py::Object &n) {
         for (const py::Object &alias : n.list("names")) {
           std::string name = alias.string("name"), as = alias.string("asname");
           py::Object module = n["module"].isNone() ? py::string("") : n["module"];
           py::Object globals = in.env.frame->globals ? in.env.frame->globals : py::none();
           std::string errorType, message;
           // A relative import begins at the package of the module that the function is in.
           py::Object found = py::tryCall(py::import("builtins")["__import__"],
                                          {module, globals, py::none(), py::tuple({py::string(name)}), n["level"]}, {},
                                          errorType, message);
           if (!found) {
             in.fail(errorType + ": " + message);
             return;
           }
           py::Object object = found[name.c_str()];
           if (!object)
             in.fail("ImportError: cannot import name '" + name + "' from '" + py::toString(module.get()) + "'");
           in.env.bindName(as.empty() ? name : as, PyValue::object(object));
         }
       }},
  };
  static const std::map<std::string, const char *> unsupported = {
      {"TryStar", "test for the condition with if before it happens"},
      {"AsyncFunctionDef", "use a plain function"},
      {"AsyncFor", "use a plain loop"},
      {"AsyncWith", "use plain statements"},
  };
  static const std::map<std::string, std::string> words = {{"TryStar", "except*"},
                                                           {"AsyncFunctionDef", "async def"},
                                                           {"AsyncFor", "async for"},
                                                           {"AsyncWith", "async with"}};
  NodeScope scope(*this, node);
  bool isProgram = !env.frame->isLibrary && !isInstalled(env.frame->file);
  llvm::SaveAndRestore<py::Object> saved(programStatement, isProgram ? node : programStatement);
  if (runStatement(*this, node))
    return;
  std::string type = py::typeName(node);
  if (auto found = handlers.find(type); found != handlers.end())
    return failsWhereItRuns(*this, type) ? runOrRaise(*this, [&] { found->second(*this, node); })
                                         : found->second(*this, node);
  auto hint = unsupported.find(type);
  fail("the statement '" + Twine(words.count(type) ? words.at(type) : type) + "' cannot be compiled",
       hint == unsupported.end() ? "" : hint->second);
  if (type == "AsyncFunctionDef")
    env.bindName(node.string("name"), PyValue::poison());
}

static void deleteStatement(Interpreter &in, const py::Object &node) {
  for (const py::Object &target : node.list("targets")) {
    if (py::typeName(target) == "Subscript") {
      PyValue base = in.expression(target["value"]), position = subscriptIndex(in, target["slice"]);
      if (!base.isPoison() && !position.isPoison())
        deleteItem(in, base, position);
      continue;
    }
    if (py::typeName(target) != "Name") {
      in.fail(target, "attributes cannot be deleted in compiled code");
      continue;
    }
    in.env.readName(target, target.string("id"));
    in.env.frame->bindings[target.string("id")] = PyValue::unbound();
  }
}

} // namespace npcc::frontend
