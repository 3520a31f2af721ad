// What the extents of results are, in terms of operands.
#include "dialects/Np/Np.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npcc::np;

Value npcc::np::getExtent(OpBuilder &builder, Location loc, Value value, int64_t axis) {
  int64_t extent = getShape(value.getType())[axis];
  if (!ShapedType::isDynamic(extent))
    return arith::ConstantIndexOp::create(builder, loc, extent);
  if (auto own = value.getDefiningOp<ThreadArrayOp>(); own && axis < int64_t(own.getShape().size()))
    return arith::ConstantIndexOp::create(builder, loc, own.getShape()[axis]);
  if (auto field = value.getDefiningOp<FieldOp>(); field && axis < int64_t(field.getShape().size()))
    return arith::ConstantIndexOp::create(builder, loc, field.getShape()[axis]);
  return builder.createOrFold<DimOp>(loc, value, axis);
}

SmallVector<Value> npcc::np::getExtents(OpBuilder &builder, Location loc, Value value) {
  SmallVector<Value> extents;
  for (int64_t axis = 0, rank = getRank(value.getType()); axis < rank; ++axis)
    extents.push_back(getExtent(builder, loc, value, axis));
  return extents;
}

static SmallVector<OpFoldResult> asFoldResults(ValueRange values) {
  return SmallVector<OpFoldResult>(values.begin(), values.end());
}
/// Constants where the type knows, values elsewhere: what the interface asks for.
static LogicalResult give(Operation *op, ValueRange extents, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> results = asFoldResults(extents);
  for (auto [extent, known] : llvm::zip(results, getShape(op->getResult(0).getType())))
    if (!ShapedType::isDynamic(known))
      extent = IntegerAttr::get(IndexType::get(op->getContext()), known);
  shapes.push_back(std::move(results));
  return success();
}

LogicalResult ViewOp::reifyResultShapes(OpBuilder &, ReifiedRankedShapedTypeDims &shapes) {
  return give(*this, getExtents(), shapes);
}
LogicalResult ReshapeOp::reifyResultShapes(OpBuilder &, ReifiedRankedShapedTypeDims &shapes) {
  return give(*this, getExtents(), shapes);
}
LogicalResult PartOp::reifyResultShapes(OpBuilder &, ReifiedRankedShapedTypeDims &shapes) {
  return give(*this, getExtents(), shapes);
}
LogicalResult FullOp::reifyResultShapes(OpBuilder &, ReifiedRankedShapedTypeDims &shapes) {
  return give(*this, getExtents(), shapes);
}
LogicalResult ArangeOp::reifyResultShapes(OpBuilder &, ReifiedRankedShapedTypeDims &shapes) {
  return give(*this, getExtent(), shapes);
}
LogicalResult BroadcastOp::reifyResultShapes(OpBuilder &, ReifiedRankedShapedTypeDims &shapes) {
  return give(*this, getExtents(), shapes);
}
LogicalResult CastOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  return give(*this, np::getExtents(builder, getLoc(), getInput()), shapes);
}
LogicalResult ScanOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  return give(*this, np::getExtents(builder, getLoc(), getInput()), shapes);
}
LogicalResult SortOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  return give(*this, np::getExtents(builder, getLoc(), getInput()), shapes);
}
LogicalResult InsertOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  return give(*this, np::getExtents(builder, getLoc(), getDestination()), shapes);
}

LogicalResult UfuncOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  int64_t rank = getRank(getResult().getType());
  SmallVector<Value> result(rank);
  SmallVector<Value> resultShape;
  for (Value input : getInputs()) {
    int64_t inputRank = getRank(input.getType());
    SmallVector<Value> extents = np::getExtents(builder, getLoc(), input);
    SmallVector<Value> whole(resultShape);
    whole.append(extents);
    for (int64_t k = 0; k < inputRank; ++k) {
      int64_t axis = rank - inputRank + k;
      if (!result[axis] || matchPattern(result[axis], m_One()))
        result[axis] = extents[k];
      else if (!matchPattern(extents[k], m_One()) && extents[k] != result[axis])
        result[axis] = builder.createOrFold<BroadcastExtentOp>(getLoc(), result[axis], extents[k], BroadcastKind::ufunc,
                                                               whole, static_cast<int64_t>(resultShape.size()));
    }
    resultShape.clear();
    for (Value extent : result)
      if (extent)
        resultShape.push_back(extent);
  }
  return give(*this, result, shapes);
}

LogicalResult ReduceOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<Value> extents;
  for (int64_t axis = 0, rank = getRank(getInput().getType()); axis < rank; ++axis)
    if (!llvm::is_contained(getAxes(), axis))
      extents.push_back(np::getExtent(builder, getLoc(), getInput(), axis));
  return give(*this, extents, shapes);
}

LogicalResult MatmulOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<Value> extents = np::getExtents(builder, getLoc(), getLhs());
  extents.back() = np::getExtent(builder, getLoc(), getRhs(), extents.size() - 1);
  return give(*this, extents, shapes);
}

LogicalResult GatherOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<Value> extents;
  for (int64_t axis = 0, rank = getRank(getSource().getType()); axis < rank; ++axis) {
    if (axis == getAxes().front())
      extents.append(np::getExtents(builder, getLoc(), getIndices().front()));
    if (!llvm::is_contained(getAxes(), axis))
      extents.push_back(np::getExtent(builder, getLoc(), getSource(), axis));
  }
  return give(*this, extents, shapes);
}

// The first extent is data: it stays an np.dim of the result, which the lowering counts.
LogicalResult CompressOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<Value> extents{DimOp::create(builder, getLoc(), getResult(), 0)};
  int64_t maskRank = getRank(getMask().getType());
  for (int64_t axis = maskRank, rank = getRank(getSource().getType()); axis < rank; ++axis)
    extents.push_back(np::getExtent(builder, getLoc(), getSource(), axis));
  return give(*this, extents, shapes);
}
