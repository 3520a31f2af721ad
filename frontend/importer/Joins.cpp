// Where control flow meets: one binding for each name, through slots where they differ.
#include "frontend/importer/Interpreter.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Values.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;

namespace npcc::frontend {

/// Puts builder at the end of an edge's block.
static void goTo(OpBuilder &builder, const Edge &edge) { builder.setInsertionPointToEnd(edge.block); }

PyValue Environment::joinValues(const std::string &name, ArrayRef<PyValue> given, std::vector<Edge> &edges) {
  bool same = true, anyUnbound = false, allSequences = true;
  Type type;
  bool first = true;
  for (const PyValue &value : given) {
    same &= value == given.front();
    if (value.isPoison())
      return PyValue::poison();
    if (value.is(PyValue::Kind::Conflict))
      return value;
    anyUnbound |= value.is(PyValue::Kind::Unbound) || (value.is(PyValue::Kind::Slot) && value.boundSlot);
    allSequences &= value.hasItems();
  }
  if (same)
    return given.front();

  // Where a list has grown on one path, it is one that grows on all.
  auto grows =
      llvm::find_if(given, [](const PyValue &value) { return value.isRuntimeList() && value->items.size() == 2; });
  SmallVector<PyValue> values(given);
  if (allSequences && grows != given.end())
    for (auto [value, edge] : llvm::zip(values, edges))
      if (value->isList && !value.isLike(*grows)) {
        OpBuilder::InsertionGuard guard(ir);
        goTo(ir, edge);
        ir.forgetCaches();
        value = growing(in, value, *grows);
        if (value.isPoison())
          return value;
      }

  if (allSequences) {
    bool alike = true, isShared = false;
    for (auto [value, edge] : llvm::zip(values, edges))
      isShared |= value->isShared || hasOtherName(edge.bindings, name, value);
    for (const PyValue &value : values)
      alike &= value.isLike(values.front());
    if (!alike)
      return PyValue::conflict("holds tuples or lists of different lengths here");
    std::vector<PyValue> items;
    for (size_t k = 0; k < values.front()->items.size(); ++k) {
      SmallVector<PyValue> column;
      for (const PyValue &value : values)
        column.push_back(value->items[k]);
      items.push_back(joinValues(name + "." + std::to_string(k), column, edges));
      if (items.back().isPoison() || items.back().is(PyValue::Kind::Conflict))
        return items.back();
    }
    PyValue result = values.front().withItems(std::move(items));
    result->isShared = isShared;
    return result;
  }

  for (const PyValue &value : values) {
    if (value.is(PyValue::Kind::Unbound))
      continue;
    Type mine = runtimeType(in, value);
    Type joined = first ? mine : joinTypes(in, type, mine);
    if (!joined) {
      // Two paths that differ, in words.
      std::string one, other;
      for (const PyValue &each : values) {
        if (each.is(PyValue::Kind::Unbound))
          continue;
        std::string words = describe(in, each);
        if (one.empty())
          one = words;
        else if (words != one)
          other = words;
      }
      return PyValue::conflict("is " + one + " on one path and " + (other.empty() ? "another" : other) + " on another");
    }
    type = joined;
    first = false;
  }

  OpBuilder::InsertionGuard guard(ir);
  Value slot = slotFor(name, type);
  Value boundSlot = anyUnbound ? slotFor(name + ".bound", ir.getI1Type()) : Value();
  for (auto [value, edge] : llvm::zip(values, edges)) {
    goTo(ir, edge);
    bool isUnbound = value.is(PyValue::Kind::Unbound);
    if (boundSlot && !(value.is(PyValue::Kind::Slot) && value.boundSlot == boundSlot)) {
      Value flag = ir.boolean(!isUnbound);
      np::SetOp::create(ir, flag, boundSlot);
    }
    if (isUnbound || value.slot == slot)
      continue;
    PyValue present = value;
    if (value.is(PyValue::Kind::Slot)) {
      Type held = cast<np::SlotType>(value.slot.getType()).getValueType();
      present = PyValue::runtime(np::GetOp::create(ir, held, value.slot));
    }
    if (Value converted = convertTo(in, present, type))
      np::SetOp::create(ir, converted, slot);
  }
  PyValue result = PyValue::composite(PyValue::Kind::Slot, nullptr);
  result.slot = slot;
  result.boundSlot = boundSlot;
  return result;
}

static bool isLostIn(Block *block) { return !block->isEntryBlock() && block->hasNoPredecessors(); }

bool Environment::isLost() const { return isLostIn(ir.getInsertionBlock()); }

void Environment::joinEdges(std::vector<Edge> edges) {
  llvm::erase_if(edges, [](const Edge &edge) { return isLostIn(edge.block); });
  if (edges.empty()) {
    isReachable = false;
    return;
  }
  isReachable = true;
  if (edges.size() == 1) {
    ir.setInsertionPointToEnd(edges.front().block);
    frame->bindings = std::move(edges.front().bindings);
    return;
  }
  std::set<std::string> names;
  for (const Edge &edge : edges)
    for (const auto &[name, value] : edge.bindings)
      names.insert(name);
  Bindings joined;
  for (const std::string &name : names) {
    SmallVector<PyValue> values;
    for (const Edge &edge : edges) {
      auto found = edge.bindings.find(name);
      values.push_back(found == edge.bindings.end() ? PyValue::unbound() : found->second);
    }
    // Temporaries of expressions live on one path only.
    if (name[0] == '%' && llvm::is_contained(values, PyValue::unbound()))
      continue;
    joined[name] = joinValues(name, values, edges);
  }
  Block *block = ir.newBlock();
  for (const Edge &edge : edges) {
    goTo(ir, edge);
    cf::BranchOp::create(ir, block);
  }
  continueIn(block);
  frame->bindings = std::move(joined);
}

} // namespace npcc::frontend
