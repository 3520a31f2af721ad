// Results that are one of several things.
#include "dialects/Np/Names.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Results.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

/// Whether what Python gets of a value is there already. Of other values code makes it.
static bool isMade(Interpreter &in, const PyValue &value) {
  if (value.isObject() || isNumbered(value))
    return true;
  if (value.isSequence())
    return llvm::all_of(value->items, [&](const PyValue &item) { return isMade(in, item); });
  return !value.is(PyValue::Kind::Union) && !value.isRuntimeList() && !value.isRows() && !value.pythonBit &&
         runtimeType(in, value);
}

/// The results of an alternative for which code makes them: it runs where the value is that one. Where it is another
/// one, arrays are empty, and numbers any.
void Results::addAlternative(const PyValue &read, size_t k, const PyValue &item) {
  SmallVector<Value> slots;
  size_t first = values.size();
  auto addThere = [&] {
    add(item);
    for (Value value : ArrayRef(values).drop_front(first)) {
      slots.push_back(in.env.slotFor("%result" + std::to_string(in.temporaries++), value.getType()));
      np::SetOp::create(in.ir, value, slots.back());
    }
  };
  auto addMissing = [&] {
    for (Value slot : slots)
      if (auto type = dyn_cast<np::ArrayType>(cast<np::SlotType>(slot.getType()).getValueType()))
        np::SetOp::create(in.ir, emptyOf(in, type), slot);
  };
  Value chosen =
      arith::CmpIOp::create(in.ir, arith::CmpIPredicate::eq, read.ir(), in.ir.constantInteger(in.ir.getI64Type(), k));
  branch(in, PyValue::runtime(chosen), addThere, addMissing);
  for (auto [value, slot] : llvm::zip(MutableArrayRef(values).drop_front(first), slots))
    value = np::GetOp::create(in.ir, value.getType(), slot);
}

/// All alternatives' results are there, whichever it is: an array that does not exist is an empty one.
void Results::addUnion(const PyValue &given) {
  PyValue value = readUnion(in, given);
  std::vector<PyValue> items;
  for (const PyValue &one : value->items)
    items.push_back(one);
  form += "?" + std::to_string(items.size()) + ";";
  values.push_back(value.ir());
  isWeak.push_back(true);
  for (auto [k, item] : llvm::enumerate(items)) {
    if (item.is(PyValue::Kind::Unbound)) {
      form += 'N';
      continue;
    }
    if (!isMade(in, item)) {
      addAlternative(value, k, item);
      continue;
    }
    size_t first = values.size();
    add(item);
    for (Value &one : llvm::MutableArrayRef(values).drop_front(first))
      one = orEmpty(in, value, k, one);
  }
}

} // namespace npcc::frontend
