// Where control flow meets: one binding for each name, through slots where they differ.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Resumption.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/SaveAndRestore.h"

#include <cmath>

using namespace mlir;

namespace npcc::frontend {

/// Puts builder at the end of an edge's block.
static void goTo(OpBuilder &builder, const Edge &edge) { builder.setInsertionPointToEnd(edge.block); }

PyValue conflictOnSomePath(const PyValue &conflict) {
  // What was given and stays as it was is put back by nobody. This is none of those any more, where another path has
  // stored something else.
  StringRef words = conflict->name;
  return words.consume_front(opaqueWords)
             ? PyValue::conflict(("is on some path " + opaqueWords.drop_front(3) + words).str())
             : conflict;
}

PyValue Environment::joinValues(const std::string &name, ArrayRef<PyValue> given, std::vector<Edge> &edges) {
  if (llvm::all_of(given, [&](const PyValue &value) { return value == given.front(); }))
    return given.front();
  bool anyUnbound = false, allSequences = true;
  Type type;
  bool first = true;
  for (const PyValue &value : given) {
    if (value.isPoison())
      return PyValue::poison();
    if (value.is(PyValue::Kind::Conflict))
      return conflictOnSomePath(value);
    anyUnbound |= value.is(PyValue::Kind::Unbound) || (value.is(PyValue::Kind::Slot) && value.boundSlot);
    allSequences &= value.hasItems();
  }
  for (const PyValue &value : given)
    noteResumed(in, value);
  noteMeeting(in, given, edges);
  if (llvm::any_of(given, isPythons) && !llvm::all_of(given, isPythons)) {
    // What is returned on another path need not become Python's: no code behind it has one name for both.
    bool isReturned = name == "%return" || name == "%result";
    if (isReturned && !llvm::all_of(given, becomesPythons))
      return joinAsUnion(in, name, given, edges);
    return joinObjects(name, given, edges);
  }

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
      if (meetAsMixed(in, values.front(), value)) {
        // Lists of a global dict's items, say, are made nowhere in the source, where what they hold could be noted.
        bool areMadeNowhere = llvm::all_of(
            values, [](const PyValue &one) { return one->site.empty() && one.isRows() && !one->id && !one->cls; });
        return areMadeNowhere ? joinAsUnion(in, name, given, edges)
                              : PyValue::conflict("holds items of other types on another path");
      }
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
  addPythonBit(in, result, name, values);
  flushOn(edges, result, values);
  return result;
}

/// Values some of which are objects of Python's: all are, then.
PyValue Environment::joinObjects(const std::string &name, ArrayRef<PyValue> given, std::vector<Edge> &edges) {
  SmallVector<PyValue> values(given);
  bool anyUnbound = false;
  for (auto [value, edge] : llvm::zip(values, edges)) {
    if (value.is(PyValue::Kind::Unbound)) {
      anyUnbound = true;
      continue;
    }
    if (!isPythons(value) && noteName(in, name))
      return PyValue::conflict("is an object of Python's on another path");
    OpBuilder::InsertionGuard guard(ir);
    goTo(ir, edge);
    ir.forgetCaches();
    // Paths inside bind names anew; whoever joins the edges is going over those of this one.
    Bindings outer = std::exchange(frame->bindings, edge.bindings);
    value = asPythons(in, value);
    frame->bindings = std::move(outer);
    edge.block = ir.getInsertionBlock();
    if (value.isPoison())
      return value;
  }
  return anyUnbound ? joinAsUnion(in, name, values, edges) : joinValues(name, values, edges);
}

void Environment::flushOn(ArrayRef<Edge> edges, const PyValue &target, ArrayRef<PyValue> values) {
  OpBuilder::InsertionGuard guard(ir);
  llvm::SaveAndRestore<bool> flushing(isFlushing, true);
  for (auto [value, edge] : llvm::zip(values, edges)) {
    goTo(ir, edge);
    ir.forgetCaches();
    flush(target, value);
  }
  ir.forgetCaches();
}

static SmallVector<PyValue> valuesOf(ArrayRef<const PyValue *> values) {
  return llvm::map_to_vector(values, [](const PyValue *value) { return value ? *value : PyValue::unbound(); });
}

/// The names that are not bound to the same on all edges, in order, with what they are bound to on each.
std::vector<std::pair<std::string, Environment::OnEdges>> Environment::findDifferent(ArrayRef<Edge> edges) {
  std::set<std::string> names;
  for (const Edge &edge : edges.drop_front())
    Bindings::findDifferent(edges.front().bindings, edge.bindings,
                            [&](const std::string &name) { names.insert(name); });
  std::vector<std::pair<std::string, OnEdges>> found;
  for (const std::string &name : names)
    found.emplace_back(name, llvm::map_to_vector<4>(edges, [&](const Edge &edge) { return edge.bindings.get(name); }));
  return found;
}

/// Whether a name is that of an object's keys: it is there.
static bool isOfKeys(StringRef name) { return name[0] == '@' && !name.contains('.'); }

/// What objects hold where edges meet: of those that exist on all of them, and of the others as far as a name leads to
/// them. An object that is there on some paths only is reached where it is there.
void Environment::joinInstances(std::vector<Edge> &edges, ArrayRef<std::pair<std::string, OnEdges>> different,
                                Bindings &joined) {
  std::map<unsigned, SmallVector<const std::pair<std::string, OnEdges> *>> held;
  for (const auto &one : different)
    if (one.first[0] == '@')
      held[*instanceOf(one.first)].push_back(&one);
  std::map<unsigned, SmallVector<bool>> existence; // of those that some edges lack: the edges that have them
  for (const auto &[id, parts] : held) {
    std::string keys = "@" + std::to_string(id);
    SmallVector<bool> exists =
        llvm::map_to_vector(edges, [&](const Edge &edge) { return edge.bindings.count(keys) > 0; });
    if (llvm::is_contained(exists, false))
      existence[id] = exists;
  }
  std::set<unsigned> reached, pending, done;
  for (const auto &[id, parts] : held) {
    if (!existence.count(id))
      reached.insert(id);
    else // what is joined comes in again
      for (const auto *part : parts)
        joined.erase(part->first);
  }
  if (!existence.empty())
    for (const auto &[name, value] : joined)
      if (std::optional<unsigned> id = instanceOf(name); !id || !held.count(*id))
        reachedInstances(value, reached);
  llvm::copy_if(reached, std::inserter(pending, pending.end()), [&](unsigned id) { return held.count(id) > 0; });
  while (!pending.empty()) {
    unsigned id = *pending.begin();
    pending.erase(pending.begin());
    done.insert(id);
    auto partly = existence.find(id);
    std::vector<Edge> existing;
    if (partly != existence.end())
      for (auto [edge, isThere] : llvm::zip(edges, partly->second))
        if (isThere)
          existing.push_back({edge.block, {}});
    std::set<unsigned> more;
    for (const auto *part : held[id]) {
      const auto &[name, values] = *part;
      SmallVector<PyValue> there;
      for (auto [k, value] : llvm::enumerate(valuesOf(values)))
        if (partly == existence.end() || partly->second[k])
          there.push_back(value);
      PyValue value = isOfKeys(name)     ? joinKeys(there)
                      : existing.empty() ? joinValues(name, there, edges)
                                         : joinSome(name, there, existing);
      joined[name] = value;
      reachedInstances(value, more);
    }
    if (partly == existence.end() && !existence.empty()) // what it holds on all edges alike
      for (auto at = joined.lower_bound("@" + std::to_string(id)); at != joined.end() && instanceOf(at->first) == id;
           ++at)
        reachedInstances(at->second, more);
    for (unsigned one : more)
      if (held.count(one) && !done.count(one) && reached.insert(one).second)
        pending.insert(one);
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
    target = unify(name, target, value, Meeting::Paths);
  flushOn(edges, target, values);
  return target;
}

void Environment::joinEdges(std::vector<Edge> edges) {
  auto isLostEdge = [this](const Edge &edge) { return isLostIn(edge.block); };
  if (!goesOnLost() || !llvm::all_of(edges, isLostEdge))
    llvm::erase_if(edges, isLostEdge);
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
  Bindings joined = edges.front().bindings;
  std::vector<std::pair<std::string, OnEdges>> different = findDifferent(edges);
  for (const auto &[name, values] : different) {
    // Temporaries of expressions live on one path only.
    auto isUnbound = [](const PyValue *value) { return !value || value->is(PyValue::Kind::Unbound); };
    if (name[0] == '@')
      continue;
    if (name[0] == '%' && llvm::any_of(values, isUnbound)) {
      joined.erase(name);
      continue;
    }
    PyValue value = joinValues(name, valuesOf(values), edges);
    joined[name] = value;
  }
  joinInstances(edges, different, joined);
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
