// Where an extent comes from.
#include "compiler/passes/Extents.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {

ExtentOrigin ExtentOrigins::ofIndex(Value index) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return {Value(), -1, constant.getSExtValue()};
  if (auto dim = index.getDefiningOp<DimOp>())
    return of(dim.getSource(), dim.getAxis());
  return {index, -1, -1};
}

ExtentOrigin ExtentOrigins::of(Value value, int64_t axis) {
  ExtentOrigin origin = follow(value, axis);
  while (origin.axis >= 0) {
    auto it = unified.find({origin.value, origin.axis});
    if (it == unified.end())
      break;
    origin = it->second;
  }
  return origin;
}

ExtentOrigin ExtentOrigins::follow(Value value, int64_t axis) {
  int64_t known = getShape(value.getType())[axis];
  if (!ShapedType::isDynamic(known))
    return {Value(), -1, known};
  if (auto it = assumed.find({value, axis}); it != assumed.end())
    return it->second;
  Operation *producer = value.getDefiningOp();
  if (!producer)
    return {value, axis, -1};
  if (auto op = dyn_cast<ViewOp>(producer))
    return ofIndex(op.getExtents()[axis]);
  if (auto op = dyn_cast<ReshapeOp>(producer))
    return ofIndex(op.getExtents()[axis]);
  if (auto op = dyn_cast<FullOp>(producer))
    return ofIndex(op.getExtents()[axis]);
  if (auto op = dyn_cast<BroadcastOp>(producer))
    return ofIndex(op.getExtents()[axis]);
  if (auto op = dyn_cast<ArangeOp>(producer))
    return ofIndex(op.getExtent());
  if (auto op = dyn_cast<EmptyOp>(producer)) {
    ArrayRef<int64_t> shape = getShape(op.getArray().getType());
    return ofIndex(op.getExtents()[llvm::count(shape.take_front(axis), ShapedType::kDynamic)]);
  }
  if (auto op = dyn_cast<NewOp>(producer))
    return of(op.getValue(), axis);
  if (auto op = dyn_cast<LoadOp>(producer))
    return of(op.getArray(), axis);
  if (auto op = dyn_cast<CastOp>(producer))
    return of(op.getInput(), axis);
  if (auto op = dyn_cast<ScanOp>(producer))
    return of(op.getInput(), axis);
  if (auto op = dyn_cast<InsertOp>(producer))
    return of(op.getDestination(), axis);
  if (auto op = dyn_cast<MatmulOp>(producer))
    return axis == 0 ? of(op.getLhs(), 0) : of(op.getRhs(), 1);
  if (auto op = dyn_cast<ReduceOp>(producer)) {
    for (int64_t source = 0, kept = -1;; ++source)
      if (!llvm::is_contained(op.getAxes(), source) && ++kept == axis)
        return of(op.getInput(), source);
  }
  if (auto op = dyn_cast<GatherOp>(producer)) {
    int64_t first = op.getAxes().front(), indexRank = getRank(op.getIndices().front().getType());
    if (axis < first)
      return of(op.getSource(), axis);
    if (axis < first + indexRank)
      return of(op.getIndices().front(), axis - first);
    return of(op.getSource(), axis - indexRank + op.getAxes().size());
  }
  if (auto op = dyn_cast<CompressOp>(producer))
    return axis == 0 ? ExtentOrigin{value, 0, -1} : of(op.getSource(), axis - 1 + getRank(op.getMask().getType()));
  if (auto op = dyn_cast<UfuncOp>(producer)) {
    // All operands agree, or it is the broadcast of two unknowns and an origin of its own.
    ExtentOrigin common;
    for (Value input : op.getInputs()) {
      int64_t inputAxis = axis - (getRank(value.getType()) - getRank(input.getType()));
      if (inputAxis < 0)
        continue;
      ExtentOrigin origin = of(input, inputAxis);
      if (origin.constant == 1)
        continue;
      if (common.isKnown() && !(common == origin))
        return {value, axis, -1};
      common = origin;
    }
    return common.isKnown() ? common : ExtentOrigin{Value(), -1, 1};
  }
  return {value, axis, -1};
}

Value materializeExtent(OpBuilder &builder, Location loc, const ExtentOrigin &origin) {
  if (origin.constant >= 0)
    return arith::ConstantIndexOp::create(builder, loc, origin.constant);
  if (origin.axis < 0)
    return origin.value;
  return DimOp::create(builder, loc, origin.value, origin.axis);
}

} // namespace npcc
