// npcc-version-windows: windows of which each iteration of a loop has another one, and that end inside of the array in
// all of them, have an extent that is the same for all.
//
//   scf.for %i = 0 to %m {                                   %inside = (the last window ends inside)
//     %from = %i * %h      %to = %i * %h + %n                np.alternatives "windows that end inside" %inside {
//     %stop = minsi %to, %length              ->               scf.for %i ... { ... np.view %x ... extents[%n] }
//     np.view %x offsets[%from] extents[%stop - %from]       } or {
//   }                                                          scf.for %i ... as before
//                                                            }
//
// A slice clamps its ends to the axis: x[i * h:i * h + n] has fewer elements where the array ends. Whether it does in
// some iteration is asked once, of the first and the last one. Of loops that call a library or sort only: a call needs
// the same extents in all iterations to become one for all (npcc-raise-calls), where other loops become kernels all the
// same. npcc-simplify-positions then finds that the windows' extents are equal.
#include "compiler/memory/IterationBounds.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Routines.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace npcc {
#define GEN_PASS_DEF_VERSIONWINDOWS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {

/// A copy of a loop without the clamps that no iteration needs, and the condition under which none does.
class Windows {
public:
  explicit Windows(scf::ForOp loop) : loop(loop), builder(loop), bounds(builder) {}

  void makeVersions() {
    copy = cast<scf::ForOp>(builder.clone(*loop));
    builder.setInsertionPoint(copy);
    SmallVector<Operation *> clamps;
    copy.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<arith::SelectOp, arith::MinSIOp, arith::MaxSIOp>(op) && op->getResult(0).getType().isIndex())
        clamps.push_back(op);
    });
    for (Operation *clamp : clamps)
      if (Value idle = findIdle(clamp))
        clamp->getResult(0).replaceAllUsesWith(idle);
    for (Operation *question : questions)
      question->erase();
    if (!areInside) {
      copy.erase();
      return;
    }
    Location loc = loop.getLoc();
    auto versions = AlternativesOp::create(builder, loc, loop.getResultTypes(), "windows that end inside", areInside);
    loop->replaceAllUsesWith(versions.getResults());
    versions.setOffered(copy);
    versions.setGeneral(loop);
  }

private:
  /// What a clamp gives where it changes nothing, if there is a condition for that, which is noted.
  Value findIdle(Operation *clamp) {
    if (auto select = dyn_cast<arith::SelectOp>(clamp)) { // of a position that may count from the end
      auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
      bool isOfSign = compare && compare.getPredicate() == arith::CmpIPredicate::slt &&
                      compare.getLhs() == select.getFalseValue() && matchPattern(compare.getRhs(), m_Zero());
      return isOfSign && isOfIteration(compare.getLhs()) && require(compare, false) ? select.getFalseValue() : Value();
    }
    Value limited = clamp->getOperand(0), limit = clamp->getOperand(1);
    // The ends of a window themselves. How far they are apart, npcc-simplify-positions knows without asking.
    auto distance = limited.getDefiningOp<arith::SubIOp>();
    bool isDistance = distance && isOfIteration(distance.getLhs()) && isOfIteration(distance.getRhs());
    if (isDistance || !isOfIteration(limited) || isOfIteration(limit))
      return {};
    OpBuilder at(clamp);
    auto predicate = isa<arith::MaxSIOp>(clamp) ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle;
    questions.push_back(arith::CmpIOp::create(at, clamp->getLoc(), predicate, limited, limit));
    return require(questions.back()->getResult(0), true) ? limited : Value();
  }

  bool isOfIteration(Value value) { return !copy.isDefinedOutsideOfLoop(value); }

  /// Whether a number is made of the loop's position, and of what is there before the loop.
  bool isOfPosition(Value value) {
    if (!isOfIteration(value))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op) {
      auto inner = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
      return inner && value == inner.getInductionVar() && isOfPosition(inner.getLowerBound()) &&
             isOfPosition(inner.getUpperBound());
    }
    return isa<arith::ArithDialect>(op->getDialect()) &&
           llvm::any_of(op->getOperands(), [&](Value operand) { return isOfIteration(operand); }) &&
           llvm::all_of(op->getOperands(), [&](Value operand) { return isOfPosition(operand); });
  }

  bool require(Value condition, bool expected) {
    if (!isOfPosition(condition))
      return false;
    Value holds = bounds.emitHolds(condition, expected);
    if (holds)
      areInside = areInside ? arith::AndIOp::create(builder, loop.getLoc(), areInside, holds).getResult() : holds;
    return holds != nullptr;
  }

  scf::ForOp loop, copy;
  OpBuilder builder;
  IterationBounds bounds;
  SmallVector<Operation *> questions; // whether a clamp changes nothing, while they are asked
  Value areInside;
};

struct VersionWindows : impl::VersionWindowsBase<VersionWindows> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread"))
      return;
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      WalkResult found = loop.walk([&](Operation *op) {
        bool isCall = isa<SortOp, RoutineOp>(op) && op->getParentOfType<scf::ForOp>() == loop;
        return isCall ? WalkResult::interrupt() : WalkResult::advance();
      });
      if (found.wasInterrupted())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      Windows(loop).makeVersions();
  }
};
} // namespace
} // namespace npcc
