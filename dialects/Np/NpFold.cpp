// Folders and canonical forms.
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Memory.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace npcc::np;

//===---- Kept arrays ----===//

OpFoldResult KeepOp::fold(FoldAdaptor) {
  auto kept = getArray().getDefiningOp<KeptOp>();
  return kept ? kept.getNumber() : Value();
}

//===---- Extents --------------------------------------------------------------------------------------------------===//

OpFoldResult DimOp::fold(FoldAdaptor) {
  int64_t extent = getShape(getSource().getType())[getAxis()];
  if (!ShapedType::isDynamic(extent))
    return IntegerAttr::get(IndexType::get(getContext()), extent);
  Operation *producer = getSource().getDefiningOp();
  if (!producer)
    return {};
  int64_t axis = getAxis();
  if (auto value = dyn_cast<ValueOpInterface>(producer)) {
    ExtentSource source = value.getExtentSource(axis);
    if (source.axis < 0)
      return source.value;
    if (source.value != getSource()) {
      getSourceMutable().assign(source.value);
      setAxis(source.axis);
      return getExtent();
    }
  }
  if (auto part = dyn_cast<PartOp>(producer))
    return part.getExtents()[axis];
  if (auto reshape = dyn_cast<ReshapeStridedOp>(producer))
    return reshape.getExtents()[axis];
  if (auto room = dyn_cast<MakeRoomOp>(producer); room && axis > 0)
    return room.getExtents()[axis - 1];
  if (auto empty = dyn_cast<EmptyOp>(producer)) {
    ArrayRef<int64_t> shape = getShape(empty.getArray().getType());
    return empty.getExtents()[llvm::count(shape.take_front(axis), ShapedType::kDynamic)];
  }
  // Operations that keep the extents of one operand: ask that operand.
  Value same;
  // Between blocks, as long as there are some, the array goes: a value that one needs in another one is no array there.
  bool isWithin = producer->getBlock()->findAncestorOpInBlock(*getOperation());
  if (auto fresh = dyn_cast<NewOp>(producer); fresh && isWithin)
    same = fresh.getValue();
  else if (auto load = dyn_cast<LoadOp>(producer))
    same = load.getArray();
  else if (auto ufunc = dyn_cast<UfuncOp>(producer)) {
    // Where one operand alone has the axis with more than a static 1, or all that have it were broadcast to one extent.
    int64_t rank = getRank(getSource().getType());
    Value only;
    int64_t onlyAxis = 0;
    bool areSeveral = false;
    Value common; // extent
    for (Value input : ufunc.getInputs()) {
      int64_t inputAxis = axis - (rank - getRank(input.getType()));
      if (inputAxis < 0 || getShape(input.getType())[inputAxis] == 1)
        continue;
      auto value = input.getDefiningOp<ValueOpInterface>();
      ExtentSource source = value ? value.getExtentSource(inputAxis) : ExtentSource{input, inputAxis};
      Value extent = source.axis < 0 ? source.value : Value();
      if (only && only != input) {
        areSeveral = true;
        if (!extent || extent != common)
          return {};
      }
      common = extent;
      only = input;
      onlyAxis = inputAxis;
    }
    if (!only)
      return {};
    if (areSeveral)
      return common;
    getSourceMutable().assign(only);
    setAxis(onlyAxis);
    return getExtent();
  }
  if (!same)
    return {};
  getSourceMutable().assign(same);
  return getExtent();
}

/// A view that takes no right away.
static bool isOpenPart(Operation *producer) {
  auto part = dyn_cast_or_null<PartOp>(producer);
  return part && part.getKind() != PartKind::read_only;
}

/// What the type says.
LogicalResult IsContiguousOp::canonicalize(IsContiguousOp op, PatternRewriter &rewriter) {
  auto type = dyn_cast<ArrayType>(op.getArray().getType());
  if (!type || !type.getContiguous() || (op.getOrder() == ElementOrder::F && type.getRank() > 1))
    return failure();
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, rewriter.getBoolAttr(true));
  return success();
}

/// A view is as its source is; what the function made is its own.
LogicalResult IsReadOnlyOp::canonicalize(IsReadOnlyOp op, PatternRewriter &rewriter) {
  Operation *producer = op.getArray().getDefiningOp();
  if (isa_and_nonnull<NewOp, EmptyOp, AllocOp>(producer))
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, rewriter.getBoolAttr(false));
  else if (isa_and_nonnull<ViewOp, ReshapeOp>(producer) || isOpenPart(producer))
    rewriter.replaceOpWithNewOp<IsReadOnlyOp>(op, op.getType(), producer->getOperand(0));
  else
    return failure();
  return success();
}

/// All of the source is the source.
OpFoldResult ViewOp::fold(FoldAdaptor) {
  if (getResult().getType() != getSource().getType())
    return {};
  for (auto [k, axis] : llvm::enumerate(getAxes())) {
    if (axis != static_cast<int64_t>(k) || !matchPattern(getOffsets()[k], m_Zero()) || !matchPattern(getSteps()[k], m_One()))
      return {};
    auto dim = getExtents()[k].getDefiningOp<DimOp>();
    IntegerAttr extent;
    bool isKnown = matchPattern(getExtents()[k], m_Constant(&extent)) && extent.getInt() == getShape(getSource().getType())[k];
    if (!isKnown && !(dim && dim.getSource() == getSource() && static_cast<int64_t>(dim.getAxis()) == axis))
      return {};
  }
  return getSource();
}

/// The reshape of a reshape.
OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  auto inner = getSource().getDefiningOp<ReshapeOp>();
  if (!inner)
    return {};
  getSourceMutable().assign(inner.getSource());
  return getResult();
}

OpFoldResult BroadcastExtentOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  auto lhs = dyn_cast_or_null<IntegerAttr>(adaptor.getLhs()), rhs = dyn_cast_or_null<IntegerAttr>(adaptor.getRhs());
  if (lhs && lhs.getInt() == 1)
    return getRhs();
  if (rhs && rhs.getInt() == 1 && isMutual())
    return getLhs();
  if (lhs && rhs && lhs == rhs)
    return getLhs();
  return {};
}

OpFoldResult CheckIndexOp::fold(FoldAdaptor adaptor) {
  auto position = dyn_cast_or_null<IntegerAttr>(adaptor.getPosition());
  auto size = dyn_cast_or_null<IntegerAttr>(adaptor.getSize());
  if (position && size && position.getInt() >= 0 && position.getInt() < size.getInt())
    return getPosition();
  return {};
}

//===---- Values ---------------------------------------------------------------------------------------------------===//

OpFoldResult ItemOp::fold(FoldAdaptor) {
  if (auto full = getValue().getDefiningOp<FullOp>())
    return full.getValue();
  return {};
}
