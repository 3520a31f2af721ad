#include "compiler/kernels/StoredValues.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Arrays.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {

static bool haveSameExtents(Value value, Value array, ExtentOrigins &origins) {
  for (int64_t axis = 0; axis < getRank(value.getType()); ++axis) {
    ExtentOrigin origin = origins.of(value, axis);
    if (!origin.isKnown() || !(origin == origins.of(array, axis)))
      return false;
  }
  return true;
}

/// Whether all other users come after the operation that stores the value, and nothing up to the last of them writes to
/// the array.
static bool isKept(Operation *store, Value value, Value array, bool general) {
  Block *block = store->getBlock();
  Operation *last = store;
  for (Operation *user : value.getUsers()) {
    Operation *here = block->findAncestorOpInBlock(*user);
    if (!here || (user != store && !store->isBeforeInBlock(here)))
      return false;
    if (last->isBeforeInBlock(here))
      last = here;
  }
  for (Operation *op = store; op != last;) {
    op = op->getNextNode();
    if (mayWriteTo(op, array, general))
      return false;
  }
  return last != store;
}

/// Whether the array is there before the value, and is touched by nobody between the value and its store: then the
/// store may as well come at once. It is one that only the operations here know by name.
static bool canStoreAtOnce(StoreOp store, Value value) {
  Operation *maker = value.getDefiningOp();
  Value array = store.getArray();
  auto made = array.getDefiningOp<NewOp>();
  bool isThere = made && maker && (made->getBlock() != maker->getBlock() || made->isBeforeInBlock(maker));
  return isThere && llvm::all_of(array.getUsers(), [&](Operation *user) {
           Operation *here = store->getBlock()->findAncestorOpInBlock(*user);
           if (!here || here != user)
             return isa<LoadOp, DimOp, StoreOp, func::ReturnOp>(user) &&
                    (!here || here->isBeforeInBlock(maker) || store->isBeforeInBlock(here));
           return user == store || user->isBeforeInBlock(maker) || store->isBeforeInBlock(user);
         });
}

Operation *findKeeper(Value value, ExtentOrigins &origins, bool general) {
  Operation *maker = value.getDefiningOp();
  for (Operation *user : value.getUsers()) {
    if (!maker || user->getBlock() != maker->getBlock())
      continue;
    if (auto made = dyn_cast<NewOp>(user)) {
      made->moveAfter(maker); // it is an array of its own, whenever it is made
      if (isKept(made, value, made.getArray(), general))
        return made;
    }
    auto store = dyn_cast<StoreOp>(user);
    if (!store || store.getValue() != value)
      continue;
    Value array = store.getArray();
    bool isWhole = getRoot(array) == array && cast<ArrayType>(array.getType()).getContiguous() &&
                   getRank(array.getType()) == getRank(value.getType()) && getRank(value.getType()) > 0;
    if (!isWhole || !haveSameExtents(value, array, origins))
      continue;
    if (canStoreAtOnce(store, value))
      store->moveAfter(maker);
    if (isKept(store, value, array, general))
      return store;
  }
  return nullptr;
}

} // namespace npcc
