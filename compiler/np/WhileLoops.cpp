// What upstream's lift makes of a loop is a `scf.while` that does all its work in its condition. Two patterns make it
// the loop that was written:
//
//   scf.while (%j = %lo, %x = %x0) {                scf.while (%j = %lo, %x = %x0) {
//     %more = arith.cmpi slt, %j, %n                  %more = arith.cmpi slt, %j, %n
//     %r:2 = scf.if %more {                           scf.condition(%more) %j, %x
//       ... scf.yield %next, %y                ->   } do {
//     } else { scf.yield %poison, %poison }         ^bb0(%j, %x):
//     scf.condition(%more) %r#0, %r#1, %j, %x         ... scf.yield %next, %y
//   } do { scf.yield ... }                          }
//
// and, where it counts up,                     ->   scf.for %j = %lo to %n step %c1 iter_args(%x = %x0) { ... }
//
// Upstream has patterns for both, and both are wrong in LLVM 22: the first loses a value that is handed on twice (see
// Canonicalizer.cpp), the second takes the counter of the last iteration for the counter behind the loop, and any step
// for a positive one.
#include "compiler/np/WhileLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {

using namespace mlir;

namespace {
struct BranchToBody : OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::WhileOp loop, PatternRewriter &rewriter) const override {
    scf::ConditionOp condition = loop.getConditionOp();
    auto branch = dyn_cast_or_null<scf::IfOp>(condition->getPrevNode());
    if (!branch || branch.getCondition() != condition.getCondition())
      return rewriter.notifyMatchFailure(loop, "the condition does not end with a branch on itself");
    if (branch.elseBlock() && !llvm::hasSingleElement(*branch.elseBlock()))
      return rewriter.notifyMatchFailure(loop, "the branch also does something when the loop ends");
    if (llvm::any_of(branch->getUsers(), [&](Operation *user) { return user != condition; }))
      return rewriter.notifyMatchFailure(loop, "the condition needs what the branch gives");

    // What the branch uses of the condition is handed on to the body.
    Block *before = loop.getBeforeBody(), *after = loop.getAfterBody(), *then = branch.thenBlock();
    llvm::SetVector<Value> captured;
    auto capture = [&](Value value) {
      if (value.getParentBlock() == before)
        captured.insert(value);
    };
    visitUsedValuesDefinedAbove(branch.getThenRegion(), [&](OpOperand *use) { capture(use->get()); });
    SmallVector<Value> handedOn(condition.getArgs()), atEnd;
    for (Value value : handedOn) {
      auto result = dyn_cast<OpResult>(value);
      atEnd.push_back(result && result.getOwner() == branch ? branch.elseYield()->getOperand(result.getResultNumber())
                                                            : value);
    }
    atEnd.append(captured.begin(), captured.end());

    auto replacement = scf::WhileOp::create(rewriter, loop.getLoc(), ValueRange(atEnd).getTypes(), loop.getInits());
    IRMapping inBody;
    for (Value value : captured)
      inBody.map(value, after->addArgument(value.getType(), value.getLoc()));
    for (auto [from, argument] : llvm::zip(handedOn, after->getArguments())) {
      auto result = dyn_cast<OpResult>(from);
      if (result && result.getOwner() == branch)
        rewriter.replaceAllUsesWith(argument,
                                    inBody.lookupOrDefault(branch.thenYield()->getOperand(result.getResultNumber())));
    }
    for (Value value : captured)
      rewriter.replaceUsesWithIf(value, inBody.lookup(value), [&](OpOperand &use) {
        return branch.getThenRegion().isAncestor(use.getOwner()->getParentRegion());
      });
    rewriter.eraseOp(branch.thenYield());
    rewriter.inlineBlockBefore(then, after, after->begin());
    rewriter.setInsertionPoint(condition);
    rewriter.replaceOpWithNewOp<scf::ConditionOp>(condition, condition.getCondition(), atEnd);
    rewriter.eraseOp(branch);
    rewriter.inlineRegionBefore(loop.getBefore(), replacement.getBefore(), replacement.getBefore().end());
    rewriter.inlineRegionBefore(loop.getAfter(), replacement.getAfter(), replacement.getAfter().end());
    rewriter.replaceOp(loop, replacement.getResults().take_front(handedOn.size()));
    return success();
  }
};

struct WhileToFor : OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;

  static bool isOutside(Value value, scf::WhileOp loop) {
    return !loop->isAncestor(value.getParentBlock()->getParentOp());
  }

  LogicalResult matchAndRewrite(scf::WhileOp loop, PatternRewriter &rewriter) const override {
    Block *before = loop.getBeforeBody(), *after = loop.getAfterBody();
    scf::ConditionOp condition = loop.getConditionOp();
    auto comparison = dyn_cast<arith::CmpIOp>(before->front());
    if (!comparison || comparison->getNextNode() != condition || condition.getCondition() != comparison.getResult() ||
        !comparison->hasOneUse())
      return rewriter.notifyMatchFailure(loop, "the condition is more than one comparison");

    // counter < bound, or bound > counter
    Value counter = comparison.getLhs(), bound = comparison.getRhs();
    if (comparison.getPredicate() == arith::CmpIPredicate::sgt)
      std::swap(counter, bound);
    else if (comparison.getPredicate() != arith::CmpIPredicate::slt)
      return rewriter.notifyMatchFailure(loop, "it does not count up to a bound");
    auto argument = dyn_cast<BlockArgument>(counter);
    if (!argument || argument.getOwner() != before || !isOutside(bound, loop))
      return rewriter.notifyMatchFailure(loop, "what is compared is no counter with a bound");

    // counter + step, which is a constant
    unsigned number = argument.getArgNumber();
    auto next = loop.getYieldOp().getResults()[number].getDefiningOp<arith::AddIOp>();
    if (!next)
      return rewriter.notifyMatchFailure(loop, "the counter is not added to");
    auto isCounter = [&](Value value) {
      auto inBody = dyn_cast<BlockArgument>(value);
      return inBody && inBody.getOwner() == after && condition.getArgs()[inBody.getArgNumber()] == counter;
    };
    Value step = isCounter(next.getLhs()) ? next.getRhs() : isCounter(next.getRhs()) ? next.getLhs() : Value();
    APInt stepConstant;
    if (!step || !matchPattern(step, m_ConstantInt(&stepConstant)) || !stepConstant.isStrictlyPositive())
      return rewriter.notifyMatchFailure(loop, "the step is no positive constant");

    Location loc = loop.getLoc();
    Value lower = loop.getInits()[number];
    SmallVector<Value> inits(loop.getInits());
    inits.erase(inits.begin() + number);
    step = arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(lower.getType(), stepConstant));
    auto counted =
        scf::ForOp::create(rewriter, loc, lower, bound, step, inits, [](OpBuilder &, Location, Value, ValueRange) {});
    Value atEnd = emitCounterBehind(rewriter, counted);

    // A carried value in the body, and behind the loop.
    SmallVector<Value> inBody, behind;
    for (Value value : condition.getArgs()) {
      auto carried = dyn_cast<BlockArgument>(value);
      if (!carried || carried.getOwner() != before) {
        inBody.push_back(value);
        behind.push_back(value);
      } else if (carried == argument) {
        inBody.push_back(counted.getInductionVar());
        behind.push_back(atEnd);
      } else {
        unsigned position = carried.getArgNumber() - (carried.getArgNumber() > number);
        inBody.push_back(counted.getRegionIterArg(position));
        behind.push_back(counted.getResult(position));
      }
    }
    rewriter.inlineBlockBefore(after, counted.getBody(), counted.getBody()->end(), inBody);
    auto yield = cast<scf::YieldOp>(counted.getBody()->getTerminator());
    rewriter.modifyOpInPlace(yield, [&] { yield->eraseOperand(number); });
    rewriter.replaceOp(loop, behind);
    return success();
  }
};
} // namespace

Value emitCounterBehind(OpBuilder &builder, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), step = loop.getStep();
  Value last = arith::MaxSIOp::create(builder, loc, lower, loop.getUpperBound());
  if (matchPattern(step, m_One()))
    return last;
  Value distance = arith::SubIOp::create(builder, loc, last, lower);
  Value count = arith::CeilDivUIOp::create(builder, loc, distance, step);
  return arith::AddIOp::create(builder, loc, lower, arith::MulIOp::create(builder, loc, count, step));
}

void populateBranchToBodyPatterns(RewritePatternSet &patterns) { patterns.add<BranchToBody>(patterns.getContext()); }
void populateWhileToForPatterns(RewritePatternSet &patterns) { patterns.add<WhileToFor>(patterns.getContext()); }

} // namespace npcc
