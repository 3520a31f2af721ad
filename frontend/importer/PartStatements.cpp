// Expressions and statements that Python runs (Parts.h).
#include "dialects/Np/Checks.h"
#include "dialects/Np/Host.h"
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/LeavingErrors.h"
#include "frontend/importer/LentArrays.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/PartArguments.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

/// Whether a name is one of the function's or of those around it, not a global one.
static bool isVariable(Interpreter &in, const std::string &name) {
  for (Frame *scope = in.env.frame.get(); scope; scope = in.env.around(*scope, name)) {
    if (scope->locals.count(name) || scope->cells.count(name))
      return true;
    if (freeCell(scope->closure, name))
      return true;
  }
  return false;
}

/// Whether a statement that binds a global needs what that was before: `total += part`, and `if found: total = part`,
/// which gives back what it has not bound.
static bool needsGlobal(Interpreter &in, const py::Object &node, const std::string &name) {
  if (py::typeName(node) == "AugAssign")
    return true;
  bool reads = llvm::any_of(in.syntax.nodesIn(node), [&](const py::Object &one) {
    return py::typeName(one) == "Name" && one.string("id") == name && py::typeName(one["ctx"]) == "Load";
  });
  if (reads || py::typeName(node) == "Assign")
    return reads;
  return in.env.frame->globals && PyDict_GetItemString(in.env.frame->globals.get(), name.c_str());
}

/// What a device has stored into a global's array is where Python looks for it before Python runs a part that names it:
/// else the call puts it there at its end.
static void showGlobalArray(Interpreter &in, const std::string &name) {
  auto target = in.ir.function->getAttrOfType<StringAttr>("np.target");
  PyObject *known = in.env.frame->globals ? PyDict_GetItemString(in.env.frame->globals.get(), name.c_str()) : nullptr;
  auto found = in.globalArrays.find(known);
  if (!known || !target || target.getValue() != "cuda" || found == in.globalArrays.end() || !found->second.arrayType())
    return;
  std::string routine = "text o " + in.dtypes.name(found->second.elementType());
  PyValue elements = pythonObject(textRoutine(in, routine, {found->second.ir()})->items[0]);
  runSimple(in, "show_elements(a, b)", {PyValue::object(py::Object::borrow(known)), elements}, 'o');
}

/// Adds the variables that a node reads; `binds` are those that it binds. False with an error reported.
static bool addVariables(Interpreter &in, const py::Object &node, PartArguments &arguments,
                         std::vector<std::string> &binds, const std::set<std::string> &given = {}) {
  py::Object names = py::call(py::lookup("npcc.objects.names_of"), {node});
  if (!names || names.isNone()) {
    in.fail("this cannot be compiled, nor run by Python apart from what is around it");
    return false;
  }
  std::vector<py::Object> lists = py::elements(names);
  for (const py::Object &bound : py::elements(lists[1]))
    binds.push_back(py::toString(bound.get()));
  std::vector<py::Object> captured;
  for (const py::Object &read : py::elements(lists[0])) {
    std::string name = py::toString(read.get());
    if (given.count(name))
      continue;
    if (!isVariable(in, name) && !(llvm::is_contained(binds, name) && needsGlobal(in, node, name))) {
      showGlobalArray(in, name);
      continue;
    }
    auto found = in.env.frame->bindings.find(name);
    bool isUnbound = in.env.frame->locals.count(name) && !in.env.frame->cells.count(name) &&
                     (found == in.env.frame->bindings.end() || found->second.is(PyValue::Kind::Unbound));
    bool isDefinition = py::typeName(node) == "FunctionDef" || py::typeName(node) == "Lambda";
    if (isUnbound && isDefinition) {
      in.fail("a function that is an object of Python's reads '" + name + "', which is bound later",
              "define it before");
      return false;
    }
    if (isUnbound && llvm::is_contained(binds, name))
      continue;
    captured.push_back(read);
    if (found != in.env.frame->bindings.end() && found->second.is(PyValue::Kind::Conflict) && noteName(in, name)) {
      in.fail("'" + name + "' " + found->second->name);
      return false;
    }
    PyValue value = in.env.readName(node, name);
    if (value.isPoison() || !arguments.add(name, value, name))
      return false;
  }
  std::string type = py::typeName(node);
  bool isDefinition = type == "Lambda" || type == "FunctionDef" || type == "ClassDef";
  py::Object isBefore = isDefinition ? py::call(py::lookup("npcc.objects.is_bound_before"),
                                                {in.env.frame->definition, py::list(captured), node})
                                     : py::boolean(true);
  if (!py::isTrue(isBefore)) {
    in.fail("a function that is an object of Python's reads names that are bound again later",
            "bind them once, or hand them over as arguments");
    return false;
  }
  return true;
}

/// What calls of these give is known.
static char givenBy(Interpreter &in, const py::Object &node) {
  static const std::map<std::string, char> known = {
      {"len", 'i'},        {"ord", 'i'},  {"isinstance", 'b'}, {"hasattr", 'b'}, {"callable", 'b'},
      {"issubclass", 'b'}, {"bool", 'b'}, {"any", 'b'},        {"all", 'b'},     {"float", 'f'}};
  std::string type = py::typeName(node);
  if (type == "UnaryOp")
    return py::typeName(node["op"]) == "Not" ? 'b' : 'o';
  if (type == "Compare") {
    std::vector<py::Object> operators = node.list("ops");
    static const std::set<std::string> asked = {"In", "NotIn", "Is", "IsNot"};
    return operators.size() == 1 && asked.count(py::typeName(operators[0])) ? 'b' : 'o';
  }
  if (type != "Call" || py::typeName(node["func"]) != "Name")
    return 'o';
  auto found = known.find(node["func"].string("id"));
  bool isBuiltin = found != known.end() && !isVariable(in, found->first) &&
                   !(in.env.frame->globals && PyDict_GetItemString(in.env.frame->globals.get(), found->first.c_str()));
  return isBuiltin ? found->second : 'o';
}

PyValue runPart(Interpreter &in, const py::Object &given, char wanted) {
  NodeScope scope(in, given);
  PartArguments arguments(in);
  std::vector<std::string> binds;
  py::Object node = withCompiled(in, given, arguments);
  if (!node || !addVariables(in, node, arguments, binds))
    return PyValue::poison();
  return arguments.run(arguments.textOf(node), wanted ? wanted : givenBy(in, given));
}

PyValue bytesOf(Interpreter &in, const PyValue &array, const Call &call) {
  std::vector<PyValue> given = call.args;
  for (const auto &[keyword, value] : call.keywords) {
    if (keyword != "order")
      return in.fail("TypeError: tobytes() got an unexpected keyword argument '" + keyword + "'");
    given.push_back(value);
  }
  py::Object order = given.empty() ? py::none() : given[0].isObject() ? given[0].object() : py::Object();
  bool isKnown = given.size() < 2 && order &&
                 (order.isNone() || (PyUnicode_Check(order.get()) &&
                                     (py::toString(order.get()) == "C" || py::toString(order.get()) == "F")));
  if (!isKnown)
    return in.fail("ndarray.tobytes(order) takes 'C' or 'F' in compiled code", "name one of them");
  Value value = valueOf(in, array);
  PyValue copy = value ? asPythons(in, PyValue::runtime(value)) : PyValue::poison();
  return copy.isPoison() ? copy : runSimple(in, "return a.tobytes(b)", {copy, PyValue::object(order)}, 'o');
}

PyValue callInPython(Interpreter &in, const PyValue &callee, const Call &call) {
  PyValue function = callee;
  if (callee.is(PyValue::Kind::Method)) {
    PyValue receiver = asPythons(in, callee->items[0]);
    function = receiver.isPoison() ? receiver : runSimple(in, "return a." + callee->name, {receiver}, 'o');
  }
  if (function.isPoison())
    return function;
  static const std::map<std::string, char> known = {
      {"builtins.len", 'i'}, {"builtins.isinstance", 'b'}, {"builtins.bool", 'b'}, {"builtins.float", 'f'}};
  char wanted = 'o';
  if (callee.isObject())
    for (const auto &[name, letter] : known)
      if (callee.object() == py::lookup(name))
        wanted = letter;
  PartArguments arguments(in);
  std::string names, given;
  auto add = [&](const PyValue &value, const std::string &keyword) {
    std::string name = "p" + std::to_string(arguments.letters.size());
    PyValue object = asPythons(in, in.env.bound(value));
    if (object.isPoison() || !arguments.add(name, object, ""))
      return false;
    names += name + ", ";
    given += (keyword.empty() ? "" : keyword + "=") + name + ", ";
    return true;
  };
  if (!add(function, ""))
    return PyValue::poison();
  given.clear();
  for (const PyValue &arg : call.args)
    if (!add(arg, ""))
      return PyValue::poison();
  for (const auto &[keyword, value] : call.keywords)
    if (!add(value, keyword))
      return PyValue::poison();
  return arguments.run(PartArguments::simpleText("return p0(" + given + ")", names), wanted);
}

/// Of the names that a statement binds those that are bound behind it. One that it may leave unbound lives in it only;
/// false with an error reported where the function reads that elsewhere.
static bool keepBound(Interpreter &in, const py::Object &node, std::vector<std::string> &binds) {
  static const std::set<std::string> mayNotBind = {"For", "While", "If", "Try", "Match"};
  if (!mayNotBind.count(py::typeName(node)))
    return true;
  int64_t first = node.integer("lineno"), last = node.integer("end_lineno");
  std::vector<std::string> kept;
  for (const std::string &name : binds) {
    auto found = in.env.frame->bindings.find(name);
    if (found != in.env.frame->bindings.end() && !found->second.is(PyValue::Kind::Unbound) &&
        !found->second.is(PyValue::Kind::Union)) {
      kept.push_back(name);
      continue;
    }
    for (const py::Object &one : in.syntax.nodesIn(in.env.frame->definition)) {
      int64_t line = one.integer("lineno");
      if (py::typeName(one) == "Name" && one.string("id") == name && (line < first || line > last)) {
        in.fail("'" + name + "' may not be bound behind this statement, which Python would have to run",
                "bind it before");
        return false;
      }
    }
  }
  binds = std::move(kept);
  return true;
}

/// Runs a statement as a function of what it reads, and binds what it has bound.
static void execute(Interpreter &in, const py::Object &statement, const PyValue *stored = nullptr) {
  PartArguments arguments(in);
  std::vector<std::string> binds;
  std::set<std::string> given;
  py::Object node = withCompiled(in, statement, arguments);
  if (!node)
    return;
  if (stored)
    given.insert("stored_value");
  if (!addVariables(in, node, arguments, binds, given) ||
      (stored && !arguments.add("stored_value", in.env.bound(*stored), "")))
    return;
  if (!keepBound(in, statement, binds))
    return;
  PyValue result = arguments.run(arguments.textOf(node, binds), 'o');
  for (auto [k, name] : llvm::enumerate(binds)) {
    PyValue item = runSimple(in, "return a[" + std::to_string(k) + "]", {result}, 'o');
    in.env.bindName(name, item);
  }
}

bool storePart(Interpreter &in, const py::Object &target, const PyValue &value) {
  if (!in.outlines || !in.outlines->parts || in.env.frame->isLibrary)
    return false;
  bool isObject = isPythons(value) || (value.is(PyValue::Kind::Union) && llvm::any_of(value->items, isPythons));
  if (!isObject && !isPart(in, target))
    return false;
  py::Object assignment = py::call(py::lookup("npcc.objects.store_of"), {target});
  execute(in, assignment, &value);
  return true;
}

bool runStatement(Interpreter &in, const py::Object &node) {
  if (!in.outlines || !in.outlines->parts || in.env.frame->isLibrary)
    return false;
  std::string type = py::typeName(node);
  if (type == "Return" || type == "Yielded" || type == "Finished")
    return false; // their expressions are parts
  bool isNoted = node["lineno"] && in.outlines->parts->sites.count(siteOf(in, node));
  if (!isNoted && (type == "Expr" || type == "Assign" || type == "AnnAssign"))
    return false;
  bool isSimple = type == "AugAssign" || type == "Delete" || type == "Assert";
  if (isSimple && !isNoted)
    for (const py::Object &one : in.syntax.nodesIn(node)) {
      std::string part = py::typeName(one);
      bool isNames = part == "Name" && [&] {
        auto found = in.env.frame->bindings.find(one.string("id"));
        return found != in.env.frame->bindings.end() && isPythons(found->second);
      }();
      isNoted |= isNames || (one["ctx"] && isPart(in, one)) || (part == "Call" && isPart(in, one));
    }
  if (type == "Assert" && isNoted && node["msg"].isNone())
    return false; // its test is one
  if (type == "Raise" && !isNoted && !node["exc"].isNone()) {
    bool isCall = py::typeName(node["exc"]) == "Call";
    isNoted = isCall ? llvm::any_of(node["exc"].list("args"), [&](const py::Object &one) { return isPart(in, one); }) ||
                           isPart(in, node["exc"])
                     : isPythons(in.expression(node["exc"]));
    if (isCall)
      for (const py::Object &one : node["exc"].list("args"))
        isNoted |= py::typeName(one) == "Name" && isPythons(in.expression(one));
  }
  if (!isNoted)
    return false;
  execute(in, node);
  if (type == "Raise" && in.env.isReachable) {
    np::AssertOp::create(in.ir, in.ir.boolean(false), in.ir.getStringAttr("RuntimeError"), in.ir.getStringAttr("raise"),
                         ValueRange());
    in.env.failed.push_back(in.ir.getInsertionBlock());
    in.env.isReachable = false;
  }
  return true;
}

void unpackObject(Interpreter &in, const py::Object &target, const PyValue &value) {
  std::vector<py::Object> targets = target.list("elts");
  std::string names, results;
  for (auto [k, one] : llvm::enumerate(targets)) {
    bool isStarred = py::typeName(one) == "Starred";
    std::string name = "t" + std::to_string(k);
    names += (isStarred ? "*" : "") + name + ", ";
    results += name + ", ";
    if (isStarred)
      one = one["value"];
  }
  PyValue items = runSimple(in, names + "= a\n return " + results, {value}, 'o');
  std::vector<PyValue> values;
  for (size_t k = 0; k < targets.size(); ++k)
    values.push_back(runSimple(in, "return a[" + std::to_string(k) + "]", {items}, 'o'));
  for (auto [one, item] : llvm::zip(targets, values))
    assign(in, one, item);
}

/// What an object of Python's is counted in, of enumerate(object) or enumerate(object, start); null of others.
static py::Object enumeratedObject(Interpreter &in, const py::Object &node) {
  py::Object call = node["iter"], target = node["target"];
  bool isCall = py::typeName(call) == "Call" && py::typeName(call["func"]) == "Name" &&
                call["func"].string("id") == "enumerate" && !isVariable(in, "enumerate") &&
                call.list("keywords").empty();
  bool isPair =
      py::typeName(target) == "Tuple" && target.list("elts").size() == 2 &&
      llvm::none_of(target.list("elts"), [](const py::Object &one) { return py::typeName(one) == "Starred"; });
  if (!isCall || !isPair)
    return {};
  std::vector<py::Object> given = call.list("args");
  if (given.empty() || given.size() > 2 || py::typeName(given[0]) == "Starred")
    return {};
  bool isObject =
      py::typeName(given[0]) == "Name" ? isPythons(in.env.bound(in.expression(given[0]))) : isPart(in, given[0]);
  return isObject ? call : py::Object();
}

bool loopOverEnumerated(Interpreter &in, const py::Object &node) {
  if (!in.outlines || !in.outlines->parts || in.env.frame->isLibrary)
    return false;
  py::Object call = enumeratedObject(in, node);
  if (!call)
    return false;
  std::vector<py::Object> given = call.list("args");
  PyValue iterable = asPythons(in, in.env.bound(in.expression(given[0])));
  PyValue start = given.size() > 1 ? in.expression(given[1]) : PyValue::object(py::integer(0));
  if (!iterable.isPoison() && !start.isPoison())
    loopOverObject(in, node, iterable, &start);
  return true;
}

/// while i.advance(): target = i.current; body
void loopOverObject(Interpreter &in, const py::Object &node, const PyValue &iterable, const PyValue *start) {
  PyValue iteration = runSimple(in, "return Iteration(a)", {iterable}, 'o');
  if (iteration.isPoison())
    return;
  std::string hidden =
      "%iteration" + std::to_string(node.integer("lineno")) + "." + std::to_string(node.integer("col_offset"));
  in.env.frame->bindings[hidden] = iteration;
  std::string counter = hidden + " counter";
  if (start)
    in.env.bindName(counter, *start);
  auto current = [&] { return in.env.readName(node, hidden); };
  Loop loop;
  loop.node = node.get();
  in.syntax.addAssigned(node, loop.assigned);
  loop.otherwise = node.list("orelse");
  loop.condition = [&] { return runSimple(in, "return a.advance()", {current()}, 'b'); };
  if (start)
    loop.assigned.insert(counter);
  loop.body = [&] {
    PyValue item = runSimple(in, "return a.current", {current()}, 'o');
    if (start) {
      PyValue number = in.env.readName(node, counter);
      in.env.bindName(counter, binary(in, "Add", number, PyValue::object(py::integer(1))));
      item = PyValue::sequence({number, item}, false);
    }
    assign(in, node["target"], item);
    in.statements(node.list("body"));
  };
  importLoop(in, loop);
  in.env.frame->bindings.erase(hidden);
  in.env.frame->bindings.erase(counter);
}

/// Whether an exception is of one of these classes: asked without the handlers around.
static PyValue runSimpleUncaught(Interpreter &in, const PyValue &error, const std::vector<py::Object> &classes) {
  std::vector<Handler *> handlers;
  std::swap(handlers, in.env.handlers);
  PartArguments arguments(in);
  arguments.add("a", error, "");
  arguments.add("b", PyValue::object(py::tuple(classes)), "");
  static const py::Object node =
      py::call(py::lookup("ast.parse"), {py::string("isinstance(a, b)")}).list("body")[0]["value"];
  PyValue bit = arguments.run(arguments.textOf(node), 'b');
  std::swap(handlers, in.env.handlers);
  return bit;
}

void raiseObject(Interpreter &in, const PyValue &error) {
  for (Handler *handler : llvm::reverse(in.env.handlers)) {
    auto leave = [&](size_t clause, const py::Object &cls) {
      Edge edge = in.env.edgeHere();
      if (handler->frame != in.env.frame) { // raised in a function that the body calls
        edge.bindings = handler->frame->bindings;
        moveHeld(in.env.frame->bindings, edge.bindings);
      }
      handler->raised[clause].push_back({std::move(edge), cls, "", "", {}, error});
    };
    for (auto [k, classes] : llvm::enumerate(handler->clauses)) {
      PyValue isIt = runSimpleUncaught(in, error, classes);
      Block *taken = in.ir.newBlock(), *others = in.ir.newBlock();
      cf::CondBranchOp::create(in.ir, isIt.ir(), taken, others);
      in.env.continueIn(taken);
      leave(k, classes[0]);
      in.env.continueIn(others);
    }
    if (handler->catchesAll) {
      leave(handler->clauses.size(), py::import("builtins")["Exception"]);
      in.env.isReachable = false;
      return;
    }
  }
  if (in.env.leavesChanges()) {
    leave(in, py::import("builtins")["Exception"], "", "", {}, error);
    return;
  }
  SmallVector<Value> bits{valueOf(in, in.env.bound(error->items[0]))};
  np::PythonOp::create(in.ir, in.ir.getI64Type(), "python " + PartArguments::simpleText("raise a", "a") + ":o>o", bits);
  np::AssertOp::create(in.ir, in.ir.boolean(false), in.ir.getStringAttr("RuntimeError"), in.ir.getStringAttr("raise"),
                       ValueRange());
  in.env.failed.push_back(in.ir.getInsertionBlock());
  in.env.isReachable = false;
}

} // namespace npcc::frontend
