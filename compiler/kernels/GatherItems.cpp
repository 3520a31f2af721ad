// npcc-gather-items: numbers that the host asks for one after the other are computed together. A number is read where
// it is first needed, so that what else the host reads before is found in the same walk:
//
//   %a = np.new (np.reduce "maximum" %x)                 %a = np.new (np.reduce "maximum" %x)
//   %largest = np.item (np.load %a)                      %b = np.new (np.reduce "minimum" %x)
//   %b = np.new (np.reduce "minimum" %x)          ->     %largest = np.item (np.load %a)
//   %least = np.item (np.load %b)                        %least = np.item (np.load %b)
//
// A number waits for values and arrays of rank 0 alone, which change nothing; its own array is one that nobody stores
// into.
#include "compiler/kernels/Passes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Values.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npcc {
#define GEN_PASS_DEF_GATHERITEMS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
struct GatherItems : impl::GatherItemsBase<GatherItems> {
  void runOnOperation() override {
    SmallVector<ItemOp> items;
    getOperation().walk([&](ItemOp item) {
      if (auto load = getLoad(item))
        items.push_back(item);
    });
    // The last one first: those before it then wait for all arrays that it has been put behind.
    for (ItemOp item : llvm::reverse(items))
      defer(item);
  }

  /// The load of an array that holds the number alone and stays as it was made.
  static LoadOp getLoad(ItemOp item) {
    auto load = item.getValue().getDefiningOp<LoadOp>();
    auto made = load ? load.getArray().getDefiningOp<NewOp>() : NewOp();
    bool isFinal = made && load->hasOneUse() && load->getNextNode() == item && made->getBlock() == item->getBlock() &&
                   llvm::all_of(made->getUsers(), llvm::IsaPred<LoadOp>);
    return isFinal ? load : LoadOp();
  }

  static void defer(ItemOp item) {
    Operation *last = nullptr; // of the arrays that it may be read behind
    for (Operation *op = item->getNextNode(); op && mayPass(op, item); op = op->getNextNode())
      if (isScalarArray(op))
        last = op;
    if (!last)
      return;
    LoadOp load = getLoad(item);
    load->moveAfter(last);
    item->moveAfter(load);
  }

  static bool isScalarArray(Operation *op) {
    auto made = dyn_cast<NewOp>(op);
    return made && isa<RankedTensorType>(made.getValue().getType()) && getRank(made.getValue().getType()) == 0;
  }
  static bool mayPass(Operation *op, ItemOp item) {
    bool isNeeded = llvm::is_contained(op->getOperands(), item.getResult());
    bool isPlain = isScalarArray(op) || isa<LoadOp, ItemOp>(op) || (op->getNumRegions() == 0 && isMemoryEffectFree(op));
    return isPlain && !isNeeded && !op->hasTrait<OpTrait::IsTerminator>();
  }
};
} // namespace
} // namespace npcc
