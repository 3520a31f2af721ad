// A view of a view becomes one view of the root, so that every load and store names a root and one region.
//
//   %a = np.view %u offsets [%c1] axes [0] extents [%n] steps [%c2]         (u[1::2])
//   %b = np.view %a offsets [%c3] axes [0] extents [%m] steps [%c1]         (a[3:])
//   -> %b = np.view %u offsets [1 + 2 * 3] axes [0] extents [%m] steps [2 * 1]
//
// Holds for arrays and for values. A view that is the whole of its source, axis for axis, disappears. What is loaded
// from the real or imaginary parts of an array, or from a read-only view of one, is loaded from the array, so that it
// fuses:
//
//   %r = np.part "real" %c        %x = np.load %r          ->    %v = np.load %c   %x = np.ufunc "real"(%v)
//
// A reshape that only adds axes of extent 1, or takes them away, is a view whatever the strides are:
//
//   %r = np.reshape %v extents [%n, %c1]     ->    %r = np.view %v offsets [%c0] axes [0, -1] extents [%n, %c1] ...
#include "compiler/np/Canonicalizer.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace npcc {
#define GEN_PASS_DEF_COMPOSEVIEWS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
Value multiply(OpBuilder &builder, Location loc, Value a, Value b) {
  return builder.createOrFold<arith::MulIOp>(loc, a, b);
}
Value add(OpBuilder &builder, Location loc, Value a, Value b) { return builder.createOrFold<arith::AddIOp>(loc, a, b); }

struct ComposeViewOfView : OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ViewOp outer, PatternRewriter &rewriter) const override {
    auto inner = outer.getSource().getDefiningOp<ViewOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(outer, "source is not a view");
    Location loc = outer.getLoc();
    SmallVector<Value> offsets(inner.getOffsets());
    for (auto [axis, innerAxis] : llvm::enumerate(inner.getAxes()))
      if (innerAxis >= 0)
        offsets[innerAxis] = add(rewriter, loc, offsets[innerAxis],
                                 multiply(rewriter, loc, inner.getSteps()[axis], outer.getOffsets()[axis]));
    SmallVector<int64_t> axes;
    SmallVector<Value> steps;
    for (auto [axis, step] : llvm::zip(outer.getAxes(), outer.getSteps())) {
      int64_t innerAxis = axis < 0 ? -1 : inner.getAxes()[axis];
      axes.push_back(innerAxis);
      steps.push_back(innerAxis < 0 ? step : multiply(rewriter, loc, inner.getSteps()[axis], step));
    }
    rewriter.replaceOpWithNewOp<ViewOp>(outer, outer.getType(), inner.getSource(), offsets, axes, outer.getExtents(), steps);
    return success();
  }
};

struct DropWholeView : OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ViewOp op, PatternRewriter &rewriter) const override {
    int64_t rank = getRank(op.getSource().getType());
    if (op.getSource().getType() != op.getType())
      return rewriter.notifyMatchFailure(op, "types differ");
    for (int64_t axis = 0; axis < rank; ++axis) {
      auto dim = op.getExtents()[axis].getDefiningOp<DimOp>();
      if (op.getAxes()[axis] != axis || !matchPattern(op.getOffsets()[axis], m_Zero()) ||
          !matchPattern(op.getSteps()[axis], m_One()) || !dim || dim.getSource() != op.getSource() ||
          static_cast<int64_t>(dim.getAxis()) != axis)
        return rewriter.notifyMatchFailure(op, "a part of the source");
    }
    rewriter.replaceOp(op, op.getSource());
    return success();
  }
};

struct LoadFromWhole : OpRewritePattern<LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LoadOp load, PatternRewriter &rewriter) const override {
    auto view = load.getArray().getDefiningOp<ViewOp>();
    auto part = (view ? view.getSource() : load.getArray()).getDefiningOp<PartOp>();
    if (!part || llvm::is_contained({PartKind::diagonal, PartKind::view, PartKind::line}, part.getKind()))
      return rewriter.notifyMatchFailure(load, "not of a part that is a value of the whole");
    Value whole = part.getSource();
    if (view) {
      auto type = cast<ArrayType>(view.getType());
      Type element = getElementType(whole.getType());
      rewriter.setInsertionPoint(view);
      whole = ViewOp::create(rewriter, view.getLoc(),
                             ArrayType::get(getContext(), type.getShape(), element, /*contiguous=*/false), whole,
                             view.getOffsets(), view.getAxes(), view.getExtents(), view.getSteps());
      rewriter.setInsertionPoint(load);
    }
    Value value = LoadOp::create(rewriter, load.getLoc(), whole);
    if (part.getKind() == PartKind::read_only)
      rewriter.replaceOp(load, value);
    else
      rewriter.replaceOpWithNewOp<UfuncOp>(load, part.getKind() == PartKind::real ? Ufunc::real : Ufunc::imag, value);
    return success();
  }
};

/// The source axis of each axis of a reshape's result, -1 for one of extent 1; nothing where that is not how the
/// elements go over. The product of the extents is the source's size, so that a single other axis needs no comparison.
std::optional<SmallVector<int64_t>> matchUnitAxes(Value source, Value result, ValueRange extents) {
  SmallVector<int64_t> sourceAxes, axes;
  for (auto [axis, extent] : llvm::enumerate(getShape(source.getType())))
    if (extent != 1)
      sourceAxes.push_back(axis);
  auto view = source.getDefiningOp<ViewOp>();
  unsigned next = 0;
  for (auto [axis, extent] : llvm::enumerate(getShape(result.getType()))) {
    if (extent == 1) {
      axes.push_back(-1);
      continue;
    }
    if (next == sourceAxes.size())
      return std::nullopt;
    int64_t from = sourceAxes[next++];
    auto dim = extents[axis].getDefiningOp<DimOp>();
    bool isSame = (dim && dim.getSource() == source && static_cast<int64_t>(dim.getAxis()) == from) ||
                  (view && view.getExtents()[from] == extents[axis]) ||
                  (!ShapedType::isDynamic(extent) && extent == getShape(source.getType())[from]);
    if (!isSame && sourceAxes.size() > 1)
      return std::nullopt;
    axes.push_back(from);
  }
  return next == sourceAxes.size() ? std::optional(axes) : std::nullopt;
}

template <typename Op> struct ViewUnitAxes : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Value source = op.getSource();
    if constexpr (std::is_same_v<Op, ReshapeOp>) {
      if (!isa<RankedTensorType>(op.getType()))
        return rewriter.notifyMatchFailure(op, "a view already");
    } else if (op.getRavel()) {
      return rewriter.notifyMatchFailure(op, "a copy where the source is not contiguous");
    }
    std::optional<SmallVector<int64_t>> axes = matchUnitAxes(source, op.getResult(), op.getExtents());
    if (!axes)
      return rewriter.notifyMatchFailure(op, "elements go to other axes");
    if (source.getType() == op.getType() && getRank(source.getType()) == int64_t(axes->size()) &&
        !llvm::is_contained(*axes, -1)) {
      rewriter.replaceOp(op, source);
      return success();
    }
    Value zero = arith::ConstantIndexOp::create(rewriter, op.getLoc(), 0),
          one = arith::ConstantIndexOp::create(rewriter, op.getLoc(), 1);
    SmallVector<Value> offsets(getRank(source.getType()), zero), steps(axes->size(), one);
    rewriter.replaceOpWithNewOp<ViewOp>(op, op.getType(), source, offsets, *axes, op.getExtents(), steps);
    return success();
  }
};

struct ComposeViews : impl::ComposeViewsBase<ComposeViews> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns
        .add<ComposeViewOfView, DropWholeView, LoadFromWhole, ViewUnitAxes<ReshapeOp>, ViewUnitAxes<ReshapeStridedOp>>(
            &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), getRewriteConfig(getOperation()))))
      signalPassFailure();
  }
};
} // namespace
} // namespace npcc
