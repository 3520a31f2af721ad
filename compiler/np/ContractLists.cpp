// npcc-contract-lists: a list that one loop makes and the next one goes through, item by item, is contracted to its
// item: the two loops are one.
//
//   %list = np.empty(%n)                                    // sum(v[k] * x[k] for k in range(n))
//   scf.for %i = %c0 to %n step %c1 {                       %total = scf.for %i = %c0 to %n ... iter_args(%t) {
//     ... checks, %item                                       ... checks, %item
//     np.store %item, %list[%i]                               %s = np.ufunc "add"(%t, %item)
//   }                                                   ->    scf.yield %s
//   %total = scf.for %j = %c0 to %n ... iter_args(%t) {     }
//     %s = np.ufunc "add"(%t, np.load %list[%j])
//     scf.yield %s
//   }
//
// The list is made at one place and read at one place, at the positions of two loops with the same bounds. The second
// loop does nothing but compute and load, of what the first one does not change: so nobody can tell that items are
// made while others are gone through, whatever making them does, be it an error. Between the loops nothing happens,
// either.
#include "compiler/memory/Aliasing.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npcc {
#define GEN_PASS_DEF_CONTRACTLISTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
class Contraction {
public:
  Contraction(EmptyOp list, bool general) : list(list), general(general) {}

  bool canContract() {
    auto type = cast<ArrayType>(list.getType());
    return type.getRank() == 1 && findUses() && store && !loads.empty() && findLoops() && doNotMeet();
  }

  void contract() {
    Block *body = reader.getBody();
    maker.getInductionVar().replaceAllUsesWith(reader.getInductionVar());
    body->getOperations().splice(body->begin(), maker.getBody()->getOperations(), maker.getBody()->begin(),
                                 std::prev(maker.getBody()->end()));
    for (LoadOp load : loads) {
      load.replaceAllUsesWith(store.getValue());
      load.erase();
    }
    store.erase();
    for (Operation *user : llvm::make_early_inc_range(list->getUsers()))
      user->erase(); // views that nobody uses any longer
    list.erase();
    maker.erase();
  }

private:
  /// One store of an item and loads of it: all that is done with the list.
  bool findUses() {
    for (Operation *user : list->getUsers()) {
      auto view = dyn_cast<ViewOp>(user);
      if (!view || getRank(view.getType()) != 0)
        return false;
      for (Operation *use : view->getUsers()) {
        auto load = dyn_cast<LoadOp>(use);
        auto stored = dyn_cast<StoreOp>(use);
        if (load)
          loads.push_back(load);
        else if (!stored || store || stored.getArray() != view.getResult())
          return false;
        else
          store = stored;
      }
    }
    return llvm::all_of(loads, [&](LoadOp load) { return load.getType() == store.getValue().getType(); });
  }

  /// The loop that goes over the positions at which a view of an item is.
  static scf::ForOp findLoop(Value item) {
    auto position = dyn_cast<BlockArgument>(item.getDefiningOp<ViewOp>().getOffsets()[0]);
    auto loop = position ? dyn_cast<scf::ForOp>(position.getOwner()->getParentOp()) : scf::ForOp();
    return loop && position == loop.getInductionVar() ? loop : scf::ForOp();
  }

  bool findLoops() {
    maker = findLoop(store.getArray());
    reader = findLoop(loads.front().getArray());
    return maker && reader && maker != reader && maker->getBlock() == list->getBlock() &&
           reader->getBlock() == list->getBlock() && maker->isBeforeInBlock(reader) && !maker.getNumResults() &&
           store->getBlock() == maker.getBody() && maker.getLowerBound() == reader.getLowerBound() &&
           maker.getUpperBound() == reader.getUpperBound() && maker.getStep() == reader.getStep() &&
           maker.getInductionVar().getType() == reader.getInductionVar().getType() &&
           llvm::all_of(loads, [&](LoadOp load) { return findLoop(load.getArray()) == reader; });
  }

  /// Whether an operation may be done before or after the loop that makes the items.
  bool isIndifferent(Operation *op) {
    if (op->getNumRegions() || isMemoryEffectFree(op))
      return llvm::all_of(op->getRegions(), [&](Region &region) {
        return llvm::all_of(region.getOps(), [&](Operation &inside) { return isIndifferent(&inside); });
      });
    auto load = dyn_cast<LoadOp>(op);
    return load && (llvm::is_contained(loads, load) || !mayWriteTo(maker, load.getArray(), general));
  }

  bool doNotMeet() {
    for (Operation *op = maker->getNextNode(); op != reader; op = op->getNextNode())
      if (op->getNumRegions() || !isIndifferent(op))
        return false;
    return isIndifferent(reader);
  }

  EmptyOp list;
  bool general;
  StoreOp store;
  SmallVector<LoadOp> loads;
  scf::ForOp maker, reader;
};

struct ContractLists : impl::ContractListsBase<ContractLists> {
  void runOnOperation() override {
    bool general = getOperation()->hasAttr("np.general");
    SmallVector<EmptyOp> lists;
    getOperation()->walk([&](EmptyOp list) { lists.push_back(list); });
    for (EmptyOp list : lists)
      if (Contraction contraction(list, general); contraction.canContract())
        contraction.contract();
  }
};
} // namespace
} // namespace npcc
