// try, except, else, finally. What a check or `raise` in the body fails with is known when it is imported, so it
// branches to the clause that takes it. Random numbers whose parameters are out of their bounds fail later, which
// cannot be caught: that is refused.
#include "dialects/Np/Checks.h"
#include "dialects/Np/Values.h"
#include "frontend/importer/Attempt.h"
#include "frontend/importer/CheckedDraws.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Exceptions.h"
#include "frontend/importer/LeavingErrors.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Text.h"
#include "frontend/importer/Values.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace npcc::frontend {

bool isRaisable(StringRef error) {
  static const std::set<StringRef> known = {
      "IndexError",      "ValueError",   "TypeError",           "MemoryError",   "ZeroDivisionError",
      "OverflowError",   "RuntimeError", "UnboundLocalError",   "LinAlgError",   "AssertionError",
      "AttributeError",  "KeyError",     "NotImplementedError", "AxisError",     "FloatingPointError",
      "ArithmeticError", "LookupError",  "RecursionError",      "StopIteration", "Exception"};
  return known.count(error);
}

std::optional<PythonError> pythonError(StringRef message) {
  auto [error, words] = message.split(':');
  words = words.ltrim();
  // NumPy's classes for what a ufunc does not take are private, and derived from this one.
  if (error == "UFuncTypeError" || error == "DTypePromotionError")
    error = "TypeError";
  // A library function says NotImplementedError of what it does not do.
  if (!isRaisable(error) || error == "NotImplementedError" || words.contains("compiled"))
    return std::nullopt;
  if (error == "KeyError" && words.starts_with("'"))
    words = words.drop_front().drop_back(); // the key itself
  else if (error == "KeyError" && !words.empty())
    return PythonError{error.str(), keyMark.str() + words.str()};
  return PythonError{error.str(), words.str()};
}

py::Object exceptionClass(StringRef error) {
  if (error == "LinAlgError")
    return py::lookup("numpy.linalg.LinAlgError");
  if (error == "AxisError")
    return py::lookup("numpy.exceptions.AxisError");
  py::Object cls = py::import("builtins")[error.str().c_str()];
  return cls ? cls : py::import("builtins")["RuntimeError"];
}

static bool isSubclass(const py::Object &cls, const py::Object &base) {
  return py::isTrue(py::call(py::import("builtins")["issubclass"], {cls, base}));
}

/// The clause that takes a class, the last of all that takes what no other does; nothing if the handler does not.
static std::optional<size_t> clauseOf(const Handler &handler, const py::Object &cls) {
  for (auto [k, classes] : llvm::enumerate(handler.clauses))
    if (llvm::any_of(classes, [&](const py::Object &one) { return isSubclass(cls, one); }))
      return k;
  return handler.catchesAll ? std::optional(handler.clauses.size()) : std::nullopt;
}

std::pair<Handler *, size_t> Environment::handlerOf(const py::Object &cls) {
  for (Handler *handler : llvm::reverse(handlers))
    if (std::optional<size_t> clause = clauseOf(*handler, cls))
      return {handler, *clause};
  return {nullptr, 0};
}

bool Environment::leavesChanges() const {
  // What the library checks in passing fails for no program: only its `raise` does.
  bool isOfProgram = outermost && (!frame->isLibraryCode || py::typeName(in.currentNode) == "Raise");
  return isOfProgram && hasChanged();
}

std::vector<Handler *> Environment::allHandlers() const {
  std::vector<Handler *> all(outermost ? 1 : 0, outermost);
  all.insert(all.end(), handlers.begin(), handlers.end());
  return all;
}

bool Environment::catches(const py::Object &cls, StringRef error, const std::string &message, ValueRange values,
                          const PyValue &object) {
  auto [handler, clause] = handlerOf(cls);
  if (!handler)
    return leavesChanges() && leave(in, cls, error, message, values);
  Edge edge = edgeHere();
  if (handler->frame != frame) { // raised in a function that the body calls
    edge.bindings = handler->frame->bindings;
    moveHeld(frame->bindings, edge.bindings);
  }
  handler->raised[clause].push_back({std::move(edge), cls, error.str(), message, SmallVector<Value>(values), object});
  isReachable = false;
  return true;
}

void Environment::raise(const py::Object &cls, StringRef error, const std::string &message, ValueRange values,
                        const PyValue &object) {
  if (isPythons(object))
    return raiseObject(in, object);
  if (catches(cls, error, message, values, object))
    return;
  np::AssertOp::create(ir, ir.boolean(false), ir.getStringAttr(error), ir.getStringAttr(message), values);
  failed.push_back(ir.getInsertionBlock());
  isReachable = false;
}

bool branchToHandler(Interpreter &in, Value condition, StringRef error, const std::string &message, ValueRange values) {
  py::Object cls = exceptionClass(error);
  if (!in.env.handlerOf(cls).first && !leavesAt(in, error, message))
    return false;
  Block *good = in.ir.newBlock(), *bad = in.ir.newBlock();
  cf::CondBranchOp::create(in.ir, condition, good, bad);
  in.env.continueIn(bad);
  SmallVector<Value> shown; // positions and extents are Python's ints in its text
  for (Value value : values)
    shown.push_back(value.getType().isIndex() ? in.ir.createOrFold<arith::IndexCastOp>(in.ir.getI64Type(), value)
                                              : value);
  in.env.catches(cls, error, message, shown);
  in.env.continueIn(good);
  in.ir.forgetCaches();
  return true;
}

void takeChecks(Interpreter &in) {
  in.ir.onCheck = [&in](Value condition, StringRef error, const std::string &message, ValueRange values) {
    return branchToHandler(in, condition, error, message, values);
  };
  in.ir.isCaught = [&in](StringRef error, StringRef message) {
    return in.env.handlerOf(exceptionClass(error)).first || (!message.empty() && leavesAt(in, error, message));
  };
}

/// The functions of the module that an operation calls, with those that these call: functions that call themselves.
static void collectCalled(Operation &op, llvm::SetVector<Operation *> &functions) {
  auto call = dyn_cast<func::CallOp>(op);
  Operation *called = call ? SymbolTable::lookupNearestSymbolFrom(&op, call.getCalleeAttr()) : nullptr;
  if (called && functions.insert(called))
    called->walk([&](func::CallOp inner) { collectCalled(*inner, functions); });
}

/// Refuses an operation that may fail only when it runs, where a clause would have to take it: true if it is refused.
static bool refuseLateFailure(Interpreter &in, Operation &op) {
  if (!mayBeOutOfBounds(op))
    return false;
  in.fail("parameters of random numbers out of their bounds are an error that compiled code cannot catch",
          "compare the parameters before, or catch another class of exceptions");
  return true;
}

/// The same of all operations of a `try`, and of those in functions of the module that it calls.
static void refuseLateFailures(Interpreter &in, const Handler &handler, Block *first, Operation *last) {
  bool catchesDepth = llvm::any_of(handler.clauses, [](const std::vector<py::Object> &classes) {
    return llvm::is_contained(classes, exceptionClass("RecursionError"));
  });
  bool catchesValues = clauseOf(handler, exceptionClass("ValueError")).has_value();
  llvm::SetVector<Operation *> called;
  for (Block *block = first; block; block = block->getNextNode()) {
    auto from = block == first && last ? std::next(last->getIterator()) : block->begin();
    for (Operation &op : llvm::make_range(from, block->end())) {
      collectCalled(op, called);
      if (catchesValues && refuseLateFailure(in, op))
        return;
    }
  }
  if (catchesDepth && !called.empty())
    in.fail("a RecursionError of a function that calls itself cannot be caught in compiled code",
            "put the 'try' around the call of the compiled function");
  for (Operation *function : called)
    for (Block &block : function->getRegion(0))
      for (Operation &op : block)
        if (catchesValues && refuseLateFailure(in, op))
          return;
}

/// What an exception of a known message was made of: the message, or a key that is no string.
static py::Object argumentOf(StringRef message) {
  if (!message.consume_front(keyMark))
    return py::string(message.str());
  std::string error, words;
  py::Object key = py::tryCall(py::lookup("ast.literal_eval"), {py::string(message.str())}, {}, error, words);
  return key ? key : py::string(message.str());
}

/// The exception as an object with its message, at the end of its edge. `made`: the objects of other edges, by their
/// classes: those that meet in a clause are one, which holds another message on each edge.
static PyValue caughtAtRunTime(Interpreter &in, Raised &one, std::map<PyObject *, PyValue> &made) {
  StringRef words = one.message;
  bool isKey = words.consume_front(keyMark); // as repr() shows it
  if (one.error == "npcc.ClassError")
    words = words.split('\n').second;
  OpBuilder::InsertionGuard guard(in.ir);
  llvm::SaveAndRestore<bool> reachable(in.env.isReachable, true);
  in.ir.setInsertionPointToEnd(one.edge.block);
  in.ir.forgetCaches();
  std::swap(in.env.frame->bindings, one.edge.bindings);
  PyValue text = exceptionString(in, words, one.values);
  PyValue exception = text;
  if (!text.isPoison()) {
    bool hasNone = words.empty() && !isKey; // no arguments
    py::Object cls =
        py::call(py::lookup("npcc.library.exceptions.caught"), {one.cls, py::boolean(isKey), py::boolean(hasNone)});
    auto [known, isNew] = made.try_emplace(cls.get());
    if (isNew)
      known->second = newInstance(in, cls);
    else
      makeAgain(in, known->second);
    exception = known->second;
    storeHeld(in, exception, textKey(), text);
    if (hasNone)
      storeHeld(in, exception, py::string("args"), PyValue::object(py::tuple({})));
  }
  std::swap(in.env.frame->bindings, one.edge.bindings);
  return exception;
}

/// Where the exceptions of a clause meet; the name after `as` holds the exception.
static void enterClause(Interpreter &in, std::vector<Raised> &raised, const std::string &name) {
  std::vector<Edge> edges;
  std::map<PyObject *, PyValue> made;
  for (Raised &one : raised) {
    if (!name.empty()) {
      // One that is alone, or a key that is no string, is Python's own object.
      bool isAlone = raised.size() == 1 || StringRef(one.message).starts_with(keyMark);
      bool isKnown = one.values.empty() && one.error != "npcc.ClassError" && isAlone;
      one.edge.bindings[name] = !one.object.isPoison() ? one.object
                                : !isKnown             ? caughtAtRunTime(in, one, made)
                                : one.message.empty()  ? PyValue::object(py::call(one.cls, {}))
                                                       : PyValue::object(py::call(one.cls, {argumentOf(one.message)}));
    }
    edges.push_back(one.edge);
  }
  in.env.joinEdges(std::move(edges));
}

/// What `raise` raises again in a clause.
static Raised handledBy(const std::vector<Raised> &raised) {
  Raised one{{nullptr, {}}, raised[0].cls, raised[0].error, raised[0].message, raised[0].values, raised[0].object};
  for (const Raised &other : raised)
    if (!(other.cls == one.cls) || other.message != one.message || other.values != one.values)
      one.cls = {};
  if (raised.size() > 1 && !one.values.empty())
    one.cls = {};
  return one;
}

static constexpr size_t mostCopies = 32; // of a clause, one for each exception that passes it

/// Whether a clause has a `raise` of what it handles.
static bool raisesAgain(Interpreter &in, const py::Object &clause) {
  return llvm::any_of(in.syntax.nodesIn(clause),
                      [](const py::Object &node) { return py::typeName(node) == "Raise" && node["exc"].isNone(); });
}

/// Whether the numbers of an exception's text can go through names.
static bool areNumbers(ValueRange values) {
  return llvm::all_of(values.getTypes(),
                      [](Type type) { return type.isIndex() || type.isInteger(64) || type.isF64(); });
}

/// Exceptions of one class and one text, as the checks of many places raise them, meet in one place, which has the
/// numbers of the text in names.
static std::vector<Raised> joinAlike(Interpreter &in, std::vector<Raised> raised) {
  std::vector<std::vector<Raised>> groups;
  for (Raised &one : raised) {
    auto isAlike = [&](const std::vector<Raised> &group) {
      const Raised &first = group.front();
      return first.cls == one.cls && first.error == one.error && first.message == one.message &&
             first.object.isPoison() && one.object.isPoison() && areNumbers(first.values) &&
             ValueRange(first.values).getTypes() == ValueRange(one.values).getTypes();
    };
    auto group = llvm::find_if(groups, isAlike);
    if (group == groups.end())
      group = groups.emplace(groups.end());
    group->push_back(std::move(one));
  }
  std::vector<Raised> joined;
  for (std::vector<Raised> &group : groups) {
    if (group.size() > 1) {
      std::string name = "%raised" + std::to_string(in.temporaries++) + ".";
      std::vector<Edge> edges;
      for (Raised &one : group) {
        in.env.continueIn(one.edge.block);
        in.ir.forgetCaches();
        for (auto [k, value] : llvm::enumerate(one.values))
          one.edge.bindings[name + std::to_string(k)] =
              value.getType().isIndex() ? fromIndex(in, value) : PyValue::runtime(value);
        edges.push_back(std::move(one.edge));
      }
      in.env.joinEdges(std::move(edges));
      for (auto [k, value] : llvm::enumerate(group[0].values)) {
        PyValue number = in.env.readName(in.currentNode, name + std::to_string(k));
        value = value.getType().isIndex() ? toIndex(in, number) : valueOf(in, number);
        in.env.frame->bindings.erase(name + std::to_string(k));
      }
      group[0].edge = in.env.edgeHere();
    }
    joined.push_back(std::move(group[0]));
  }
  return joined;
}

void runFinals(Interpreter &in, size_t loops) {
  auto finals = in.env.frame->finals;
  for (size_t k = finals.size(); k-- > 0 && in.env.isReachable && finals[k].second >= loops;) {
    in.env.frame->finals.resize(k); // what a clause does is not guarded by itself
    in.statements(finals[k].first);
  }
  in.env.frame->finals = finals;
}

void tryStatement(Interpreter &in, const py::Object &node) {
  std::vector<py::Object> clauses = node.list("handlers"), finals = node.list("finalbody");
  Handler handler;
  handler.frame = in.env.frame;
  const py::Object everything = py::import("builtins")["BaseException"];
  std::set<PyObject *> failing; // the clauses that fail themselves when an exception comes to them
  for (const py::Object &clause : clauses) {
    Attempt attempt(in);
    auto raised = std::exchange(in.raised, {}); // what fails here is raised there
    PyValue type = clause["type"].isNone() ? PyValue::object(everything) : in.expression(clause["type"]);
    in.raised = std::move(raised);
    if (attempt.failed()) {
      // Python looks for the classes when an exception comes to the clause.
      attempt.takeBack();
      failing.insert(clause.get());
      type = PyValue::object(everything);
    }
    std::vector<py::Object> classes;
    if (type.isSequence())
      for (const PyValue &one : type->items)
        classes.push_back(one.isObject() ? one.object() : py::Object());
    else if (type.isObject())
      classes = PyTuple_Check(type.object().get()) ? py::elements(type.object()) : std::vector{type.object()};
    for (const py::Object &one : classes)
      if (!one || !PyType_Check(one.get()))
        classes.clear();
    if (classes.empty()) {
      if (!type.isPoison())
        in.fail(clause, "the classes of 'except' must be known at compile time");
      return;
    }
    handler.clauses.push_back(std::move(classes));
  }
  handler.catchesAll = !finals.empty();
  handler.raised.resize(handler.clauses.size() + 1);
  if (!finals.empty())
    in.env.frame->finals.emplace_back(finals, in.env.frame->loops.size());

  // The body, with its `else`, whose exceptions are not caught by these clauses.
  Block *first = in.ir.getInsertionBlock();
  Operation *last = first->empty() ? nullptr : &first->back();
  auto onCheck = in.ir.onCheck;
  auto isCaught = in.ir.isCaught;
  in.env.handlers.push_back(&handler);
  takeChecks(in);
  ++in.env.depth;
  in.statements(node.list("body"));
  refuseLateFailures(in, handler, first, last);
  size_t uncaught = handler.clauses.size();
  handler.clauses.clear(); // what follows is not guarded by the clauses, only by `finally`
  std::vector<Raised> late = std::move(handler.raised[uncaught]);
  std::vector<std::vector<Raised>> caught = std::move(handler.raised);
  handler.raised.assign(1, std::move(late));
  if (!handler.catchesAll)
    in.env.handlers.pop_back();
  std::vector<Edge> ends;
  if (in.env.isReachable)
    in.statements(node.list("orelse"));
  if (in.env.isReachable)
    ends.push_back(in.env.edgeHere());
  for (auto [k, clause] : llvm::enumerate(clauses)) {
    std::vector<Raised> &raised = caught[k];
    if (raised.empty())
      continue;
    std::string name = clause["name"].isNone() ? "" : clause.string("name");
    auto runClause = [&](std::vector<Raised> &some) {
      enterClause(in, some, name);
      in.env.frame->handled.push_back(handledBy(some));
      if (failing.count(clause.get()))
        in.expression(clause["type"]);
      else
        in.statements(clause.list("body"));
      in.env.frame->handled.pop_back();
      if (!name.empty())
        in.env.frame->bindings[name] = PyValue::unbound();
      if (in.env.isReachable)
        ends.push_back(in.env.edgeHere());
    };
    if (!handledBy(raised).cls && raisesAgain(in, clause))
      raised = joinAlike(in, std::move(raised));
    bool isCopied = !handledBy(raised).cls && raisesAgain(in, clause) && raised.size() <= mostCopies;
    if (!isCopied) {
      runClause(raised);
      continue;
    }
    for (Raised &one : raised) { // each of them is raised again as what it is
      std::vector<Raised> alone{std::move(one)};
      runClause(alone);
    }
  }
  --in.env.depth;
  if (handler.catchesAll) {
    in.env.handlers.pop_back();
    in.env.frame->finals.pop_back();
  }
  in.ir.onCheck = onCheck;
  in.ir.isCaught = isCaught;
  if (handler.raised[0].size() > mostCopies)
    handler.raised[0] = joinAlike(in, std::move(handler.raised[0]));
  if (handler.raised[0].size() > mostCopies) {
    in.fail("too many operations in a 'try' with 'finally' may fail", "compute outside of it");
    return;
  }
  // What no clause takes goes on after the `finally`.
  ++in.env.depth;
  for (const Raised &one : handler.raised[0]) {
    in.env.continueIn(one.edge.block);
    in.env.frame->bindings = one.edge.bindings;
    in.ir.forgetCaches();
    in.statements(finals);
    if (in.env.isReachable)
      raiseWith(in, node, one.cls, one.error, one.message, one.values, one.object);
  }
  --in.env.depth;
  in.env.joinEdges(std::move(ends));
  if (in.env.isReachable)
    in.statements(finals);
}

} // namespace npcc::frontend
