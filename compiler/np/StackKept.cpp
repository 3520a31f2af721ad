// npcc-stack-kept: a list that holds arrays of one shape, each kept by the runtime under a number, becomes one array
// with an axis more.
//
//   %list = np.empty(%n) : !np.array<?xi64>                 %rows = np.empty(%n, %m) : !np.array<?x?xf64>
//   scf.for %i = ... {                                      scf.for %i = ... {
//     %number = np.keep %item                                 np.store (np.load %item), %rows[%i]
//     np.store %number, %list[%i]                     ->    }
//   }                                                       scf.for %j = ... {
//   scf.for %j = ... {                                        ... %rows[%j]
//     %item = np.kept (np.load %list[%j])                   }
//     ... %item
//   }
//
// So the frames of a signal, [x[s : s + n] * window for s in range(0, len(x) - n, hop)], are one array as soon as it is
// known that the slices end inside of x (npcc-assume-extents): the importer cannot tell, and its list holds arrays of
// any shapes. Then the loop can become a kernel.
//
// An item is copied, so nothing may be stored into it after it was put into the list, neither by its own names nor as
// an item, and nobody else may be given one. What is read from the list is read before another item may take its place:
// the row has that one then.
#include "compiler/memory/Aliasing.h"
#include "compiler/memory/Extents.h"
#include "compiler/np/LoopBlocks.h"
#include "compiler/np/Passes.h"
#include "compiler/np/Statements.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"

namespace npcc {
#define GEN_PASS_DEF_STACKKEPT
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
class Stacking {
public:
  Stacking(EmptyOp list, ExtentOrigins &origins, DominanceInfo &dominance, bool general)
      : list(list), origins(origins), dominance(dominance), general(general) {}

  bool canStack() {
    auto type = cast<ArrayType>(list.getType());
    return type.getRank() == 1 && type.getElementType().isInteger(64) && collect(list) && !keeps.empty() &&
           !kepts.empty() && haveOneType() &&
           llvm::all_of(kepts, [&](KeptOp kept) { return isOnlyRead(kept) && isReadInTime(kept, numberOf(kept)); }) &&
           llvm::all_of(keeps, [&](KeepOp keep) { return staysAsItIs(keep); }) && findExtents();
  }

  void stack() {
    OpBuilder builder(list);
    Location loc = list.getLoc();
    SmallVector<Value> extents{getExtent(builder, loc, list, 0)};
    for (const ExtentOrigin &origin : rowOrigins)
      rowExtents.push_back(materializeExtent(builder, loc, origin));
    SmallVector<int64_t> shape(1 + rowExtents.size(), ShapedType::kDynamic);
    llvm::append_range(extents, rowExtents);
    auto type = ArrayType::get(list.getContext(), shape, getElementType(kepts.front().getType()), /*contiguous=*/true);
    rows[list] = EmptyOp::create(builder, loc, type, extents);
    for (StoreOp store : stores) {
      auto keep = store.getValue().getDefiningOp<KeepOp>();
      OpBuilder at(store);
      Value value = LoadOp::create(at, store.getLoc(), keep.getArray());
      StoreOp::create(at, store.getLoc(), value, getRows(store.getArray()));
      store.erase();
      keep.erase();
    }
    for (KeptOp kept : kepts) {
      kept.replaceAllUsesWith(getRows(numberOf(kept).getArray()));
      kept.erase();
    }
  }

private:
  /// What is done with the list, by any of its names: numbers of kept arrays are stored, and loaded to find these.
  bool collect(Value name) {
    return llvm::all_of(name.getUsers(), [&](Operation *user) {
      if (isa<DimOp>(user))
        return true;
      if (isa<ViewOp>(user))
        return collect(user->getResult(0));
      if (auto store = dyn_cast<StoreOp>(user)) {
        auto keep = store.getValue().getDefiningOp<KeepOp>();
        if (!keep || !keep->hasOneUse() || getRank(name.getType()) || keep->getBlock() != store->getBlock())
          return false;
        stores.push_back(store);
        keeps.push_back(keep);
        return true;
      }
      return isa<LoadOp>(user) && llvm::all_of(user->getUsers(), [&](Operation *item) {
               return isa<ItemOp>(item) && llvm::all_of(item->getUsers(), [&](Operation *found) {
                        if (auto kept = dyn_cast<KeptOp>(found))
                          kepts.push_back(kept);
                        return isa<KeptOp>(found);
                      });
             });
    });
  }

  bool haveOneType() {
    Type element = getElementType(kepts.front().getType());
    int64_t rank = getRank(kepts.front().getType());
    auto isSame = [&](Type type) { return getElementType(type) == element && getRank(type) == rank; };
    return llvm::all_of(kepts, [&](KeptOp kept) { return isSame(kept.getType()); }) &&
           llvm::all_of(keeps, [&](KeepOp keep) { return isSame(keep.getArray().getType()); });
  }

  /// An item that is looked at and goes nowhere else.
  static bool isOnlyRead(Value item) {
    return llvm::all_of(item.getUsers(), [](Operation *user) {
      return isa<LoadOp, DimOp>(user) || (isa<ViewOp, ReshapeOp>(user) && isOnlyRead(user->getResult(0)));
    });
  }

  /// What reads the item's number in the list.
  static LoadOp numberOf(KeptOp kept) {
    return cast<LoadOp>(kept.getNumber().getDefiningOp()->getOperand(0).getDefiningOp());
  }

  /// Whether no item is stored into the list between where an item's number is read and all that reads the item.
  bool isReadInTime(Value item, LoadOp number) const {
    Block *block = number->getBlock();
    return llvm::all_of(item.getUsers(), [&](Operation *user) {
      Operation *place = block->findAncestorOpInBlock(*user);
      bool isInTime = llvm::none_of(stores, [&](StoreOp store) {
        Operation *stored = block->findAncestorOpInBlock(*store);
        return stored && number->isBeforeInBlock(stored) && !place->isBeforeInBlock(stored);
      });
      return isInTime &&
             (user->getNumResults() == 0 || !isa<ViewOp, ReshapeOp>(user) || isReadInTime(user->getResult(0), number));
    });
  }

  /// Whether nothing stores into the array from when it is kept.
  bool staysAsItIs(KeepOp keep) {
    Value root = getNamed(keep.getArray());
    if (isa_and_nonnull<NewOp, EmptyOp>(root.getDefiningOp()) && root.getParentBlock() == keep->getBlock())
      return isFinished(root, keep);
    // An array from outside, or a part of it: nothing stores into it at all, but before there is the list.
    if (!isa<BlockArgument>(root) && !isa_and_nonnull<NewOp, EmptyOp>(root.getDefiningOp()))
      return false;
    auto found = list->getParentOfType<func::FuncOp>().walk([&](Operation *op) {
      if (op->getNumRegions() || !mayWriteTo(op, root, general))
        return WalkResult::advance();
      Operation *place = list->getBlock()->findAncestorOpInBlock(*op);
      return place && place->isBeforeInBlock(list) ? WalkResult::advance() : WalkResult::interrupt();
    });
    return !found.wasInterrupted();
  }

  /// Whether all that does more than read the array, by any of its names, comes before it is kept.
  static bool isFinished(Value name, KeepOp keep) {
    return llvm::all_of(name.getUsers(), [&](Operation *user) {
      if (isa<LoadOp, DimOp>(user) || user == keep)
        return true;
      if (isa<ViewOp, ReshapeOp>(user))
        return isFinished(user->getResult(0), keep);
      Operation *place = keep->getBlock()->findAncestorOpInBlock(*user);
      return place && place->isBeforeInBlock(keep) && !isa<KeepOp>(user) &&
             llvm::none_of(place->getResultTypes(), llvm::IsaPred<ArrayType>);
    });
  }

  /// All items have the same extents, which are known where the list is made.
  bool findExtents() {
    for (int64_t axis = 0; axis < getRank(kepts.front().getType()); ++axis) {
      ExtentOrigin origin = origins.of(keeps.front().getArray(), axis);
      bool isKnown =
          origin.constant >= 0 || (origin.value && (origin.axis >= 0 ? isThere(origin.value) : hoist(origin.value)));
      if (!isKnown || llvm::any_of(keeps, [&](KeepOp keep) { return !(origins.of(keep.getArray(), axis) == origin); }))
        return false;
      rowOrigins.push_back(origin);
    }
    return true;
  }

  bool isThere(Value value) { return dominance.properlyDominates(value, list); }

  /// Moves a number that is computed of numbers which are there to where the list is made.
  bool hoist(Value number) {
    if (isThere(number))
      return true;
    Operation *op = number.getDefiningOp();
    if (!op || !isArithmetic(op) || !llvm::all_of(op->getOperands(), [&](Value operand) { return hoist(operand); }))
      return false;
    op->moveBefore(list);
    return true;
  }

  /// The rows of what a name of the list has of its numbers.
  Value getRows(Value name) {
    if (Value found = rows.lookup(name))
      return found;
    auto view = name.getDefiningOp<ViewOp>();
    Value source = getRows(view.getSource());
    OpBuilder builder(view);
    Location loc = view.getLoc();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    SmallVector<Value> offsets(view.getOffsets()), extents(view.getExtents()), steps(view.getSteps());
    SmallVector<int64_t> axes(view.getAxes()), shape(getShape(view.getType()));
    int64_t rank = getRank(view.getSource().getType());
    for (auto [axis, extent] : llvm::enumerate(rowExtents)) {
      offsets.push_back(zero);
      axes.push_back(rank + axis);
      extents.push_back(extent);
      steps.push_back(one);
      shape.push_back(ShapedType::kDynamic);
    }
    auto type = ArrayType::get(list.getContext(), shape, getElementType(source.getType()), /*contiguous=*/false);
    return rows[name] = ViewOp::create(builder, loc, type, source, offsets, axes, extents, steps);
  }

  EmptyOp list;
  ExtentOrigins &origins;
  DominanceInfo &dominance;
  bool general;
  SmallVector<StoreOp> stores;
  SmallVector<KeepOp> keeps;
  SmallVector<KeptOp> kepts;
  SmallVector<ExtentOrigin> rowOrigins;
  SmallVector<Value> rowExtents;
  llvm::DenseMap<Value, Value> rows; // of the list's names
};

struct StackKept : impl::StackKeptBase<StackKept> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    SmallVector<EmptyOp> lists;
    function.walk([&](EmptyOp op) { lists.push_back(op); });
    ExtentOrigins origins(function);
    DominanceInfo dominance(function);
    bool general = function->hasAttr("np.general");
    for (EmptyOp list : lists)
      if (Stacking stacking(list, origins, dominance, general); stacking.canStack()) {
        stacking.stack();
        origins.forget();
      }
  }
};
} // namespace
} // namespace npcc
