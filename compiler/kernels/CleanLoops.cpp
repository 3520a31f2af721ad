// The clean-up of the loop form: canonicalization, common subexpressions and what does not change in loops; before them,
// numbers that only went through memory are registers again.
#include "compiler/np/Canonicalizer.h"
#include "compiler/kernels/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace npcc {
#define GEN_PASS_DEF_CLEANLOOPS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;

namespace {
/// A number that is stored once and only loaded again needs no memory.
void forwardScalars(Operation *root) {
  SmallVector<np::AllocOp> numbers;
  root->walk([&](np::AllocOp op) {
    if (cast<MemRefType>(op.getBuffer().getType()).getRank() == 0)
      numbers.push_back(op);
  });
  for (np::AllocOp op : numbers) {
    memref::StoreOp stored;
    SmallVector<Operation *> others;
    bool isPlain = true;
    for (Operation *user : op->getUsers()) {
      if (auto store = dyn_cast<memref::StoreOp>(user); store && !stored && store->getBlock() == op->getBlock())
        stored = store;
      else
        others.push_back(user);
    }
    for (Operation *user : others) {
      Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
      isPlain &= isa<memref::LoadOp, np::ReleaseOp>(user) && stored && ancestor && stored->isBeforeInBlock(ancestor);
    }
    if (!stored || !isPlain)
      continue;
    for (Operation *user : others) {
      if (isa<memref::LoadOp>(user))
        user->getResult(0).replaceAllUsesWith(stored.getValue());
      user->erase();
    }
    stored->erase();
    op->erase();
  }
}

struct CleanLoops : impl::CleanLoopsBase<CleanLoops> {
  std::shared_ptr<FrozenRewritePatternSet> patterns;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(all);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(all, context);
    patterns = std::make_shared<FrozenRewritePatternSet>(freezeSafePatterns(std::move(all)));
    return success();
  }

  void runOnOperation() override {
    for (int round = 0; round < 2; ++round) {
      forwardScalars(getOperation());
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
