#include "compiler/gpu/emit/PositionRange.h"
#include "dialects/Np/Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <numeric>

using namespace mlir;
namespace npcc::cuda {

PositionRanges::PositionRanges(np::KernelOp kernel, int64_t leastExtent) : kernel(kernel), leastExtent(leastExtent) {
  kernel.walk([&](np::CheckIndexOp check) {
    if (getConstantIntValue(check.getPosition()) && isInvariant(check.getSize(), kernel))
      checked.insert(check.getSize());
  });
}

void PositionRanges::Sum::add(const Sum &other, int64_t factor) {
  constant += other.constant * factor;
  for (auto [value, times] : other.factors)
    factors[value] += times * factor;
}

std::optional<PositionRanges::Sum> PositionRanges::getSum(Value value) const {
  Sum sum;
  auto both = [&](int64_t factor) -> std::optional<Sum> {
    Operation *op = value.getDefiningOp();
    std::optional<Sum> left = getSum(op->getOperand(0)), right = getSum(op->getOperand(1));
    if (!left || !right)
      return std::nullopt;
    left->add(*right, factor);
    return left;
  };
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    sum.constant = *constant;
    return sum;
  }
  if (value.getDefiningOp<arith::AddIOp>())
    return both(1);
  if (value.getDefiningOp<arith::SubIOp>())
    return both(-1);
  if (auto check = value.getDefiningOp<np::CheckIndexOp>()) {
    std::optional<int64_t> position = getConstantIntValue(check.getPosition());
    std::optional<Sum> size = getSum(check.getSize());
    if (!position || (*position < 0 && !size))
      return std::nullopt;
    sum.constant = *position;
    if (*position < 0)
      sum.add(*size, 1);
    return sum;
  }
  if (!isInvariant(value, kernel))
    return std::nullopt;
  sum.factors[value] = 1;
  return sum;
}

/// The last position of a loop that has one: there an extent is not max(0, ...).
std::optional<PositionRanges::Sum> PositionRanges::getLast(Value bound) const {
  if (auto most = bound.getDefiningOp<arith::MaxSIOp>())
    for (unsigned number : {0, 1})
      if (getConstantIntValue(most->getOperand(number)) == 0)
        return getLast(most->getOperand(1 - number));
  std::optional<Sum> last = getSum(bound);
  if (last)
    last->constant -= 1;
  return last;
}

std::optional<PositionRanges::Range> PositionRanges::getRange(Value leaf) const {
  if (std::optional<Sum> sum = getSum(leaf))
    return Range{*sum, *sum};
  auto make = [](std::optional<Sum> least, std::optional<Sum> most) -> std::optional<Range> {
    if (!least || !most)
      return std::nullopt;
    return Range{*least, *most};
  };
  if (auto check = leaf.getDefiningOp<np::CheckIndexOp>())
    return make(Sum(), getLast(check.getSize()));
  auto argument = dyn_cast<BlockArgument>(leaf);
  if (!argument || !isLoopPosition(leaf))
    return std::nullopt;
  Operation *owner = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ParallelOp>(owner))
    return make(Sum(), getLast(loop.getUpperBound()[argument.getArgNumber()]));
  if (auto loop = dyn_cast<scf::ForOp>(owner); loop && getConstantIntValue(loop.getStep()).value_or(0) > 0)
    return make(getSum(loop.getLowerBound()), getLast(loop.getUpperBound()));
  return std::nullopt;
}

std::optional<PositionRanges::Range> PositionRanges::getRange(const KernelAccess &access, int64_t axis) const {
  Range all;
  all.least.constant = all.most.constant = access.constants[axis];
  for (const Term &term : access.stream->terms[axis]) {
    std::optional<Range> range = getRange(term.leaf);
    if (term.scale || !range)
      return std::nullopt;
    all.least.add(term.factor > 0 ? range->least : range->most, term.factor);
    all.most.add(term.factor > 0 ? range->most : range->least, term.factor);
  }
  return all;
}

/// Extents are not negative; those that are checked are not small.
bool PositionRanges::isPositive(const Sum &sum) const {
  int64_t least = sum.constant;
  for (auto [value, factor] : sum.factors) {
    bool isExtent = checked.contains(value) || value.getDefiningOp<memref::DimOp>();
    if (factor < 0 || (factor > 0 && !isExtent))
      return false;
    if (checked.contains(value))
      least += factor * leastExtent;
  }
  return least > 0;
}

/// One takes the even elements, the other the odd ones.
bool PositionRanges::haveOtherRemainders(const KernelAccess &a, const KernelAccess &b, int64_t axis) const {
  int64_t distance = a.constants[axis] - b.constants[axis], divisor = 0;
  for (const KernelAccess *access : {&a, &b})
    for (const Term &term : access->stream->terms[axis]) {
      if (term.scale)
        return false;
      divisor = std::gcd(divisor, term.factor);
    }
  return divisor > 1 && distance % divisor != 0;
}

bool PositionRanges::areApart(const KernelAccess &a, const KernelAccess &b) const {
  if (a.stream->memref != b.stream->memref)
    return false;
  for (int64_t axis = 0; axis < a.stream->getRank(); ++axis) {
    if (haveOtherRemainders(a, b, axis))
      return true;
    std::optional<Range> left = getRange(a, axis), right = getRange(b, axis);
    if (!left || !right)
      continue;
    for (auto [low, high] : {std::pair(left, right), std::pair(right, left)}) {
      Sum distance = high->least;
      distance.add(low->most, -1);
      if (isPositive(distance))
        return true;
    }
  }
  return false;
}

} // namespace npcc::cuda
