// npcc-simplify-positions: arithmetic of positions and extents that its loops decide. A slice clamps its ends to the
// axis; where the loop keeps them inside, the clamps go, and the extent of a window is what it was written to be:
//
//   for %i in [0, %h - %k + 1):                                      for %i in [0, %h - %k + 1):
//     %stop = arith.minsi (arith.maxsi (%i + %k), 0), %h      ->       x[%i : %i + %k] has the extent %k
//     %extent = arith.maxsi (%stop - %i), 0
// So do checks of indices that the loop keeps inside, or a branch around (`if y < 0 or y >= h: continue`).
//
// An expression is a sum of multiples of values and a constant. It is not negative if it is none with every loop
// position at the end of its range that makes it least, and what is left are extents with factors that are not
// negative.
#include "compiler/memory/BranchFacts.h"
#include "compiler/memory/PositionSums.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "mlir/IR/Matchers.h"

namespace npcc {
#define GEN_PASS_DEF_SIMPLIFYPOSITIONS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
struct SimplifyPositions : impl::SimplifyPositionsBase<SimplifyPositions> {
  void runOnOperation() override {
    facts = BranchFacts();
    SmallVector<Operation *> checks;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->getNumResults() != 1 || op->getNumRegions() > 0)
        return;
      if (Value value = simplify(op)) {
        op->getResult(0).replaceAllUsesWith(value);
        if (isa<CheckIndexOp, BroadcastExtentOp>(op))
          checks.push_back(op);
      }
    });
    for (Operation *check : checks)
      check->erase();
  }

  /// Whether a - b is at least `by` where an operation runs, whatever the extents are. Numbers of the program are not
  /// compared by what branches say of them: sums of them may not fit into 64 bits.
  bool isLeast(Operation *user, Value a, Value b, int64_t by = 0) {
    auto isEnough = [&](const PositionSum &least) {
      return least.constant >= by && llvm::all_of(least.factors, [](auto &term) {
               return term.second > 0 && isa_and_nonnull<DimOp>(term.first.getDefiningOp());
             });
    };
    if (a.getType().isIndex())
      return llvm::any_of(facts.getLeastDifferences(user, a, b), isEnough);
    std::optional<PositionSum> least = getLeastDifference(a, b);
    return least && isEnough(*least);
  }

  Value simplify(Operation *op) {
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      return decide(compare);
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      APInt condition;
      if (matchPattern(select.getCondition(), m_ConstantInt(&condition)))
        return condition.isOne() ? select.getTrueValue() : select.getFalseValue();
      return {};
    }
    if (!isPosition(op->getResult(0).getType()))
      return {};
    if (auto meet = dyn_cast<BroadcastExtentOp>(op)) {
      std::optional<PositionSum> difference = getDifference(meet.getLhs(), meet.getRhs());
      return difference && difference->factors.empty() && difference->constant == 0 ? meet.getLhs() : Value();
    }
    if (auto check = dyn_cast<CheckIndexOp>(op)) {
      Value position = check.getPosition();
      return isLeast(op, position, Value()) && isLeast(op, check.getSize(), position, 1) ? position : Value();
    }
    if (isa<arith::MaxSIOp, arith::MinSIOp>(op)) {
      Value a = op->getOperand(0), b = op->getOperand(1);
      if (isa<arith::MinSIOp>(op))
        std::swap(a, b);
      bool isFirst = isLeast(op, op->getOperand(0), op->getOperand(1));
      return isFirst ? a : isLeast(op, op->getOperand(1), op->getOperand(0)) ? b : Value();
    }
    if (isa<arith::AddIOp, arith::SubIOp, arith::IndexCastOp>(op))
      if (Value term = findTerm(op))
        return term;
    if (auto difference = dyn_cast<arith::SubIOp>(op))
      return findAddend(difference);
    return {};
  }

  /// What is left of (a + b) - a, however long a sum b is itself: the extent of x[%k : %k + %n].
  static Value findAddend(arith::SubIOp op) {
    Value whole = op.getLhs();
    if (auto cast = whole.getDefiningOp<arith::IndexCastOp>(); cast && isPosition(cast.getIn().getType()))
      whole = cast.getIn();
    auto sum = whole.getDefiningOp<arith::AddIOp>();
    if (!sum)
      return {};
    for (auto [part, rest] : {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())}) {
      std::optional<PositionSum> difference = getDifference(part, op.getRhs());
      if (!difference || !difference->factors.empty() || difference->constant != 0)
        continue;
      OpBuilder builder(op);
      return rest.getType() == op.getType()
                 ? rest
                 : arith::IndexCastOp::create(builder, op.getLoc(), op.getType(), rest).getResult();
    }
    return {};
  }

  /// Sums in which all values go away but one, or all. One value and a number are added, so that all such sums look the same.
  static Value findTerm(Operation *op) {
    std::optional<PositionSum> sum = getDifference(op->getResult(0), Value());
    Value result = op->getResult(0);
    if (!sum || sum->factors.size() > 1 || (!sum->factors.empty() && sum->factors.front().second != 1))
      return {};
    OpBuilder builder(op);
    auto number = [&]() -> Value {
      return arith::ConstantOp::create(builder, op->getLoc(), builder.getIntegerAttr(result.getType(), sum->constant));
    };
    if (sum->factors.empty())
      return number();
    Value value = sum->factors.front().first;
    if (value.getType() != result.getType() && !isa<arith::IndexCastOp>(op) && sum->constant == 0)
      return arith::IndexCastOp::create(builder, op->getLoc(), result.getType(), value);
    if (value.getType() != result.getType() || value == result)
      return {};
    if (sum->constant == 0)
      return value;
    if (isa<arith::AddIOp>(op) && op->getOperand(0) == value) // is so already
      return {};
    return arith::AddIOp::create(builder, op->getLoc(), value, number()).getResult();
  }

  Value decide(arith::CmpIOp op) {
    Value a = op.getLhs(), b = op.getRhs();
    if (!isPosition(a.getType()))
      return {};
    auto answer = [&](bool value) -> Value {
      OpBuilder builder(op);
      return arith::ConstantIntOp::create(builder, op.getLoc(), value, 1);
    };
    switch (op.getPredicate()) {
    case arith::CmpIPredicate::slt:
      return isLeast(op, a, b) ? answer(false) : isLeast(op, b, a, 1) ? answer(true) : Value();
    case arith::CmpIPredicate::sle:
      return isLeast(op, a, b, 1) ? answer(false) : isLeast(op, b, a) ? answer(true) : Value();
    case arith::CmpIPredicate::sgt:
      return isLeast(op, b, a) ? answer(false) : isLeast(op, a, b, 1) ? answer(true) : Value();
    case arith::CmpIPredicate::sge:
      return isLeast(op, b, a, 1) ? answer(false) : isLeast(op, a, b) ? answer(true) : Value();
    default:
      return {};
    }
  }

  BranchFacts facts;
};
} // namespace
} // namespace npcc
