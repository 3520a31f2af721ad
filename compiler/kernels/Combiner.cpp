#include "compiler/kernels/Combiner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace npcc;

bool Combiner::isExact() const { return !isa<arith::AddFOp, arith::MulFOp, complex::AddOp, complex::MulOp>(op); }
bool Combiner::isRoundedSum() const { return isa<arith::AddFOp, complex::AddOp>(op); }
bool Combiner::isHalf() const {
  Type type = op->getResult(0).getType();
  return type.isBF16() || (type.isF16() && !isExact()); // machines compare halves, but not bfloat16
}
Type Combiner::getType() const { return isHalf() ? Float32Type::get(op->getContext()) : op->getResult(0).getType(); }

Value Combiner::widen(OpBuilder &builder, Location loc, Value value) const {
  return isHalf() ? arith::ExtFOp::create(builder, loc, getType(), value).getResult() : value;
}
Value Combiner::narrow(OpBuilder &builder, Location loc, Value value) const {
  return isHalf() ? arith::TruncFOp::create(builder, loc, op->getResult(0).getType(), value).getResult() : value;
}

Value Combiner::combine(OpBuilder &builder, Location loc, Value lhs, Value rhs, bool reassociate) const {
  NamedAttrList attributes(op->getAttrs());
  if (reassociate && !isExact())
    attributes.set("fastmath", arith::FastMathFlagsAttr::get(op->getContext(), arith::FastMathFlags::reassoc));
  // The region's operation may take its arguments in either order; combining is commutative.
  return builder.create(loc, op->getName().getIdentifier(), {lhs, rhs}, {lhs.getType()}, attributes)->getResult(0);
}

SmallVector<Combiner> npcc::getCombiners(scf::ParallelOp loop) {
  SmallVector<Combiner> combiners;
  for (Region &region : cast<scf::ReduceOp>(loop.getBody()->getTerminator()).getReductions())
    combiners.emplace_back(region.front().getTerminator()->getOperand(0).getDefiningOp());
  return combiners;
}
