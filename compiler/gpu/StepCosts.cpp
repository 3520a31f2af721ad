// Who runs a loop: one block, the grid, or the host kernel by kernel.
#include "compiler/gpu/StepLoop.h"
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/GridBarriers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
namespace npcc {

/// Whether threads have iterations that hold loops, each its own.
static bool isSerial(np::KernelOp kernel) {
  bool holdsLoops =
      kernel.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
  return !kernel.isUnit() && holdsLoops;
}

Value StepLoop::emitBlockWork() {
  IndexMath m = math();
  Value all = m.constant(0);
  for (np::KernelOp kernel : kernels) {
    Value work = emitWork(*kernel.getBody());
    for (Value extent : kernel.getExtents())
      work = m.mul(work, emitUsual(extent));
    all = m.add(all, isSerial(kernel) ? m.mul(work, tuning().serialFactor) : work);
  }
  return all;
}

Value StepLoop::emitSuitsOnce() {
  IndexMath m = math();
  int64_t most = tuning().workPerLaunch / tuning().onceFactor * (kernels.size() - 1 + waits * tuning().launchesPerWait);
  return m.compare(arith::CmpIPredicate::sle, emitBlockWork(), m.constant(most));
}

StepLoop::Costs StepLoop::emitCosts() {
  IndexMath m = math();
  auto multiply = [&](Value work, ValueRange bounds) {
    for (Value bound : bounds)
      work = m.mul(work, emitUsual(bound));
    return work;
  };
  bool isByRows = hasOwnRows();
  Value block = m.constant(0), grid = block, ofRow = block, ofProducts = block;
  for (np::KernelOp kernel : kernels) {
    bool isSerial = npcc::isSerial(kernel);
    Value row = emitWork(*kernel.getBody()), work = multiply(row, kernel.getExtents());
    block = m.add(block, isSerial ? m.mul(work, tuning().serialFactor) : work);
    if (isByRows)
      ofRow = m.add(ofRow, multiply(row, kernel.getExtents().drop_front()));
    // A warp has a row, whatever the others do, and one thread a running total.
    Value ofGrid = isSerial ? m.max(work, m.mul(row, tuning().rowFactor)) : work;
    grid = m.add(grid, m.max(ofGrid, emitFoldWork(kernel)));
  }
  for (np::CallMatmulOp product : products) {
    Value inner = m.mul(m.max(emitExtent(product.getLhs(), 1), m.constant(1)), tuning().leastOperations), work = inner;
    for (int64_t axis : {0, 1})
      work = m.mul(work, m.max(emitExtent(product.getResult(), axis), m.constant(1)));
    block = m.add(block, m.mul(work, tuning().serialFactor));
    grid = m.add(grid, m.max(work, m.mul(inner, tuning().rowFactor)));
    if (isByRows) {
      ofRow = m.add(ofRow, m.mul(inner, m.max(emitExtent(product.getResult(), 1), m.constant(1))));
      ofProducts = m.add(ofProducts, work);
    }
  }
  for (Value argument : getCarried())
    if (np::AllocOp next = getNext(argument)) {
      Value work = multiply(m.constant(tuning().leastOperations), next.getExtents());
      block = m.add(block, work);
      grid = m.add(grid, work);
    }
  int64_t barriers = kernels.size() + products.size(), launches = barriers + waits * tuning().launchesPerWait;
  auto isAtMost = [&](Value work, int64_t most) {
    return m.compare(arith::CmpIPredicate::sle, work, m.constant(most));
  };
  Value suitRows;
  if (isByRows) {
    Value isBusy = m.compare(arith::CmpIPredicate::sge, emitRowCount(), m.constant(tuning().busyRows));
    suitRows = m.either(isAtMost(ofRow, tuning().workOfRow * barriers),
                        m.both(isBusy, isAtMost(ofRow, tuning().busyFactor * tuning().workOfRow * barriers)));
    suitRows =
        m.both(m.both(suitRows, isAtMost(ofProducts, tuning().productWorkPerLaunch * launches)), emitRowsAgree());
  }
  bool replays = isReplayed();
  if (replays && hasKernelsOfRows())
    return {suitRows, isAtMost(block, tuning().workPerBarrier * barriers), Value()};
  if (!suitsGrid())
    return {suitRows, isAtMost(block, tuning().workPerLaunch * launches), Value()};
  int64_t perLaunch = replays ? tuning().gridWorkPerReplayedLaunch : tuning().gridWorkPerLaunch;
  Value suitGrid = isAtMost(grid, perLaunch * launches);
  for (Value extent : checkedExtents)
    suitGrid =
        m.both(suitGrid, m.compare(arith::CmpIPredicate::sge, *emitFixed(extent), m.constant(cuda::leastGridExtent)));
  return {suitRows, isAtMost(block, tuning().workPerBarrier * barriers), suitGrid};
}

Value StepLoop::emitBlocks() {
  IndexMath m = math();
  Value most = m.constant(1);
  auto take = [&](ArrayRef<Value> extents) {
    Value elements = m.constant(1);
    for (Value extent : extents)
      elements = m.mul(elements, m.max(extent, m.constant(1)));
    most = m.max(most, elements);
  };
  // A loop, and the longest of those inside it: threads share out both.
  for (np::KernelOp kernel : kernels) {
    SmallVector<Value> extents;
    for (Value extent : kernel.getExtents())
      extents.push_back(*emitBound(extent));
    kernel.getBody()->walk<WalkOrder::PreOrder>([&](scf::ParallelOp inner) {
      SmallVector<Value> all(extents);
      for (Value bound : inner.getUpperBound())
        all.push_back(*emitBound(bound));
      take(all);
      return WalkResult::skip();
    });
    take(extents);
  }
  for (np::CallMatmulOp product : products)
    take({emitExtent(product.getResult(), 0), emitExtent(product.getResult(), 1), emitExtent(product.getLhs(), 1)});
  return m.min(m.ceilDiv(most, m.constant(cuda::threadsOfGrid)), m.constant(cuda::mostBlocksOfGrid));
}

Value StepLoop::emitUsual(Value bound) {
  IndexMath m = math();
  Value most = m.max(*emitBound(bound), m.constant(1));
  return isFixed(bound) ? most : m.ceilDiv(most, m.constant(2));
}

Value StepLoop::emitWork(Block &body) {
  IndexMath m = math();
  int64_t own = cuda::countOps(body);
  Value work = m.constant(0);
  body.walk<WalkOrder::PreOrder>([&](Operation *op) {
    SmallVector<Value> bounds;
    if (auto inner = dyn_cast<scf::ParallelOp>(op))
      bounds.assign(inner.getUpperBound().begin(), inner.getUpperBound().end());
    else if (auto inner = dyn_cast<scf::ForOp>(op))
      bounds.push_back(inner.getUpperBound());
    else if (auto fold = dyn_cast<np::FoldOp>(op))
      bounds.push_back(fold.getExtent());
    else
      return WalkResult::advance();
    for (Region &region : op->getRegions()) {
      own -= cuda::countOps(region.front());
      Value inside = emitWork(region.front());
      for (Value bound : bounds)
        inside = m.mul(inside, emitUsual(bound));
      work = m.add(work, inside);
    }
    return WalkResult::skip();
  });
  return m.add(work, std::max(tuning().leastOperations, own));
}

Value StepLoop::emitFoldWork(np::KernelOp kernel) {
  IndexMath m = math();
  Value work = m.constant(0);
  kernel.getBody()->walk([&](np::FoldOp fold) {
    Value steps = emitUsual(fold.getExtent());
    for (Operation *around = fold->getParentOp(); around != kernel; around = around->getParentOp())
      if (auto outer = dyn_cast<scf::ForOp>(around))
        steps = m.mul(steps, emitUsual(outer.getUpperBound()));
    work = m.add(work, m.mul(steps, tuning().workPerFoldStep));
  });
  return work;
}

bool StepLoop::isReplayed() {
  auto isTheSame = [&](Value value) {
    return isa<MemRefType>(value.getType()) || !loop->isAncestor(value.getParentRegion()->getParentOp());
  };
  bool hasBranches = llvm::any_of(getBody()->without_terminator(),
                                  [](Operation &op) { return op.getNumRegions() && !isa<np::KernelOp>(op); });
  return !waits && !hasBranches && llvm::all_of(kernels, [&](np::KernelOp kernel) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(kernel->getRegions(), captured);
    return llvm::all_of(captured, isTheSame) && llvm::all_of(kernel.getExtents(), isTheSame);
  });
}

bool StepLoop::hasKernelsOfRows() {
  return llvm::any_of(kernels,
                      [](np::KernelOp kernel) { return kernel.getKind() == np::KernelKind::rows && !kernel.isUnit(); });
}

bool StepLoop::suitsGrid() {
  // What one thread does alone the grid waits for.
  auto isSerial = [](np::KernelOp kernel) {
    return kernel.isUnit() && kernel.getBody()
                                  ->walk<WalkOrder::PreOrder>([](Operation *op) {
                                    if (isa<scf::ParallelOp>(op))
                                      return WalkResult::skip();
                                    return isa<LoopLikeOpInterface, np::FoldOp>(op) ? WalkResult::interrupt()
                                                                                    : WalkResult::advance();
                                  })
                                  .wasInterrupted();
  };
  checkedExtents.clear();
  loop->walk([&](np::CheckIndexOp check) {
    bool isFixed = getConstantIntValue(check.getPosition()) && emitFixed(check.getSize(), /*dry=*/true);
    if (isFixed && !getConstantIntValue(check.getSize()))
      checkedExtents.insert(check.getSize());
  });
  return llvm::none_of(kernels, isSerial);
}

} // namespace npcc
