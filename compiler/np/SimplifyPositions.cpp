// npcc-simplify-positions: arithmetic of positions and extents that its loops decide. A slice clamps its ends to the axis; where the loop keeps them
// inside, the clamps go, and the extent of a window is what it was written to be:
//
//   for %i in [0, %h - %k + 1):                                      for %i in [0, %h - %k + 1):
//     %stop = arith.minsi (arith.maxsi (%i + %k), 0), %h      ->       x[%i : %i + %k] has the extent %k
//     %extent = arith.maxsi (%stop - %i), 0
// So do checks of indices that the loop keeps inside.
//
// An expression is a sum of multiples of values and a constant. It is not negative if it is none with every loop position at the end of its range
// that makes it least, and what is left are extents with factors that are not negative.
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

struct Sum {
  int64_t constant = 0;
  llvm::SmallMapVector<Value, int64_t, 4> factors;

  void add(const Sum &other, int64_t times) {
    constant += times * other.constant;
    for (auto [value, factor] : other.factors)
      addTerm(value, times * factor);
  }
  void addTerm(Value value, int64_t factor) {
    int64_t &mine = factors[value];
    mine += factor;
    if (mine == 0)
      factors.erase(value);
  }
};

constexpr int mostTerms = 64; // of an expression: what is longer is left alone

bool isPosition(Type type) { return type.isIndex() || type.isSignlessInteger(64); }

bool collect(Value value, int64_t times, Sum &sum, int &left) {
  if (--left < 0 || !isPosition(value.getType()))
    return false;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    if (constant.abs().uge(uint64_t(1) << 36)) // no position, and sums of it may not fit 64 bits
      return false;
    sum.constant += times * constant.getSExtValue();
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp>(op))
    return collect(op->getOperand(0), times, sum, left) && collect(op->getOperand(1), times, sum, left);
  if (isa_and_nonnull<arith::SubIOp>(op))
    return collect(op->getOperand(0), times, sum, left) && collect(op->getOperand(1), -times, sum, left);
  if (isa_and_nonnull<arith::MulIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&constant)) && constant.abs().ult(1 << 20) &&
      std::abs(times) < (1 << 20))
    return collect(op->getOperand(0), times * constant.getSExtValue(), sum, left);
  if (auto cast = dyn_cast_or_null<arith::IndexCastOp>(op); cast && isPosition(cast.getIn().getType()))
    return collect(cast.getIn(), times, sum, left);
  sum.addTerm(value, times);
  return true;
}

std::optional<Sum> getDifference(Value a, Value b) {
  Sum sum;
  int left = mostTerms;
  if (!collect(a, 1, sum, left) || (b && !collect(b, -1, sum, left)))
    return std::nullopt;
  return sum;
}

scf::ForOp getLoop(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  APInt step;
  bool isPosition = loop && value == loop.getInductionVar() && matchPattern(loop.getStep(), m_ConstantInt(&step)) && step.isStrictlyPositive();
  return isPosition ? loop : scf::ForOp();
}

bool isNotNegative(Sum sum) {
  for (int round = 0; round < 16; ++round) {
    // The innermost loop first: its bounds may depend on the others.
    scf::ForOp innermost;
    for (auto [value, factor] : sum.factors)
      if (scf::ForOp loop = getLoop(value); loop && (!innermost || innermost->isProperAncestor(loop)))
        innermost = loop;
    if (!innermost)
      break;
    Value position = innermost.getInductionVar();
    int64_t factor = sum.factors.lookup(position);
    int left = mostTerms;
    Sum least;
    if (!collect(factor > 0 ? innermost.getLowerBound() : innermost.getUpperBound(), 1, least, left))
      return false;
    if (factor < 0)
      least.constant -= 1;
    sum.addTerm(position, -factor);
    sum.add(least, factor);
  }
  return sum.constant >= 0 && llvm::all_of(sum.factors, [](auto &term) { return term.second > 0 && isa_and_nonnull<DimOp>(term.first.getDefiningOp()); });
}

bool isLeast(Value a, Value b, int64_t by = 0) { // a - b >= by
  std::optional<Sum> sum = getDifference(a, b);
  if (!sum)
    return false;
  sum->constant -= by;
  return isNotNegative(*sum);
}

struct SimplifyPositions : impl::SimplifyPositionsBase<SimplifyPositions> {
  void runOnOperation() override {
    SmallVector<Operation *> checks;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->getNumResults() != 1 || op->getNumRegions() > 0)
        return;
      if (Value value = simplify(op)) {
        op->getResult(0).replaceAllUsesWith(value);
        if (isa<CheckIndexOp>(op))
          checks.push_back(op);
      }
    });
    for (Operation *check : checks)
      check->erase();
  }

  static Value simplify(Operation *op) {
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
    if (auto check = dyn_cast<CheckIndexOp>(op)) {
      Value position = check.getPosition();
      return isLeast(position, Value()) && isLeast(check.getSize(), position, 1) ? position : Value();
    }
    if (isa<arith::MaxSIOp, arith::MinSIOp>(op)) {
      Value a = op->getOperand(0), b = op->getOperand(1);
      if (isa<arith::MinSIOp>(op))
        std::swap(a, b);
      return isLeast(op->getOperand(0), op->getOperand(1)) ? a : isLeast(op->getOperand(1), op->getOperand(0)) ? b : Value();
    }
    if (isa<arith::AddIOp, arith::SubIOp, arith::IndexCastOp>(op))
      return findTerm(op);
    return {};
  }

  /// Sums in which all values go away but one, or all; and those of an extent and a number that were made of Python's integers.
  static Value findTerm(Operation *op) {
    std::optional<Sum> sum = getDifference(op->getResult(0), Value());
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
    if (value.getType() != result.getType() || value == result)
      return {};
    if (sum->constant == 0)
      return value;
    return isa<arith::IndexCastOp>(op) ? arith::AddIOp::create(builder, op->getLoc(), value, number()).getResult() : Value();
  }

  static Value decide(arith::CmpIOp op) {
    Value a = op.getLhs(), b = op.getRhs();
    if (!isPosition(a.getType()))
      return {};
    auto answer = [&](bool value) -> Value {
      OpBuilder builder(op);
      return arith::ConstantIntOp::create(builder, op.getLoc(), value, 1);
    };
    switch (op.getPredicate()) {
    case arith::CmpIPredicate::slt:
      return isLeast(a, b) ? answer(false) : isLeast(b, a, 1) ? answer(true) : Value();
    case arith::CmpIPredicate::sle:
      return isLeast(a, b, 1) ? answer(false) : isLeast(b, a) ? answer(true) : Value();
    case arith::CmpIPredicate::sgt:
      return isLeast(b, a) ? answer(false) : isLeast(a, b, 1) ? answer(true) : Value();
    case arith::CmpIPredicate::sge:
      return isLeast(b, a, 1) ? answer(false) : isLeast(a, b) ? answer(true) : Value();
    default:
      return {};
    }
  }
};
} // namespace
} // namespace npcc
