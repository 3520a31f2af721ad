#include "frontend/importer/LaterStores.h"
#include "dialects/Np/Names.h"
#include "frontend/importer/Views.h"

using namespace mlir;

namespace npcc::frontend {

static bool addRoots(Value array, llvm::SetVector<Value> &roots, llvm::SmallPtrSetImpl<Operation *> &slots) {
  Value root = viewedArray(array);
  Operation *op = root.getDefiningOp();
  if (!op || isa<np::NewOp, np::EmptyOp>(op)) {
    roots.insert(root);
    return true;
  }
  if (auto room = dyn_cast<np::MakeRoomOp>(op)) // a new one, or the one given
    return !roots.insert(root) || addRoots(room.getArray(), roots, slots);
  auto get = dyn_cast<np::GetOp>(op);
  if (!get)
    return false;
  Operation *slot = get.getSlot().getDefiningOp();
  if (!slot || !slots.insert(slot).second)
    return slot != nullptr;
  for (Operation *user : slot->getUsers())
    if (auto set = dyn_cast<np::SetOp>(user); set && !addRoots(set.getValue(), roots, slots))
      return false;
  return true;
}

bool addRoots(Value array, llvm::SetVector<Value> &roots) {
  llvm::SmallPtrSet<Operation *, 8> slots;
  return addRoots(array, roots, slots);
}

SmallVector<Value> storedArrays(Operation *op) {
  SmallVector<Value> arrays;
  auto add = [&](Value value) {
    if (value && isa<np::ArrayType>(value.getType()))
      arrays.push_back(value);
  };
  if (isa<func::CallOp>(op)) {
    llvm::for_each(op->getOperands(), add);
    return arrays;
  }
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return arrays;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (isa<MemoryEffects::Write>(effect.getEffect()) && !llvm::is_contained(op->getResults(), effect.getValue()))
      add(effect.getValue());
  return arrays;
}

/// Where control may go from an operation without passing another one. The blocks are gone through once, so that asking
/// of one operation after the other costs nothing.
class LaterStores::Reached {
public:
  Reached(Operation *from, Operation *barrier) : from(from), barrier(barrier) {
    SmallVector<Block *> pending;
    auto enterNext = [&](Block *block) {
      for (Block *next : block->getSuccessors())
        if (entered.insert(next).second)
          pending.push_back(next);
    };
    bool isClosed = barrier && barrier->getBlock() == from->getBlock() && from->isBeforeInBlock(barrier);
    if (!isClosed)
      enterNext(from->getBlock());
    while (!pending.empty()) {
      Block *block = pending.pop_back_val();
      if (!barrier || barrier->getBlock() != block)
        enterNext(block);
    }
  }

  bool contains(Operation *op) const {
    bool isBeyond = barrier && barrier->getBlock() == op->getBlock() && barrier->isBeforeInBlock(op);
    bool isEntered = entered.contains(op->getBlock()) && !isBeyond;
    bool isBehind = from->getBlock() == op->getBlock() && from->isBeforeInBlock(op) &&
                    !(isBeyond && from->isBeforeInBlock(barrier));
    return isEntered || isBehind;
  }

private:
  Operation *from, *barrier;
  llvm::SmallPtrSet<Block *, 16> entered; // at their beginnings
};

static bool isListArgument(Value value) {
  auto argument = cast<BlockArgument>(value);
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return function && argument.getOwner()->isEntryBlock() && function.getArgAttr(argument.getArgNumber(), "np.weak");
}

LaterStores::LaterStores(func::FuncOp function, llvm::function_ref<bool(Operation *)> isLeftOut) {
  function.walk([&](Operation *op) {
    if (isLeftOut && isLeftOut(op))
      return;
    for (Value array : storedArrays(op)) {
      Store &store = stores.emplace_back(Store{op, {}, true});
      store.areKnown = addRoots(array, store.roots);
    }
  });
}

bool LaterStores::isChangedBehind(Operation *from, Value array) const {
  llvm::SetVector<Value> roots;
  bool areKnown = addRoots(array, roots);
  std::map<Operation *, Reached> reached; // by what is not passed
  auto isReached = [&](Operation *store, Operation *barrier) {
    return reached.try_emplace(barrier, from, barrier).first->second.contains(store);
  };
  return llvm::any_of(stores, [&](const Store &store) {
    // Arguments may be one array; a list is one argument.
    auto meets = [&](Value root) {
      bool isArray = isa<BlockArgument>(root) && !isListArgument(root);
      return !store.areKnown || store.roots.contains(root) ||
             (isArray && llvm::any_of(store.roots, [](Value other) { return !other.getDefiningOp(); }));
    };
    bool isChanged = llvm::any_of(roots, [&](Value root) {
      Operation *maker = root.getDefiningOp();
      bool isNewEachTime = !isa_and_nonnull<np::MakeRoomOp>(maker);
      return meets(root) && isReached(store.op, isNewEachTime ? maker : nullptr);
    });
    bool onlyNew =
        store.areKnown && llvm::all_of(store.roots, [](Value other) { return other.getDefiningOp() != nullptr; });
    return isChanged || (!areKnown && !onlyNew && isReached(store.op, nullptr));
  });
}

} // namespace npcc::frontend
