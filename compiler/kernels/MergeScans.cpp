// npcc-merge-scans: what is done with each of a line's running totals is done where they are made.
//
//   %p = np.alloc(%n)
//   np.kernel (%u) = (%c1) {
//     np.fold any neutral %n init(%z) { %x[%k] } combine { ... } each { memref.store %t, %p[%k] }
//   }
//   np.kernel (%i) = (%n) { ... load %p[%i], store %y[%i] }
// becomes
//   np.kernel (%u) = (%c1) {
//     np.fold any neutral %n init(%z) { %x[%k] } combine { ... } each { ... %t, store %y[%k] }
//   }
//
// So the totals of numpy.cumsum(x) / n are not written and read again, and neither are the positions of what a mask
// selects. How many that are is the last total, which the host asks for before it makes the array of the selected:
// there it becomes a reduction of the same elements, which gives the same integer.
#include "compiler/kernels/Folds.h"
#include "compiler/kernels/Passes.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npcc {
#define GEN_PASS_DEF_MERGESCANS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// More than this is worth all threads of the device, where a short line's totals are made by those of a block.
constexpr int64_t mostOperations = 48;

bool isOnce(KernelOp kernel) {
  return llvm::all_of(kernel.getExtents(), [](Value extent) { return matchPattern(extent, m_One()); });
}

class ScanMerge {
public:
  ScanMerge(KernelOp scan, bool general) : scan(scan), general(general) {}

  bool merge() {
    if (!findTotals() || !findUsers() || !mayMove())
      return false;
    if (asker)
      sumInstead();
    moveInto();
    return true;
  }

private:
  /// The array of the totals, which the fold does nothing but store.
  bool findTotals() {
    auto folds = scan.getBody()->getOps<FoldOp>();
    if (!isOnce(scan) || !llvm::hasSingleElement(folds))
      return false;
    fold = *folds.begin();
    bool isAlone = llvm::all_of(scan.getBody()->without_terminator(),
                                [&](Operation &op) { return &op == fold || isMemoryEffectFree(&op); });
    Block &each = fold.getEach().front();
    if (!isAlone || fold.getGrouping() != Grouping::any || !fold->use_empty() || fold.getInitial().size() != 1 ||
        !llvm::hasSingleElement(each.without_terminator()))
      return false;
    store = dyn_cast<memref::StoreOp>(each.front());
    if (!store || store.getValueToStore() != each.getArgument(1) || store.getIndices().size() != 1 ||
        store.getIndices()[0] != each.getArgument(0))
      return false;
    totals = store.getMemRef().getDefiningOp<AllocOp>();
    return totals && totals->getBlock() == scan->getBlock();
  }

  /// The kernel of the line's positions that reads each total at its own, and the one that reads the last total.
  bool findUsers() {
    for (Operation *user : totals->getUsers()) {
      if (user == store || isa<memref::DimOp>(user))
        continue;
      auto load = dyn_cast<memref::LoadOp>(user);
      KernelOp kernel = load ? load->getParentOfType<KernelOp>() : KernelOp();
      if (!kernel || kernel->getBlock() != scan->getBlock() || !scan->isBeforeInBlock(kernel))
        return false;
      KernelOp &role = isOnce(kernel) ? asker : taker;
      if (role && role != kernel)
        return false;
      role = kernel;
      if (kernel == asker ? !isLast(load) : load.getIndices()[0] != kernel.getInductionVars()[0])
        return false;
    }
    // A rounded sum in another order need not be the last total: c / c[-1] must end with 1.
    bool isExact = fold.getInitial()[0].getType().isIntOrIndex();
    return taker && taker.getExtents().size() == 1 && taker.getExtents()[0] == fold.getExtent() &&
           (!asker || (isExact && asker->isBeforeInBlock(taker))) && isShort(taker);
  }

  /// max(n - 1, 0), of a line of n.
  bool isEnd(Value index) {
    while (auto most = index.getDefiningOp<arith::MaxSIOp>()) {
      if (!matchPattern(most.getRhs(), m_Zero()))
        return false;
      index = most.getLhs();
    }
    auto before = index.getDefiningOp<arith::AddIOp>();
    auto less = index.getDefiningOp<arith::SubIOp>();
    APInt distance;
    return (before && before.getLhs() == fold.getExtent() && matchPattern(before.getRhs(), m_ConstantInt(&distance)) &&
            distance.getSExtValue() == -1) ||
           (less && less.getLhs() == fold.getExtent() && matchPattern(less.getRhs(), m_One()));
  }

  /// Whether the last total is read, or summed up with nothing: of a line that may be empty, min(n, 1) elements are.
  bool isLast(memref::LoadOp load) {
    Value index = load.getIndices()[0];
    auto loop = dyn_cast<scf::ParallelOp>(load->getParentOp());
    if (!loop)
      return load->getParentOp() == asker && isEnd(index);
    auto sum = index.getDefiningOp<arith::AddIOp>();
    auto few = loop.getUpperBound()[0].getDefiningOp<arith::MinSIOp>();
    auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
    bool isSum = loop.getNumLoops() == 1 && loop->getParentOp() == asker && loop.getInitVals().size() == 1 &&
                 matchPattern(loop.getInitVals()[0], m_Zero()) && reduce.getOperands()[0] == load.getResult();
    if (!isSum || !sum || !few || few.getLhs() != fold.getExtent() || !matchPattern(few.getRhs(), m_One()))
      return false;
    Operation &combine = reduce.getReductions()[0].front().front();
    return isa<arith::AddIOp>(combine) && ((sum.getRhs() == loop.getInductionVars()[0] && isEnd(sum.getLhs())) ||
                                           (sum.getLhs() == loop.getInductionVars()[0] && isEnd(sum.getRhs())));
  }

  /// Code of a thread: without loops that threads share, checks, and functions that take long.
  static bool isShort(KernelOp kernel) {
    int64_t count = 0;
    WalkResult result = kernel.getBody()->walk([&](Operation *op) {
      bool isPlain = isMemoryEffectFree(op) || isa<memref::LoadOp, memref::StoreOp, scf::IfOp, EndOp>(op);
      bool isLong = isa<math::MathDialect>(op->getDialect()) && !isa<math::AbsFOp, math::AbsIOp, math::SqrtOp>(op);
      bool isLoop = isa<LoopLikeOpInterface>(op) || isa<scf::ParallelOp, FoldOp>(op);
      return isPlain && !isLong && !isLoop && ++count <= mostOperations ? WalkResult::advance()
                                                                        : WalkResult::interrupt();
    });
    return !result.wasInterrupted();
  }

  /// Whether the line's elements are the same where the taker stands, and stay so while it stores.
  bool mayMove() {
    SmallVector<Value> read;
    fold.getElement().walk([&](memref::LoadOp load) { read.push_back(load.getMemRef()); });
    for (Operation *op = scan->getNextNode(); op != taker.getOperation(); op = op->getNextNode())
      if (llvm::any_of(read, [&](Value memory) { return mayWriteTo(op, memory, general); }))
        return false;
    WalkResult result = taker.walk([&](memref::StoreOp stored) {
      bool isRead = stored.getMemRef() == totals.getResult() ||
                    llvm::any_of(read, [&](Value memory) { return mayAlias(stored.getMemRef(), memory, general); });
      return isRead ? WalkResult::interrupt() : WalkResult::advance();
    });
    return !result.wasInterrupted();
  }

  /// The reduction of the line's elements in place of the last total.
  void sumInstead() {
    OpBuilder builder = OpBuilder::atBlockBegin(asker.getBody());
    Value zero = arith::ConstantIndexOp::create(builder, asker.getLoc(), 0);
    SmallVector<Value> only(scan.getExtents().size(), zero); // the position of the one line
    IRMapping mapping = cloneAround(builder, fold, only);
    Value total = emitTotal(builder, asker.getLoc(), fold, zero, fold.getExtent(), mapping);
    for (Operation *user : llvm::make_early_inc_range(totals->getUsers())) {
      auto load = dyn_cast<memref::LoadOp>(user);
      if (!load || load->getParentOfType<KernelOp>() != asker)
        continue;
      auto loop = dyn_cast<scf::ParallelOp>(load->getParentOp());
      Operation *last = loop ? loop.getOperation() : load.getOperation();
      last->getResult(0).replaceAllUsesWith(total);
      last->erase();
    }
  }

  void moveInto() {
    scan->moveBefore(taker);
    OpBuilder builder(fold.getEach().front().getTerminator());
    IRMapping mapping;
    mapping.map(taker.getInductionVars()[0], fold.getEachPosition());
    for (Operation *user : llvm::make_early_inc_range(totals->getUsers()))
      if (isa<memref::LoadOp>(user)) {
        user->getResult(0).replaceAllUsesWith(fold.getEach().getArgument(1));
        user->erase();
      }
    for (Operation &op : taker.getBody()->without_terminator())
      builder.clone(op, mapping);
    taker.erase();
    store.erase();
    for (Operation *user : llvm::make_early_inc_range(totals->getUsers())) {
      user->getResult(0).replaceAllUsesWith(fold.getExtent()); // its only dimension
      user->erase();
    }
    totals.erase();
  }

  KernelOp scan, asker, taker;
  bool general;
  FoldOp fold;
  memref::StoreOp store;
  AllocOp totals;
};

struct MergeScans : impl::MergeScansBase<MergeScans> {
  void runOnOperation() override {
    // A host takes its cores for what comes behind a running total.
    if (getOperation()->hasAttr("np.thread") || getTargetProperties(getOperation()).hostSharesMemory)
      return;
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](FoldOp fold) {
      if (auto kernel = dyn_cast<KernelOp>(fold->getParentOp()))
        kernels.push_back(kernel);
    });
    bool general = getOperation()->hasAttr("np.general");
    for (KernelOp kernel : kernels)
      ScanMerge(kernel, general).merge();
  }
};
} // namespace
} // namespace npcc
