// What a loop carries of a name: a slot, of a type that holds what the name has at the entry and at the back edges.
#include "dialects/Np/Names.h"
#include "frontend/importer/Environment.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Resumption.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

/// The binding at a loop's header of a name that holds `value` before the loop.
PyValue Environment::widen(const std::string &name, const PyValue &value) {
  if (value.hasItems()) {
    std::vector<PyValue> items;
    for (auto [k, item] : llvm::enumerate(value->items))
      items.push_back(widen(name + "." + std::to_string(k), item));
    return value.withItems(std::move(items));
  }
  if (value.is(PyValue::Kind::Union))
    return unionOf(in, name, value, value);
  if (value.is(PyValue::Kind::Text))
    return widen(name, stringModel());
  if (signBeyond64Bits(value)) {
    noteName(in, name);
    return PyValue::conflict("is an int of more than 64 bits on one path");
  }
  Type type = runtimeType(in, value);
  if (!type)
    return value;
  PyValue result = PyValue::composite(PyValue::Kind::Slot, nullptr);
  result.slot = slotFor(name, type);
  if (value.is(PyValue::Kind::Slot) && value.boundSlot)
    result.boundSlot = slotFor(name + ".bound", ir.getI1Type());
  addPythonBit(in, result, name, value);
  return result;
}

/// The binding that holds what the header's does and `value`; the header's itself where that is enough.
PyValue Environment::unify(const std::string &name, const PyValue &header, const PyValue &value, Meeting meeting) {
  if (header.isPoison() || header == value)
    return header;
  if (header.is(PyValue::Kind::Conflict))
    return conflictOnSomePath(header);
  noteResumed(in, value);
  noteResumed(in, header);
  if (value.is(PyValue::Kind::Conflict))
    return conflictOnSomePath(value);
  bool isNamed = !header.is(PyValue::Kind::Unbound) && !value.is(PyValue::Kind::Unbound) && !value.isPoison();
  if (isNamed && isPythons(header) != isPythons(value) && !header.is(PyValue::Kind::Union) &&
      !value.is(PyValue::Kind::Union)) {
    if (isPythons(header))
      return header;
    noteName(in, name);
    return PyValue::conflict("becomes an object of Python's in this loop");
  }
  if (!header.boundSlot && !value.boundSlot && meetAsStrings({header, value}))
    return isNumbered(header) ? header : widen(name, stringModel());
  if (header.is(PyValue::Kind::Union) || value.is(PyValue::Kind::Union))
    return unionOf(in, name, header, value);
  if (header.isRuntimeList() && value.isRuntimeList() && header->isPython != value->isPython) {
    auto numpys = [](const PyValue &list) { return list->isPython ? asNumpys(list) : list; };
    return unify(name, numpys(header), numpys(value), meeting);
  }
  if (meetAsMixed(in, header, value))
    return PyValue::conflict("holds items of other types in this loop");
  if (header.hasItems() && value.hasItems()) {
    bool grows = isGrown(value) && header->isList && !header.isLike(value);
    if (grows && (header.isSequence() || (header.isRuntimeList() && value.isRuntimeList() &&
                                          header->levels == value->levels && header->isPython == value->isPython))) {
      PyValue result = widen(name, value);
      result->isShared = header->isShared || value->isShared;
      result->holdsCopies = std::max(header->holdsCopies, value->holdsCopies);
      return result;
    }
    // One of a fixed length becomes one with room for more, as flush() makes it.
    bool hasRoom = isGrown(header) && value.isRuntimeList() && !isGrown(value) && header->levels == value->levels &&
                   header->isPython == value->isPython && value->isList;
    if (hasRoom) {
      PyValue array = unify(name + ".0", header->items[0], value->items[0]);
      bool holdsMore = value->holdsCopies > header->holdsCopies;
      if (array.is(PyValue::Kind::Conflict) || (array == header->items[0] && !holdsMore))
        return array.is(PyValue::Kind::Conflict) ? array : header;
      if (!array.is(PyValue::Kind::Union)) {
        PyValue result = header.withItems({array, header->items[1]});
        result->holdsCopies = std::max(header->holdsCopies, value->holdsCopies);
        return result;
      }
    }
    if (!haveOneType(in, header, value) && !joinsArrays)
      return PyValue::conflict("changes its type in this loop (to " + describe(in, value) + ")");
    if (!header.isLike(value) || !haveOneType(in, header, value))
      return unionOf(in, name, header, value);
    std::vector<PyValue> items;
    Meeting part = meeting == Meeting::Carried ? Meeting::PartOfCarried : meeting;
    for (size_t k = 0; k < header->items.size(); ++k)
      items.push_back(unify(name + "." + std::to_string(k), header->items[k], value->items[k], part));
    for (const PyValue &item : items)
      if (header.isRows() && item.is(PyValue::Kind::Conflict))
        return item; // a list of rows has all of its columns
    bool holdsMore = value->holdsCopies > header->holdsCopies;
    if (items == header->items && !holdsMore)
      return header;
    PyValue result = header.withItems(std::move(items));
    result->holdsCopies = std::max(header->holdsCopies, value->holdsCopies);
    result->isJoined |= value->isJoined;
    return result;
  }
  if (value.isPoison())
    return header;
  bool maybeUnbound =
      header.boundSlot || value.is(PyValue::Kind::Unbound) || (value.is(PyValue::Kind::Slot) && value.boundSlot);
  Type mine = runtimeType(in, header), other = runtimeType(in, value);
  Type joined = value.is(PyValue::Kind::Unbound) ? mine : joinTypes(in, mine, other);
  if (!joined && mine && other && !joinsArrays)
    return PyValue::conflict("changes its type in this loop (to " + describe(in, value) + ")");
  if (!joined)
    return unionOf(in, name, header, value);
  PyValue result = PyValue::composite(PyValue::Kind::Slot, nullptr);
  result.slot = slotFor(name, joined);
  if (maybeUnbound)
    result.boundSlot = slotFor(name + ".bound", ir.getI1Type());
  // Python's before the loop, and no more from every iteration: the loop's counter tells (Loops.cpp).
  bool tellsCounter = meeting == Meeting::Carried && !header.pythonBit && !carriedPythonType(in, value, joined);
  if (meeting == Meeting::Paths)
    result.pythonType = pythonTypeAmong(in, {header, value}, joined);
  else if (!tellsCounter)
    result.pythonType = carriedPythonType(in, {header, value}, joined);
  if (result.pythonType)
    result.pythonBit = slotFor(name + pythonBitSuffix.str(), ir.getI1Type());
  return result;
}

/// Puts `value` into the slots of `target`, at the insertion point.
void Environment::flush(const PyValue &target, const PyValue &value) {
  if (target.is(PyValue::Kind::Union))
    return flushUnion(in, target, value);
  if (isPythons(target) && !isPythons(value) && !value.is(PyValue::Kind::Unbound) && !value.isPoison() &&
      !value.is(PyValue::Kind::Conflict)) {
    PyValue object = asPythons(in, value);
    if (!object.isPoison())
      flush(target, object);
    return;
  }
  if (isNumbered(target) && isString(value) && !isNumbered(value)) {
    PyValue string = numbered(in, value);
    if (!string.isPoison())
      flush(target, string);
    return;
  }
  if ((target.isRuntimeList() || target.isRows()) && value.hasItems() && !target.isLike(value)) {
    PyValue converted = growing(in, value, target);
    if (!converted.isPoison() && !target.isLike(converted))
      in.fail("a list becomes one of other items in this loop", "let all items have one type");
    else if (!converted.isPoison())
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
  bool mayBeUnbound = value.is(PyValue::Kind::Slot) && value.boundSlot; // as another name, or in another function
  if (target.boundSlot && !(mayBeUnbound && value.boundSlot == target.boundSlot)) {
    Value flag = mayBeUnbound ? np::GetOp::create(ir, ir.getI1Type(), value.boundSlot) : ir.boolean(!isUnbound);
    np::SetOp::create(ir, flag, target.boundSlot);
  }
  if (isUnbound || value.isPoison() || value.is(PyValue::Kind::Conflict))
    return;
  if (target.pythonBit && !(value.is(PyValue::Kind::Slot) && value.pythonBit == target.pythonBit)) {
    Value isPython = pythonBitOf(in, value, target.pythonType);
    np::SetOp::create(ir, isPython, target.pythonBit);
  }
  if (value.slot == target.slot)
    return;
  if (in.hasErrors()) // what failed may have left a value that is not there any more
    return;
  PyValue present = value.is(PyValue::Kind::Slot) ? heldBy(in, value) : value;
  if (!runtimeType(in, present)) {
    in.fail(describe(in, present) + " cannot be held by a name that holds something else elsewhere");
    return;
  }
  if (Value converted = convertTo(in, present, cast<np::SlotType>(target.slot.getType()).getValueType()))
    np::SetOp::create(ir, converted, target.slot);
}

} // namespace npcc::frontend
