// Sums of positions and extents, and how small loops make them. For both forms.
#include "compiler/memory/PositionSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace npcc {
static constexpr int mostTerms = 64; // of an expression: what is longer is left alone

void PositionSum::add(const PositionSum &other, int64_t times) {
  constant += times * other.constant;
  for (auto [value, factor] : other.factors)
    addTerm(value, times * factor);
}

void PositionSum::addTerm(Value value, int64_t factor) {
  int64_t &mine = factors[value];
  mine += factor;
  if (mine == 0)
    factors.erase(value);
}

bool isPosition(Type type) { return type.isIndex() || type.isSignlessInteger(64); }

/// Whether an operation is computed wherever the other one is.
static bool isBefore(Operation *op, Operation *other) {
  Operation *place = op->getBlock()->findAncestorOpInBlock(*other);
  return place && (place == op || op->isBeforeInBlock(place));
}

/// The one value that stands for a product of two, of all that were computed before `place`: the first one.
static Value findProduct(Value a, Value b, Operation *place) {
  Operation *found = nullptr;
  for (Operation *user : a.getUsers()) {
    bool isProduct = isa<arith::MulIOp>(user) && ((user->getOperand(0) == a && user->getOperand(1) == b) ||
                                                  (user->getOperand(0) == b && user->getOperand(1) == a));
    if (isProduct && isBefore(user, place) && (!found || isBefore(user, found)))
      found = user;
  }
  return found ? found->getResult(0) : Value();
}

static bool collect(Value value, int64_t times, PositionSum &sum, int &left);

/// (a + 1) * b as a * b + b, where the program computes a * b too.
static bool collectProduct(arith::MulIOp op, int64_t times, PositionSum &sum, int &left) {
  Value operands[] = {op.getLhs(), op.getRhs()};
  for (int number : {0, 1}) {
    Value whole = operands[number], factor = operands[1 - number];
    auto addition = whole.getDefiningOp<arith::AddIOp>();
    APInt more;
    if (!addition || !matchPattern(addition.getRhs(), m_ConstantInt(&more)) || more.abs().ugt(1 << 20) ||
        std::abs(times) >= (1 << 20))
      continue;
    Value product = findProduct(addition.getLhs(), factor, op);
    if (!product)
      continue;
    sum.addTerm(product, times);
    return collect(factor, times * more.getSExtValue(), sum, left);
  }
  sum.addTerm(findProduct(op.getLhs(), op.getRhs(), op), times);
  return true;
}

static bool collect(Value value, int64_t times, PositionSum &sum, int &left) {
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
  if (isa_and_nonnull<arith::MulIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&constant)) &&
      constant.abs().ult(1 << 20) && std::abs(times) < (1 << 20))
    return collect(op->getOperand(0), times * constant.getSExtValue(), sum, left);
  if (auto cast = dyn_cast_or_null<arith::IndexCastOp>(op); cast && isPosition(cast.getIn().getType()))
    return collect(cast.getIn(), times, sum, left);
  if (auto product = dyn_cast_or_null<arith::MulIOp>(op))
    return collectProduct(product, times, sum, left);
  sum.addTerm(value, times);
  return true;
}

std::optional<PositionSum> getDifference(Value a, Value b) {
  PositionSum sum;
  int left = mostTerms;
  if (!collect(a, 1, sum, left) || (b && !collect(b, -1, sum, left)))
    return std::nullopt;
  return sum;
}

/// The loop whose position this is, if it counts upwards.
static scf::ForOp getLoop(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  APInt step;
  bool counts = loop && value == loop.getInductionVar() && matchPattern(loop.getStep(), m_ConstantInt(&step)) &&
                step.isStrictlyPositive();
  return counts ? loop : scf::ForOp();
}

std::optional<PositionSum> getLeastDifference(Value a, Value b) {
  std::optional<PositionSum> sum = getDifference(a, b);
  return sum ? getLeast(*sum) : std::nullopt;
}

std::optional<PositionSum> getLeast(PositionSum sum) {
  for (int round = 0; round < 16; ++round) {
    // The innermost loop first: its bounds may depend on the others.
    scf::ForOp innermost;
    for (auto [value, factor] : sum.factors)
      if (scf::ForOp loop = getLoop(value); loop && (!innermost || innermost->isProperAncestor(loop)))
        innermost = loop;
    if (!innermost)
      return sum;
    Value position = innermost.getInductionVar();
    int64_t factor = sum.factors.lookup(position);
    int left = mostTerms;
    PositionSum least;
    if (!collect(factor > 0 ? innermost.getLowerBound() : innermost.getUpperBound(), 1, least, left))
      return std::nullopt;
    if (factor < 0)
      least.constant -= 1;
    sum.addTerm(position, -factor);
    sum.add(least, factor);
  }
  return std::nullopt;
}

} // namespace npcc
