// npcc-lower-branches: structured control flow of the host's code becomes blocks and branches.
//
//   %r = scf.if %c -> f64 { ... yield %x }          cf.cond_br %c, ^then, ^else
//   else { ... yield %y }                    ->     ^then: ...  cf.br ^behind(%x : f64)
//   use %r                                          ^else: ...  cf.br ^behind(%y : f64)
//                                                   ^behind(%r: f64): use %r
//
// What stands behind a branch moves to a block of its own. Upstream's pass takes the first branch of a block first, so
// that each moves all the rest of the block again: a block with thousands of branches, as a loop over many known
// objects makes, took minutes. Here the last one is first. Loops, which are few, are lowered by upstream's patterns.
#include "compiler/codegen/HostLowering.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_LOWERBRANCHES
#include "compiler/codegen/Passes.h.inc"
} // namespace npcc

namespace {
struct LowerBranches : npcc::impl::LowerBranchesBase<LowerBranches> {
  void runOnOperation() override {
    // Loops first: upstream's patterns want their regions to be one block each, those of branches may be more here.
    RewritePatternSet patterns(&getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.addIllegalOp<scf::ForallOp, scf::ForOp, scf::IndexSwitchOp, scf::ParallelOp, scf::WhileOp,
                        scf::ExecuteRegionOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      return signalPassFailure();
    SmallVector<scf::IfOp> branches;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::IfOp branch) { branches.push_back(branch); });
    IRRewriter rewriter(&getContext());
    for (scf::IfOp branch : llvm::reverse(branches))
      lower(rewriter, branch);
  }

  static void lower(IRRewriter &rewriter, scf::IfOp branch) {
    Block *before = branch->getBlock();
    Block *behind = rewriter.splitBlock(before, std::next(branch->getIterator()));
    for (Value result : branch.getResults())
      rewriter.replaceAllUsesWith(result, behind->addArgument(result.getType(), result.getLoc()));
    Block *first = moveRegion(rewriter, branch.getThenRegion(), behind);
    Block *second = moveRegion(rewriter, branch.getElseRegion(), behind);
    rewriter.setInsertionPointToEnd(before);
    cf::CondBranchOp::create(rewriter, branch.getLoc(), branch.getCondition(), first, ValueRange(), second,
                             ValueRange());
    rewriter.eraseOp(branch);
  }

  /// Its blocks, which go on behind the branch. The first one, or the one behind, if there are none.
  static Block *moveRegion(IRRewriter &rewriter, Region &region, Block *behind) {
    if (region.empty())
      return behind;
    Block *first = &region.front();
    Operation *yield = region.back().getTerminator();
    rewriter.setInsertionPoint(yield);
    rewriter.replaceOpWithNewOp<cf::BranchOp>(yield, behind, yield->getOperands());
    rewriter.inlineRegionBefore(region, behind);
    return first;
  }
};
} // namespace
