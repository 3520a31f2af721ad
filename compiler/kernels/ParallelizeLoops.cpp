// Explicit element loops without dependences between iterations become kernels.
//
//   scf.for %i = %c0 to %n step %c1 {                      np.kernel (%i) = (%n) {
//     %x = memref.load %a[%i]                       ->       %x = memref.load %a[%i]
//     memref.store %x, %b[%i] }                              memref.store %x, %b[%i] }
//
// A loop qualifies when it carries nothing, touches memory only by loads and stores, and any two accesses to what may
// be one buffer, one of them a store, have an index in common that moves with the induction variable, from a place that
// all iterations share: different iterations then touch different elements. (a[lo + i, k - i] = ... goes along a
// diagonal.) A nest of such loops becomes one kernel of several axes; what little is computed between them each element
// computes. On a device, an iteration that does more is distributed over such kernels (DistributeLoop.h).
//
// A small array that an iteration makes for itself gets a place for each iteration.
//
// Updates at positions that memory gives (count[bin[i]] += 1) may meet: where their order does not show, they are one
// access each (Updates.h). So may stores of one and the same value (seen[bin[i]] = 1), except where host and kernels
// share their memory, whose threads may not.
//
// Bounds checks of the induction variables are made before: where all hold, the kernel runs without them; where one
// fails, the loop runs as it is written, so that what Python would have stored before the IndexError is stored.
#include "compiler/explain/Remarks.h"
#include "compiler/kernels/DistributeLoop.h"
#include "compiler/kernels/HostLoops.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/kernels/LoopTest.h"
#include "compiler/kernels/LoopVersions.h"
#include "compiler/kernels/OwnArrays.h"
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/SharedSums.h"
#include "compiler/kernels/TripCounts.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace npcc {
#define GEN_PASS_DEF_PARALLELIZELOOPS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
struct ParallelizeLoops : impl::ParallelizeLoopsBase<ParallelizeLoops> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // its loops are a thread's, whose arrays others change
      return;
    bool general = getOperation()->hasAttr("np.general");
    SmallVector<std::pair<scf::ForOp, bool>> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (loop->getParentOfType<KernelOp>())
        return WalkResult::skip();
      LoopTest test(loop, loop, general);
      if (!test.isIndependent())
        return WalkResult::advance();
      loops.emplace_back(loop, test.needsChecks);
      return WalkResult::skip();
    });
    for (auto [loop, needsChecks] : loops)
      convert(loop, needsChecks, general);
  }

  /// Makes the kernel of a nest whose iterations hold a reduction.
  static void convertShared(scf::ForOp outer, size_t depth) {
    SmallVector<scf::ForOp> nest{outer};
    while (nest.size() < depth)
      nest.push_back(*nest.back().getBody()->getOps<scf::ForOp>().begin());
    makeKernel(nest);
  }

  static SmallVector<AllocOp> getOwnOfUnknownExtents(scf::ForOp outer) {
    SmallVector<AllocOp> arrays;
    outer.walk([&](AllocOp own) {
      if (!llvm::all_of(own.getExtents(), [](Value extent) { return getConstantIntValue(extent).has_value(); }))
        arrays.push_back(own);
    });
    return arrays;
  }

  /// Under which the arrays that iterations make for themselves have room beside each other; null if they always do.
  static Value emitHasRoom(scf::ForOp outer, ArrayRef<scf::ForOp> nest) {
    OpBuilder builder(outer);
    IndexMath m{builder, outer.getLoc()};
    SmallVector<AllocOp> arrays = getOwnOfUnknownExtents(outer);
    Value hasRoom, iterations;
    for (scf::ForOp loop : arrays.empty() ? ArrayRef<scf::ForOp>() : nest) {
      Value trips = emitTripCount(builder, loop);
      iterations = iterations ? m.mul(iterations, trips) : trips;
    }
    for (AllocOp own : arrays) {
      Value all = iterations;
      for (Value extent : own.getExtents())
        all = m.mul(all, m.max(extent, m.constant(1)));
      Value holds =
          m.compare(arith::CmpIPredicate::sle, all, m.constant(getTargetProperties(outer).tuning.mostOwnOfThreads));
      hasRoom = hasRoom ? m.both(hasRoom, holds) : holds;
    }
    return hasRoom;
  }

  static void convert(scf::ForOp outer, bool needsChecks, bool general) {
    SmallVector<KernelOp> ofIterations;
    outer.walk([&](KernelOp kernel) { ofIterations.push_back(kernel); });
    llvm::for_each(ofIterations, [](KernelOp kernel) { makeHostLoops(kernel); });
    if (!ofIterations.empty()) // with bounds from before the loop
      moveLoopInvariantCode(cast<LoopLikeOpInterface>(outer.getOperation()));
    SmallVector<scf::ForOp> nest{outer};
    for (;;) {
      scf::ForOp last = nest.back();
      scf::ForOp inner = findOnlyLoop(last, outer, general);
      if (!inner || inner.getNumResults())
        break;
      LoopTest test(inner, outer, general);
      if (!test.isIndependent())
        break;
      sinkInto(inner);
      nest.push_back(inner);
      needsChecks |= test.needsChecks;
    }
    // What iterations behind an error have stored would show.
    LoopTest whole(outer, outer, general);
    bool keepsStores = whole.isIndependent() && whole.keepsStores();
    Asked asked = needsChecks ? Asked::all : keepsStores ? Asked::exact : Asked::simple;
    if (failed(makeVersions(outer, nest, asked, emitHasRoom(outer, nest))))
      return;
    LoopTest test(outer, outer, general);
    test.isIndependent();
    shareArrays(nest, general);
    // Many threads, next to each other in memory, rather than one for all that an iteration does.
    if (nest.size() == 1 && test.updates.empty() && !getTargetProperties(outer).hostSharesMemory)
      if (SmallVector<scf::ForOp> parts = distributeLoop(outer, general); !parts.empty()) {
        for (scf::ForOp part : parts)
          convert(part, /*needsChecks=*/false, general);
        return;
      }
    // Where iterations are few and each adds up much, threads share that: rows instead of a thread each. Iterations
    // that may meet in an element keep what follows for them.
    if (test.updates.empty() && !test.storesMeet && !getTargetProperties(outer).hostSharesMemory)
      if (scf::ForOp sum = findSharedSum(outer, nest.back()))
        convertShared(offerSharedSum(outer, nest, sum), nest.size());
    // What a failed check leaves in memory shows unless the memory is lost with the error.
    bool isLost = llvm::all_of(test.updates, [](Update &update) { return update.getMemory().getDefiningOp<AllocOp>() != nullptr; });
    isLost &= !test.storesMeet || test.losesStores();
    if (!isLost && !checkPositionsBefore(outer, nest.back()))
      return;
    for (Update &update : test.updates)
      update.makeAtomic();
    makeKernel(nest);
  }

  /// Whether each loop of an iteration that uses the array can be an axis, along which neighbours lie in memory.
  static bool isUsedByAxes(AllocOp own, scf::ForOp outer, bool general) {
    return llvm::all_of(own->getUsers(), [&](Operation *user) {
      auto inner = dyn_cast<scf::ForOp>(outer.getBody()->findAncestorOpInBlock(*user));
      return inner && LoopTest(inner, outer, general).isIndependent();
    });
  }

  /// Arrays that iterations make for themselves, whose extents are not known, become one with a place for each
  /// iteration, before the loop is taken apart.
  static void shareArrays(MutableArrayRef<scf::ForOp> nest, bool general) {
    scf::ForOp outer = nest.front(), innermost = nest.back();
    SmallVector<AllocOp> arrays = getOwnOfUnknownExtents(outer);
    if (arrays.empty())
      return;
    OpBuilder builder(outer), inside = OpBuilder::atBlockBegin(innermost.getBody());
    SmallVector<Value> trips, numbers;
    for (scf::ForOp loop : nest) {
      trips.push_back(emitTripCount(builder, loop));
      numbers.push_back(emitIterationNumber(inside, loop, loop.getInductionVar()));
    }
    for (AllocOp own : arrays)
      share(own, builder, trips, numbers, nest.size() > 1 || !isUsedByAxes(own, outer, general));
  }

  /// An iteration's own array becomes a place in one of all iterations, which is made where the builder is.
  static void share(AllocOp own, OpBuilder &builder, ValueRange trips, ValueRange numbers, bool iterationsLast) {
    SmallVector<Value> sizes;
    for (Value extent : own.getExtents()) {
      std::optional<int64_t> known = getConstantIntValue(extent);
      sizes.push_back(known ? arith::ConstantIndexOp::create(builder, own.getLoc(), *known).getResult() : extent);
    }
    placeInShared(own, emitShared(builder, own, trips, sizes, iterationsLast), numbers, iterationsLast);
    own.erase();
  }

  static void makeKernel(MutableArrayRef<scf::ForOp> nest) {
    scf::ForOp outer = nest.front();
    OpBuilder builder(outer);
    Location loc = outer.getLoc();
    SmallVector<Value> extents;
    for (scf::ForOp loop : nest)
      extents.push_back(emitTripCount(builder, loop));
    for (scf::ForOp loop : nest)
      remarkLoop(loop.getLoc(), "a loop that is a kernel: its iterations do not need each other");
    auto kernel = KernelOp::create(builder, loc, extents);
    builder.setInsertionPoint(kernel.getBody()->getTerminator());
    for (auto [loop, position] : llvm::zip(nest, kernel.getInductionVars())) {
      loop.getInductionVar().replaceAllUsesWith(emitPosition(builder, loop, position));
    }
    Block *body = nest.back().getBody();
    kernel.getBody()->getOperations().splice(kernel.getBody()->getTerminator()->getIterator(), body->getOperations(), body->begin(),
                                             std::prev(body->end()));
    outer.erase();
    SmallVector<AllocOp> own;
    kernel.walk([&](AllocOp array) { own.push_back(array); });
    builder.setInsertionPoint(kernel);
    for (AllocOp array : own)
      share(array, builder, extents, kernel.getInductionVars(), /*iterationsLast=*/true);
  }
};
} // namespace
} // namespace npcc
