// The clean-up of the loop form: every canonicalization but those of scf.parallel, then common subexpressions and what does not change in loops.
//
// Upstream's canonicalization removes axes of one iteration. In the loop form an outer loop of one iteration around a reduction is a kernel, and
// what is without it would be host code.
#include "compiler/passes/Passes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace npcc {
#define GEN_PASS_DEF_CLEANLOOPS
#include "compiler/passes/Passes.h.inc"

using namespace mlir;

namespace {
struct CleanLoops : impl::CleanLoopsBase<CleanLoops> {
  std::shared_ptr<FrozenRewritePatternSet> patterns;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(all);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      if (op.getTypeID() != TypeID::get<scf::ParallelOp>())
        op.getCanonicalizationPatterns(all, context);
    patterns = std::make_shared<FrozenRewritePatternSet>(std::move(all));
    return success();
  }

  void runOnOperation() override {
    for (int round = 0; round < 2; ++round) {
      (void)applyPatternsGreedily(getOperation(), *patterns);
      getOperation()->walk([](LoopLikeOpInterface loop) { moveLoopInvariantCode(loop); });
      IRRewriter rewriter(&getContext());
      DominanceInfo dominance(getOperation());
      eliminateCommonSubExpressions(rewriter, dominance, getOperation());
    }
  }
};
} // namespace
} // namespace npcc
