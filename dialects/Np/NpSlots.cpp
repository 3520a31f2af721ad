// Names become SSA values: the interfaces that upstream's mem2reg asks of np.var, np.get and np.set.
#include "dialects/Np/Names.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace npcc::np;

SmallVector<MemorySlot> VarOp::getPromotableSlots() {
  return {MemorySlot{getSlot(), cast<SlotType>(getSlot().getType()).getValueType()}};
}
Value VarOp::getDefaultValue(const MemorySlot &slot, OpBuilder &builder) {
  return UnboundOp::create(builder, getLoc(), slot.elemType, getName());
}
void VarOp::handleBlockArgument(const MemorySlot &, BlockArgument, OpBuilder &) {}
std::optional<PromotableAllocationOpInterface> VarOp::handlePromotionComplete(const MemorySlot &, Value defaultValue, OpBuilder &) {
  if (defaultValue && defaultValue.use_empty())
    defaultValue.getDefiningOp()->erase();
  erase();
  return std::nullopt;
}

bool GetOp::loadsFrom(const MemorySlot &slot) { return getSlot() == slot.ptr; }
bool GetOp::storesTo(const MemorySlot &) { return false; }
Value GetOp::getStored(const MemorySlot &, OpBuilder &, Value, const DataLayout &) { return {}; }
bool GetOp::canUsesBeRemoved(const MemorySlot &slot, const SmallPtrSetImpl<OpOperand *> &blockingUses,
                             SmallVectorImpl<OpOperand *> &, const DataLayout &) {
  return blockingUses.size() == 1 && getSlot() == slot.ptr;
}
DeletionKind GetOp::removeBlockingUses(const MemorySlot &, const SmallPtrSetImpl<OpOperand *> &, OpBuilder &,
                                       Value reachingDefinition, const DataLayout &) {
  getResult().replaceAllUsesWith(reachingDefinition);
  return DeletionKind::Delete;
}

bool SetOp::loadsFrom(const MemorySlot &) { return false; }
bool SetOp::storesTo(const MemorySlot &slot) { return getSlot() == slot.ptr; }
Value SetOp::getStored(const MemorySlot &, OpBuilder &, Value, const DataLayout &) { return getValue(); }
bool SetOp::canUsesBeRemoved(const MemorySlot &slot, const SmallPtrSetImpl<OpOperand *> &blockingUses,
                             SmallVectorImpl<OpOperand *> &, const DataLayout &) {
  return blockingUses.size() == 1 && getSlot() == slot.ptr && getValue() != slot.ptr;
}
DeletionKind SetOp::removeBlockingUses(const MemorySlot &, const SmallPtrSetImpl<OpOperand *> &, OpBuilder &, Value,
                                       const DataLayout &) {
  return DeletionKind::Delete;
}
