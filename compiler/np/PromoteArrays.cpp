// Arrays that nobody else sees become values.
//
//   %z = np.new %zeros                              %0 = %zeros
//   %v = np.view %z ...                       ->
//   np.store %a, %v                                 %1 = np.insert %a into %zeros ...
//   %x = np.load %z                                 %x = %1
//   return %z                                       %z = np.new %1   return %z
//
// A new array that is only written, or read for what is written to it, is nothing at all. Where a position that it is
// made with may be outside, it stays in memory, and so does the error.
//
// An array qualifies when it is new, all its stores stand in the block that makes it, and it leaves that block (return,
// yield) whole and as the terminator's operand only. One that a single branch needs is made in the branch. Loads may
// stand in regions below, where no store follows. One that nothing stores to, wherever it is handed on to, may go
// anywhere. Carried arrays and arguments never qualify: they are memory, so a swap stays a swap.
#include "compiler/memory/Region.h"
#include "compiler/np/Passes.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_PROMOTEARRAYS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
struct Uses {
  SmallVector<Operation *> accesses;   // loads and stores, of the array or of views of it
  SmallVector<OpOperand *> departures; // uses by the block's terminator
  SmallVector<OpOperand *> passings;   // uses that hand the array on from elsewhere, to where nothing stores to it
  SmallVector<Operation *> views;
};

/// Whether an array of other axes is only read, whole.
bool isOnlyRead(Value array) {
  return llvm::all_of(array.getUsers(), [](Operation *user) { return isa<LoadOp, DimOp>(user); });
}

/// Whether what gets the array by this use hands it on, and loads of it, and does nothing else with it.
bool isOnlyPassed(OpOperand &use, llvm::SmallDenseSet<Value> &seen) {
  auto follow = [&](Value value) {
    return !seen.insert(value).second ||
           llvm::all_of(value.getUses(), [&](OpOperand &next) { return isOnlyPassed(next, seen); });
  };
  Operation *user = use.getOwner();
  if (isa<LoadOp, DimOp, func::ReturnOp>(user))
    return true;
  if (isa<ViewOp, ReshapeOp, arith::SelectOp>(user))
    return follow(user->getResult(0));
  auto branching =
      dyn_cast<RegionBranchOpInterface>(isa<RegionBranchTerminatorOpInterface>(user) ? user->getParentOp() : user);
  if (!branching)
    return false;
  RegionBranchSuccessorMapping inputsOf;
  branching.getSuccessorOperandInputMapping(inputsOf);
  return inputsOf.contains(&use) && llvm::all_of(inputsOf[&use], follow);
}

/// False if the array is used in a way that keeps it memory.
bool collectUses(Value array, Block *home, bool isRoot, Uses &uses) {
  for (OpOperand &use : array.getUses()) {
    Operation *user = use.getOwner();
    if (isa<LoadOp, DimOp>(user)) {
      if (isa<LoadOp>(user))
        uses.accesses.push_back(user);
    } else if (auto view = dyn_cast<ViewOp>(user)) {
      uses.views.push_back(user);
      if (!collectUses(view.getResult(), home, false, uses))
        return false;
    } else if (isRoot && isa<ReshapeOp>(user) && isOnlyRead(user->getResult(0))) {
      uses.views.push_back(user);
      if (!collectUses(user->getResult(0), home, false, uses))
        return false;
    } else if (isa<StoreOp, StoreMaskedOp>(user)) {
      if (use.getOperandNumber() != user->getNumOperands() - 1 || user->getBlock() != home)
        return false;
      // A masked store into a view would need the mask spread over the whole array.
      if (auto masked = dyn_cast<StoreMaskedOp>(user); masked && (!isRoot || masked.getSelected()))
        return false;
      uses.accesses.push_back(user);
    } else if (isRoot && user == home->getTerminator() && isa<func::ReturnOp, scf::YieldOp, scf::ConditionOp>(user)) {
      uses.departures.push_back(&use);
    } else if (isRoot) {
      uses.passings.push_back(&use);
    } else {
      return false;
    }
  }
  return true;
}

/// What an array that nobody looks at is used by.
struct Writes {
  SmallVector<Operation *> stores, views;
  llvm::SetVector<Operation *> reads; // loads, and what is made of them
};

/// The stores into an array and its views, and loads of it; false if anything else uses it.
bool collectWrites(Value array, Writes &writes) {
  for (OpOperand &use : array.getUses()) {
    Operation *user = use.getOwner();
    if (isa<ViewOp, ReshapeOp>(user)) {
      writes.views.push_back(user);
      if (!collectWrites(user->getResult(0), writes))
        return false;
      continue;
    }
    if (isa<LoadOp>(user)) {
      writes.reads.insert(user);
      continue;
    }
    // Scattering to positions that are not known to be inside may fail.
    auto scatter = dyn_cast<ScatterOp>(user);
    if (!isa<StoreOp, StoreMaskedOp>(user) && !(scatter && scatter.getDistinct()))
      return false;
    writes.stores.push_back(user);
  }
  return true;
}

/// Whether what is loaded of the array goes nowhere but back into it, as in `a[1:] -= 3`. Adds what is made on the way.
bool returnsToArray(Writes &writes) {
  for (size_t k = 0; k < writes.reads.size(); ++k)
    for (Operation *user : writes.reads[k]->getUsers()) {
      if (llvm::is_contained(writes.stores, user))
        continue;
      bool isValue = user->getNumResults() == 1 && isa<RankedTensorType>(user->getResult(0).getType());
      if (!isValue || !(isMemoryEffectFree(user) || isa<GatherOp>(user)))
        return false;
      writes.reads.insert(user);
    }
  return true;
}

/// Is an element read below at a position that may be outside? Its IndexError must stay.
bool mayFail(Value value, llvm::SmallDenseSet<Value> &seen) {
  Operation *producer = value.getDefiningOp();
  if (!producer || !isa<RankedTensorType>(value.getType()) || !seen.insert(value).second)
    return false;
  return isa<GatherOp>(producer) || llvm::any_of(producer->getOperands(), [&](Value operand) { return mayFail(operand, seen); });
}

/// False if somebody reads the array.
bool eraseUnread(Operation *fresh) {
  Writes writes;
  if (!collectWrites(fresh->getResult(0), writes) || !returnsToArray(writes))
    return false;
  llvm::SmallDenseSet<Value> seen;
  if (llvm::any_of(fresh->getOperands(), [&](Value operand) { return mayFail(operand, seen); }))
    return true; // it stays, and is memory
  for (Operation *store : writes.stores)
    for (Value operand : store->getOperands())
      if (mayFail(operand, seen))
        return true;
  for (Operation *store : writes.stores)
    store->erase();
  while (!writes.reads.empty()) { // what is made of a read before the read
    SmallVector<Operation *> unused =
        llvm::filter_to_vector(writes.reads, [](Operation *op) { return op->use_empty(); });
    for (Operation *op : unused) {
      writes.reads.remove(op);
      op->erase();
    }
  }
  for (Operation *view : llvm::reverse(writes.views))
    view->erase();
  fresh->erase();
  return true;
}

Value loadFrom(OpBuilder &builder, Value value, Value array, Location loc) {
  if (auto view = array.getDefiningOp<ViewOp>())
    return ViewOp::create(builder, loc, cast<ArrayType>(array.getType()).getValueType(), value, view.getOffsets(), view.getAxes(),
                          view.getExtents(), view.getSteps());
  if (auto reshape = array.getDefiningOp<ReshapeOp>())
    return ReshapeOp::create(builder, loc, cast<ArrayType>(array.getType()).getValueType(), value,
                             reshape.getExtents());
  return value;
}

Value asValue(OpBuilder &builder, Value stored, Value array, Location loc) {
  auto type = dyn_cast<RankedTensorType>(stored.getType());
  if (type && type.getRank() == getRank(array.getType()))
    return stored;
  SmallVector<Value> extents = getExtents(builder, loc, array);
  if (type)
    return BroadcastOp::create(builder, loc, cast<ArrayType>(array.getType()).getValueType(), stored, extents);
  return FullOp::create(builder, loc, cast<ArrayType>(array.getType()).getValueType(), stored, extents);
}

/// The array's value after `store`.
Value storeTo(OpBuilder &builder, Value value, Operation *store) {
  Location loc = store->getLoc();
  Value array = store->getOperands().back();
  Value stored = asValue(builder, store->getOperand(0), array, loc);
  if (auto masked = dyn_cast<StoreMaskedOp>(store)) {
    Value mask = masked.getMask();
    int64_t missing = getRank(array.getType()) - getRank(mask.getType());
    SmallVector<Value> extents = getExtents(builder, loc, array);
    if (missing) { // the mask covers the leading axes: give it the others, then stretch it
      int64_t maskRank = getRank(mask.getType());
      Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
      SmallVector<int64_t> axes;
      for (int64_t axis = 0; axis < maskRank; ++axis)
        axes.push_back(axis);
      axes.append(missing, -1);
      SmallVector<int64_t> shape(cast<RankedTensorType>(value.getType()).getShape());
      auto type = RankedTensorType::get(shape, builder.getI1Type());
      mask = ViewOp::create(builder, loc, type, mask, SmallVector<Value>(maskRank, zero), axes, extents,
                            SmallVector<Value>(axes.size(), one));
    }
    if (mask == value) // what is left of a mask
      return UfuncOp::create(builder, loc, Ufunc::bitwise_and, ValueRange{mask, stored});
    return UfuncOp::create(builder, loc, Ufunc::where, ValueRange{mask, stored, value});
  }
  auto view = array.getDefiningOp<ViewOp>();
  if (!view)
    return stored;
  return InsertOp::create(builder, loc, value.getType(), stored, value, view.getOffsets(), view.getAxes(), view.getExtents(),
                          view.getSteps());
}

/// Whether elements of the array would be computed again for each that `user` makes of one: where it spreads them out,
/// or multiplies them by a matrix.
bool wouldBeRepeated(Operation *fresh, Operation *user) {
  auto made = dyn_cast<NewOp>(fresh);
  Operation *source = made ? made.getValue().getDefiningOp() : nullptr;
  bool isComputed = !isa_and_nonnull<LoadOp, ViewOp, BroadcastOp, FullOp>(source);
  return isa<MatmulOp>(user) || (isComputed && !isa<ReduceOp, UfuncOp, CastOp>(user));
}

/// Whether one store, to a part of the array, is all that makes it.
bool isPartOnly(ArrayRef<Operation *> accesses) {
  SmallVector<Operation *> stores = llvm::filter_to_vector(accesses, [](Operation *op) { return !isa<LoadOp>(op); });
  return stores.size() == 1 && isa<StoreOp>(stores.front()) &&
         stores.front()->getOperands().back().getDefiningOp<ViewOp>();
}

void promote(Operation *fresh) {
  Value array = fresh->getResult(0);
  Block *home = fresh->getBlock();
  Uses uses;
  for (Operation *user : array.getUsers())
    if (auto view = dyn_cast<ViewOp>(user))
      for (Operation *second : view->getUsers())
        if (isa<ViewOp>(second))
          return; // not composed: leave it alone
  if (!collectUses(array, home, true, uses))
    return;
  bool stored = llvm::any_of(uses.accesses, [](Operation *op) { return !isa<LoadOp>(op); });
  if (!uses.passings.empty() || uses.departures.size() > 1) {
    llvm::SmallDenseSet<Value> handedOn;
    bool isWritten =
        stored || llvm::any_of(array.getUses(), [&](OpOperand &use) { return !isOnlyPassed(use, handedOn); });
    if (isWritten || !uses.views.empty())
      return;
  }
  // One that is read with several shapes, or by several, is one array for all of them.
  bool isReshaped = llvm::any_of(uses.views, llvm::IsaPred<ReshapeOp>);
  if (isReshaped && (uses.accesses.size() != 1 || !uses.departures.empty() || !uses.accesses.front()->hasOneUse() ||
                     wouldBeRepeated(fresh, *uses.accesses.front()->user_begin())))
    return;
  // Of an array that an iteration hands on, and stores to a part of, the rest is nothing that anybody computes.
  if (isa<EmptyOp>(fresh) && isa<LoopLikeOpInterface>(home->getParentOp()) && !uses.departures.empty() &&
      isPartOnly(uses.accesses))
    return;
  // An array that only leaves is what it should be already.
  if (uses.accesses.empty())
    return;

  // In block order, a nested load counting where its ancestor stands.
  SmallVector<std::pair<Operation *, Operation *>> events;
  for (Operation *access : uses.accesses)
    events.push_back({home->findAncestorOpInBlock(*access), access});
  llvm::sort(events, [](auto &a, auto &b) { return a.first != b.first && a.first->isBeforeInBlock(b.first); });
  // What is stored over at once needs its errors still.
  llvm::SmallDenseSet<Value> seen;
  auto made = dyn_cast<NewOp>(fresh);
  if (isa<StoreOp>(events.front().second) && events.front().second->getOperands().back() == array && made &&
      mayFail(made.getValue(), seen))
    return;

  OpBuilder builder(fresh);
  auto type = cast<ArrayType>(array.getType());
  Value value;
  if (made) {
    value = made.getValue();
  } else {
    // Contents are undefined: zero is as good as any and folds away where everything is stored over.
    Type element = type.getElementType();
    SmallVector<Value> extents = getExtents(builder, fresh->getLoc(), array);
    // Where there are no elements, nobody reads one.
    bool isEmpty = llvm::any_of(extents, [](Value extent) { return matchPattern(extent, m_Zero()); });
    Value zero;
    if (getTargetProperties(fresh).tellsUndefined && !isEmpty) {
      zero = UndefinedOp::create(builder, fresh->getLoc(), element);
    } else if (element.isUnsignedInteger()) { // constants have no sign
      Type number = builder.getI64Type();
      zero = arith::ConstantOp::create(builder, fresh->getLoc(), builder.getZeroAttr(number));
      zero = CastOp::create(builder, fresh->getLoc(), element, zero);
    } else if (auto complex = dyn_cast<ComplexType>(element)) {
      Attribute part = builder.getZeroAttr(complex.getElementType());
      zero = complex::ConstantOp::create(builder, fresh->getLoc(), complex, builder.getArrayAttr({part, part}));
    } else {
      zero = arith::ConstantOp::create(builder, fresh->getLoc(), builder.getZeroAttr(element));
    }
    value = FullOp::create(builder, fresh->getLoc(), type.getValueType(), zero, extents);
  }
  Value original = value;

  for (auto &[ancestor, access] : events) {
    builder.setInsertionPoint(access);
    if (auto load = dyn_cast<LoadOp>(access)) {
      load.getResult().replaceAllUsesWith(loadFrom(builder, value, load.getArray(), load.getLoc()));
    } else {
      value = storeTo(builder, value, access);
    }
    access->erase();
  }
  if (!uses.departures.empty() && stored) {
    builder.setInsertionPoint(home->getTerminator());
    uses.departures.front()->set(NewOp::create(builder, fresh->getLoc(), type, value));
  }
  // Extents of the array are those of its first value.
  for (Operation *user : llvm::make_early_inc_range(array.getUsers()))
    if (auto dim = dyn_cast<DimOp>(user)) {
      builder.setInsertionPoint(dim);
      dim.replaceAllUsesWith(getExtent(builder, dim.getLoc(), original, dim.getAxis()));
      dim.erase();
    }
  for (Operation *view : llvm::reverse(uses.views)) {
    for (Operation *user : llvm::make_early_inc_range(view->getUsers()))
      if (auto dim = dyn_cast<DimOp>(user)) {
        OperandRange extents = isa<ViewOp>(view) ? cast<ViewOp>(view).getExtents() : cast<ReshapeOp>(view).getExtents();
        dim.replaceAllUsesWith(extents[dim.getAxis()]);
        dim.erase();
      }
    if (view->use_empty())
      view->erase();
  }
  if (array.use_empty())
    fresh->erase();
}

/// Makes an array where all its uses are: in a branch, which may not run.
void moveToUses(Operation *fresh) {
  Block *place = nullptr;
  for (Operation *user : fresh->getUsers()) {
    if (!place)
      place = user->getBlock();
    while (!place->findAncestorOpInBlock(*user))
      place = place->getParentOp()->getBlock();
  }
  for (Block *block = place; block && block != fresh->getBlock(); block = block->getParentOp()->getBlock())
    if (!isa<scf::IfOp>(block->getParentOp()))
      place = block->getParentOp()->getBlock();
  if (!place || place == fresh->getBlock())
    return;
  Operation *first = nullptr;
  for (Operation *user : fresh->getUsers())
    if (Operation *op = place->findAncestorOpInBlock(*user); !first || op->isBeforeInBlock(first))
      first = op;
  fresh->moveBefore(first);
}

struct PromoteArrays : impl::PromoteArraysBase<PromoteArrays> {
  void runOnOperation() override {
    SmallVector<Operation *> fresh;
    getOperation().walk([&](Operation *op) {
      if (isa<NewOp, EmptyOp>(op))
        fresh.push_back(op);
    });
    for (Operation *op : fresh)
      if (!eraseUnread(op)) {
        moveToUses(op);
        promote(op);
      }
  }
};
} // namespace
} // namespace npcc
