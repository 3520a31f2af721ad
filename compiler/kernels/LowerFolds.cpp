// npcc-lower-folds: folds that no emitter takes as they are become loops of one thread.
//
//   %s = np.fold any %n init(%z) { element } combine { combine } each { each } : f64
// becomes
//   %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z) -> f64 { element  combine  each  scf.yield %next }
//
// Where `keepScans` says so, the kernel of kind `scan` keeps its own, and one of kind `steps` those that all threads of
// its block come to together, if their totals may be grouped.
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
      if (!keepScans || !(isOfScan(fold) || isOfBlock(fold)))
        folds.push_back(fold);
    });
    for (np::FoldOp fold : folds)
      lower(fold);
  }

  static bool isOfScan(np::FoldOp fold) {
    auto kernel = dyn_cast<np::KernelOp>(fold->getParentOp());
    return kernel && kernel.getKind() == np::KernelKind::scan;
  }
  static bool isOfBlock(np::FoldOp fold) {
    Operation *around = fold->getParentOp();
    while (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(around))
      around = around->getParentOp();
    auto kernel = dyn_cast<np::KernelOp>(around);
    bool isBlock = kernel && kernel.getKind() == np::KernelKind::steps && kernel.getRunner() == np::Runner::block;
    return isBlock && fold.getGrouping() == np::Grouping::any && fold.getInitial().size() == 1 && fold->use_empty();
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
