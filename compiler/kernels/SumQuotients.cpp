#include "compiler/kernels/SumQuotients.h"
#include "compiler/kernels/PositionBounds.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace npcc {
namespace {

/// What a position is below, by the loop or the kernel that counts it: its extent.
std::optional<int64_t> getEnd(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant >= 0 ? std::optional(*constant + 1) : std::nullopt;
  if (auto remainder = value.getDefiningOp<arith::RemUIOp>())
    return getConstantIntValue(remainder.getRhs());
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return std::nullopt;
  Operation *owner = argument.getOwner()->getParentOp();
  if (auto kernel = dyn_cast<np::KernelOp>(owner))
    return getConstantIntValue(kernel.getExtents()[argument.getArgNumber()]);
  if (auto loop = dyn_cast<scf::ParallelOp>(owner))
    return getConstantIntValue(loop.getUpperBound()[argument.getArgNumber()]);
  auto counted = dyn_cast<scf::ForOp>(owner);
  bool isPosition = counted && value == counted.getInductionVar() && isNotNegative(counted.getLowerBound());
  return isPosition ? getConstantIntValue(counted.getUpperBound()) : std::nullopt;
}

bool isBelow(Value value, int64_t most) {
  std::optional<int64_t> end = getEnd(value);
  return end && *end <= most;
}

/// The x of x * factor.
Value getFactor(Value product, int64_t factor) {
  auto op = product.getDefiningOp<arith::MulIOp>();
  bool isOne = op && getConstantIntValue(op.getRhs()) == factor && isNotNegative(op.getLhs());
  return isOne ? op.getLhs() : Value();
}

/// The parts of a number, null where one is 0; false where it is not seen to have such.
bool findParts(Value number, int64_t extent, Value &whole, Value &rest) {
  whole = getFactor(number, extent);
  if (auto sum = number.getDefiningOp<arith::AddIOp>())
    for (auto [product, other] : {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())})
      if (Value factor = getFactor(product, extent); factor && isBelow(other, extent)) {
        whole = factor;
        rest = other;
      }
  if (!whole && isBelow(number, extent))
    rest = number;
  return whole || rest;
}

template <typename Op> struct OfSum : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    std::optional<int64_t> divisor = getConstantIntValue(op.getRhs());
    Value whole, rest;
    if (!op.getType().isIndex() || !divisor || *divisor < 1 || !findParts(op.getLhs(), *divisor, whole, rest))
      return failure();
    Value part = std::is_same_v<Op, arith::DivUIOp> ? whole : rest;
    if (part)
      rewriter.replaceOp(op, part);
    else
      rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(op, 0);
    return success();
  }
};

} // namespace

void addSumQuotients(RewritePatternSet &patterns) {
  patterns.add<OfSum<arith::DivUIOp>, OfSum<arith::RemUIOp>>(patterns.getContext());
}

std::optional<std::pair<Value, Value>> splitNumber(OpBuilder &builder, Value number, int64_t extent) {
  Value whole, rest;
  if (!findParts(number, extent, whole, rest))
    return std::nullopt;
  auto orZero = [&](Value part) {
    return part ? part : Value(arith::ConstantIndexOp::create(builder, number.getLoc(), 0));
  };
  return std::pair(orZero(whole), orZero(rest));
}

} // namespace npcc
