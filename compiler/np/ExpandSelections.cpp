// npcc-expand-selections: selections by a mask that need an array of their own, and stores of as many elements as a
// mask has true ones: both by a running count of the mask.
//
//   %s = np.compress %x, %m : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
// becomes
//   %k = np.scan "add" (np.cast %m)                       // 1 at the first true element, 2 at the second, ...
//   %n = np.item (np.reduce "add" (np.cast %m))
//   %a = np.empty(%n)
//   np.scatter %x, %a[np.ufunc "where"(%m, %k - 1, %n)] distinct   // what is not selected is left out
//   %s = np.load %a
// and
//   np.store_masked %v, %m, %a selected
// becomes a store at the positions that the mask selects,
//   np.scatter %v, %a[np.compress (np.arange 0, 1, %length), %m] distinct
//
// Where only the extent of a selection is asked for (len(x[m])), the true elements are counted. All selections by one
// mask share its running count, which gives those by its opposite (x[~m]), too: (%position + 1) - %k.
#include "compiler/np/Passes.h"
#include "compiler/np/Positions.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/IR/Dominance.h"

namespace npcc {
#define GEN_PASS_DEF_EXPANDSELECTIONS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// How many elements of a mask are true, as an index on the host.
Value countTrue(OpBuilder &builder, Location loc, Value mask) {
  auto type = cast<RankedTensorType>(mask.getType());
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  Type i64 = builder.getI64Type();
  Value ones = CastOp::create(builder, loc, RankedTensorType::get(type.getShape(), i64), mask);
  Value count = ReduceOp::create(builder, loc, Reduction::add, ones, builder.getDenseI64ArrayAttr(axes));
  Value scalar = ItemOp::create(builder, loc, i64, count);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), scalar);
}

/// The last of running totals, 0 where there are none.
Value getLast(OpBuilder &builder, Location loc, Value totals) {
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  Value zero = constant(0), one = constant(1), extent = getExtent(builder, loc, totals, 0);
  Value before = builder.createOrFold<arith::SubIOp>(loc, extent, one),
        position = builder.createOrFold<arith::MaxSIOp>(loc, before, zero),
        length = builder.createOrFold<arith::MinSIOp>(loc, extent, one);
  auto type = RankedTensorType::get({ShapedType::kDynamic}, getElementType(totals.getType()));
  Value last = ViewOp::create(builder, loc, type, totals, ValueRange{position}, ArrayRef<int64_t>{0},
                              ValueRange{length}, ValueRange{one});
  Value total = ReduceOp::create(builder, loc, Reduction::add, last, builder.getDenseI64ArrayAttr({0}));
  return ItemOp::create(builder, loc, type.getElementType(), total);
}

/// `value` with its first `count` axes made one.
Value mergeAxes(OpBuilder &builder, Location loc, Value value, int64_t count) {
  if (count == 1)
    return value;
  SmallVector<Value> extents = getExtents(builder, loc, value), merged;
  Value product = extents[0];
  for (int64_t axis = 1; axis < count; ++axis)
    product = builder.createOrFold<arith::MulIOp>(loc, product, extents[axis]);
  merged.push_back(product);
  merged.append(extents.begin() + count, extents.end());
  SmallVector<int64_t> shape{ShapedType::kDynamic};
  llvm::append_range(shape, getShape(value.getType()).drop_front(count));
  Type type = RankedTensorType::get(shape, getElementType(value.getType()));
  return ReshapeOp::create(builder, loc, type, value, merged);
}

Value emitInteger(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
}

/// For each element of a mask of one axis, how many are true up to it.
Value countUpTo(OpBuilder &builder, Location loc, Value mask) {
  auto type = RankedTensorType::get(getShape(mask.getType()), builder.getI64Type());
  Value numbers = CastOp::create(builder, loc, type, mask);
  return ScanOp::create(builder, loc, Ufunc::add, numbers, int64_t(0));
}

struct ExpandSelections : impl::ExpandSelectionsBase<ExpandSelections> {
  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto store = dyn_cast<StoreMaskedOp>(op);
      if (isa<CompressOp>(op) || (store && store.getSelected()))
        found.push_back(op);
    });
    if (found.empty())
      return markAllAnalysesPreserved();
    dominance = &getAnalysis<DominanceInfo>();
    counts.clear();
    running.clear();
    expanded.clear();
    for (Operation *op : found)
      if (auto selection = dyn_cast<CompressOp>(op); selection && !onlyCounts(selection))
        expanded[selection.getMask()].insert(op->getBlock());
    for (Operation *op : found) {
      auto selection = dyn_cast<CompressOp>(op);
      if (!selection)
        expand(cast<StoreMaskedOp>(op));
      else if (onlyCounts(selection))
        count(selection);
      else
        expand(selection);
    }
  }

private:
  /// Whether only the number of selected elements is asked for. A name for that is no array.
  static bool onlyCounts(Value value) {
    return llvm::all_of(value.getUsers(), [](Operation *user) {
      return isa<NewOp>(user) ? onlyCounts(user->getResult(0)) : isa<DimOp>(user) && cast<DimOp>(user).getAxis() == 0;
    });
  }

  /// How many elements a mask selects: what was counted before, of this or another selection by it or by its opposite.
  Value getCount(OpBuilder &builder, Operation *at, Value mask) {
    for (Value count : counts[mask])
      if (dominance->properlyDominates(count, at))
        return count;
    // What is expanded here anyway counts on the way.
    if (expanded[mask].contains(at->getBlock()))
      return getRunning(builder, at, mask).count;
    Value count = countTrue(builder, at->getLoc(), mask);
    counts[mask].push_back(count);
    return count;
  }

  /// A mask with one axis, how many of its elements are true up to each (i64), and in all (index).
  struct Running {
    Value mask, ordinals, count;
  };

  Running getRunning(OpBuilder &builder, Operation *at, Value mask) {
    Location loc = at->getLoc();
    if (const Running *known = findRunning(mask, at))
      return *known;
    Running made{mergeAxes(builder, loc, mask, getRank(mask.getType())), {}, {}};
    if (const Running *other = findOpposite(mask, at)) {
      Value extent = getExtent(builder, loc, made.mask, 0), one = emitInteger(builder, loc, 1);
      Value upTo = ArangeOp::create(builder, loc, other->ordinals.getType(), one, one, extent);
      made.ordinals = UfuncOp::create(builder, loc, Ufunc::subtract, ValueRange{upTo, other->ordinals});
      made.count = arith::SubIOp::create(builder, loc, extent, other->count);
    } else {
      made.ordinals = countUpTo(builder, loc, made.mask);
      Value last = getLast(builder, loc, made.ordinals);
      made.count = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), last);
      // No more than there are: so much is known of a number that memory gives.
      made.count = arith::MinSIOp::create(builder, loc, made.count, getExtent(builder, loc, made.mask, 0));
    }
    counts[mask].push_back(made.count);
    running[mask].push_back(made);
    return made;
  }

  const Running *findRunning(Value mask, Operation *at) {
    auto known = running.find(mask);
    if (known != running.end())
      for (const Running &one : known->second)
        if (dominance->properlyDominates(one.count, at))
          return &one;
    return nullptr;
  }

  /// Of a mask that is true where this one is not.
  const Running *findOpposite(Value mask, Operation *at) {
    if (Value negated = getNegated(mask.getDefiningOp()))
      if (const Running *known = findRunning(negated, at))
        return known;
    for (Operation *user : mask.getUsers())
      if (getNegated(user))
        if (const Running *known = findRunning(user->getResult(0), at))
          return known;
    return nullptr;
  }

  /// The mask of which the operation makes the opposite, or null.
  static Value getNegated(Operation *op) {
    auto ufunc = dyn_cast_if_present<UfuncOp>(op);
    bool negates = ufunc && (ufunc.getName() == Ufunc::logical_not || ufunc.getName() == Ufunc::invert);
    return negates && getElementType(ufunc.getInputs()[0].getType()).isInteger(1) ? ufunc.getInputs()[0] : Value();
  }

  void replaceExtents(Value value, Value count) {
    for (Operation *user : llvm::make_early_inc_range(value.getUsers()))
      if (auto dim = dyn_cast<DimOp>(user); dim && dim.getAxis() == 0) {
        dim.replaceAllUsesWith(count);
        dim.erase();
      }
  }

  void count(CompressOp op) {
    OpBuilder builder(op);
    Value mask = op.getMask();
    if (!op.use_empty()) {
      Value count = getCount(builder, op, mask);
      for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
        if (isa<NewOp>(user)) {
          replaceExtents(user->getResult(0), count);
          user->erase();
        }
      replaceExtents(op, count);
    }
    op.erase();
  }

  void expand(CompressOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Type element = getElementType(op.getType());
    Value source = mergeAxes(builder, loc, op.getSource(), getRank(op.getMask().getType()));
    auto [mask, ordinals, count] = getRunning(builder, op, op.getMask());
    Value before = UfuncOp::create(builder, loc, Ufunc::subtract, ValueRange{ordinals, emitInteger(builder, loc, 1)});
    Value rest = builder.createOrFold<arith::IndexCastOp>(loc, builder.getI64Type(), count);
    Value positions = UfuncOp::create(builder, loc, Ufunc::where, ValueRange{mask, before, rest});

    SmallVector<Value> extents = getExtents(builder, loc, source), dynamic;
    SmallVector<int64_t> shape{ShapedType::kDynamic};
    llvm::append_range(shape, getShape(source.getType()).drop_front());
    extents[0] = count;
    for (auto [extent, known] : llvm::zip(extents, shape))
      if (ShapedType::isDynamic(known))
        dynamic.push_back(extent);
    Type arrayType = ArrayType::get(&getContext(), shape, element, /*contiguous=*/true);
    Value array = EmptyOp::create(builder, loc, arrayType, dynamic);
    auto scatter = ScatterOp::create(builder, loc, source, array, positions, builder.getDenseI64ArrayAttr({0}));
    scatter.setDistinct(true);
    replaceExtents(op, count);

    // A name for it alone needs no second array.
    if (op->hasOneUse())
      if (auto made = dyn_cast<NewOp>(*op->user_begin());
          made && made->getBlock() == op->getBlock() && made.getType() == array.getType()) {
        made.replaceAllUsesWith(array);
        made.erase();
        op.erase();
        return;
      }
    op.replaceAllUsesWith(Value(LoadOp::create(builder, loc, array)));
    op.erase();
  }

  /// A store of as many elements as a mask has true ones goes to the positions of those.
  void expand(StoreMaskedOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Value mask = op.getMask();
    SmallVector<Value> positions = selectPositions(builder, loc, mask);
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, positions.size()));
    auto scatter =
        ScatterOp::create(builder, loc, op.getValue(), op.getArray(), positions, builder.getDenseI64ArrayAttr(axes));
    scatter.setDistinct(hasPlaceForEach(op.getArray()));
    for (Value along : positions)
      expand(along.getDefiningOp<CompressOp>());
    builder.setInsertionPoint(scatter);
    scatter.getValueMutable().assign(checkExtents(builder, op, getCount(builder, scatter, mask)));
    op.erase();
  }

  /// Where the mask is true: the positions along each of its axes.
  static SmallVector<Value> selectPositions(OpBuilder &builder, Location loc, Value mask) {
    SmallVector<Value> extents = getExtents(builder, loc, mask), positions;
    int64_t rank = extents.size();
    auto line = RankedTensorType::get({ShapedType::kDynamic}, builder.getI64Type());
    auto all = RankedTensorType::get(getShape(mask.getType()), builder.getI64Type());
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    for (int64_t axis = 0; axis < rank; ++axis) {
      Value along = ArangeOp::create(builder, loc, line, emitInteger(builder, loc, 0), emitInteger(builder, loc, 1),
                                     extents[axis]);
      if (rank > 1) { // the same along the other axes
        SmallVector<int64_t> axes(rank, -1);
        axes[axis] = 0;
        along =
            ViewOp::create(builder, loc, all, along, ValueRange{zero}, axes, extents, SmallVector<Value>(rank, one));
      }
      positions.push_back(CompressOp::create(builder, loc, line, along, mask));
    }
    return positions;
  }

  /// The value with as many elements as come into the array: it has them, or one for all.
  Value checkExtents(OpBuilder &builder, StoreMaskedOp op, Value count) {
    Location loc = op.getLoc();
    Value value = op.getValue();
    int64_t maskRank = getRank(op.getMask().getType()), trailing = getRank(op.getArray().getType()) - maskRank;
    SmallVector<Value> given = getExtents(builder, loc, value), wanted{count};
    SmallVector<int64_t> shape{ShapedType::kDynamic};
    if (trailing == 0) {
      Value one = arith::ConstantIndexOp::create(builder, loc, 1);
      auto equals = [&](Value other) -> Value {
        return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, other, given[0]);
      };
      Value fits = arith::OrIOp::create(builder, loc, equals(count), equals(one));
      AssertOp::create(
          builder, loc, fits, "ValueError",
          "NumPy boolean array indexing assignment cannot assign {0} input values to the {1} output values "
          "where the mask is true",
          ValueRange{given[0], count});
    } else { // as at positions
      SmallVector<Value> array = getExtents(builder, loc, op.getArray());
      wanted.append(array.begin() + maskRank, array.end());
      llvm::append_range(shape, getShape(op.getArray().getType()).drop_front(maskRank));
      SmallVector<Value> shapes(given);
      llvm::append_range(shapes, wanted);
      for (auto [mine, extent, known] : llvm::zip(given, wanted, getShape(value.getType())))
        if (mine != extent && known != 1)
          extent = BroadcastExtentOp::create(builder, loc, mine, extent, BroadcastKind::positions, shapes,
                                             static_cast<int64_t>(given.size()));
    }
    return BroadcastOp::create(builder, loc, RankedTensorType::get(shape, getElementType(value.getType())), value,
                               wanted);
  }

  DominanceInfo *dominance = nullptr;
  DenseMap<Value, SmallVector<Value>> counts; // of a mask, how many of its elements are true, where that is known
  DenseMap<Value, SmallVector<Running>> running;
  DenseMap<Value, DenseSet<Block *>> expanded; // of a mask, where a selection by it becomes an array
};
} // namespace
} // namespace npcc
