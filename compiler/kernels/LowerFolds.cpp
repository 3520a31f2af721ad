// npcc-lower-folds: folds that no emitter takes as they are become loops of one thread.
//
//   %s = np.fold any %n init(%z) { element } combine { combine } each { each } : f64
// becomes
//   %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z) -> f64 { element  combine  each  scf.yield %next }
//
// The kernel of kind `scan` keeps its own where `keepScans` says so.
#include "compiler/kernels/Passes.h"
#include "dialects/Np/Kernels.h"
#include "mlir/IR/IRMapping.h"

namespace npcc {
#define GEN_PASS_DEF_LOWERFOLDS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;

namespace {
struct LowerFolds : impl::LowerFoldsBase<LowerFolds> {
  using LowerFoldsBase::LowerFoldsBase;

  void runOnOperation() override {
    SmallVector<np::FoldOp> folds;
    getOperation()->walk([&](np::FoldOp fold) {
      auto kernel = dyn_cast<np::KernelOp>(fold->getParentOp());
      if (!keepScans || !kernel || kernel.getKind() != np::KernelKind::scan)
        folds.push_back(fold);
    });
    for (np::FoldOp fold : folds)
      lower(fold);
  }

  static void lower(np::FoldOp fold) {
    OpBuilder builder(fold);
    Location loc = fold.getLoc();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto loop = scf::ForOp::create(builder, loc, zero, fold.getExtent(), one, fold.getInitial());
    if (!loop.getBody()->empty())
      loop.getBody()->back().erase();
    builder.setInsertionPointToStart(loop.getBody());
    IRMapping mapping;
    auto clone = [&](Region &region) {
      for (Operation &op : region.front().without_terminator())
        builder.clone(op, mapping);
    };
    mapping.map(fold.getPosition(), loop.getInductionVar());
    clone(fold.getElement());
    SmallVector<Value> elements;
    for (Value element : fold.getElement().front().getTerminator()->getOperands())
      elements.push_back(mapping.lookupOrDefault(element));
    SmallVector<Value> next = fold.emitCombine(builder, loop.getRegionIterArgs(), elements);
    mapping.map(fold.getEachPosition(), loop.getInductionVar());
    mapping.map(fold.getEach().getArguments().drop_front(), next);
    clone(fold.getEach());
    scf::YieldOp::create(builder, loc, next);
    fold.replaceAllUsesWith(loop.getResults());
    fold.erase();
  }
};
} // namespace
} // namespace npcc
