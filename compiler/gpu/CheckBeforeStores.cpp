// npcc-check-before-stores: of a loop in which a check fails, the caller sees what the iterations before have stored,
// and no more. All threads of a kernel run, so a kernel of the checks alone runs first, and the stores ask it.
//
//   np.kernel (%i) = (%n) {                         np.kernel (%i) = (%n) { %p = memref.load %index[%i]
//     %p = memref.load %index[%i]                                           np.check_index %p of %size axis 0 }
//     %q = np.check_index %p of %size axis 0        np.kernel (%i) = (%n) {
//     %v = memref.load %x[%q]                  ->     %p = memref.load %index[%i]
//     memref.store %v, %y[%i]                         %v = memref.load %x[%p, or 0 if it is outside]
//   }                                                 %reached = np.is_reached %i * 1 + 1
//                                                     scf.if %reached { memref.store %v, %y[%i] } }
//
// The place of a store is the number of its iteration times the number of checks in one, and the checks before it. The
// error record has the least place at which a check has failed, counted alike: the program comes to all stores up to
// that place. The price is that what checks need is loaded twice, so only kernels that store into arrays that outlive
// the error are taken apart: nobody sees the others after it.
//
// Kernels stay as they are whose checks stand in loops inside, or depend on what the kernel stores.
#include "compiler/gpu/Gpu.h"
#include "compiler/kernels/HostBlocks.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/kernels/KernelChecks.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Iteration.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_CHECKBEFORESTORES
#include "compiler/gpu/Passes.h.inc"
namespace {

/// The checks of a kernel and its stores, each with its place among the checks of an iteration.
class Places {
public:
  /// False where checks and stores are not all in the kernel's own block and branches in it, with one check in each.
  bool collect(np::KernelOp kernel) {
    for (Operation &op : *kernel.getBody()) {
      bool holds = makesChecks(&op);
      if (!collect(&op))
        return false;
      count += holds;
    }
    return count > 0 && !stores.empty();
  }

  SmallVector<std::pair<memref::StoreOp, int64_t>> stores;
  int64_t count = 0;

private:
  bool collect(Operation *op) {
    if (auto store = dyn_cast<memref::StoreOp>(op))
      stores.push_back({store, count + (checksSeen > count)});
    if (isa<memref::AtomicRMWOp, np::FoldOp, np::IterationOp, np::BroadcastExtentOp>(op))
      return false;
    if (isa<np::CheckIndexOp, np::AssertOp>(op) && ++checksSeen > count + 1)
      return false;
    if (isa<LoopLikeOpInterface>(op) && makesChecks(op))
      return false;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inside : block)
          if (!collect(&inside))
            return false;
    return true;
  }

  int64_t checksSeen = 0;
};

/// Leaves the checks, and what they need.
void keepChecks(np::KernelOp kernel) {
  SmallVector<Operation *> all;
  kernel.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) { all.push_back(op); });
  for (Operation *op : llvm::reverse(all)) { // what is inside of one before it
    if (op->hasTrait<OpTrait::IsTerminator>() || makesChecks(op))
      continue;
    if (op->use_empty())
      op->erase();
  }
}

/// Whether the checks read anything that the kernel stores.
bool readsWhatIsStored(np::KernelOp checks, Places &places, Aliasing &aliasing) {
  return checks
      ->walk([&](memref::LoadOp load) {
        bool meets = llvm::any_of(places.stores, [&](auto &store) {
          return aliasing.mayAlias(load.getMemRef(), store.first.getMemRef());
        });
        return meets ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Checks have been made: positions only have to be inside.
void dropChecks(np::KernelOp kernel) {
  SmallVector<Operation *> checks;
  kernel.walk([&](Operation *op) {
    if (isa<np::CheckIndexOp, np::AssertOp>(op))
      checks.push_back(op);
  });
  for (Operation *op : checks) {
    if (auto check = dyn_cast<np::CheckIndexOp>(op)) {
      OpBuilder builder(check);
      check.replaceAllUsesWith(
          IndexMath{builder, check.getLoc()}.fromStartOrFirst(check.getPosition(), check.getSize()));
    }
    op->erase();
  }
}

void askBeforeStores(np::KernelOp kernel, Places &places, Aliasing &aliasing) {
  OpBuilder builder = OpBuilder::atBlockBegin(kernel.getBody());
  IndexMath m{builder, kernel.getLoc()};
  Value iteration = m.constant(0);
  for (auto [position, extent] : llvm::zip_equal(kernel.getInductionVars(), kernel.getExtents()))
    iteration = m.add(m.mul(iteration, extent), position);
  iteration = m.mul(iteration, m.constant(places.count));
  DenseMap<int64_t, Value> reached;
  for (auto [store, number] : places.stores) {
    if (!aliasing.mayWriteToOthers(store))
      continue;
    builder.setInsertionPointAfterValue(iteration);
    Value &isReached = reached[number];
    if (!isReached)
      isReached = np::IsReachedOp::create(builder, kernel.getLoc(), m.add(iteration, m.constant(number)));
    builder.setInsertionPoint(store);
    auto branch = scf::IfOp::create(builder, store.getLoc(), isReached, /*withElseRegion=*/false);
    store->moveBefore(branch.thenYield());
  }
}

struct CheckBeforeStores : impl::CheckBeforeStoresBase<CheckBeforeStores> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread"))
      return;
    SmallVector<np::KernelOp> kernels;
    for (Block *block : getHostBlocks(function))
      llvm::append_range(kernels, block->getOps<np::KernelOp>());
    for (np::KernelOp kernel : kernels) {
      Aliasing aliasing(function->hasAttr("np.general"));
      Places places;
      if (!makesChecks(kernel) || !places.collect(kernel))
        continue;
      if (llvm::none_of(places.stores, [&](auto &store) { return aliasing.mayWriteToOthers(store.first); }))
        continue;
      OpBuilder builder(kernel);
      auto checks = cast<np::KernelOp>(builder.clone(*kernel));
      checks.removeKindAttr();
      keepChecks(checks);
      if (readsWhatIsStored(checks, places, aliasing)) {
        checks.erase();
        continue;
      }
      dropChecks(kernel);
      askBeforeStores(kernel, places, aliasing);
    }
  }
};

} // namespace
} // namespace npcc
