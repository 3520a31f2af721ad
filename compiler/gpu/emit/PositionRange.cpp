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

std::optional<PositionSum> PositionRanges::getSum(Value value) const {
  std::optional<PositionSum> sum = getDifference(value, Value());
  if (!sum)
    return std::nullopt;
  PositionSum outside;
  outside.constant = sum->constant;
  for (auto [leaf, factor] : sum->factors) {
    auto check = leaf.getDefiningOp<np::CheckIndexOp>();
    std::optional<int64_t> position = check ? getConstantIntValue(check.getPosition()) : std::nullopt;
    if (position) {
      outside.constant += factor * *position;
      std::optional<PositionSum> size = *position < 0 ? getSum(check.getSize()) : PositionSum();
      if (!size)
        return std::nullopt;
      outside.add(*size, factor);
    } else if (!isInvariant(leaf, kernel)) {
      return std::nullopt;
    } else {
      outside.addTerm(leaf, factor);
    }
  }
  return outside;
}

/// The last position of a loop that has one: there an extent is not max(0, ...).
std::optional<PositionSum> PositionRanges::getLast(Value bound) const {
  if (auto most = bound.getDefiningOp<arith::MaxSIOp>())
    for (unsigned number : {0, 1})
      if (getConstantIntValue(most->getOperand(number)) == 0)
        return getLast(most->getOperand(1 - number));
  std::optional<PositionSum> last = getSum(bound);
  if (last)
    last->constant -= 1;
  return last;
}

std::optional<PositionRanges::Range> PositionRanges::getRange(Value leaf) const {
  if (std::optional<PositionSum> sum = getSum(leaf))
    return Range{*sum, *sum};
  auto make = [](std::optional<PositionSum> least, std::optional<PositionSum> most) -> std::optional<Range> {
    if (!least || !most)
      return std::nullopt;
    return Range{*least, *most};
  };
  if (auto check = leaf.getDefiningOp<np::CheckIndexOp>())
    return make(PositionSum(), getLast(check.getSize()));
  auto argument = dyn_cast<BlockArgument>(leaf);
  if (!argument || !isLoopPosition(leaf))
    return std::nullopt;
  Operation *owner = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ParallelOp>(owner))
    return make(PositionSum(), getLast(loop.getUpperBound()[argument.getArgNumber()]));
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
bool PositionRanges::isPositive(const PositionSum &sum) const {
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
      PositionSum distance = high->least;
      distance.add(low->most, -1);
      if (isPositive(distance))
        return true;
    }
  }
  return false;
}

} // namespace npcc::cuda
