// Where control flow meets: one binding for each name, through slots where they differ.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/IntOrFloat.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Unions.h"
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
  noteMeeting(in, given, edges);

  // Strings that are known at run time only have numbers, and so have those that meet them.
  SmallVector<PyValue> values(given);
  if (meetAsStrings(given))
    for (auto [value, edge] : llvm::zip(values, edges)) {
      OpBuilder::InsertionGuard guard(ir);
      goTo(ir, edge);
      ir.forgetCaches();
      value = numbered(in, value);
      if (value.isPoison())
        return value;
      allSequences = true;
    }

  if (llvm::any_of(values, [](const PyValue &value) { return value.is(PyValue::Kind::Union); }))
    return joinAsUnion(in, name, given, edges);

  // Where a list has grown on one path, it is one that grows on all.
  auto grows = llvm::find_if(given, isGrown);
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

  // A list that is an object has one length on each path, known or not: it is not one of several lists.
  bool isBoxed = name[0] == '@' && StringRef(name).ends_with(".items") && allSequences && grows == given.end() &&
                 llvm::all_of(values, [](const PyValue &value) { return value.isSequence() && value->isList; }) &&
                 !llvm::all_of(values, [&](const PyValue &value) { return value.isLike(values.front()); });
  if (isBoxed) {
    OpBuilder::InsertionGuard guard(ir);
    PyValue model;
    for (bool isEmpty : {false, true}) // one that has items says what they are
      for (auto [value, edge] : llvm::zip(values, edges)) {
        if (value.isSequence() && value->items.empty() != isEmpty)
          continue;
        goTo(ir, edge);
        ir.forgetCaches();
        value = isEmpty ? growing(in, value, model) : ofRuntimeLength(in, value);
        if (value.isPoison())
          return value;
        model = value;
      }
  }

  auto isNumpys = [](const PyValue &value) { return value.isRuntimeList() && !value->isPython; };
  if (allSequences && llvm::any_of(values, isNumpys))
    for (PyValue &value : values)
      if (value.isRuntimeList() && value->isPython)
        value = asNumpys(value);

  if (allSequences) {
    bool alike = true, isShared = false;
    int holdsCopies = 0;
    for (auto [value, edge] : llvm::zip(values, edges)) {
      isShared |= value->isShared || hasOtherName(edge.bindings, name, value);
      holdsCopies = std::max(holdsCopies, value->holdsCopies);
    }
    for (const PyValue &value : values) {
      alike &= value.isLike(values.front()) && haveOneType(in, values.front(), value);
      if (meetAsMixed(in, values.front(), value))
        return PyValue::conflict("holds items of other types on another path");
    }
    if (!alike)
      return joinAsUnion(in, name, given, edges);
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
    result->isJoined = llvm::any_of(values, [](const PyValue &value) { return value->isJoined; });
    result->holdsCopies = holdsCopies;
    return result;
  }

  const PyValue *earlier = nullptr;
  for (const PyValue &value : values) {
    if (value.is(PyValue::Kind::Unbound))
      continue;
    Type mine = runtimeType(in, value);
    if (earlier && keepsApart(in, name, *earlier, value))
      return joinAsUnion(in, name, given, edges);
    earlier = &value;
    Type joined = first ? mine : joinTypes(in, type, mine);
    if (!joined)
      return joinAsUnion(in, name, given, edges);
    type = joined;
    first = false;
  }

  PyValue result = PyValue::composite(PyValue::Kind::Slot, nullptr);
  result.slot = slotFor(name, type);
  if (anyUnbound)
    result.boundSlot = slotFor(name + ".bound", ir.getI1Type());
  if (needsIntBit(values, type))
    result.intBit = slotFor(name + intBitSuffix.str(), ir.getI1Type());
  flushOn(edges, result, values);
  return result;
}

void Environment::flushOn(ArrayRef<Edge> edges, const PyValue &target, ArrayRef<PyValue> values) {
  OpBuilder::InsertionGuard guard(ir);
  for (auto [value, edge] : llvm::zip(values, edges)) {
    goTo(ir, edge);
    ir.forgetCaches();
    flush(target, value);
  }
  ir.forgetCaches();
}

/// What objects hold where edges meet: of those that exist on all of them, and of the others as far as a name leads to
/// them. An object that is there on some paths only is reached where it is there.
void Environment::joinInstances(const std::set<std::string> &names, std::vector<Edge> &edges, Bindings &joined) {
  auto first = names.lower_bound("@"), last = names.lower_bound("A");
  if (first == last)
    return;
  std::map<unsigned, std::vector<std::string>> held;
  for (const std::string &name : llvm::make_range(first, last))
    held[*instanceOf(name)].push_back(name);
  std::set<unsigned> reached;
  auto existsIn = [](const Edge &edge, unsigned id) { return edge.bindings.count("@" + std::to_string(id)) > 0; };
  for (const auto &[id, of] : held)
    if (llvm::all_of(edges, [&, id = id](const Edge &edge) { return existsIn(edge, id); }))
      reached.insert(id);
  for (const auto &[name, value] : joined)
    reachedInstances(value, reached);
  std::set<unsigned> done;
  while (done.size() < reached.size()) {
    unsigned id = *llvm::find_if(reached, [&](unsigned one) { return !done.count(one); });
    done.insert(id);
    std::vector<Edge> existing;
    llvm::copy_if(edges, std::back_inserter(existing), [&](const Edge &edge) { return existsIn(edge, id); });
    for (const std::string &name : held[id]) {
      SmallVector<PyValue> values;
      for (const Edge &edge : existing) {
        auto found = edge.bindings.find(name);
        values.push_back(found == edge.bindings.end() ? PyValue::unbound() : found->second);
      }
      PyValue &value = joined[name];
      if (name.find('.') == std::string::npos)
        value = joinKeys(values);
      else if (existing.size() == edges.size())
        value = joinValues(name, values, existing);
      else
        value = joinSome(name, values, existing);
      reachedInstances(value, reached);
    }
  }
}

/// The keys that an object has on some path. One that a path lacks is not bound there.
PyValue Environment::joinKeys(ArrayRef<PyValue> values) {
  PyValue longest = values.front();
  for (const PyValue &value : values) {
    if (!value.isObject())
      return value;
    if (PyTuple_Size(value.object().get()) > PyTuple_Size(longest.object().get()))
      longest = value;
  }
  for (const PyValue &value : values)
    for (Py_ssize_t k = 0; k < PyTuple_Size(value.object().get()); ++k)
      if (PyObject_RichCompareBool(PyTuple_GetItem(value.object().get(), k), PyTuple_GetItem(longest.object().get(), k),
                                   Py_EQ) != 1)
        return PyValue::conflict("has other keys on another path");
  return longest;
}

/// As joinValues(), of the edges that have the value: its parts lie in slots, since the others do not bring them.
PyValue Environment::joinSome(const std::string &name, ArrayRef<PyValue> values, std::vector<Edge> &edges) {
  PyValue target = widen(name, values.front());
  for (const PyValue &value : values.drop_front())
    target = unify(name, target, value);
  flushOn(edges, target, values);
  return target;
}

void Environment::joinEdges(std::vector<Edge> edges) {
  llvm::erase_if(edges, [this](const Edge &edge) { return isLostIn(edge.block); });
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
    if (name[0] == '@')
      continue;
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
  joinInstances(names, edges, joined);
  Block *block = ir.newBlock();
  for (const Edge &edge : edges) {
    goTo(ir, edge);
    cf::BranchOp::create(ir, block);
  }
  continueIn(block);
  frame->bindings = std::move(joined);
}

void Environment::joinReturns(const std::string &name, bool keepsNames) {
  std::vector<Edge> returns = std::move(frame->returns);
  for (Edge &edge : returns) {
    Bindings kept = keepsNames ? edge.bindings : heldBindings(edge.bindings);
    kept[name] = edge.bindings["%return"];
    edge.bindings = std::move(kept);
  }
  joinEdges(std::move(returns));
}

} // namespace npcc::frontend
