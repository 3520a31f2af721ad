// Loops: a name that the body binds goes through a slot, whose type is found by importing the body until the types at the back edges are those at
// the header.
#include "frontend/importer/FunctionImporter.h"

#include "frontend/importer/Source.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace npcc::frontend {

/// The binding at a loop's header of a name that holds `value` before the loop.
PyValue FunctionImporter::widen(const std::string &name, const PyValue &value) {
  if (value.hasItems()) {
    std::vector<PyValue> items;
    for (auto [k, item] : llvm::enumerate(value->items))
      items.push_back(widen(name + "." + std::to_string(k), item));
    return value.withItems(std::move(items));
  }
  Type type = runtimeType(value);
  if (!type)
    return value;
  PyValue result = PyValue::composite(PyValue::Kind::Slot, nullptr);
  result.slot = slotFor(name, type);
  if (value.is(PyValue::Kind::Slot) && value.boundSlot)
    result.boundSlot = slotFor(name + ".bound", builder.getI1Type());
  return result;
}

/// The binding that holds what the header's does and `value`; the header's itself where that is enough.
PyValue FunctionImporter::unify(const std::string &name, const PyValue &header, const PyValue &value) {
  if (header.isPoison() || header.is(PyValue::Kind::Conflict) || header == value)
    return header;
  if (value.is(PyValue::Kind::Conflict))
    return value;
  if (header.hasItems() && value.hasItems()) {
    bool grows = value.isRuntimeList() && value->items.size() == 2 && header->isList && !header.isLike(value);
    if (grows && (header.isSequence() || (header->levels == value->levels && header->isPython == value->isPython))) {
      PyValue result = widen(name, value);
      result->isShared = header->isShared || value->isShared;
      return result;
    }
    if (!header.isLike(value))
      return PyValue::conflict("holds tuples or lists of different lengths in this loop");
    std::vector<PyValue> items;
    for (size_t k = 0; k < header->items.size(); ++k)
      items.push_back(unify(name + "." + std::to_string(k), header->items[k], value->items[k]));
    return items == header->items ? header : header.withItems(std::move(items));
  }
  if (value.isPoison())
    return header;
  bool maybeUnbound = header.boundSlot || value.is(PyValue::Kind::Unbound) || (value.is(PyValue::Kind::Slot) && value.boundSlot);
  Type mine = runtimeType(header), other = runtimeType(value);
  Type joined = value.is(PyValue::Kind::Unbound) ? mine : joinTypes(mine, other);
  if (!joined)
    return PyValue::conflict(value.is(PyValue::Kind::Slot) || (header.is(PyValue::Kind::Slot) && !value.isRuntime())
                                 ? "changes its type in this loop"
                                 : "changes its type in this loop (to " + describe(value) + ")");
  PyValue result = PyValue::composite(PyValue::Kind::Slot, nullptr);
  result.slot = slotFor(name, joined);
  if (maybeUnbound)
    result.boundSlot = slotFor(name + ".bound", builder.getI1Type());
  return result;
}

/// Puts `value` into the slots of `target`, at the insertion point.
void FunctionImporter::flush(const PyValue &target, const PyValue &value) {
  if (target.isRuntimeList() && value.hasItems() && !target.isLike(value)) {
    PyValue converted = growing(value, target);
    if (!converted.isPoison())
      flush(target, converted);
    return;
  }
  if (target.hasItems() && value.hasItems()) {
    for (auto [inner, item] : llvm::zip(target->items, value->items))
      flush(inner, item);
    return;
  }
  if (!target.is(PyValue::Kind::Slot))
    return;
  bool isUnbound = value.is(PyValue::Kind::Unbound);
  if (target.boundSlot && !(value.is(PyValue::Kind::Slot) && value.boundSlot == target.boundSlot)) {
    Value flag = arith::ConstantOp::create(builder, here(), builder.getBoolAttr(!isUnbound));
    np::SetOp::create(builder, here(), flag, target.boundSlot);
  }
  if (isUnbound || value.isPoison() || value.is(PyValue::Kind::Conflict) || value.slot == target.slot)
    return;
  PyValue present = value;
  if (value.is(PyValue::Kind::Slot)) {
    Type held = cast<np::SlotType>(value.slot.getType()).getValueType();
    present = PyValue::runtime(np::GetOp::create(builder, here(), held, value.slot));
  }
  if (Value converted = convertTo(present, cast<np::SlotType>(target.slot.getType()).getValueType()))
    np::SetOp::create(builder, here(), converted, target.slot);
}

void FunctionImporter::importLoop(Loop &loop) {
  std::map<std::string, PyValue> header;
  // A loop in a loop is imported again and again: what it must carry need not be found out each time.
  std::map<std::string, PyValue> &known = frame->carriedUnbound[loop.node];
  for (const std::string &name : loop.assigned) {
    auto found = frame->environment.find(name);
    bool isBound = found != frame->environment.end() && !found->second.is(PyValue::Kind::Unbound);
    if (!isBound && known.count(name))
      header[name] = known[name];
    else
      header[name] = isBound ? widen(name, found->second) : PyValue::unbound();
    if (isBound && hasOtherName(frame->environment, name, found->second) && header[name].hasItems())
      header[name]->isShared = true;
  }
  Snapshot before = snapshot();
  for (int attempt = 0; attempt < 12; ++attempt) {
    std::map<std::string, PyValue> tried = header;
    if (importLoopOnce(loop, header))
      return;
    rollBack(before);
    for (auto &[name, target] : header) {
      auto found = frame->environment.find(name);
      bool isBound = found != frame->environment.end() && !found->second.is(PyValue::Kind::Unbound);
      if (!isBound && !(target == tried[name]))
        known[name] = target;
    }
  }
  fail("the types of this loop's names do not settle", "give each name one type");
}

bool FunctionImporter::importLoopOnce(Loop &loop, std::map<std::string, PyValue> &header) {
  // What the body reads before it is bound here may be read before it is bound in an enclosing loop's body, too.
  std::set<std::string> readsOutside = std::move(unboundReads);
  unboundReads.clear();
  llvm::scope_exit settleReads([&] { unboundReads.insert(readsOutside.begin(), readsOutside.end()); });
  for (auto &[name, target] : header)
    if (!target.is(PyValue::Kind::Unbound)) {
      auto found = frame->environment.find(name);
      flush(target, found == frame->environment.end() ? PyValue::unbound() : found->second);
      frame->environment[name] = target;
    }
  Block *headerBlock = newBlock();
  SmallVector<Value> initial;
  if (loop.lower) {
    initial.push_back(loop.lower);
    loop.counter = headerBlock->addArgument(builder.getIndexType(), here());
  }
  auto entry = cf::BranchOp::create(builder, here(), headerBlock, initial);
  continueIn(headerBlock);
  ++depth;

  std::optional<bool> known;
  Value bit;
  if (loop.lower)
    bit = compareIndex(arith::CmpIPredicate::slt, loop.counter, loop.upper);
  else
    bit = truth(loop.condition(), known);
  std::vector<Edge> exits;
  if (known && !*known) {
    exits.push_back(edgeHere());
    isReachable = false;
  } else if (!known) {
    Block *body = newBlock(), *exit = newBlock();
    cf::CondBranchOp::create(builder, here(), bit, body, exit);
    exits.push_back({exit, frame->environment});
    continueIn(body);
  }

  LoopTargets targets;
  if (isReachable) {
    frame->loops.push_back(&targets);
    loop.body();
    frame->loops.pop_back();
    if (isReachable)
      targets.continues.push_back(edgeHere());
  }
  --depth;

  // Names that hold something else at a back edge than the header says.
  bool settled = true;
  std::map<std::string, PyValue> late;
  for (auto &[name, target] : header) {
    PyValue merged = target;
    bool maybeUnbound = false;
    for (Edge &edge : targets.continues) {
      auto found = edge.environment.find(name);
      PyValue value = found == edge.environment.end() ? PyValue::unbound() : found->second;
      maybeUnbound |= value.is(PyValue::Kind::Unbound) || (value.is(PyValue::Kind::Slot) && value.boundSlot);
      // After an error there is nothing to find out, and the error must stay.
      if (value.isPoison())
        continue;
      if (merged.is(PyValue::Kind::Unbound) && !value.is(PyValue::Kind::Unbound)) {
        merged = widen(name, value);
        if (merged.is(PyValue::Kind::Slot))
          merged.boundSlot = slotFor(name + ".bound", builder.getI1Type());
        continue;
      }
      merged = unify(name, merged, value);
      if (merged.hasItems() && !merged->isShared && value.hasItems() && hasOtherName(edge.environment, name, value)) {
        merged = merged.withItems(merged->items);
        merged->isShared = true;
      }
    }
    if (merged == target)
      continue;
    if (target.is(PyValue::Kind::Unbound)) {
      if (!maybeUnbound && !unboundReads.count(name)) {
        late[name] = merged; // bound in every iteration before it is read: not carried
        continue;
      }
      // An iteration that leaves the name alone keeps what an earlier one bound it to.
      if (!merged.is(PyValue::Kind::Slot) && !merged.isPoison() && !merged.is(PyValue::Kind::Conflict))
        merged = PyValue::conflict("may not be bound here");
    }
    target = merged;
    settled = false;
  }
  if (!settled)
    return false;

  for (auto &[name, target] : late)
    if (!target.is(PyValue::Kind::Slot) && !target.isPoison() && !target.is(PyValue::Kind::Conflict))
      target = PyValue::conflict("may not be bound here");
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(entry);
    for (auto &[name, target] : late)
      flush(target, PyValue::unbound());
  }
  Block *latch = targets.continues.size() > 1 ? newBlock() : nullptr;
  auto next = [&] {
    SmallVector<Value> arguments;
    if (loop.lower)
      arguments.push_back(arith::AddIOp::create(builder, here(), loop.counter, loop.step));
    cf::BranchOp::create(builder, here(), headerBlock, arguments);
  };
  for (Edge &edge : targets.continues) {
    builder.setInsertionPointToEnd(edge.block);
    for (auto *targetsOf : {&header, &late})
      for (auto &[name, target] : *targetsOf) {
        auto found = edge.environment.find(name);
        PyValue value = found == edge.environment.end() ? PyValue::unbound() : found->second;
        // A late name that this path leaves alone keeps what it had.
        if (!(targetsOf == &late && value.is(PyValue::Kind::Unbound)))
          flush(target, value);
      }
    if (latch)
      cf::BranchOp::create(builder, here(), latch);
    else
      next();
  }
  if (latch) {
    builder.setInsertionPointToEnd(latch);
    next();
  }

  // After the loop.
  auto bindLate = [&](Edge &edge) {
    for (auto &[name, target] : late) {
      PyValue &value = edge.environment[name];
      if (value.isPoison() || value.is(PyValue::Kind::Unbound))
        value = target;
    }
  };
  for (Edge &edge : exits)
    bindLate(edge);
  for (Edge &edge : targets.breaks)
    bindLate(edge);
  if (exits.empty()) {
    isReachable = false;
  } else {
    continueIn(exits.front().block);
    frame->environment = exits.front().environment;
    statements(loop.otherwise);
  }
  std::vector<Edge> after = std::move(targets.breaks);
  if (isReachable)
    after.push_back(edgeHere());
  joinEdges(std::move(after));
  return true;
}

void FunctionImporter::whileStatement(const py::Object &node) {
  Loop loop;
  loop.node = node.get();
  assignedNames(node, loop.assigned);
  grownNames(node, loop.assigned);
  loop.condition = [&] { return condition(node["test"]); };
  loop.body = [&] { statements(node.list("body")); };
  loop.otherwise = node.list("orelse");
  importLoop(loop);
}

void FunctionImporter::breakStatement() {
  frame->loops.back()->breaks.push_back(edgeHere());
  isReachable = false;
}

void FunctionImporter::continueStatement() {
  frame->loops.back()->continues.push_back(edgeHere());
  isReachable = false;
}

void FunctionImporter::unrolledLoop(size_t count, llvm::function_ref<void(size_t)> body, const std::vector<py::Object> &otherwise) {
  LoopTargets targets;
  frame->loops.push_back(&targets);
  for (size_t k = 0; k < count && isReachable; ++k) {
    body(k);
    if (isReachable)
      targets.continues.push_back(edgeHere());
    joinEdges(std::move(targets.continues));
    targets.continues.clear();
  }
  frame->loops.pop_back();
  if (isReachable)
    statements(otherwise);
  std::vector<Edge> after = std::move(targets.breaks);
  if (isReachable)
    after.push_back(edgeHere());
  joinEdges(std::move(after));
}

} // namespace npcc::frontend
