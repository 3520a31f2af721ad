// Names become SSA values and basic blocks structured control flow.
//
//   %u = np.var "u"  np.set %a, %u  cf.br ^header(...)   ->   scf.for ... iter_args(%u = %a, %v = %b) { ... yield %v, %u }
//
// PromoteNames.cpp and upstream's mem2reg handle blocks only, so they come first; upstream's lift then gives scf.while, and WhileLoops.cpp
// makes of these what was written.
#include "compiler/np/Canonicalizer.h"
#include "compiler/np/Passes.h"
#include "compiler/np/PromoteNames.h"
#include "compiler/np/WhileLoops.h"
#include "dialects/Np/Names.h"
#include "mlir/Analysis/DataLayoutAnalysis.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CFGToSCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Mem2Reg.h"
#include "mlir/Transforms/RegionUtils.h"

namespace npcc {
#define GEN_PASS_DEF_RAISENAMES
#include "compiler/np/Passes.h.inc"

using namespace mlir;

namespace {
/// A read that an unbound name may reach fails there; where nothing reads it, it is a don't-care.
struct DropUnusedUnbound : OpRewritePattern<np::UnboundOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(np::UnboundOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<ub::PoisonOp>(op, op.getType(), ub::PoisonAttr::get(getContext()));
    return success();
  }
};

/// The lift gives a loop with several exits a switch behind it. As branches it is nothing that later passes do not know.
struct SwitchToBranches : OpRewritePattern<scf::IndexSwitchOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::IndexSwitchOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    scf::IfOp outermost;
    Block *rest = nullptr; // where the next branch goes
    for (auto [value, region] : llvm::zip(op.getCases(), op.getCaseRegions())) {
      if (rest)
        rewriter.setInsertionPointToEnd(rest);
      Value wanted = arith::ConstantIndexOp::create(rewriter, loc, value);
      Value matches = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, op.getArg(), wanted);
      auto branch = scf::IfOp::create(rewriter, loc, op.getResultTypes(), matches, /*addThenBlock=*/false, /*addElseBlock=*/false);
      rewriter.inlineRegionBefore(region, branch.getThenRegion(), branch.getThenRegion().end());
      Block *next = rewriter.createBlock(&branch.getElseRegion());
      if (rest) {
        rewriter.setInsertionPointToEnd(rest);
        scf::YieldOp::create(rewriter, loc, branch.getResults());
      } else {
        outermost = branch;
      }
      rest = next;
    }
    if (!outermost)
      return rewriter.notifyMatchFailure(op, "it has no cases");
    rewriter.mergeBlocks(&op.getDefaultRegion().front(), rest);
    rewriter.replaceOp(op, outermost.getResults());
    return success();
  }
};

struct RaiseNames : impl::RaiseNamesBase<RaiseNames> {
  void clean(bool countLoops) {
    RewritePatternSet patterns(&getContext());
    for (RegisteredOperationName op : getContext().getRegisteredOperations())
      if (isa<scf::SCFDialect, arith::ArithDialect, cf::ControlFlowDialect, ub::UBDialect>(op.getDialect()))
        op.getCanonicalizationPatterns(patterns, &getContext());
    populateBranchToBodyPatterns(patterns);
    if (countLoops)
      populateWhileToForPatterns(patterns);
    // Deep nests take many rounds; what is left after them is right all the same.
    GreedyRewriteConfig config = getRewriteConfig(getOperation());
    config.setMaxIterations(64);
    applySafely(getOperation(), freezeSafePatterns(std::move(patterns)), config);
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isDeclaration())
      return;
    IRRewriter rewriter(&getContext());
    (void)eraseUnreachableBlocks(rewriter, function->getRegions());

    DominanceInfo dominance(function);
    promoteNames(function, dominance);
    const DataLayout &layout = getAnalysis<DataLayoutAnalysis>().getAtOrAbove(function);
    SmallVector<PromotableAllocationOpInterface> slots;
    function.walk([&](np::VarOp op) { slots.push_back(op); }); // those that nested regions access
    OpBuilder builder(function.getBody());
    if (!slots.empty() && failed(tryToPromoteMemorySlots(slots, builder, layout, dominance)))
      return signalPassFailure();

    ControlFlowToSCFTransformation transformation;
    DominanceInfo lifted(function);
    if (failed(transformCFGToSCF(function.getBody(), transformation, lifted)))
      return signalPassFailure();
    RewritePatternSet unbound(&getContext());
    unbound.add<DropUnusedUnbound, SwitchToBranches>(&getContext());
    if (failed(applyPatternsGreedily(function, std::move(unbound))))
      return signalPassFailure();
    clean(/*countLoops=*/false);
    clean(/*countLoops=*/true);
  }
};
} // namespace
} // namespace npcc
