// What the extents of results are, in terms of operands.
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Threads.h"
#include "dialects/Np/Values.h"
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

LogicalResult npcc::np::reifyExtents(Operation *op, OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  auto value = cast<ValueOpInterface>(op);
  Value result = op->getResult(0);
  SmallVector<Value> extents;
  for (int64_t axis = 0, rank = getRank(result.getType()); axis < rank; ++axis) {
    ExtentSource source = value.getExtentSource(axis);
    if (source.axis < 0)
      extents.push_back(source.value);
    else if (source.value == result)
      extents.push_back(DimOp::create(builder, op->getLoc(), result, axis)); // which the lowering finds
    else
      extents.push_back(getExtent(builder, op->getLoc(), source.value, source.axis));
  }
  return give(op, extents, shapes);
}

ExtentSource ViewOp::getExtentSource(int64_t axis) { return {getExtents()[axis]}; }
ExtentSource ReshapeOp::getExtentSource(int64_t axis) { return {getExtents()[axis]}; }
ExtentSource FullOp::getExtentSource(int64_t axis) { return {getExtents()[axis]}; }
ExtentSource BroadcastOp::getExtentSource(int64_t axis) { return {getExtents()[axis]}; }
ExtentSource ArangeOp::getExtentSource(int64_t) { return {getExtent()}; }
ExtentSource CastOp::getExtentSource(int64_t axis) { return {getInput(), axis}; }
ExtentSource ScanOp::getExtentSource(int64_t axis) { return {getInput(), axis}; }
ExtentSource SortOp::getExtentSource(int64_t axis) { return {getInput(), axis}; }
ExtentSource SearchOp::getExtentSource(int64_t axis) { return {getValues(), axis}; }
ExtentSource RandomBitsOp::getExtentSource(int64_t axis) { return {getExtents()[axis]}; }
ExtentSource InsertOp::getExtentSource(int64_t axis) { return {getDestination(), axis}; }
ExtentSource UfuncOp::getExtentSource(int64_t axis) { return {getResult(), axis}; } // broadcast: of all operands

ExtentSource ReduceOp::getExtentSource(int64_t axis) {
  int64_t source = 0;
  for (int64_t kept = -1;; ++source)
    if (!llvm::is_contained(getAxes(), source) && ++kept == axis)
      return {getInput(), source};
}

ExtentSource MatmulOp::getExtentSource(int64_t axis) {
  return {axis + 1 < getRank(getType()) ? getLhs() : getRhs(), axis};
}

ExtentSource GatherOp::getExtentSource(int64_t axis) {
  int64_t first = getAxes().front(), indexRank = getRank(getIndices().front().getType());
  if (axis < first)
    return {getSource(), axis};
  if (axis < first + indexRank)
    return {getIndices().front(), axis - first};
  return {getSource(), axis - indexRank + static_cast<int64_t>(getAxes().size())};
}

// The first extent is data.
ExtentSource CompressOp::getExtentSource(int64_t axis) {
  return axis == 0 ? ExtentSource{getResult(), 0} : ExtentSource{getSource(), axis - 1 + getRank(getMask().getType())};
}

LogicalResult PartOp::reifyResultShapes(OpBuilder &, ReifiedRankedShapedTypeDims &shapes) {
  return give(*this, getExtents(), shapes);
}

LogicalResult UfuncOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  int64_t rank = getRank(getResult().getType());
  SmallVector<Value> result(rank);
  SmallVector<Value> resultShape;
  SmallVector<SmallVector<Value>> inputs;
  for (Value input : getInputs())
    inputs.push_back(np::getExtents(builder, getLoc(), input));
  bool areThree = inputs.size() == 3; // the error names the shape of each
  for (ArrayRef<Value> extents : inputs) {
    SmallVector<Value> named(resultShape);
    int64_t lhsRank = areThree ? inputs[0].size() : resultShape.size();
    named.append(extents.begin(), extents.end());
    if (areThree) {
      named = llvm::to_vector(llvm::concat<Value>(inputs[0], inputs[1]));
      named.append(inputs[2]);
    }
    for (auto [k, extent] : llvm::enumerate(extents)) {
      Value &mine = result[rank - extents.size() + k];
      if (!mine || matchPattern(mine, m_One())) {
        mine = extent;
      } else if (!matchPattern(extent, m_One()) && extent != mine) {
        mine = builder.createOrFold<BroadcastExtentOp>(getLoc(), mine, extent, BroadcastKind::ufunc, named, lhsRank);
        if (auto check = mine.getDefiningOp<BroadcastExtentOp>(); check && areThree)
          check.setOutputRank(inputs[2].size());
      }
    }
    resultShape.clear();
    for (Value extent : result)
      if (extent)
        resultShape.push_back(extent);
  }
  return give(*this, result, shapes);
}
