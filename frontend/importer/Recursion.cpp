#include "frontend/importer/Recursion.h"
#include "dialects/Np/Checks.h"
#include "frontend/importer/Installed.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/RaisedResults.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/TabledTuples.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/TurnTakers.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

/// A function is compiled for at most this many combinations of types.
static constexpr size_t outlineLimit = 16;
static constexpr size_t mostOpen = 3; // versions that call each other, and differ by known strings
static constexpr int attemptLimit = 12;

bool isOutlined(Interpreter &in, const py::Object &definition) {
  return in.outlines->recursive.count(definition.get()) > 0;
}

bool haveOneClosure(const py::Object &closure, const py::Object &other) {
  Py_ssize_t size = closure ? PyDict_Size(closure.get()) : 0, place = 0;
  if (size != (other ? PyDict_Size(other.get()) : 0))
    return false;
  PyObject *name, *cell;
  while (size && PyDict_Next(closure.get(), &place, &name, &cell))
    if (PyDict_GetItemWithError(other.get(), name) != cell)
      return false;
  return true;
}

thread_local TurnTakers *TurnTakers::current = nullptr;

PyValue foundRecursion(Interpreter &in, const PyValue &function) {
  TurnTakers *takers = TurnTakers::current;
  size_t first = in.callStack.size();
  if (takers && !takers->areCopied)
    while (first > 0 && in.callStack[first - 1] != function->definition.get())
      --first;
  for (PyObject *between : ArrayRef(in.callStack).drop_front(first)) {
    py::Object name = py::Object::borrow(between)["name"];
    bool isConstructor = name && py::toString(name.get()) == "__init__"; // what it makes is there where it is called
    if (!isConstructor && in.outlines->recursive.insert(between).second)
      takers->definitions.insert(between);
  }
  in.outlines->recursive.insert(function->definition.get());
  if (takers)
    takers->definitions.erase(function->definition.get());
  in.outlines->foundMore = true;
  return in.fail("'" + function->name + "' calls itself");
}

//===---- Values of one function, as another one has them ----===//

namespace {

/// The names of enclosing scopes that functions look for, which become arguments too.
class Captures {
public:
  explicit Captures(Syntax &syntax) : syntax(syntax) {}

  /// What the function and others that its names lead to look for.
  void add(const PyValue &value) {
    if (value.hasItems() || value.is(PyValue::Kind::Method))
      for (const PyValue &item : value->items)
        add(item);
    if (!value.is(PyValue::Kind::Function) || !value->parent ||
        !seen.insert({value->definition.get(), value->parent.get()}).second)
      return;
    for (const py::Object &node : syntax.nodesIn(value->definition)) {
      if (py::typeName(node) != "Name")
        continue;
      std::string name = node.string("id");
      for (Frame *scope = value->parent.get(); scope; scope = scope->parent.get()) {
        if (scope->cells.count(name) && known.insert({scope, name}).second) {
          names.push_back({scope, name});
          break;
        }
        if (!scope->locals.count(name))
          continue;
        auto found = scope->bindings.find(name);
        bool isBound = found != scope->bindings.end() && !found->second.is(PyValue::Kind::Unbound);
        if (isBound && known.insert({scope, name}).second) {
          names.push_back({scope, name});
          add(found->second);
        }
        break;
      }
    }
  }

  std::vector<std::pair<Frame *, std::string>> names; // in the order in which they were found

private:
  Syntax &syntax;
  std::set<std::pair<PyObject *, Frame *>> seen;
  std::set<std::pair<Frame *, std::string>> known;
};

/// The same scopes in the function that is made: only what is looked for is bound there.
class Scopes {
public:
  std::shared_ptr<Frame> of(Frame *frame) {
    if (!frame)
      return nullptr;
    std::shared_ptr<Frame> &scope = made[frame];
    if (!scope) {
      scope = std::make_shared<Frame>(frame->callLoc);
      scope->definition = frame->definition;
      scope->globals = frame->globals;
      scope->closure = frame->closure;
      scope->file = frame->file;
      scope->isLibrary = frame->isLibrary;
      scope->isLibraryCode = frame->isLibraryCode;
      scope->parent = of(frame->parent.get());
    }
    return scope;
  }

  /// A value whose functions look for their names there.
  PyValue moved(const PyValue &value) {
    bool isFunction = value.is(PyValue::Kind::Function);
    if (!isFunction && !value.hasItems())
      return value;
    auto data = std::make_shared<Composite>(*value);
    for (PyValue &item : data->items)
      item = moved(item);
    if (isFunction)
      data->parent = of(value->parent.get());
    return value.withData(data);
  }

private:
  std::map<Frame *, std::shared_ptr<Frame>> made;
};

} // namespace

//===---- The function of the module ----===//

namespace {

/// One import of a recursive function's body.
class Body {
public:
  Body(Interpreter &outer, Outline &outline, const PyValue &callee, const Bindings &arguments, const Captures &captures)
      : outer(outer), outline(outline), callee(callee), arguments(arguments), captures(captures),
        in(outer.module, outer.diagnostics, outer.report) {
    in.outlines = outer.outlines;
    in.generators = outer.generators;
    for (const auto &[array, value] : outer.globalArrays)
      in.globalArrays[array] = PyValue::poison();
    in.autocast = outer.autocast;
    in.printOptions = outer.printOptions;
    in.callStack = outer.callStack;
    in.raised = outer.raised;
    in.temporaries = outer.temporaries;
    in.env.instances = outer.env.instances;
    in.tables = outer.tables;
    in.assigned = outer.assigned;
    in.assignedGlobals = outer.assignedGlobals;
    if (callee->isLibrary || isInstalled(callee->file)) {
      in.programNode = outer.programNode;
      in.programStatement = outer.programStatement;
      in.programFrame = frameOfProgram(outer, &in.installedFile);
    }
  }

  /// What it gives; nothing if no path returns.
  std::optional<Shape> import() {
    declare();
    py::Object definition = callee->definition;
    in.currentNode = definition;
    in.callStack.push_back(definition.get());
    RaisedResults raised(in, outline.caught, outline.leaves);
    in.body(definition);
    raised.addToReturns();
    return finish();
  }

private:
  void declare() {
    SmallVector<Type> types;
    for (const Shape &shape : outline.arguments)
      collectTypes(in, shape, types);
    std::string stem = (outer.ir.function.getName() + "." + callee->name).str(), name = stem;
    for (unsigned number = 1; outer.module.lookupSymbol(name); ++number)
      name = stem + std::to_string(number);
    in.env.frame = std::make_shared<Frame>(outer.env.frame->callLoc);
    Frame &frame = *in.env.frame;
    frame.file = callee->file;
    frame.definition = callee->definition;
    frame.globals = callee->globals;
    frame.closure = callee->closure;
    frame.isLibrary = frame.isLibraryCode = callee->isLibrary;
    frame.checksInts = computesPythonsInts(callee);
    frame.locals = in.syntax.localNames(callee->definition);
    Location loc = in.loc(callee->definition);
    frame.callLoc = loc;
    in.ir.setLoc(loc);
    in.ir.setInsertionPointToEnd(outer.module.getBody());
    in.ir.function = func::FuncOp::create(in.ir, loc, name, in.ir.getFunctionType(types, {}));
    in.ir.function.setPrivate();
    in.ir.function->setAttr("np.target", outer.ir.function->getAttr("np.target"));
    // Its arguments may be views of each other.
    in.ir.function->setAttr("np.general", in.ir.getUnitAttr());
    // A call that became a loop would never meet the end of the stack.
    in.ir.function->setAttr("passthrough", in.ir.getArrayAttr({in.ir.getStrArrayAttr({"disable-tail-calls", "true"})}));
    outline.function = in.ir.function;
    in.ir.setInsertionPointToStart(in.ir.function.addEntryBlock());
    if (!callee->isLibrary) // whose functions do not call themselves
      np::CheckStackOp::create(in.ir);

    ValueRange values = in.ir.function.getArguments();
    Scopes scopes;
    auto shape = outline.arguments.begin();
    for (const auto &argument : arguments)
      frame.bindings[argument.first] = scopes.moved(putTogether(in, *shape++, values, outline.instances));
    for (const auto &[scope, captured] : captures.names) {
      std::shared_ptr<Frame> made = scopes.of(scope);
      made->locals.insert(captured);
      PyValue value = scopes.moved(putTogether(in, *shape++, values, outline.instances));
      if (scope->cells.count(captured))
        made->cells[captured] = value->id;
      else
        made->bindings[captured] = value;
    }
    for (const HeldName &held : outline.held)
      frame.bindings[nameOf(held, outline.instances)] =
          scopes.moved(putTogether(in, *shape++, values, outline.instances));
    frame.parent = scopes.of(callee->parent.get());
    in.env.makeCells();
    atBegin = frame.bindings;
  }

  std::optional<Shape> finish() {
    NodeScope scope(in, in.env.frame->returnNode ? in.env.frame->returnNode : callee->definition);
    in.env.joinReturns();
    std::optional<Shape> result;
    TakenApart taken{{}, outline.instances, /*isClosed=*/true};
    SmallVector<Value> &values = taken.values;
    // What it has not changed its callers have as it is.
    std::set<std::string> changed;
    for (const HeldName &held : outline.heldAfter)
      changed.insert(nameOf(held, outline.instances));
    Bindings::findDifferent(atBegin, in.env.frame->bindings, [&](const std::string &name) { changed.insert(name); });
    outline.heldAfter.clear();
    if (in.env.isReachable) {
      Shape whole;
      whole.model = PyValue::sequence({});
      PyValue returned = in.env.readName(in.currentNode, "%return");
      if (noteNestedTuples(in, returned)) { // trees: each call gives a tuple of tuples like it
        in.fail("'" + callee->name + "' gives tuples of tuples that it gives");
        return result;
      }
      std::optional<Shape> given = takeApart(in, returned, taken);
      if (given) {
        whole.parts.push_back(std::move(*given));
        auto isChanged = [&](const std::string &name) { return changed.count(name) > 0; };
        if (takeHeld(in, taken, outline.heldAfter, whole.parts, isChanged))
          result = std::move(whole);
      }
    }
    if (result && outline.result)
      if (std::optional<Shape> joined = join(in, *outline.result, *result)) {
        ArrayRef<Value> all(values);
        SmallVector<Value> converted;
        convertValues(in, *result, *joined, all, converted);
        values = std::move(converted);
        result = joined;
      }
    if (in.env.isReachable)
      func::ReturnOp::create(in.ir, values);
    SmallVector<Type> types = llvm::to_vector(ValueRange(values).getTypes());
    in.endFailed(types);
    in.ir.function.setFunctionType(in.ir.getFunctionType(in.ir.function.getArgumentTypes(), types));
    in.closeFunction();
    return result;
  }

  Interpreter &outer;
  Outline &outline;
  const PyValue &callee;
  const Bindings &arguments;
  const Captures &captures;
  Interpreter in;
  Bindings atBegin; // what its names are bound to
};

} // namespace

/// Keeps what functions give that the next attempt imports again.
static void forgetBehind(Outlines &outlines, size_t known) {
  for (; outlines.all.size() > known; outlines.all.pop_back()) {
    std::unique_ptr<Outline> &last = outlines.all.back();
    if (last->hasFailed)
      continue;
    last->function.erase();
    last->function = {};
    if (last->result)
      outlines.earlier.push_back(std::move(last));
  }
}

/// What an earlier attempt has found that a function gives for these arguments, which is what the calls in its body are
/// taken to give now.
static void beginAsEarlier(Interpreter &in, Outline &outline) {
  for (const std::unique_ptr<Outline> &one : llvm::reverse(in.outlines->earlier)) {
    if (!(one->definition == outline.definition) || one->arguments.size() != outline.arguments.size() ||
        !isSame(one->held, outline.held) || !(one->caught == outline.caught) || one->leaves != outline.leaves ||
        one->instances.size() != outline.instances.size())
      continue;
    bool areSame = llvm::all_of(llvm::zip(one->arguments, outline.arguments), [&](const auto &pair) {
      return isSame(std::get<0>(pair), std::get<1>(pair)) && join(in, std::get<0>(pair), std::get<1>(pair));
    });
    if (!areSame)
      continue;
    outline.result = one->result;
    outline.heldAfter = one->heldAfter;
    return;
  }
}

/// Imports the body until what it gives is what its calls of itself were taken to give. False with an error reported.
static bool importBody(Interpreter &in, Outline &outline, const PyValue &callee, const Bindings &arguments,
                       const Captures &captures) {
  size_t errors = in.diagnostics.size(), known = in.outlines->all.size();
  for (int attempt = 0; attempt < attemptLimit; ++attempt) {
    outline.isWidened = outline.isAsked = false;
    forgetBehind(*in.outlines, known); // what an earlier attempt made calls what it made
    std::optional<Shape> before = outline.result;
    std::optional<Shape> result = Body(in, outline, callee, arguments, captures).import();
    if (in.diagnostics.size() > errors)
      return false;
    bool isSettled =
        !outline.isWidened && (result ? before && isSame(*before, *result) && join(in, *before, *result) : !before);
    if (isSettled || (!outline.isWidened && !outline.isAsked)) {
      outline.result = result;
      return true;
    }
    outline.function.erase();
    outline.function = {};
    if (result)
      outline.result = result;
  }
  in.fail("the types of what '" + callee->name + "' takes and gives do not settle", "give each of them one type");
  return false;
}

/// The function for these arguments: one that is there, or one whose body is being imported and takes them too.
static Outline *findOutline(Interpreter &in, const PyValue &callee, std::vector<Shape> &shapes, ArrayRef<HeldName> held,
                            const std::vector<py::Object> &caught, bool leaves) {
  for (const std::unique_ptr<Outline> &one : in.outlines->all) {
    if (one->hasFailed || !(one->definition == callee->definition) || !haveOneClosure(one->closure, callee->closure) ||
        one->arguments.size() != shapes.size() || !isSame(one->held, held) || !(one->caught == caught) ||
        one->leaves != leaves)
      continue;
    std::vector<Shape> joined;
    for (auto [mine, other] : llvm::zip(one->arguments, shapes))
      if (std::optional<Shape> both = join(in, mine, other))
        joined.push_back(std::move(*both));
    if (joined.size() != shapes.size())
      continue;
    bool isWider = !llvm::all_of(llvm::zip(one->arguments, joined),
                                 [](const auto &pair) { return isSame(std::get<0>(pair), std::get<1>(pair)); });
    if (isWider && !one->isOpen)
      continue;
    if (isWider) {
      one->arguments = std::move(joined);
      one->isWidened = true;
    }
    return one.get();
  }
  return nullptr;
}

/// Whether a function that is being imported calls itself with ever longer tuples, which are noted then. Trees of
/// tuples have tuples of several lengths, too, but an end.
static bool hasLongerTuples(Interpreter &in, const PyValue &callee, ArrayRef<Shape> shapes) {
  std::vector<const Outline *> open;
  for (const std::unique_ptr<Outline> &one : in.outlines->all)
    if (one->isOpen && one->definition == callee->definition && one->arguments.size() == shapes.size())
      open.push_back(one.get());
  if (open.size() < 2)
    return false;
  bool isLonger = false;
  for (auto [k, shape] : llvm::enumerate(shapes)) {
    const Shape &last = open.back()->arguments[k], &before = open[open.size() - 2]->arguments[k];
    if (shape.parts.size() > last.parts.size() && last.parts.size() > before.parts.size() &&
        meetAsLongTuples(in, last.model, shape.model))
      isLonger |= meetAsLongTuples(in, before.model, shape.model);
  }
  return isLonger;
}

/// Nothing follows on this path.
static void endHere(Interpreter &in) {
  in.env.failed.push_back(in.ir.getInsertionBlock());
  in.env.continueLost();
}

/// The values of arguments that the body does not read, or gives to itself only: its calls do not give them.
static void dropUnread(Interpreter &in, Outline &outline) {
  func::FuncOp function = outline.function;
  llvm::BitVector unread(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (llvm::all_of(argument.getUses(), [&](OpOperand &use) {
          auto call = dyn_cast<func::CallOp>(use.getOwner());
          return call && call.getCallee() == function.getSymName() && use.getOperandNumber() == argument.getArgNumber();
        }))
      unread.set(argument.getArgNumber());
  outline.unread = unread;
  if (unread.none())
    return;
  bool isCaller = false; // it, and what was imported with it
  for (const std::unique_ptr<Outline> &one : in.outlines->all) {
    isCaller |= one.get() == &outline;
    if (isCaller && one->function)
      one->function.walk([&](func::CallOp call) {
        if (call.getCallee() == function.getSymName())
          call->eraseOperands(unread);
      });
  }
  if (failed(function.eraseArguments(unread)))
    llvm_unreachable("arguments of a function that is not declared");
}

/// Whether a value is, or holds, a list of known items: another function has it as one of run-time length.
static bool holdsKnownList(const PyValue &value) {
  bool hasParts = value.hasItems() || value.is(PyValue::Kind::Union);
  return (value.isSequence() && value->isList && !value->items.empty()) ||
         (hasParts && llvm::any_of(value->items, holdsKnownList));
}

/// A list that a function of the library has changed, with what its caller knows of it.
static PyValue asBefore(Interpreter &in, const PyValue &before, const PyValue &now) {
  if (!isList(before) || !isList(now))
    return now;
  PyValue list = before.isLike(now) ? before.withItems(now->items) : now;
  list->site = before->site;
  list->owner = in.env.frame.get();
  list->isShared = false;
  return list;
}

/// Binds what a call has changed. `given`: what the objects held, as the call has it; of a function of the program's,
/// which may store into lists that are known here.
static void bindHeldAfter(Interpreter &in, const PyValue &callee, const Outline &outline, const TakenApart &taken,
                          ArrayRef<HeldName> held, ArrayRef<Shape> shapes, ArrayRef<Value> given, ValueRange results) {
  Bindings &bindings = in.env.frame->bindings;
  for (auto [name, shape] : llvm::zip(held, shapes)) {
    SmallVector<Type> types;
    collectTypes(in, shape, types);
    ValueRange values = given.take_front(types.size());
    given = given.drop_front(types.size());
    std::string bound = nameOf(name, taken.instances);
    if (!callee->isLibrary && holdsKnownList(bindings.at(bound)))
      bindings[bound] = putTogether(in, shape, values, taken.instances);
  }
  for (auto [name, shape] : llvm::zip(outline.heldAfter, ArrayRef(outline.result->parts).drop_front())) {
    PyValue now = putTogether(in, shape, results, taken.instances);
    std::string bound = nameOf(name, taken.instances);
    unsigned id = taken.instances[name.instance];
    bool isOfTable = !keyOfTable(in, id).empty();
    in.env.changedLists.ofTables |= isOfTable;
    if (!isOfTable && id < in.env.changedLists.firstOwn && isList(now))
      in.env.changedLists.boxes.insert(id);
    const PyValue *before = bindings.get(bound);
    bindings[bound] = callee->isLibrary && before ? asBefore(in, *before, now) : now;
  }
}

PyValue callOutlined(Interpreter &in, const PyValue &callee, const Bindings &arguments) {
  std::vector<py::Object> caught;
  if (!callee->isLibrary) // what that raises itself, no program sees
    caught = caughtHere(in);
  SmallVector<PyValue> given;
  bool takesAnyString = in.outlines->takingAnyString.count(callee->definition.get()) > 0;
  for (const auto &argument : arguments)
    given.push_back(takesAnyString && isString(argument.second) ? numbered(in, argument.second) : argument.second);
  auto call = [&](ArrayRef<PyValue> chosen) -> PyValue {
    Bindings bound;
    for (auto [argument, value] : llvm::zip(arguments, chosen))
      bound[argument.first] = value;
    Captures captures(in.syntax);
    captures.add(callee);
    for (const auto &argument : bound)
      captures.add(argument.second);
    TakenApart taken;
    taken.followsRows = callee->isLibrary;
    if (!callee->isLibrary) {
      for (const auto &table : in.tables) // all functions have them, by the same numbers
        taken.instances.push_back(table.second->id);
      if (in.assignedGlobals.is(PyValue::Kind::Instance))
        taken.instances.push_back(in.assignedGlobals->id);
    }
    SmallVector<Value> &values = taken.values;
    std::vector<Shape> shapes;
    std::vector<HeldName> held;
    auto add = [&](const PyValue &value) {
      std::optional<Shape> shape = takeApart(in, value, taken);
      if (shape)
        shapes.push_back(std::move(*shape));
      return shape.has_value();
    };
    for (const auto &argument : bound)
      if (!add(argument.second))
        return PyValue::poison();
    for (const auto &[scope, name] : captures.names)
      if (!add(scope->cells.count(name) ? cellObject(scope->cells.at(name)) : scope->bindings.at(name)))
        return PyValue::poison();

    size_t ofArguments = values.size();
    if (!takeHeld(in, taken, held, shapes))
      return PyValue::poison();

    bool leaves = in.env.outermost && !held.empty() && !callee->isLibrary;
    Outline *outline = findOutline(in, callee, shapes, held, caught, leaves);
    if (!outline) {
      // What is imported behind an error is not complete: it must not be there for the next attempt at a loop.
      if (in.hasErrors())
        return PyValue::poison();
      if (in.outlines->isTooLong())
        return in.fail("'" + callee->name + "' takes too long to import", "make smaller functions of it");
      if (hasLongerTuples(in, callee, shapes))
        return in.fail("'" + callee->name + "' calls itself with tuples of ever new lengths", "use lists");
      auto &all = in.outlines->all;
      size_t versions = llvm::count_if(
          all, [&](const auto &one) { return !one->hasFailed && one->definition == callee->definition; });
      size_t open =
          llvm::count_if(all, [&](const auto &one) { return one->isOpen && one->definition == callee->definition; });
      bool anyString = !takesAnyString && llvm::any_of(arguments, [](const auto &one) { return isString(one.second); });
      // Known ones, each of which has code of its own, and is imported twice with all that it calls.
      if ((versions == outlineLimit || open == mostOpen) && anyString)
        in.outlines->foundMore |= in.outlines->takingAnyString.insert(callee->definition.get()).second;
      if ((versions == outlineLimit && !callee->isLibrary) || (open == mostOpen && anyString))
        return in.fail("'" + callee->name + "' calls itself with ever new types", "give each argument one type");
      all.push_back(std::make_unique<Outline>());
      outline = all.back().get();
      outline->definition = callee->definition;
      outline->closure = callee->closure;
      outline->arguments = shapes;
      outline->instances = taken.instances;
      outline->held = held;
      outline->caught = caught;
      outline->leaves = leaves;
      beginAsEarlier(in, *outline);
      size_t known = all.size();
      bool isGood = importBody(in, *outline, callee, bound, captures);
      if (isGood)
        dropUnread(in, *outline);
      outline->isOpen = false;
      if (!isGood) {
        // What was made meanwhile may call it. An attempt at a loop whose errors are taken back must not find that.
        forgetBehind(*in.outlines, known);
        if (outline->function)
          outline->function.erase();
        outline->function = {};
        outline->hasFailed = true;
        return PyValue::poison();
      }
    }
    if (outline->isWidened && outline->isOpen) {
      endHere(in); // its body is imported again
      return PyValue::poison();
    }
    outline->isAsked |= outline->isOpen;
    ArrayRef<Value> given(values);
    SmallVector<Value> operands;
    for (auto [mine, wanted] : llvm::zip(shapes, outline->arguments))
      convertValues(in, mine, wanted, given, operands);
    SmallVector<Value> read;
    for (auto [number, operand] : llvm::enumerate(operands))
      if (outline->unread.empty() || !outline->unread[number])
        read.push_back(operand);
    SmallVector<Type> types;
    if (outline->result)
      collectTypes(in, *outline->result, types);
    auto made = func::CallOp::create(in.ir, outline->function.getSymName(), types, read);
    in.ir.clobber();
    if (!outline->result) { // as far as is known, it does not come back
      endHere(in);
      return PyValue::poison();
    }
    ValueRange results = made.getResults();
    PyValue result = putTogether(in, outline->result->parts.front(), results, taken.instances);
    bindHeldAfter(in, callee, *outline, taken, held, ArrayRef(shapes).take_back(held.size()),
                  ArrayRef(values).drop_front(ofArguments), results);
    return caught.empty() && !leaves ? result : raiseResult(in, result);
  };
  if (std::optional<PyValue> result = overAlternatives(in, given, call, /*isCall=*/true))
    return *result;
  return call(given);
}

} // namespace npcc::frontend
