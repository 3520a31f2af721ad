// npcc-move-selections: what is computed with selected elements is computed with all, and selected afterwards.
//
//   %s = np.compress %x, %m
//   %d = np.ufunc "multiply"(%s, %s)       ->    %d = np.ufunc "multiply"(%x, %x)
//   %r = np.reduce "add" %d axes [0]             %r = np.reduce "add" (np.ufunc "where"(%m, %d, 0)) axes [0]
//
// A selection that ends in reductions, counts and stores under the same mask then needs no array, whose extent the host
// would have to wait for. Of a name it is the same (np.new that is only read), in branches too, unless something needs
// the array anyway, or a loop behind it reads it again and again: then it is read from there.
//
// `a[m] = b[m] * 2` is a store of a selection through its own mask: an elementwise store where the mask is true. In
// `a[i[m], j[m]] = b[m]` the positions are selected, too: a store at positions where the mask is true.
#include "compiler/np/Passes.h"
#include "compiler/np/Planes.h"
#include "compiler/np/Positions.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace npcc {
#define GEN_PASS_DEF_MOVESELECTIONS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
int64_t getMaskRank(CompressOp selection) { return getRank(selection.getMask().getType()); }

/// The elements of a reduction that count for nothing; null if there are none.
Value emitNeutral(OpBuilder &builder, Location loc, Reduction kind, Type element) {
  std::optional<Neutral> neutral = isPosition(kind) ? std::nullopt : getNeutral(getCombiner(kind));
  auto integer = dyn_cast<IntegerType>(element);
  bool isExtreme = neutral == Neutral::Least || neutral == Neutral::Greatest;
  if (!neutral || (isExtreme && (isa<ComplexType>(element) || element.isInteger(1))))
    return {};
  auto emitCast = [&](Value value) -> Value {
    return value.getType() == element ? value : Value(CastOp::create(builder, loc, element, value));
  };
  if (isExtreme && isa<FloatType>(element)) {
    APFloat infinity = APFloat::getInf(cast<FloatType>(element).getFloatSemantics(), *neutral == Neutral::Least);
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(element, infinity));
  }
  if (!integer)
    return emitCast(arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(*neutral == Neutral::One)));
  // arith has signless constants only: unsigned ones are converted, which folds where it is lowered.
  auto signless = builder.getIntegerType(integer.getWidth());
  return emitCast(
      arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(signless, getNeutralBits(*neutral, integer))));
}

struct MoveSelections : impl::MoveSelectionsBase<MoveSelections> {
  void runOnOperation() override {
    visit(getOperation().getBody());
    for (Operation *op : replaced)
      op->erase();
    replaced.clear();
    masksOfBoth.clear();
  }

private:
  /// In the order of the program: operands are moved before what uses them.
  void visit(Region &region) {
    for (Block &block : region)
      for (Operation &op : block) {
        if (!replaced.contains(&op))
          TypeSwitch<Operation *>(&op)
              .Case<NewOp>([&](NewOp made) { readValue(made); })
              .Case<UfuncOp, CastOp, BroadcastOp, CompressOp, ViewOp, ReduceOp, DimOp, BroadcastExtentOp, StoreMaskedOp,
                    ScatterOp>([&](auto found) { move(found); });
        for (Region &inner : op.getRegions())
          visit(inner);
      }
  }

  static CompressOp selectionOf(Value value) { return value.getDefiningOp<CompressOp>(); }

  void replace(Operation *op, Value value) {
    op->replaceAllUsesWith(ValueRange{value});
    op->dropAllReferences();
    replaced.insert(op);
  }

  /// Selects of `whole` instead of what the operation computes with selected elements.
  void selectInstead(Operation *op, CompressOp like, Value whole) {
    OpBuilder builder(op);
    replace(op, CompressOp::create(builder, op->getLoc(), op->getResult(0).getType(), whole, like.getMask()));
  }

  /// Whether the view's first axis is the source's, whole, and no other one runs along it.
  static bool runsAlong(ViewOp view, Value mask) {
    ArrayRef<int64_t> axes = view.getAxes();
    return !axes.empty() && axes[0] == 0 && !llvm::is_contained(axes.drop_front(), 0) &&
           matchPattern(view.getOffsets()[0], m_Zero()) && matchPattern(view.getSteps()[0], m_One()) &&
           getCounted(view.getExtents()[0]) == mask;
  }

  //===---- Names ----===//

  /// Whether all that is read of a selection ends in reductions, counts and stores at selected positions.
  static bool isReduced(Value value, Value mask) {
    return llvm::all_of(value.getUsers(), [&](Operation *user) {
      if (auto made = dyn_cast<NewOp>(user))
        return isReducedArray(made, mask);
      if (auto view = dyn_cast<ViewOp>(user))
        return runsAlong(view, mask) && isReduced(view.getResult(), mask);
      if (auto reduce = dyn_cast<ReduceOp>(user))
        return reduce.getAxes().front() == 0 && !isPosition(reduce.getKind()) &&
               getNeutral(getCombiner(reduce.getKind()));
      if (auto scatter = dyn_cast<ScatterOp>(user))
        return !scatter.getDistinct() && !scatter.getMask();
      if (auto store = dyn_cast<StoreMaskedOp>(user))
        return store.getSelected() && store.getMask() == mask;
      if (auto selection = dyn_cast<CompressOp>(user)) // by a mask of what was selected
        return isReduced(selection.getResult(), selection.getMask());
      return isa<DimOp>(user) || (isa<UfuncOp, CastOp, BroadcastOp>(user) && isReduced(user->getResult(0), mask));
    });
  }
  static bool isReducedArray(Value array, Value mask) {
    return llvm::all_of(array.getUsers(), [&](Operation *user) {
      if (auto view = dyn_cast<ViewOp>(user))
        return runsAlong(view, mask) && isReducedArray(view.getResult(), mask);
      // A loop behind the selection would go through all elements each time, where few may be left.
      return isa<DimOp>(user) ||
             (isa<LoadOp>(user) && isReduced(user->getResult(0), mask) && !isInLoopBehind(user, array.getDefiningOp()));
    });
  }

  /// What is read of an array that only stands for a selection is read of the selection.
  void readValue(NewOp made) {
    CompressOp selection = selectionOf(made.getValue());
    if (selection && isReducedArray(made, selection.getMask()))
      readValue(made, selection);
  }
  void readValue(Value array, Value value) {
    for (Operation *user : llvm::make_early_inc_range(array.getUsers())) {
      if (auto dim = dyn_cast<DimOp>(user)) {
        dim.getSourceMutable().assign(value);
      } else if (auto view = dyn_cast<ViewOp>(user)) {
        OpBuilder builder(view);
        auto type = RankedTensorType::get(getShape(view.getType()), getElementType(view.getType()));
        Value part = ViewOp::create(builder, view.getLoc(), type, value, view.getOffsets(), view.getAxes(),
                                    view.getExtents(), view.getSteps());
        readValue(view.getResult(), part);
        replace(view, view.getSource());
      } else {
        replace(user, value);
      }
    }
  }

  //===---- Elementwise operations ----===//

  void move(UfuncOp op) {
    CompressOp first;
    for (Value operand : op.getInputs())
      if (CompressOp selection = selectionOf(operand); selection && !first)
        first = selection;
    if (!first)
      return;
    OpBuilder builder(op);
    int64_t trailing = getRank(first.getType()) - 1;
    SmallVector<Value> sources;
    for (Value operand : op.getInputs()) {
      CompressOp selection = selectionOf(operand);
      int64_t rank = getRank(operand.getType());
      if (selection && selection.getMask() == first.getMask() && rank == trailing + 1) {
        sources.push_back(selection.getSource());
      } else if (rank <= trailing) {
        sources.push_back(operand);
      } else if (rank == trailing + 1 && getShape(operand.getType())[0] == 1) { // one for all
        SmallVector<Value> extents = getExtents(builder, op.getLoc(), operand);
        sources.push_back(emitPlane(builder, op.getLoc(), operand, 0, 0, ArrayRef(extents).drop_front()));
      } else {
        return;
      }
    }
    selectInstead(op, first, UfuncOp::create(builder, op.getLoc(), op.getName(), sources, op.getInPlace()));
  }

  void move(CastOp op) {
    CompressOp selection = selectionOf(op.getInput());
    if (!selection)
      return;
    OpBuilder builder(op);
    Value source = selection.getSource();
    auto type = RankedTensorType::get(getShape(source.getType()), getElementType(op.getType()));
    selectInstead(op, selection, CastOp::create(builder, op.getLoc(), type, source));
  }

  void move(BroadcastOp op) {
    CompressOp selection = selectionOf(op.getSource());
    if (!selection || getRank(op.getType()) != getRank(selection.getType()) ||
        getCounted(op.getExtents()[0]) != selection.getMask())
      return;
    OpBuilder builder(op);
    Value mask = selection.getMask();
    SmallVector<Value> extents = getExtents(builder, op.getLoc(), mask);
    SmallVector<int64_t> shape(getShape(mask.getType()));
    llvm::append_range(extents, op.getExtents().drop_front());
    llvm::append_range(shape, getShape(op.getType()).drop_front());
    auto type = RankedTensorType::get(shape, getElementType(op.getType()));
    selectInstead(op, selection, BroadcastOp::create(builder, op.getLoc(), type, selection.getSource(), extents));
  }

  /// What a mask selects of a selection, by elements that were selected with it, both masks select at once.
  void move(CompressOp op) {
    CompressOp selection = selectionOf(op.getSource()), ofMask = selectionOf(op.getMask());
    if (!selection || !ofMask || selection.getMask() != ofMask.getMask() || getMaskRank(op) != 1)
      return;
    Value &both = masksOfBoth[op.getMask()];
    if (!both) {
      OpBuilder before(ofMask);
      both =
          UfuncOp::create(before, op.getLoc(), Ufunc::bitwise_and, ValueRange{selection.getMask(), ofMask.getSource()});
    }
    OpBuilder builder(op);
    replace(op, CompressOp::create(builder, op.getLoc(), op.getType(), selection.getSource(), both));
  }

  //===---- Views and reductions ----===//

  void move(ViewOp op) {
    CompressOp selection = selectionOf(op.getSource());
    if (!selection || !runsAlong(op, selection.getMask()))
      return;
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    int64_t maskRank = getMaskRank(selection);
    SmallVector<Value> offsets(maskRank, zero), steps(maskRank, one);
    SmallVector<Value> extents = getExtents(builder, loc, selection.getMask());
    SmallVector<int64_t> shape(getShape(selection.getMask().getType())), moved;
    for (int64_t axis = 0; axis < maskRank; ++axis)
      moved.push_back(axis);
    for (int64_t axis : op.getAxes().drop_front())
      moved.push_back(axis < 0 ? axis : axis + maskRank - 1);
    llvm::append_range(offsets, op.getOffsets().drop_front());
    llvm::append_range(steps, op.getSteps().drop_front());
    llvm::append_range(extents, op.getExtents().drop_front());
    llvm::append_range(shape, getShape(op.getType()).drop_front());
    auto type = RankedTensorType::get(shape, getElementType(op.getType()));
    selectInstead(op, selection,
                  ViewOp::create(builder, loc, type, selection.getSource(), offsets, moved, extents, steps));
  }

  void move(ReduceOp op) {
    CompressOp selection = selectionOf(op.getInput());
    if (!selection)
      return;
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Value source = selection.getSource();
    int64_t maskRank = getMaskRank(selection);
    SmallVector<int64_t> axes;
    for (int64_t axis : op.getAxes())
      if (axis > 0)
        axes.push_back(axis + maskRank - 1);
    if (op.getAxes().front() > 0) { // of each selected line
      auto whole = ReduceOp::create(builder, loc, op.getKind(), source, builder.getDenseI64ArrayAttr(axes));
      return selectInstead(op, selection, whole);
    }
    Value nothing = emitNeutral(builder, loc, op.getKind(), getElementType(source.getType()));
    if (!nothing)
      return;
    for (int64_t axis = maskRank - 1; axis >= 0; --axis)
      axes.insert(axes.begin(), axis);
    Value mask = emitMask(builder, loc, selection);
    Value chosen = UfuncOp::create(builder, loc, Ufunc::where, ValueRange{mask, source, nothing});
    replace(op, ReduceOp::create(builder, loc, op.getType(), op.getKind(), chosen, axes, op.getProduct()));
  }

  /// The mask with axes of extent 1 for the other axes of the source.
  static Value emitMask(OpBuilder &builder, Location loc, CompressOp selection) {
    Value mask = selection.getMask();
    int64_t maskRank = getMaskRank(selection), rank = getRank(selection.getSource().getType());
    if (rank == maskRank)
      return mask;
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    SmallVector<Value> extents = getExtents(builder, loc, mask);
    SmallVector<int64_t> shape(getShape(mask.getType())), axes;
    for (int64_t axis = 0; axis < rank; ++axis)
      axes.push_back(axis < maskRank ? axis : -1);
    extents.append(rank - maskRank, one);
    shape.append(rank - maskRank, 1);
    return ViewOp::create(builder, loc, RankedTensorType::get(shape, builder.getI1Type()), mask,
                          SmallVector<Value>(maskRank, zero), axes, extents, SmallVector<Value>(rank, one));
  }

  //===---- Extents and stores ----===//

  /// That of the first axis is left to npcc-expand-selections, as one of the mask: whatever is selected by it has as
  /// many elements.
  void move(DimOp op) {
    CompressOp selection = selectionOf(op.getSource());
    if (!selection)
      return;
    OpBuilder builder(op);
    int64_t axis = op.getAxis() + getMaskRank(selection) - 1;
    if (op.getAxis() > 0)
      return replace(op, getExtent(builder, op.getLoc(), selection.getSource(), axis));
    Value mask = selection.getMask();
    if (selection.getSource() == mask)
      return;
    auto type = RankedTensorType::get({ShapedType::kDynamic}, builder.getI1Type());
    Value counted = CompressOp::create(builder, op.getLoc(), type, mask, mask);
    replace(op, DimOp::create(builder, op.getLoc(), counted, 0));
  }

  /// Two selections through one mask have the same extent.
  void move(BroadcastExtentOp op) {
    Value mask = getCounted(op.getLhs());
    if (op.getLhs() == op.getRhs() || (mask && mask == getCounted(op.getRhs())))
      replace(op, op.getLhs());
  }

  void move(StoreMaskedOp op) {
    CompressOp selection = selectionOf(op.getValue());
    if (!op.getSelected() || !selection || selection.getMask() != op.getMask() ||
        getRank(selection.getSource().getType()) != getRank(op.getArray().getType()))
      return;
    op.getValueMutable().assign(selection.getSource());
    op.setSelected(false);
  }

  void move(ScatterOp op) {
    CompressOp first = selectionOf(op.getIndices().front());
    if (!first || op.getDistinct() || op.getMask())
      return;
    auto isAlike = [&](Value value, int64_t trailing) {
      CompressOp selection = selectionOf(value);
      return selection && selection.getMask() == first.getMask() && getRank(value.getType()) == 1 + trailing;
    };
    if (!llvm::all_of(op.getIndices(), [&](Value index) { return isAlike(index, 0); }))
      return;
    // The axes that are stored whole: those behind the positions' one may be the value's, too.
    int64_t leading = op.getAxes().front(),
            trailing = getRank(op.getArray().getType()) - leading - static_cast<int64_t>(op.getAxes().size());
    Value value = op.getValue();
    if (!isa<RankedTensorType>(value.getType()) || getRank(value.getType()) <= trailing)
      ; // the same for all positions
    else if (leading == 0 && isAlike(value, trailing))
      value = selectionOf(value).getSource();
    else
      return;
    OpBuilder builder(op);
    SmallVector<Value> sources;
    for (Value index : op.getIndices())
      sources.push_back(selectionOf(index).getSource());
    replaced.insert(op);
    ScatterOp::create(builder, op.getLoc(), value, op.getArray(), sources, op.getAxesAttr(), first.getMask());
    op->dropAllReferences();
  }

  llvm::SmallSetVector<Operation *, 16> replaced;
  llvm::DenseMap<Value, Value> masksOfBoth; // by the selected elements of the second mask
};
} // namespace
} // namespace npcc
