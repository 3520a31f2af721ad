// npcc-split-at-pivots: a loop whose iterations are independent but for one, whose element others read, goes up to that
// one, does it, and goes on behind it.
//
//   scf.for %j = 0 to %n {                               scf.for %j = 0 to %k { ... %d[%i, %k] ... %d[%i, %j] }
//     %t = %d[%i, %k] + %d[%k, %j]              ->       ... %d[%i, %k] ... store to %d[%i, %k] ...
//     store min(%t, %d[%i, %j]), %d[%i, %j] }            scf.for %j = %k + 1 to %n { ... }
//
// The order is that of the program. On both sides the iterations store to other elements than the one that they read in
// common: they are kernels (npcc-parallelize-loops). So are, then, the rows on both sides of a row that all of them
// read: shortest paths, eliminations in place. Only where the pivot is known to lie within the loop, and for little
// code, which is there three times. For targets where a loop in one thread is slow.
#include "compiler/kernels/LoopTest.h"
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/PositionBounds.h"
#include "compiler/memory/PositionSums.h"
#include "compiler/target/Target.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_SPLITATPIVOTS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;

namespace {
// What may be there three times.
constexpr int64_t mostOperations = 100;

/// a - b is at least `least` in all iterations of the loops around.
bool isAtLeast(Value a, Value b, int64_t least) {
  std::optional<PositionSum> sum = getLeastDifference(a, b);
  return sum && sum->factors.empty() && sum->constant >= least;
}

class Splitting {
public:
  Splitting(scf::ForOp loop, bool general) : loop(loop), general(general) {}

  void run() {
    if (loop.getNumResults() || !loop.getInductionVar().getType().isIndex() ||
        getConstantIntValue(loop.getStep()) != 1 || LoopTest(loop, loop, general).isIndependent())
      return;
    int64_t operations = 0;
    loop.walk([&](Operation *op) { ++operations; });
    Value pivot = operations <= mostOperations ? findPivot() : Value();
    if (!pivot || !isAtLeast(pivot, loop.getLowerBound(), 0) || !isAtLeast(loop.getUpperBound(), pivot, 1))
      return;
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    // Where the pivot is known, so that loops around have it as a bound from outside.
    builder.setInsertionPointAfterValue(pivot);
    Value behind = arith::AddIOp::create(builder, loc, pivot, arith::ConstantIndexOp::create(builder, loc, 1));
    builder.setInsertionPoint(loop);
    auto before = cast<scf::ForOp>(builder.clone(*loop));
    before.setUpperBound(pivot);
    auto after = cast<scf::ForOp>(builder.clone(*loop));
    after.setLowerBound(behind);
    if (!LoopTest(before, before, general).isIndependent() || !LoopTest(after, after, general).isIndependent()) {
      before.erase();
      after.erase();
      if (behind.use_empty())
        behind.getDefiningOp()->erase();
      return;
    }
    builder.setInsertionPoint(after);
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), pivot);
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, mapping);
    loop.erase();
  }

private:
  /// The position of the loop whose element others read, or write, at a place that they have in common; null if there
  /// is none, or there are several.
  Value findPivot() {
    SmallVector<std::pair<Value, ValueRange>> stores, all;
    loop.walk([&](Operation *op) {
      if (auto store = dyn_cast<memref::StoreOp>(op))
        stores.emplace_back(store.getMemRef(), store.getIndices());
      if (auto load = dyn_cast<memref::LoadOp>(op))
        all.emplace_back(load.getMemRef(), load.getIndices());
    });
    llvm::append_range(all, stores);
    llvm::SmallSetVector<Value, 2> pivots;
    for (auto [stored, indices] : stores)
      for (auto [memory, others] : all)
        if (memory == stored)
          for (auto [moving, fixed] : llvm::zip(indices, others))
            if (stripCheck(moving) == loop.getInductionVar() && loop.isDefinedOutsideOfLoop(stripCheck(fixed)))
              pivots.insert(stripCheck(fixed));
    return pivots.size() == 1 ? pivots.front() : Value();
  }

  scf::ForOp loop;
  bool general;
};

struct SplitAtPivots : impl::SplitAtPivotsBase<SplitAtPivots> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread") || getTargetProperties(function).hostSharesMemory)
      return;
    // Inner loops first: rows are independent when their elements are.
    SmallVector<scf::ForOp> loops;
    function.walk([&](scf::ForOp loop) {
      if (!loop->getParentOfType<np::KernelOp>() && loop->getParentOfType<scf::ForOp>())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      Splitting(loop, function->hasAttr("np.general")).run();
  }
};
} // namespace
} // namespace npcc
