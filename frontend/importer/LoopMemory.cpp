#include "frontend/importer/LoopMemory.h"
#include "dialects/Np/Names.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Recursion.h"

using namespace mlir;

namespace npcc::frontend {

static Type typeOf(Value slot) { return cast<np::SlotType>(slot.getType()).getValueType(); }

static bool hasParts(const PyValue &value) { return value.hasItems() || value.is(PyValue::Kind::Union); }

static Kept keep(const PyValue &value) {
  Kept kept;
  kept.model = value;
  if (value.is(PyValue::Kind::Slot))
    kept.type = typeOf(value.slot);
  kept.pythonType = value.pythonType;
  kept.mayBeUnbound = bool(value.boundSlot);
  kept.hasBit = bool(value.pythonBit);
  if (hasParts(value))
    for (const PyValue &item : value->items)
      kept.parts.push_back(keep(item));
  return kept;
}

static bool isSame(const Kept &left, const Kept &right) {
  const PyValue &a = left.model, &b = right.model;
  if (a.kind() != b.kind() || left.type != right.type || left.pythonType != right.pythonType ||
      left.mayBeUnbound != right.mayBeUnbound || left.hasBit != right.hasBit || left.parts.size() != right.parts.size())
    return false;
  if (a.is(PyValue::Kind::Slot))
    return true;
  if (!hasParts(a))
    return a == b;
  if (a.hasItems() &&
      (!a.isLike(b) || a->isShared != b->isShared || a->isJoined != b->isJoined || a->holdsCopies != b->holdsCopies ||
       a->site != b->site || a->itemLength != b->itemLength || a->isItem != b->isItem || a->isCopy != b->isCopy))
    return false;
  return llvm::all_of(llvm::zip(left.parts, right.parts),
                      [](const auto &pair) { return isSame(std::get<0>(pair), std::get<1>(pair)); });
}

/// The same with slots of the frame at hand, named as widen() names them.
static PyValue renew(Interpreter &in, const std::string &name, const Kept &kept) {
  bool isUnion = kept.model.is(PyValue::Kind::Union);
  PyValue result = kept.model;
  if (hasParts(kept.model)) {
    std::vector<PyValue> items;
    for (auto [k, part] : llvm::enumerate(kept.parts))
      items.push_back(renew(in, name + (isUnion ? "|" : ".") + std::to_string(k), part));
    result = kept.model.withItems(std::move(items));
  }
  if (isUnion)
    result.slot = in.env.slotFor(name + "|", in.ir.getI64Type());
  else if (kept.type)
    result.slot = in.env.slotFor(name, kept.type);
  if (kept.mayBeUnbound)
    result.boundSlot = in.env.slotFor(name + ".bound", in.ir.getI1Type());
  if (kept.hasBit)
    result.pythonBit = in.env.slotFor(name + pythonBitSuffix.str(), in.ir.getI1Type());
  return result;
}

/// Whether a value is made of slots and what is known. Values of the program's belong to the attempt that made them.
static bool canBeKept(const PyValue &value) {
  if (hasParts(value))
    return !value.ir() && llvm::all_of(value->items, canBeKept);
  return value.is(PyValue::Kind::Slot) || value.is(PyValue::Kind::Unbound) || value.isObject();
}

LoopScope::LoopScope(Interpreter &in, const Loop &loop) : in(in) {
  if (!in.outlines)
    return;
  outer = in.outlines->loopMemory;
  if (outer) {
    std::vector<const void *> path{loop.node};
    const Frame *frame = in.env.frame.get();
    for (; frame && frame != outer->frame; frame = frame->caller) {
      path.push_back(frame->definition.get());
      path.push_back(frame->callLoc.getAsOpaquePointer());
    }
    if (frame)
      settled = &outer->loops[path];
  }
  settled->isAmbiguous |= ++settled->entered > 1;
  if (!settled->inner)
    settled->inner = std::make_unique<LoopMemory>();
  settled->inner->frame = in.env.frame.get();
  in.outlines->loopMemory = settled->inner.get();
}

LoopScope::~LoopScope() {
  if (in.outlines)
    in.outlines->loopMemory = outer;
}

void LoopScope::begin(std::map<std::string, PyValue> &header) {
  if (!in.outlines)
    return;
  for (const auto &[name, value] : header)
    if (canBeKept(value))
      atBegin[name] = keep(value);
  if (settled->isAmbiguous)
    return;
  for (const auto &[name, kept] : settled->names) {
    auto known = atBegin.find(name);
    if (header.count(name)) {
      if (known != atBegin.end() && isSame(known->second, kept.first))
        header[name] = renew(in, name, kept.second);
      continue;
    }
    // What an object holds, and the body changes.
    auto found = in.env.frame->bindings.find(name);
    if (found == in.env.frame->bindings.end())
      continue;
    PyValue before = in.env.widen(name, found->second);
    if (canBeKept(before) && isSame(keep(before), kept.first))
      header[name] = renew(in, name, kept.second);
  }
}

void LoopScope::beginAttempt() {
  if (in.outlines)
    for (auto &[path, loop] : settled->inner->loops)
      loop.entered = 0;
}

void LoopScope::settle(const std::map<std::string, PyValue> &header, const Bindings &before) {
  if (!in.outlines || settled == &own)
    return;
  settled->names.clear();
  for (const auto &[name, value] : header) {
    if (!canBeKept(value))
      continue;
    auto known = atBegin.find(name);
    auto found = before.find(name);
    if (known != atBegin.end())
      settled->names[name] = {known->second, keep(value)};
    else if (name[0] == '@' && found != before.end())
      if (PyValue widened = in.env.widen(name, found->second); canBeKept(widened))
        settled->names[name] = {keep(widened), keep(value)};
  }
}

} // namespace npcc::frontend
