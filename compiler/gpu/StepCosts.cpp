// Who runs a loop: one block, the grid, or the host kernel by kernel.
#include "compiler/gpu/StepLoop.h"
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/GridBarriers.h"

using namespace mlir;
namespace npcc {

// Elements times operations that a block goes through in about the time of a launch.
constexpr int64_t workPerLaunch = 230000;
// A number that the host waits for takes as long as so many launches.
constexpr int64_t launchesPerWait = 3;
// .. and in the time that all blocks wait for each other.
constexpr int64_t workPerBarrier = 40000;
// What the grid goes through in the time that launches cost more than its barriers, and the best code for each kernel
// saves: about a million elements.
constexpr int64_t gridWorkPerLaunch = 8000000;
// How much longer a row takes that a warp goes through than one that the grid goes through.
constexpr int64_t rowFactor = 1000;
// What an element costs at least: to load and store it.
constexpr int64_t leastOperations = 8;
// Loops inside what threads share out are one thread's, which waits for each load.
constexpr int64_t serialFactor = 3;
// Where no iteration follows, the launches that are saved are few, and the kernels would have run side by side with
// those of other calls: it must be worth more.
constexpr int64_t onceFactor = 4;
// Elements times operations of a row that a team goes through, for each kernel, in the time that the grid waits; and
// how many times as many where the device has several rows for each of its multiprocessors, so that all are busy.
constexpr int64_t workOfRow = 10000, busyFactor = 32;
constexpr int64_t manyRows = 512;
// Of products, what all teams go through in the time of a launch and of the passes over memory that it does not save: a
// library is several times as fast as they are.
constexpr int64_t productWorkPerLaunch = 64000000;

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
    all = m.add(all, isSerial(kernel) ? m.mul(work, serialFactor) : work);
  }
  return all;
}

Value StepLoop::emitSuitsOnce() {
  IndexMath m = math();
  int64_t most = workPerLaunch / onceFactor * (kernels.size() - 1 + waits * launchesPerWait);
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
    block = m.add(block, isSerial ? m.mul(work, serialFactor) : work);
    if (isByRows)
      ofRow = m.add(ofRow, multiply(row, kernel.getExtents().drop_front()));
    // A warp has a row, whatever the others do.
    grid = m.add(grid, isSerial ? m.max(work, m.mul(row, rowFactor)) : work);
  }
  for (np::CallMatmulOp product : products) {
    Value inner = m.mul(m.max(emitExtent(product.getLhs(), 1), m.constant(1)), leastOperations), work = inner;
    for (int64_t axis : {0, 1})
      work = m.mul(work, m.max(emitExtent(product.getResult(), axis), m.constant(1)));
    block = m.add(block, m.mul(work, serialFactor));
    grid = m.add(grid, m.max(work, m.mul(inner, rowFactor)));
    if (isByRows) {
      ofRow = m.add(ofRow, m.mul(inner, m.max(emitExtent(product.getResult(), 1), m.constant(1))));
      ofProducts = m.add(ofProducts, work);
    }
  }
  for (Value argument : getCarried())
    if (np::AllocOp next = getNext(argument)) {
      Value work = multiply(m.constant(leastOperations), next.getExtents());
      block = m.add(block, work);
      grid = m.add(grid, work);
    }
  int64_t barriers = kernels.size() + products.size(), launches = barriers + waits * launchesPerWait;
  auto isAtMost = [&](Value work, int64_t most) {
    return m.compare(arith::CmpIPredicate::sle, work, m.constant(most));
  };
  Value suitRows;
  if (isByRows) {
    Value isBusy = m.compare(arith::CmpIPredicate::sge, emitRowCount(), m.constant(manyRows));
    suitRows = m.either(isAtMost(ofRow, workOfRow * barriers),
                        m.both(isBusy, isAtMost(ofRow, busyFactor * workOfRow * barriers)));
    suitRows = m.both(m.both(suitRows, isAtMost(ofProducts, productWorkPerLaunch * launches)), emitRowsAgree());
  }
  if (!suitsGrid())
    return {suitRows, isAtMost(block, workPerLaunch * launches), Value()};
  Value suitGrid = isAtMost(grid, gridWorkPerLaunch * launches);
  for (Value extent : checkedExtents)
    suitGrid =
        m.both(suitGrid, m.compare(arith::CmpIPredicate::sge, *emitFixed(extent), m.constant(cuda::leastGridExtent)));
  return {suitRows, isAtMost(block, workPerBarrier * barriers), suitGrid};
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
  return m.add(work, std::max(leastOperations, own));
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
