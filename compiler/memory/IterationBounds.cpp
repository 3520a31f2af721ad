// Numbers that grow with the positions of loops are replaced by what they are at the loops' ends. A sum is greatest
// where its operands are, a difference where the first is greatest and the second least; a quotient by a constant, a
// minimum and a maximum follow their operands. A product with a number that is the same in all iterations is least at
// one end and greatest at the other. So a comparison holds everywhere if it holds of the least of one side and the
// greatest of the other. Python's integers, and products, may overflow at an end: that they do not is a part of the
// condition.
#include "compiler/memory/IterationBounds.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace npcc {
namespace {
using Predicate = arith::CmpIPredicate;

/// Where the positions of a loop's axis begin, and what they stay below.
struct Span {
  OpFoldResult from, to;
};

std::optional<Span> getSpan(BlockArgument position) {
  Operation *owner = position.getOwner()->getParentOp();
  unsigned number = position.getArgNumber();
  auto fromZero = [&](Value to) { return Span{Builder(to.getContext()).getIndexAttr(0), to}; };
  if (auto loop = dyn_cast_or_null<scf::ForOp>(owner); loop && position == loop.getInductionVar())
    return Span{loop.getLowerBound(), loop.getUpperBound()};
  if (auto loop = dyn_cast_or_null<scf::ParallelOp>(owner); loop && number < loop.getNumLoops())
    return Span{loop.getLowerBound()[number], loop.getUpperBound()[number]};
  if (auto kernel = dyn_cast_or_null<np::KernelOp>(owner); kernel && number < kernel.getExtents().size())
    return fromZero(kernel.getExtents()[number]);
  if (auto fold = dyn_cast_or_null<np::FoldOp>(owner); fold && position == fold.getPosition())
    return fromZero(fold.getExtent());
  return std::nullopt;
}

/// The comparison of signed numbers that is the same where both are not negative.
Predicate getSigned(Predicate predicate) {
  switch (predicate) {
  case Predicate::ult:
    return Predicate::slt;
  case Predicate::ule:
    return Predicate::sle;
  case Predicate::ugt:
    return Predicate::sgt;
  case Predicate::uge:
    return Predicate::sge;
  default:
    return predicate;
  }
}

} // namespace

/// Whether the value is made in a loop, of what the loop's iterations differ in.
bool IterationBounds::followsPosition(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return getSpan(argument).has_value();
  if (auto known = following.find(value); known != following.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  bool follows = isPure(op) && !op->getNumRegions() &&
                 llvm::any_of(op->getOperands(), [&](Value operand) { return followsPosition(operand); });
  return following[value] = follows;
}

Value IterationBounds::compare(Predicate predicate, Value lhs, Value rhs) {
  return builder.createOrFold<arith::CmpIOp>(lhs.getLoc(), predicate, lhs, rhs);
}

Value IterationBounds::both(Value a, Value b) {
  return a && b ? builder.createOrFold<arith::AndIOp>(a.getLoc(), a, b) : Value();
}

Value IterationBounds::emitHolds(Value condition, bool expected) {
  Value holds = emitWithoutOverflow(condition, expected);
  return holds && fits ? both(holds, fits) : holds;
}

Value IterationBounds::emitWithoutOverflow(Value condition, bool expected) {
  Operation *op = condition.getDefiningOp();
  if (!op || !followsPosition(condition)) {
    Value wanted = arith::ConstantIntOp::create(builder, condition.getLoc(), expected, 1);
    return compare(Predicate::eq, condition, wanted);
  }
  if (auto comparison = dyn_cast<arith::CmpIOp>(op)) {
    Predicate predicate = comparison.getPredicate();
    return emitComparison(expected ? predicate : arith::invertPredicate(predicate), comparison.getLhs(),
                          comparison.getRhs());
  }
  bool isBoth = isa<arith::AndIOp>(op);
  if (!isBoth && !isa<arith::OrIOp>(op))
    return {};
  Value left = emitWithoutOverflow(op->getOperand(0), expected);
  Value right = emitWithoutOverflow(op->getOperand(1), expected);
  if (isBoth == expected)
    return both(left, right);
  // Of two, one that is so in all iterations is enough.
  return left && right ? builder.createOrFold<arith::OrIOp>(op->getLoc(), left, right) : left ? left : right;
}

Value IterationBounds::emitComparison(Predicate predicate, Value lhs, Value rhs) {
  Predicate asSigned = getSigned(predicate);
  switch (asSigned) {
  case Predicate::slt:
  case Predicate::sle:
  case Predicate::sgt:
  case Predicate::sge: {
    bool isLess = asSigned == Predicate::slt || asSigned == Predicate::sle;
    Value left = emitEnd(lhs, isLess), right = emitEnd(rhs, !isLess);
    Value holds = left && right ? compare(asSigned, left, right) : Value();
    if (asSigned == predicate)
      return holds;
    return both(holds, both(emitNotNegative(lhs), emitNotNegative(rhs)));
  }
  default: // equal or not: no question of least and greatest
    return {};
  }
}

/// Under which no iteration has a number below 0.
Value IterationBounds::emitNotNegative(Value number) {
  Value end = emitEnd(number, /*isUpper=*/false);
  if (!end)
    return {};
  Value zero = arith::ConstantOp::create(builder, number.getLoc(), builder.getIntegerAttr(end.getType(), 0));
  return compare(Predicate::sge, end, zero);
}

Value IterationBounds::emitEnd(Value number, bool isUpper) {
  if (!followsPosition(number))
    return number;
  llvm::DenseMap<Value, Value> &ends = isUpper ? greatest : least;
  if (auto known = ends.find(number); known != ends.end())
    return known->second;
  auto argument = dyn_cast<BlockArgument>(number);
  Value end = argument ? emitEndOfPosition(argument, isUpper) : emitEndOfResult(number.getDefiningOp(), isUpper);
  return ends[number] = end;
}

Value IterationBounds::emitEndOfPosition(BlockArgument position, bool isUpper) {
  std::optional<Span> span = getSpan(position);
  Location loc = position.getLoc();
  OpFoldResult end = isUpper ? span->to : span->from;
  Value value = dyn_cast<Value>(end);
  if (!value)
    return arith::ConstantOp::create(builder, loc, cast<IntegerAttr>(cast<Attribute>(end)));
  value = emitEnd(value, isUpper);
  if (!value || !isUpper)
    return value;
  Value one = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(value.getType(), 1));
  return builder.createOrFold<arith::SubIOp>(loc, value, one);
}

/// From now on the condition holds only where the number has no more than so many bits and a sign.
void IterationBounds::requireAtMost(Value number, int64_t bits) {
  auto limit = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, number.getLoc(), builder.getIntegerAttr(number.getType(), value));
  };
  Value isAtMost = both(compare(Predicate::sle, number, limit(int64_t(1) << bits)),
                        compare(Predicate::sge, number, limit(-(int64_t(1) << bits))));
  fits = fits ? both(fits, isAtMost) : isAtMost;
}

/// Of a product with a number that is the same in all iterations.
Value IterationBounds::emitEndOfProduct(Operation *op, bool isUpper) {
  Value factor = op->getOperand(1), other = op->getOperand(0);
  if (followsPosition(factor))
    std::swap(factor, other);
  if (followsPosition(factor))
    return {};
  requireAtMost(factor, 31);
  SmallVector<Value> products;
  for (bool ofUpper : {false, true}) {
    Value end = emitEnd(other, ofUpper);
    if (!end)
      return {};
    requireAtMost(end, 31);
    products.push_back(builder.createOrFold<arith::MulIOp>(op->getLoc(), end, factor));
  }
  return isUpper ? builder.createOrFold<arith::MaxSIOp>(op->getLoc(), products[0], products[1])
                 : builder.createOrFold<arith::MinSIOp>(op->getLoc(), products[0], products[1]);
}

Value IterationBounds::emitEndOfResult(Operation *op, bool isUpper) {
  bool follows = isa<arith::AddIOp, arith::MinSIOp, arith::MaxSIOp, arith::IndexCastOp>(op);
  bool isDifference = isa<arith::SubIOp>(op);
  if (isa<arith::MulIOp, arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(op)) {
    std::optional<int64_t> factor = getConstantIntValue(op->getOperand(1));
    follows = factor && *factor > 0;
    if (!factor && isa<arith::MulIOp>(op))
      return emitEndOfProduct(op, isUpper);
  }
  if (!follows && !isDifference)
    return {};
  SmallVector<Value> operands;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    operands.push_back(emitEnd(operand, isDifference && number == 1 ? !isUpper : isUpper));
    if (!operands.back())
      return {};
    if (isa<arith::AddIOp, arith::SubIOp>(op) && operands.back().getType().isInteger(64))
      requireAtMost(operands.back(), 62);
  }
  IRMapping mapping;
  mapping.map(op->getOperands(), operands);
  return builder.clone(*op, mapping)->getResult(0);
}

} // namespace npcc
