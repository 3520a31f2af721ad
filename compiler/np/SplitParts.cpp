// npcc-split-parts: a value that is put together of a few parts (np.stack, np.concatenate, stores into columns) has a
// branch for each of them in its elements. Where one position along such an axis is asked for, only its part is
// computed; and a new array is made part by part.
//
//   %a = np.insert %x into %e [:, 0]                          %a = np.empty(%n, 2)
//   %b = np.insert %y into %a [:, 1]                          np.store %x * %c[:, 0], %a[:, 0]
//   %p = np.ufunc "multiply"(%b, %c)                   ->     np.store %y * %c[:, 1], %a[:, 1]
//   %r = np.new %p
//
//   np.view %p [:, 1]                                  ->     np.ufunc "multiply"(%y, np.view %c [:, 1])
//
// What the parts have in common is then computed once, in one loop that stores them all. So are sums whose elements
// have something in common along an axis of a few that they keep: the components of a force, of which each needs the
// distance.
//
//   np.reduce "add" (%d * sqrt(%r)[:, :, None]) axes [1]  ->    %k = sqrt(%r)
//                                                               np.reduce "add" (%d[:, :, 0] * %k) axes [1], ...
#include "compiler/memory/Extents.h"
#include "compiler/np/Passes.h"
#include "compiler/np/Planes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Values.h"
#include "mlir/IR/Matchers.h"

namespace npcc {
#define GEN_PASS_DEF_SPLITPARTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// The stores that one array may become.
constexpr int64_t mostParts = 16;

std::optional<int64_t> getNumber(Value index) {
  APInt number;
  return matchPattern(index, m_ConstantInt(&number)) ? std::optional(number.getSExtValue()) : std::nullopt;
}

template <typename Range> auto without(const Range &range, int64_t axis) {
  SmallVector<std::decay_t<decltype(*range.begin())>> rest(range.begin(), range.end());
  rest.erase(rest.begin() + axis);
  return rest;
}

bool hasAxes(Value value) { return isa<RankedTensorType>(value.getType()) && getRank(value.getType()) > 0; }

class Parts {
public:
  explicit Parts(ExtentOrigins &origins) : origins(origins) {}

  /// The value at one position of an axis: without that axis.
  Value pick(Value value, int64_t axis, int64_t position) {
    auto [place, isNew] = picked.insert({{value, {axis, position}}, Value()});
    if (!isNew)
      return place->second;
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    Value result = follow(builder, value, axis, position);
    if (!result) {
      result = emitView(builder, value, axis, position);
      opaque.insert(result);
    }
    return picked[{value, {axis, position}}] = result;
  }

  /// Whether elements at different positions of the axis are computed by different code.
  bool areAlong(Value value, int64_t axis) {
    auto [place, isNew] = along.insert({{value, axis}, false});
    if (!isNew)
      return place->second;
    bool are = findAlong(value, axis);
    return along[{value, axis}] = are;
  }

  /// A view that was made here.
  bool isPart(Operation *op) { return op->getNumResults() == 1 && opaque.contains(op->getResult(0)); }

  /// Whether elements of the value are reductions, or made of some.
  static bool holdsReduction(Value value) {
    llvm::SetVector<Value> open; // many operations may have one operand, which is asked once
    open.insert(value);
    for (size_t k = 0; k < open.size(); ++k) {
      Operation *op = open[k].getDefiningOp();
      if (isa_and_nonnull<ReduceOp, ScanOp>(op))
        return true;
      if (isa_and_nonnull<UfuncOp, CastOp, BroadcastOp, ViewOp, InsertOp>(op))
        for (Value operand : op->getOperands())
          if (hasAxes(operand))
            open.insert(operand);
    }
    return false;
  }

  /// Makes the array of a value part by part, if there is an axis of parts.
  void split(NewOp op) {
    Value value = op->getOperand(0);
    int64_t most = mostParts;
    if (!isa<RankedTensorType>(value.getType()) || !findAxis(value, most))
      return;
    // Others would compute the whole value once more: they load it, from an array that is made before the first of them.
    SmallVector<OpOperand *> others;
    Operation *first = op;
    Block *block = op->getBlock();
    if (value.getParentBlock() == block && holdsReduction(value))
      for (OpOperand &use : value.getUses())
        if (Operation *user = use.getOwner(); user != op && !isa<DimOp>(user) && !isPart(user)) {
          others.push_back(&use);
          Operation *here = block->findAncestorOpInBlock(*user);
          first = here->isBeforeInBlock(first) ? here : first;
        }
    OpBuilder builder(first);
    SmallVector<Value> extents;
    for (auto [axis, extent] : llvm::enumerate(getShape(op.getType())))
      if (ShapedType::isDynamic(extent))
        extents.push_back(emitExtent(builder, value, axis));
    Value array = EmptyOp::create(builder, op.getLoc(), cast<ArrayType>(op.getType()), extents);
    store(builder, value, array, mostParts);
    if (!others.empty()) {
      Value loaded = LoadOp::create(builder, op.getLoc(), cast<RankedTensorType>(value.getType()), array);
      for (OpOperand *use : others)
        use->set(loaded);
    }
    op.getResult().replaceAllUsesWith(array);
    replaced.push_back(op);
  }

  /// Takes what a view fixes the positions of from the parts that it is in.
  void take(ViewOp view) {
    Region region{view.getSource(), SmallVector<Value>(view.getOffsets()), SmallVector<int64_t>(view.getAxes()),
                  SmallVector<Value>(view.getExtents()), SmallVector<Value>(view.getSteps())};
    fixUnmoved(region, /*withUnits=*/false);
    if (region.source == view.getSource())
      return;
    OpBuilder builder(view);
    view.replaceAllUsesWith(emit(builder, region, view.getType()));
  }

  /// What is remembered names values: none goes before the end.
  void finish() {
    for (Operation *op : replaced)
      op->erase();
  }

private:
  ExtentOrigins &origins;
  DenseMap<std::pair<Value, std::pair<int64_t, int64_t>>, Value> picked;
  DenseMap<std::pair<Value, int64_t>, bool> along, common;
  DenseMap<Value, bool> longOnes;
  DenseSet<Value> opaque; // views of what nothing is known of
  SmallVector<Operation *> replaced;

  /// An axis of parts, of which there are no more than `most`.
  std::optional<int64_t> findAxis(Value value, int64_t most) {
    for (int64_t axis = 0; axis < getRank(value.getType()); ++axis) {
      int64_t count = origins.of(value, axis).constant;
      if (count >= 1 && count <= most && areAlong(value, axis))
        return axis;
    }
    return std::nullopt;
  }

  void store(OpBuilder &builder, Value value, Value array, int64_t most) {
    std::optional<int64_t> axis = hasAxes(value) ? findAxis(value, most) : std::nullopt;
    if (!axis) {
      StoreOp::create(builder, array.getLoc(), value, array);
      return;
    }
    int64_t count = origins.of(value, *axis).constant;
    auto type = cast<ArrayType>(array.getType());
    auto part = ArrayType::get(type.getContext(), without(type.getShape(), *axis), type.getElementType(),
                               /*contiguous=*/false);
    for (int64_t position = 0; position < count; ++position) {
      Value view = emitView(builder, array, *axis, position, part, value);
      store(builder, pick(value, *axis, position), view, most / count);
    }
  }

  Value emitExtent(OpBuilder &builder, Value value, int64_t axis) {
    ExtentOrigin origin = origins.of(value, axis);
    return origin.isKnown() ? materializeExtent(builder, value.getLoc(), origin)
                            : getExtent(builder, value.getLoc(), value, axis);
  }

  static Type withoutAxis(Type type, int64_t axis) {
    return RankedTensorType::get(without(getShape(type), axis), getElementType(type));
  }

  static Value emitNumber(OpBuilder &builder, Location loc, int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  }

  /// A view of one position; with the extents of `like`, which are those of the source.
  Value emitView(OpBuilder &builder, Value source, int64_t axis, int64_t position, Type type = {}, Value like = {}) {
    SmallVector<Value> extents;
    for (int64_t other = 0; other < getRank(source.getType()); ++other)
      if (other != axis)
        extents.push_back(emitExtent(builder, like ? like : source, other));
    return emitPlane(builder, source.getLoc(), source, axis, position, extents, type);
  }

  /// What a view is made of.
  struct Region {
    Value source;
    SmallVector<Value> offsets;
    SmallVector<int64_t> axes;
    SmallVector<Value> extents, steps;
  };

  /// The region in what the source is at a position of an axis, which the region does not run along.
  void fix(Region &region, int64_t axis, int64_t position) {
    region.source = pick(region.source, axis, position);
    region.offsets.erase(region.offsets.begin() + axis);
    for (int64_t &other : region.axes)
      other -= other > axis;
  }

  /// The same for each axis of parts at a known position; and, `withUnits`, for axes of one element.
  void fixUnmoved(Region &region, bool withUnits) {
    for (int64_t axis = region.offsets.size() - 1; axis >= 0; --axis) {
      std::optional<int64_t> position = getNumber(region.offsets[axis]);
      if (!position || llvm::is_contained(region.axes, axis))
        continue;
      bool isUnit = withUnits && origins.of(region.source, axis).constant == 1;
      if (isUnit || areAlong(region.source, axis))
        fix(region, axis, *position);
    }
  }

  /// The view, or the source where it is all of that.
  Value emit(OpBuilder &builder, const Region &region, Type type) {
    bool isAll = llvm::equal(region.axes, llvm::seq<int64_t>(0, region.offsets.size()));
    for (size_t axis = 0; isAll && axis < region.axes.size(); ++axis) {
      ExtentOrigin extent = origins.of(region.source, axis);
      isAll = getNumber(region.offsets[axis]) == 0 && getNumber(region.steps[axis]) == 1 && extent.isKnown() &&
              extent == origins.ofIndex(region.extents[axis]);
    }
    if (isAll && region.source.getType() == type)
      return region.source;
    return ViewOp::create(builder, region.source.getLoc(), type, region.source, region.offsets, region.axes,
                          region.extents, region.steps);
  }

  Value follow(OpBuilder &builder, Value value, int64_t axis, int64_t position) {
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<UfuncOp, CastOp>(op))
      return followElements(builder, op, axis, position);
    if (auto broadcast = value.getDefiningOp<BroadcastOp>())
      return followBroadcast(builder, broadcast, axis, position);
    if (auto full = value.getDefiningOp<FullOp>())
      return FullOp::create(builder, full.getLoc(), withoutAxis(full.getType(), axis), full.getValue(),
                            without(full.getExtents(), axis));
    if (auto view = value.getDefiningOp<ViewOp>())
      return followView(builder, view, axis, position);
    if (auto insert = value.getDefiningOp<InsertOp>())
      return followInsert(builder, insert, axis, position);
    if (auto reduce = value.getDefiningOp<ReduceOp>())
      return followReduce(builder, reduce, axis, position);
    if (auto scan = value.getDefiningOp<ScanOp>(); scan && int64_t(scan.getAxis()) != axis)
      return ScanOp::create(builder, scan.getLoc(), withoutAxis(scan.getType(), axis), scan.getKind(),
                            pick(scan.getInput(), axis, position), scan.getAxis() - (int64_t(scan.getAxis()) > axis));
    return Value();
  }

  /// The axis of what is reduced that an axis of the result is.
  static int64_t inputAxis(ReduceOp op, int64_t axis) {
    for (int64_t reduced : op.getAxes())
      axis += reduced <= axis;
    return axis;
  }

  Value followReduce(OpBuilder &builder, ReduceOp op, int64_t axis, int64_t position) {
    int64_t own = inputAxis(op, axis);
    SmallVector<int64_t> axes(op.getAxes());
    for (int64_t &reduced : axes)
      reduced -= reduced > own;
    return ReduceOp::create(builder, op.getLoc(), withoutAxis(op.getType(), axis), op.getKind(),
                            pick(op.getInput(), own, position), axes, op.getProduct());
  }

  /// Whether elements at different positions of the axis are computed of something that takes long and is the same.
  bool haveCommon(Value value, int64_t axis) {
    auto [place, isNew] = common.insert({{value, axis}, false});
    if (!isNew)
      return place->second;
    bool have = findCommon(value, axis);
    return common[{value, axis}] = have;
  }

  bool findCommon(Value value, int64_t axis) {
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<UfuncOp, CastOp>(op))
      return llvm::any_of(op->getOperands(), [&](Value input) { return hasAxes(input) && haveCommon(input, axis); });
    if (auto broadcast = value.getDefiningOp<BroadcastOp>()) {
      std::optional<int64_t> own = sourceAxis(broadcast, axis);
      return own && (*own < 0 ? takesLong(broadcast.getSource()) : haveCommon(broadcast.getSource(), *own));
    }
    if (auto view = value.getDefiningOp<ViewOp>())
      return view.getAxes()[axis] < 0 ? takesLong(view.getSource())
                                      : haveCommon(view.getSource(), view.getAxes()[axis]);
    return false;
  }

  bool takesLong(Value value) {
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<UfuncOp, CastOp, BroadcastOp, ViewOp>(op))
      return false;
    auto [place, isNew] = longOnes.insert({value, false});
    if (!isNew)
      return place->second;
    bool isLong = getElementCost(op) > ElementCost::Cheap || llvm::any_of(op->getOperands(), [&](Value operand) {
                    return hasAxes(operand) && takesLong(operand);
                  });
    return longOnes[value] = isLong;
  }

  Value followElements(OpBuilder &builder, Operation *op, int64_t axis, int64_t position) {
    SmallVector<Value> inputs;
    for (Value input : op->getOperands())
      inputs.push_back(hasAxes(input) ? pick(input, axis, position) : input);
    OperationState state(op->getLoc(), op->getName(), inputs, withoutAxis(op->getResult(0).getType(), axis),
                         op->getAttrs());
    return builder.create(state)->getResult(0);
  }

  /// The source's axis that a result's axis runs along; -1 where it is stretched, nothing where that is decided later.
  std::optional<int64_t> sourceAxis(BroadcastOp op, int64_t axis) {
    int64_t own = axis - (getRank(op.getType()) - getRank(op.getSource().getType()));
    if (own < 0 || getShape(op.getSource().getType())[own] == 1)
      return -1;
    ExtentOrigin origin = origins.of(op.getSource(), own);
    bool runsAlong = origin.isKnown() && origin == origins.ofIndex(op.getExtents()[axis]);
    return runsAlong ? std::optional(own) : std::nullopt;
  }

  Value followBroadcast(OpBuilder &builder, BroadcastOp op, int64_t axis, int64_t position) {
    std::optional<int64_t> own = sourceAxis(op, axis);
    if (!own)
      return Value();
    int64_t stretched = axis - (getRank(op.getType()) - getRank(op.getSource().getType()));
    Value source = op.getSource();
    if (stretched >= 0)
      source = pick(source, stretched, *own < 0 ? 0 : position);
    return BroadcastOp::create(builder, op.getLoc(), withoutAxis(op.getType(), axis), source,
                               without(op.getExtents(), axis));
  }

  Value followView(OpBuilder &builder, ViewOp op, int64_t axis, int64_t position) {
    Region region{op.getSource(), SmallVector<Value>(op.getOffsets()), without(op.getAxes(), axis),
                  without(op.getExtents(), axis), without(op.getSteps(), axis)};
    bool isOpaque = opaque.contains(op);
    if (int64_t along = op.getAxes()[axis]; along >= 0) {
      std::optional<int64_t> offset = getNumber(op.getOffsets()[along]), step = getNumber(op.getSteps()[axis]);
      if (!offset || !step || llvm::is_contained(region.axes, along))
        return Value();
      int64_t at = *offset + *step * position;
      isOpaque ? void(region.offsets[along] = emitNumber(builder, op.getLoc(), at)) : fix(region, along, at);
    }
    if (!isOpaque)
      fixUnmoved(region, /*withUnits=*/true);
    Value result = emit(builder, region, withoutAxis(op.getType(), axis));
    if (isOpaque)
      opaque.insert(result);
    return result;
  }

  /// Where a region of an insert lies along an axis of the result.
  struct Range {
    int64_t axis = -1; // the region's, or -1: it does not move
    int64_t offset = 0, extent = 1;
    bool isWhole = false; // then `extent` may be -1
    bool contains(int64_t position) const { return isWhole || (position >= offset && position < offset + extent); }
  };
  std::optional<Range> rangeOf(InsertOp op, int64_t axis) {
    Range range;
    std::optional<int64_t> offset = getNumber(op.getOffsets()[axis]);
    if (!offset || llvm::count(op.getAxes(), axis) > 1)
      return std::nullopt;
    range.offset = *offset;
    ExtentOrigin whole = origins.of(op.getDestination(), axis);
    auto found = llvm::find(op.getAxes(), axis);
    if (found != op.getAxes().end()) {
      range.axis = found - op.getAxes().begin();
      if (getNumber(op.getSteps()[range.axis]) != 1)
        return std::nullopt;
      ExtentOrigin extent = origins.ofIndex(op.getExtents()[range.axis]);
      range.extent = extent.constant;
      range.isWhole = range.offset == 0 && extent.isKnown() && extent == whole;
    } else {
      range.isWhole = whole.constant == 1;
    }
    return range.isWhole || range.extent >= 0 ? std::optional(range) : std::nullopt;
  }

  Value followInsert(OpBuilder &builder, InsertOp op, int64_t axis, int64_t position) {
    std::optional<Range> range = rangeOf(op, axis);
    if (!range)
      return Value();
    Value destination = pick(op.getDestination(), axis, position);
    if (!range->contains(position))
      return destination;
    Value value = op.getValue();
    SmallVector<Value> extents(op.getExtents()), steps(op.getSteps());
    SmallVector<int64_t> axes(op.getAxes());
    if (range->axis >= 0) {
      value = pick(value, range->axis, position - range->offset);
      axes = without(axes, range->axis);
      extents = without(extents, range->axis);
      steps = without(steps, range->axis);
    }
    for (int64_t &other : axes)
      other -= other > axis;
    // Where the region is all that is left, it is the value.
    bool isAll = llvm::equal(axes, llvm::seq<int64_t>(0, getRank(op.getType()) - 1));
    for (int64_t other = 0; isAll && other < getRank(op.getType()); ++other) {
      std::optional<Range> rest = other == axis ? range : rangeOf(op, other);
      isAll = other == axis || (rest && rest->isWhole && rest->axis >= 0);
    }
    if (isAll && value.getType() == withoutAxis(op.getType(), axis))
      return value;
    return InsertOp::create(builder, op.getLoc(), withoutAxis(op.getType(), axis), value, destination,
                            without(SmallVector<Value>(op.getOffsets()), axis), axes, extents, steps);
  }

  bool findAlong(Value value, int64_t axis) {
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<UfuncOp, CastOp>(op))
      return llvm::any_of(op->getOperands(), [&](Value input) { return hasAxes(input) && areAlong(input, axis); });
    if (auto broadcast = value.getDefiningOp<BroadcastOp>()) {
      std::optional<int64_t> own = sourceAxis(broadcast, axis);
      return own && *own >= 0 && areAlong(broadcast.getSource(), *own);
    }
    if (auto view = value.getDefiningOp<ViewOp>()) {
      int64_t along = view.getAxes()[axis];
      return along >= 0 && getNumber(view.getOffsets()[along]) && getNumber(view.getSteps()[axis]) &&
             llvm::count(view.getAxes(), along) == 1 && areAlong(view.getSource(), along);
    }
    if (auto insert = value.getDefiningOp<InsertOp>()) {
      std::optional<Range> range = rangeOf(insert, axis);
      if (!range)
        return false;
      return !range->isWhole || areAlong(insert.getDestination(), axis) ||
             (range->axis >= 0 && areAlong(insert.getValue(), range->axis));
    }
    // Lines beside a few others lie far from their neighbours: each of them is a line of its own.
    if (auto scan = value.getDefiningOp<ScanOp>()) {
      int64_t last = getRank(scan.getType()) - 1, count = origins.of(value, axis).constant;
      return axis == last && int64_t(scan.getAxis()) != axis && count >= 2 && count <= fewElements;
    }
    if (auto reduce = value.getDefiningOp<ReduceOp>(); reduce && !reduce.getProduct()) {
      int64_t own = inputAxis(reduce, axis), count = origins.of(value, axis).constant;
      return areAlong(reduce.getInput(), own) ||
             (count >= 2 && count <= fewElements && haveCommon(reduce.getInput(), own));
    }
    return false;
  }
};

struct SplitParts : impl::SplitPartsBase<SplitParts> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread"))
      return;
    SmallVector<ViewOp> views;
    SmallVector<NewOp> arrays;
    getOperation()->walk([&](Operation *op) {
      if (auto view = dyn_cast<ViewOp>(op); view && isa<RankedTensorType>(view.getType()))
        views.push_back(view);
      else if (auto made = dyn_cast<NewOp>(op))
        arrays.push_back(made);
    });
    if (views.empty() && arrays.empty())
      return markAllAnalysesPreserved();
    Parts parts(getAnalysis<ExtentOrigins>());
    for (ViewOp view : views)
      parts.take(view);
    for (NewOp made : arrays)
      parts.split(made);
    parts.finish();
  }
};
} // namespace
} // namespace npcc
