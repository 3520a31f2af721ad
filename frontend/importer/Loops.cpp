// Loops: a name that the body binds goes through a slot, whose type is found by importing the body until the types at
// the back edges are those at the header.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/LoopMemory.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Recursion.h"

#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace npcc::frontend {

/// What a loop binds a name to, where it may have no iteration: a union of that alone, which says whether it is bound.
static PyValue orUnbound(Interpreter &in, const std::string &name, const PyValue &value) {
  if (value.is(PyValue::Kind::Slot) || value.isPoison() || value.is(PyValue::Kind::Conflict))
    return value;
  PyValue result = unionOf(in, name, PyValue::unbound(), value);
  return result.is(PyValue::Kind::Union) ? result : PyValue::conflict("may not be bound here");
}

static bool importLoopOnce(Interpreter &in, Loop &loop, std::map<std::string, PyValue> &header);

void importLoop(Interpreter &in, Loop &loop) {
  std::map<std::string, PyValue> header;
  // A loop in a loop is imported again and again: what it must carry need not be found out each time.
  std::map<std::string, PyValue> &known = in.env.frame->carriedUnbound[loop.node];
  for (const std::string &name : loop.assigned) {
    auto found = in.env.frame->bindings.find(name);
    bool isBound = found != in.env.frame->bindings.end() && !found->second.is(PyValue::Kind::Unbound);
    if (!isBound && known.count(name))
      header[name] = known[name];
    else
      header[name] = isBound ? in.env.widen(name, found->second) : PyValue::unbound();
    if (isBound && hasOtherName(in.env.frame->bindings, name, found->second) && header[name].hasItems()) {
      header[name]->isShared = true;
      noteMeeting(in, {found->second, header[name]}, {in.env.edgeHere(), in.env.edgeHere()});
    }
  }
  LoopScope scope(in, loop);
  scope.begin(header);
  Environment::Snapshot before = in.env.snapshot();
  for (int attempt = 0; attempt < 12; ++attempt) {
    scope.beginAttempt();
    std::map<std::string, PyValue> tried = header;
    if (importLoopOnce(in, loop, header)) {
      scope.settle(header, before.bindings);
      return;
    }
    in.env.rollBack(before);
    for (auto &[name, target] : header) {
      auto found = in.env.frame->bindings.find(name);
      bool isBound = found != in.env.frame->bindings.end() && !found->second.is(PyValue::Kind::Unbound);
      if (!isBound && !(target == tried[name]))
        known[name] = target;
    }
  }
  in.fail("the types of this loop's names do not settle", "give each name one type");
}

/// Whether an iteration left alone what a name of an object held before it: a slot that was at most read. What was read
/// before and lies in the slot again may be another value.
static bool isUnchanged(const PyValue &before, const PyValue &value) {
  bool isUnion = before.is(PyValue::Kind::Union) && value.is(PyValue::Kind::Union);
  if (before == value || (before.is(PyValue::Kind::Slot) && before.slot == value.slot))
    return true;
  if (isUnion ? before.ir() || before.slot != value.slot || before->items.size() != value->items.size()
              : !before.hasItems() || !value.hasItems() || !before.isLike(value))
    return false;
  return llvm::all_of(llvm::zip(before->items, value->items),
                      [](const auto &pair) { return isUnchanged(std::get<0>(pair), std::get<1>(pair)); });
}

/// Adds to what the loop carries what objects that exist before it hold, where the body changes that. False if there is
/// such.
static bool carryHeld(Interpreter &in, const Bindings &before, const Edge &edge,
                      std::map<std::string, PyValue> &header) {
  bool settled = true;
  for (const auto &[name, value] : heldBindings(edge.bindings)) {
    bool isKeys = name.find('.') == std::string::npos;
    auto found = before.find(name);
    if (header.count(name) || !before.count("@" + std::to_string(*instanceOf(name))) ||
        (found != before.end() && isUnchanged(found->second, value)))
      continue;
    header[name] = isKeys                  ? in.env.joinKeys({found->second, value})
                   : found == before.end() ? PyValue::unbound()
                                           : in.env.unify(name, in.env.widen(name, found->second), value);
    settled = false;
  }
  return settled;
}

/// The object that a name of what one holds is of ("@7", "@7.mass"), if an edge brings it.
static bool bringsObject(const Edge &edge, StringRef name) {
  std::optional<unsigned> id = instanceOf(name);
  return id && edge.bindings.count("@" + std::to_string(*id));
}

/// What objects hold that the body makes anew in each iteration, as far as the names that are bound behind the loop
/// lead to them: it lives on as those names do.
static void addHeld(Interpreter &in, const Bindings &atHeader, ArrayRef<Edge> edges,
                    std::map<std::string, PyValue> &late) {
  std::set<unsigned> done, open;
  for (const auto &[name, value] : late)
    reachedInstances(value, open);
  while (!open.empty()) {
    unsigned id = *open.begin();
    open.erase(open.begin());
    std::string keys = "@" + std::to_string(id);
    if (!done.insert(id).second || atHeader.count(keys))
      continue;
    SmallVector<PyValue> allKeys;
    std::map<std::string, SmallVector<PyValue>> held;
    for (const Edge &edge : edges) {
      auto at = edge.bindings.find(keys);
      if (at == edge.bindings.end())
        continue;
      allKeys.push_back(at->second);
      for (++at; at != edge.bindings.end() && instanceOf(at->first) == id; ++at)
        held[at->first].push_back(at->second);
    }
    if (allKeys.empty())
      continue;
    late[keys] = in.env.joinKeys(allKeys);
    for (auto &[name, values] : held) {
      PyValue merged = in.env.widen(name, values.front());
      for (const PyValue &value : ArrayRef(values).drop_front())
        merged = in.env.unify(name, merged, value);
      if (values.size() < allKeys.size())
        merged = in.env.unify(name, merged, PyValue::unbound());
      late[name] = merged;
      reachedInstances(merged, open);
    }
  }
}

/// A number of Python's before a loop: whether it is one, and its type.
using PythonNumber = std::pair<Value, Type>;

/// Names that are Python's numbers before the loop and, as far as the header says, none after each iteration.
static std::map<std::string, PythonNumber> numbersBefore(Interpreter &in,
                                                         const std::map<std::string, PyValue> &header) {
  std::map<std::string, PythonNumber> numbers;
  for (const auto &[name, target] : header) {
    auto found = in.env.frame->bindings.find(name);
    if (target.is(PyValue::Kind::Slot) && !target.boundSlot && !target.pythonBit &&
        found != in.env.frame->bindings.end())
      if (Type type = carriedPythonType(in, found->second, runtimeType(in, target)))
        numbers[name] = {pythonBitOf(in, found->second, type), type};
  }
  return numbers;
}

/// Binds names to what the loop's header holds, which is what they held before it. What becomes an item of a table on
/// its way there changes what the table's object holds, so that goes in again.
static void enterHeader(Interpreter &in, const std::map<std::string, PyValue> &header) {
  std::map<std::string, PyValue> held;
  for (bool isSettled = false; !isSettled;) {
    isSettled = true;
    for (auto &[name, target] : header) {
      auto found = in.env.frame->bindings.find(name);
      PyValue value = found == in.env.frame->bindings.end() ? PyValue::unbound() : found->second;
      auto [before, isNew] = held.insert({name, value});
      if (target.is(PyValue::Kind::Unbound) || (!isNew && (before->second == value || name[0] != '@')))
        continue;
      before->second = value;
      in.env.flush(target, value);
      isSettled = false;
    }
  }
  for (auto &[name, target] : header)
    if (!target.is(PyValue::Kind::Unbound))
      in.env.frame->bindings[name] = target;
}

static bool importLoopOnce(Interpreter &in, Loop &loop, std::map<std::string, PyValue> &header) {
  // What the body reads before it is bound here may be read before it is bound in an enclosing loop's body, too.
  std::set<std::string> readsOutside = std::move(in.env.unboundReads);
  in.env.unboundReads.clear();
  llvm::scope_exit settleReads([&] { in.env.unboundReads.insert(readsOutside.begin(), readsOutside.end()); });
  std::map<std::string, PythonNumber> numbers = numbersBefore(in, header);
  enterHeader(in, header);
  Block *headerBlock = in.ir.newBlock();
  SmallVector<Value> initial;
  if (loop.lower) {
    initial.push_back(loop.lower);
    loop.counter = headerBlock->addArgument(in.ir.getIndexType(), in.ir.getLoc());
  }
  auto entry = cf::BranchOp::create(in.ir, headerBlock, initial);
  in.env.continueIn(headerBlock);
  ++in.env.depth;
  if (in.outlines)
    ++in.outlines->loops;

  // The counter tells the first iteration from the others; without one, a bit is carried.
  auto setPythonBits = [&](arith::CmpIPredicate predicate, Value left, Value right) {
    for (const auto &[name, number] : numbers) {
      PyValue binding = in.env.frame->bindings.at(name);
      if (binding.is(PyValue::Kind::Slot))
        binding = in.env.readSlot(binding, name);
      Value hasNoIteration = in.ir.compareIndex(predicate, left, right);
      Value slot = binding.slot;
      Value isPython = in.ir.createOrFold<arith::AndIOp>(number.first, hasNoIteration);
      binding = withPythonBit(in, withoutPythonBit(binding), isPython, number.second);
      binding.slot = binding.pythonBit ? slot : Value();
      in.env.frame->bindings[name] = binding;
    }
  };
  if (loop.lower)
    setPythonBits(arith::CmpIPredicate::eq, loop.counter, loop.lower);

  Bindings atHeader = heldBindings(in.env.frame->bindings);
  size_t changedLists = in.env.changedLists.size();
  std::optional<bool> known;
  Value bit;
  if (loop.lower)
    bit = in.ir.compareIndex(arith::CmpIPredicate::slt, loop.counter, loop.upper);
  else
    bit = truth(in, loop.condition(), known);
  std::vector<Edge> exits;
  if (known && !*known) {
    exits.push_back(in.env.edgeHere());
    in.env.isReachable = false;
  } else if (!known) {
    Block *body = in.ir.newBlock(), *exit = in.ir.newBlock();
    cf::CondBranchOp::create(in.ir, bit, body, exit);
    exits.push_back({exit, in.env.frame->bindings});
    in.env.continueIn(body);
  }

  LoopTargets targets;
  targets.header = headerBlock;
  if (in.env.isReachable) {
    in.env.frame->loops.push_back(&targets);
    loop.body();
    in.env.frame->loops.pop_back();
    if (in.env.isReachable)
      targets.continues.push_back(in.env.edgeHere());
  }
  --in.env.depth;
  if (in.outlines)
    --in.outlines->loops;

  // Names that hold something else at a back edge than the header says.
  bool settled = true;
  std::map<std::string, PyValue> late;
  for (auto &[name, target] : header) {
    PyValue merged = target;
    bool maybeUnbound = false;
    for (Edge &edge : targets.continues) {
      auto found = edge.bindings.find(name);
      PyValue value = found == edge.bindings.end() ? PyValue::unbound() : found->second;
      maybeUnbound |= value.is(PyValue::Kind::Unbound) || value.boundSlot; // unions have one too
      // After an error there is nothing to find out, and the error must stay.
      if (value.isPoison())
        continue;
      if (merged.is(PyValue::Kind::Unbound) && !value.is(PyValue::Kind::Unbound)) {
        merged = in.env.widen(name, value);
        if (merged.is(PyValue::Kind::Slot))
          merged.boundSlot = in.env.slotFor(name + ".bound", in.ir.getI1Type());
        continue;
      }
      merged = in.env.unify(name, merged, value);
      if (merged.hasItems() && !merged->isShared && value.hasItems() && hasOtherName(edge.bindings, name, value)) {
        merged = merged.withItems(merged->items);
        merged->isShared = true;
        noteMeeting(in, {value, merged}, {edge, edge});
      }
    }
    if (auto number = numbers.find(name);
        !loop.lower && number != numbers.end() && merged.is(PyValue::Kind::Slot) && !merged.pythonBit) {
      merged.pythonBit = in.env.slotFor(name + pythonBitSuffix.str(), in.ir.getI1Type());
      merged.pythonType = number->second.second;
    }
    if (merged == target)
      continue;
    if (target.is(PyValue::Kind::Unbound)) {
      if (!maybeUnbound && !in.env.unboundReads.count(name)) {
        late[name] = merged; // bound in every iteration before it is read: not carried
        continue;
      }
      // An iteration that leaves the name alone keeps what an earlier one bound it to.
      merged = orUnbound(in, name, merged);
    }
    target = merged;
    settled = false;
  }
  for (Edge &edge : targets.continues)
    settled &= carryHeld(in, atHeader, edge, header);
  // What is raised at the beginning of the body leaves the changes of the iteration before behind.
  settled &= !in.env.outermost || in.env.changedLists.size() == changedLists;
  if (!settled)
    return false;

  addHeld(in, atHeader, targets.continues, late);
  // What an object of before the loop holds may be unbound behind it, as names may. What one holds that an iteration
  // makes is there where the object is.
  auto isOfBody = [&](const std::string &name) {
    std::optional<unsigned> id = instanceOf(name);
    return id && !atHeader.count("@" + std::to_string(*id));
  };
  for (auto &[name, target] : late)
    if (!isOfBody(name))
      target = orUnbound(in, name, target);
  {
    OpBuilder::InsertionGuard guard(in.ir);
    in.ir.setInsertionPoint(entry);
    for (auto &[name, target] : late)
      in.env.flush(target, PyValue::unbound());
  }
  Block *latch = targets.continues.size() > 1 ? in.ir.newBlock() : nullptr;
  auto next = [&] {
    SmallVector<Value> arguments;
    if (loop.lower)
      arguments.push_back(arith::AddIOp::create(in.ir, loop.counter, loop.step));
    cf::BranchOp::create(in.ir, headerBlock, arguments);
  };
  for (Edge &edge : targets.continues) {
    in.ir.setInsertionPointToEnd(edge.block);
    for (auto *targetsOf : {&header, &late})
      for (auto &[name, target] : *targetsOf) {
        auto found = edge.bindings.find(name);
        PyValue value = found == edge.bindings.end() ? PyValue::unbound() : found->second;
        llvm::SaveAndRestore<bool> flushing(in.env.isFlushing, true);
        // A late name that this path leaves alone keeps what it had.
        if (targetsOf != &late || !value.is(PyValue::Kind::Unbound) || (isOfBody(name) && bringsObject(edge, name)))
          in.env.flush(target, value);
      }
    if (latch)
      cf::BranchOp::create(in.ir, latch);
    else
      next();
  }
  if (latch) {
    in.ir.setInsertionPointToEnd(latch);
    next();
  }

  // After the loop.
  auto bindLate = [&](Edge &edge) {
    std::set<std::string> own; // of objects that were made on this path
    for (auto &[name, target] : late)
      if (isOfBody(name) && bringsObject(edge, name))
        own.insert(name);
    for (auto &[name, target] : late) {
      if (own.count(name))
        continue;
      PyValue &value = edge.bindings[name];
      if (value.isPoison() || value.is(PyValue::Kind::Unbound))
        value = target;
    }
  };
  for (Edge &edge : exits)
    bindLate(edge);
  for (Edge &edge : targets.breaks)
    bindLate(edge);
  if (exits.empty()) {
    in.env.isReachable = false;
  } else {
    in.env.continueIn(exits.front().block);
    in.env.frame->bindings = exits.front().bindings;
    if (loop.lower)
      setPythonBits(arith::CmpIPredicate::sge, loop.lower, loop.upper);
    in.statements(loop.otherwise);
  }
  std::vector<Edge> after = std::move(targets.breaks);
  if (in.env.isReachable)
    after.push_back(in.env.edgeHere());
  in.env.joinEdges(std::move(after));
  return true;
}

void whileStatement(Interpreter &in, const py::Object &node) {
  Loop loop;
  loop.node = node.get();
  in.syntax.addAssigned(node, loop.assigned);
  grownNames(in, node, loop.assigned);
  loop.condition = [&] { return condition(in, node["test"]); };
  loop.body = [&] {
    Narrowed narrowed(in, node["test"], true); // what meets the next iteration is the name's own type again
    in.statements(node.list("body"));
  };
  loop.otherwise = node.list("orelse");
  importLoop(in, loop);
}

void breakStatement(Interpreter &in) {
  runFinals(in, in.env.frame->loops.size());
  if (!in.env.isReachable)
    return;
  in.env.frame->loops.back()->breaks.push_back(in.env.edgeHere());
  in.env.isReachable = false;
}

void continueStatement(Interpreter &in) {
  runFinals(in, in.env.frame->loops.size());
  if (!in.env.isReachable)
    return;
  in.env.frame->loops.back()->continues.push_back(in.env.edgeHere());
  in.env.isReachable = false;
}

void unrolledLoop(Interpreter &in, size_t count, llvm::function_ref<void(size_t)> body,
                  const std::vector<py::Object> &otherwise) {
  LoopTargets targets;
  in.env.frame->loops.push_back(&targets);
  for (size_t k = 0; k < count && in.env.isReachable; ++k) {
    body(k);
    if (in.env.isReachable)
      targets.continues.push_back(in.env.edgeHere());
    in.env.joinEdges(std::move(targets.continues));
    targets.continues.clear();
  }
  in.env.frame->loops.pop_back();
  if (in.env.isReachable)
    in.statements(otherwise);
  std::vector<Edge> after = std::move(targets.breaks);
  if (in.env.isReachable)
    after.push_back(in.env.edgeHere());
  in.env.joinEdges(std::move(after));
}

} // namespace npcc::frontend
