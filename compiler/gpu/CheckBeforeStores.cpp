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
// The place of a store is the number of its iteration times the number of statements with checks in one, and those
// before it; times the places that each of these has, if it is a loop (CheckOrder.h). The error record has the least
// place at which a check has failed, counted alike: the program comes to all stores up to that place. The price is that
// what checks need is loaded twice, so only kernels that store into arrays that outlive the error are taken apart:
// nobody sees the others after it.
//
// Kernels stay as they are whose checks depend on what the kernel stores, or that store in the loop that makes checks.
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/emit/CheckOrder.h"
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

/// The stores of a kernel, each with its place among the kernel's statements that make checks.
class Places {
public:
  /// False where a statement stores that makes several checks, or one in a loop: between those, a store has no place.
  bool collect(np::KernelOp kernel) {
    for (Operation &op : *kernel.getBody()) {
      Statement statement;
      if (!collect(&op, /*isInLoop=*/false, statement))
        return false;
      if (statement.checks && statement.hasOrder && !statement.isSimple())
        return false;
      count += statement.checks > 0;
    }
    return count > 0 && !stores.empty();
  }

  SmallVector<std::pair<memref::StoreOp, int64_t>> stores;

private:
  struct Statement {
    int64_t checks = 0;
    bool hasOrder = false, hasLoops = false; // of its stores; of its checks
    bool isSimple() const { return checks == 1 && !hasLoops; }
  };

  bool collect(Operation *op, bool isInLoop, Statement &statement) {
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      stores.push_back({store, count + (statement.checks > 0)});
      statement.hasOrder = true;
    }
    if (isa<memref::AtomicRMWOp, np::FoldOp, np::IterationOp, np::BroadcastExtentOp>(op))
      return false;
    if (isa<np::CheckIndexOp, np::AssertOp>(op)) {
      ++statement.checks;
      statement.hasLoops |= isInLoop;
    }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inside : block)
          if (!collect(&inside, isInLoop || isa<LoopLikeOpInterface>(op), statement))
            return false;
    return true;
  }

  int64_t count = 0; // of the statements so far
};

/// What the checks of a kernel need, through what loops carry.
class Needed {
public:
  explicit Needed(np::KernelOp kernel) : kernel(kernel) {
    kernel.walk([&](Operation *op) {
      if (isa<np::CheckIndexOp, np::AssertOp>(op))
        addOperation(op);
    });
    while (!open.empty())
      follow(open.pop_back_val());
  }

  bool contains(Value value) const { return values.contains(value); }

private:
  void add(Value value) {
    if (kernel.getRegion().isAncestor(value.getParentRegion()) && values.insert(value).second)
      open.push_back(value);
  }

  /// With what decides whether it runs.
  void addOperation(Operation *op) {
    for (; !isa<np::KernelOp>(op) && operations.insert(op).second; op = op->getParentOp()) {
      auto loop = dyn_cast<scf::ForOp>(op);
      for (Value operand :
           loop ? ValueRange(op->getOperands().take_front(loop.getNumControlOperands())) : op->getOperands())
        add(operand);
      if (isa<scf::WhileOp>(op))
        addTerminators(op);
    }
  }

  void addTerminators(Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value operand : block.getTerminator()->getOperands())
          add(operand);
  }

  void addCarried(scf::ForOp loop, unsigned number) {
    addOperation(loop);
    add(loop.getInitArgs()[number]);
    add(loop.getYieldedValues()[number]);
    add(loop.getRegionIterArg(number));
  }

  void follow(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()); loop && argument.getArgNumber())
        addCarried(loop, argument.getArgNumber() - 1);
      return;
    }
    Operation *op = value.getDefiningOp();
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return addCarried(loop, number);
    addOperation(op);
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      add(branch.thenYield().getOperand(number));
      add(branch.elseYield().getOperand(number));
    } else {
      addTerminators(op);
    }
  }

  np::KernelOp kernel;
  llvm::DenseSet<Value> values;
  llvm::DenseSet<Operation *> operations;
  SmallVector<Value> open;
};

/// A loop that makes checks, without the sum that it makes beside.
void dropReductions(scf::ParallelOp loop) {
  OpBuilder builder(loop);
  auto plain =
      scf::ParallelOp::create(builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep());
  for (auto [from, to] : llvm::zip_equal(loop.getInductionVars(), plain.getInductionVars()))
    from.replaceAllUsesWith(to);
  Block *body = loop.getBody();
  plain.getBody()->getOperations().splice(plain.getBody()->begin(), body->getOperations(), body->begin(),
                                          std::prev(body->end()));
  loop->dropAllUses();
  loop.erase();
}

/// Leaves the checks, and what they need.
void keepChecks(np::KernelOp kernel) {
  Needed needed(kernel);
  SmallVector<scf::ParallelOp> sums;
  kernel.getBody()->walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      for (auto [number, result] : llvm::enumerate(loop.getRegionIterArgs()))
        if (!needed.contains(result))
          loop.getBody()->getTerminator()->setOperand(number, result);
    if (auto loop = dyn_cast<scf::ParallelOp>(op); loop && loop.getNumResults() && makesChecks(loop))
      if (llvm::none_of(loop.getResults(), [&](Value result) { return needed.contains(result); }))
        sums.push_back(loop);
  });
  // What uses a sum goes away below.
  kernel.getBody()->walk([&](memref::StoreOp store) { store.erase(); });
  auto dropUnused = [&] {
    SmallVector<Operation *> all;
    kernel.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) { all.push_back(op); });
    for (Operation *op : llvm::reverse(all)) // what is inside of one before it
      if (!op->hasTrait<OpTrait::IsTerminator>() && !makesChecks(op) && op->use_empty())
        op->erase();
  };
  dropUnused();
  for (scf::ParallelOp loop : sums)
    dropReductions(loop);
  dropUnused();
}

/// Whether the checks read anything that the kernel stores.
bool readsWhatIsStored(np::KernelOp checks, Places &places, Aliasing &aliasing) {
  return checks
      ->walk([&](memref::LoadOp load) {
        bool meets = llvm::any_of(
            places.stores, [&](auto &store) { return aliasing.mayAlias(load.getMemRef(), store.first.getMemRef()); });
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

void askBeforeStores(np::KernelOp kernel, np::KernelOp checks, Places &places, Aliasing &aliasing) {
  OpBuilder builder(kernel);
  IndexMath m{builder, kernel.getLoc()};
  cuda::CheckOrder order(checks);
  Value statements = m.constant(order.countStatements());
  Value placesOfStatement = order.emitPlacesOfStatement(builder, kernel.getLoc());
  builder.setInsertionPointToStart(kernel.getBody());
  Value iteration = m.constant(0);
  for (auto [position, extent] : llvm::zip_equal(kernel.getInductionVars(), kernel.getExtents()))
    iteration = m.add(m.mul(iteration, extent), position);
  iteration = m.mul(iteration, statements);
  DenseMap<int64_t, Value> reached;
  for (auto [store, number] : places.stores) {
    if (!aliasing.mayWriteToOthers(store))
      continue;
    builder.setInsertionPointAfterValue(iteration);
    Value &isReached = reached[number];
    if (!isReached)
      isReached = np::IsReachedOp::create(builder, kernel.getLoc(),
                                          m.mul(m.add(iteration, m.constant(number)), placesOfStatement));
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
      askBeforeStores(kernel, checks, places, aliasing);
    }
  }
};

} // namespace
} // namespace npcc
