// npcc-grow-arrays: an array that iterations make longer, by making a new one that begins with it, becomes a list: an
// array with room for more, and a length.
//
//   scf.for ... iter_args(%a = %a0) {                    scf.for ... iter_args(%b = %a0, %n = dim(%a0)) {
//     %n = np.dim %a                                       ... np.view %b offsets [0] extents [%n]
//     ... %a                                               %c = np.make_room %b[%n] rows %n + 1
//     %c = np.empty(%n + 1)                         ->     np.store %x, %c[%n]
//     np.store %a, %c[0 : %n]                              scf.yield %c, %n + 1
//     np.store %x, %c[%n]                                }
//     scf.yield %c }                                     %r = np.new %b[0 : %n]
//
// That is what `h = np.append(h, x)`, `np.vstack([h, row])` and `np.hstack([h, column])` in a loop are. They copy all
// elements in each iteration, and the loop cannot be anything but a loop, since its arrays change their extents. As a
// list it is reserved before the loop where it grows by the same each time (npcc-reserve-lists), or doubles. Where the
// array grows along another axis than the first one, the list has that axis first.
//
// All arrays that a name is in these iterations lie in the memory of the list then, so none of them may be stored to
// but for what comes behind the old one. An array is made longer once in an iteration: no two have elements at the
// same place. The array that the loop leaves is a copy of its own; where nothing was appended, it is the array from
// before the loop.
#include "compiler/memory/Aliasing.h"
#include "compiler/memory/Counts.h"
#include "compiler/memory/Extents.h"
#include "compiler/np/Canonicalizer.h"
#include "compiler/np/CarriedNames.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"

namespace npcc {
#define GEN_PASS_DEF_GROWARRAYS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// An array that begins with all of another one.
struct Append {
  Value from;
  EmptyOp made;
  StoreOp kept; // of what it begins with

  LoadOp getLoad() const { return StoreOp(kept).getValue().getDefiningOp<LoadOp>(); }
  ViewOp getView() const { return StoreOp(kept).getArray().getDefiningOp<ViewOp>(); }
};

bool isConstant(Value value, int64_t number) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) && constant.getSExtValue() == number;
}

/// Whether what is made of an array, views of it, is loaded and nothing else.
bool isOnlyRead(Value array) {
  return llvm::all_of(array.getUsers(), [](Operation *user) {
    return isa<LoadOp, DimOp>(user) || (isa<ViewOp, ReshapeOp>(user) && isOnlyRead(user->getResult(0)));
  });
}

/// Whether no iteration of anything runs both operations: they are on different sides of a branch.
bool areExclusive(Operation *one, Operation *other) {
  for (auto branch = one->getParentOfType<scf::IfOp>(); branch; branch = branch->getParentOfType<scf::IfOp>())
    if (branch->isProperAncestor(other))
      return branch.getThenRegion().isAncestor(one->getParentRegion()) !=
             branch.getThenRegion().isAncestor(other->getParentRegion());
  return false;
}

/// All that one array of a loop is in its iterations.
class Growth {
public:
  Growth(Operation *loop, unsigned index, ExtentOrigins &origins, Aliasing &aliasing)
      : names(loop, index), origins(origins), aliasing(aliasing), init(names.getGiven().get()) {}

  bool find() {
    type = dyn_cast<ArrayType>(init.getType());
    if (!type || type.getRank() == 0 || !type.getContiguous() || !names.takePassing(names.getGiven()))
      return false;
    auto isMade = [](Operation *op) { return isa<EmptyOp>(op); }; // looked at when all are known
    for (size_t k = 0; k < names.getValues().size(); k++) {
      Value value = names.getValues()[k];
      if (value.getType() != type || !names.takeSources(value, isMade) ||
          !(names.isLeft(value) || llvm::all_of(value.getUses(), [&](OpOperand &use) { return takeUse(use); })))
        return false;
    }
    if (appends.empty() || (axis > 0 && (isReshaped || !llvm::all_of(type.getShape(), ShapedType::isDynamic))))
      return false;
    return llvm::all_of(names.getValues(),
                        [&](Value value) { return !value.getDefiningOp<EmptyOp>() || isAppended(value); }) &&
           llvm::all_of(appends, [&](Append &append) { return isOnlyLonger(append) && isLinear(append); }) &&
           names.hasOneOfEach() && !aliasing.mayWriteTo(names.getLoop(), init);
  }

  void replace() {
    OpBuilder builder(names.getLoop());
    Location loc = names.getLoop()->getLoc();
    bool isOwn = isFresh();
    initLength = getExtent(builder, loc, init, axis);
    for (int64_t k = 0; k < type.getRank(); k++)
      if (k != axis)
        rowExtents.push_back(getExtent(builder, loc, init, k));
    if (axis > 0 || !isOwn) { // what is stored to is then seen to be nobody else's
      names.setNumbers(init, initLength);
      ViewOp moved = emitPart(builder, loc, init, /*isMoved=*/true);
      names.getGiven().set(NewOp::create(builder, loc, type, LoadOp::create(builder, loc, moved)));
    }
    auto renameFrom = [&](Value name, Value other) {
      for (Append &append : appends)
        if (append.from == name)
          append.from = other;
    };
    auto getLengthOfMade = [&](Value made) -> SmallVector<Value> {
      int64_t place = llvm::count_if(type.getShape().take_front(axis), ShapedType::isDynamic);
      return {made.getDefiningOp<EmptyOp>().getExtents()[place]};
    };
    names.addNumbers(initLength, getLengthOfMade, renameFrom);
    for (Append &append : appends)
      replaceAppend(append);
    for (Value value : names.getValues())
      if (!names.isLeft(value))
        replaceReads(value);
    emitResults(isOwn);
  }

private:
  /// Whether nobody has the array that the loop begins with but the loop.
  bool isFresh() {
    return isa_and_present<NewOp, EmptyOp>(init.getDefiningOp()) && llvm::hasSingleElement(init.getUsers());
  }

  bool isAppended(Value value) {
    return llvm::any_of(appends, [&](Append &append) { return append.made == value.getDefiningOp(); });
  }

  bool takeUse(OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<DimOp>(user))
      return true;
    if (auto load = dyn_cast<LoadOp>(user)) {
      takeAppend(use.get(), load);
      return true;
    }
    if (isa<ReshapeOp>(user)) {
      isReshaped = true;
      return isOnlyRead(user->getResult(0));
    }
    if (isa<ViewOp>(user)) {
      bool isNew = use.get().getDefiningOp<EmptyOp>() != nullptr;
      return llvm::all_of(user->getUses(), [&](OpOperand &next) {
        auto store = dyn_cast<StoreOp>(next.getOwner());
        if (store)
          return isNew && next.get() == store.getArray() && next.get() != store.getValue();
        bool isView = isa<ViewOp, ReshapeOp>(next.getOwner());
        isReshaped |= isView;
        return isa<LoadOp, DimOp>(next.getOwner()) || (isView && isOnlyRead(next.getOwner()->getResult(0)));
      });
    }
    return names.takePassing(use);
  }

  /// A new array that begins with all of `from`, and is longer along one axis.
  void takeAppend(Value from, LoadOp load) {
    auto kept = load->hasOneUse() ? dyn_cast<StoreOp>(*load->user_begin()) : nullptr;
    auto view = kept ? kept.getArray().getDefiningOp<ViewOp>() : nullptr;
    auto made = view && view->hasOneUse() ? view.getSource().getDefiningOp<EmptyOp>() : nullptr;
    if (!made || made.getType() != type || !names.getLoop()->isProperAncestor(made) ||
        kept->getBlock() != made->getBlock())
      return;
    int64_t grown = -1;
    auto extents = made.getExtents().begin();
    for (int64_t k = 0; k < type.getRank(); k++) {
      bool isWhole = view.getAxes()[k] == k && isConstant(view.getOffsets()[k], 0) &&
                     isConstant(view.getSteps()[k], 1) && origins.ofIndex(view.getExtents()[k]) == origins.of(from, k);
      if (!isWhole)
        return;
      if (!ShapedType::isDynamic(type.getShape()[k]) || origins.ofIndex(*extents++) == origins.of(from, k))
        continue;
      if (grown >= 0)
        return;
      grown = k;
    }
    if (grown < 0 || (axis >= 0 && axis != grown))
      return;
    axis = grown;
    appends.push_back({from, made, kept});
    names.insert(made);
  }

  /// Whether an offset is not before the end of the array.
  bool isBehind(Value offset, Value array) {
    if (origins.ofIndex(offset) == origins.of(array, axis))
      return true;
    if (auto cast = offset.getDefiningOp<arith::IndexCastOp>())
      return isBehind(cast.getIn(), array);
    auto sum = offset.getDefiningOp<arith::AddIOp>();
    return sum && isBehind(sum.getLhs(), array) && isCount(sum.getRhs());
  }

  /// Whether nothing is stored to the new array but the old one, at first, and what comes behind it.
  bool isOnlyLonger(Append &append) {
    auto comesAfter = [&](Operation *op) {
      Operation *there = append.made->getBlock()->findAncestorOpInBlock(*op);
      return op == append.kept || (there && append.kept->isBeforeInBlock(there));
    };
    return llvm::all_of(append.made->getUsers(), [&](Operation *user) {
      auto view = dyn_cast<ViewOp>(user);
      if (!view)
        return isa<DimOp>(user) || comesAfter(user);
      return llvm::all_of(view->getUsers(), [&](Operation *access) {
        bool isStore = isa<StoreOp>(access) && access != append.kept;
        return comesAfter(access) && (!isStore || isViewBehind(view, append.from));
      });
    });
  }
  bool isViewBehind(ViewOp view, Value from) {
    for (auto [k, along] : llvm::enumerate(view.getAxes()))
      if (along == axis && !isCount(view.getSteps()[k]))
        return false;
    return isBehind(view.getOffsets()[axis], from);
  }

  /// Whether the old array is handed on, or made longer again, only where the new one is not there.
  bool isLinear(Append &append) {
    return llvm::all_of(append.from.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (isa<LoadOp>(user))
        return llvm::all_of(appends, [&](Append &other) {
          return other.made == append.made || other.getLoad() != user || areExclusive(other.made, append.made);
        });
      if (isa<DimOp, ViewOp, ReshapeOp>(user) || areExclusive(user, append.made))
        return true;
      // Where one of both is chosen nobody else sees the new one.
      auto isChosen = [&](Value result) {
        return isa<arith::SelectOp, scf::IfOp>(result.getDefiningOp()) && isSource(append.made, result);
      };
      bool isOneOfBoth = false;
      if (isa<arith::SelectOp>(user))
        isOneOfBoth = isChosen(user->getResult(0));
      else if (isa<scf::YieldOp>(user) && isa<scf::IfOp>(user->getParentOp()))
        isOneOfBoth = isChosen(user->getParentOp()->getResult(use.getOperandNumber()));
      return isOneOfBoth && llvm::all_of(append.made->getUsers(), [](Operation *of) {
               return isa<arith::SelectOp, scf::YieldOp>(of) ||
                      (isa<ViewOp>(of) && llvm::all_of(of->getUsers(), llvm::IsaPred<StoreOp>));
             });
    });
  }
  static bool isSource(Value source, Value result) {
    return llvm::any_of(source.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (isa<arith::SelectOp>(user))
        return user->getResult(0) == result;
      return isa<scf::YieldOp>(user) && user->getParentOp() == result.getDefiningOp() &&
             use.getOperandNumber() == cast<OpResult>(result).getResultNumber();
    });
  }

  Value getLength(Value name) const { return names.getNumbers(name).front(); }

  /// Where an axis of the array is in the list.
  int64_t getPlace(int64_t of) const { return of == axis ? 0 : of < axis ? of + 1 : of; }

  /// All of one of the arrays, which lies in the list; `isMoved`: the other way round, the array as the list has it.
  ViewOp emitPart(OpBuilder &builder, Location loc, Value value, bool isMoved = false) {
    int64_t rank = type.getRank();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    SmallVector<Value> extents(rowExtents);
    extents.insert(extents.begin() + (isMoved ? 0 : axis), getLength(value));
    SmallVector<int64_t> axes(rank);
    for (int64_t k = 0; k < rank; k++)
      axes[isMoved ? getPlace(k) : k] = isMoved ? k : getPlace(k);
    auto part = ArrayType::get(type.getContext(), type.getShape(), type.getElementType(), /*contiguous=*/axis == 0);
    return ViewOp::create(builder, loc, part, value, SmallVector<Value>(rank, zero), axes, extents,
                          SmallVector<Value>(rank, one));
  }

  /// A view of one of the arrays as one of the list.
  void moveView(ViewOp view, Value list) {
    OpBuilder builder(view);
    SmallVector<Value> offsets(view.getOffsets());
    SmallVector<int64_t> axes;
    for (auto [k, offset] : llvm::enumerate(view.getOffsets()))
      offsets[getPlace(k)] = offset;
    for (int64_t along : view.getAxes())
      axes.push_back(along < 0 ? along : getPlace(along));
    auto old = cast<ArrayType>(view.getType());
    auto moved =
        axis == 0 ? old : ArrayType::get(old.getContext(), old.getShape(), old.getElementType(), old.getRank() == 0);
    auto replacement =
        ViewOp::create(builder, view.getLoc(), moved, list, offsets, axes, view.getExtents(), view.getSteps());
    view.replaceAllUsesWith(replacement.getResult());
    view->erase();
  }

  void replaceAppend(Append &append) {
    OpBuilder builder(append.made);
    auto room = MakeRoomOp::create(builder, append.made.getLoc(), type, /*exactly=*/false, append.from,
                                   getLength(append.from), getLength(append.made), rowExtents);
    LoadOp load = append.getLoad();
    ViewOp view = append.getView();
    append.kept->erase();
    view->erase();
    load->erase();
    Value made = append.made.getResult();
    names.rename(made, room);
    for (Append &other : appends)
      if (other.from == made)
        other.from = room.getResult();
    append.made->erase();
  }

  void replaceReads(Value value) {
    for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
      Operation *user = use.getOwner();
      OpBuilder builder(user);
      if (auto dim = dyn_cast<DimOp>(user)) {
        int64_t place = getPlace(dim.getAxis());
        dim.replaceAllUsesWith(place == 0 ? getLength(value) : rowExtents[place - 1]);
        dim->erase();
      } else if (isa<LoadOp, ReshapeOp>(user)) {
        use.set(emitPart(builder, user->getLoc(), value));
      } else if (auto view = dyn_cast<ViewOp>(user)) {
        moveView(view, value);
      }
    }
  }

  /// What the loop leaves: an array of its own, or what it was given where nothing was appended.
  void emitResults(bool isOwn) {
    Operation *loop = names.getLoop();
    for (Value left : loop->getResults()) {
      if (!names.contains(left) || left.use_empty())
        continue;
      OpBuilder builder(loop->getContext());
      builder.setInsertionPointAfter(loop);
      Location loc = loop->getLoc();
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : left.getUses())
        uses.push_back(&use);
      auto emitCopy = [&] {
        return NewOp::create(builder, loc, type, LoadOp::create(builder, loc, emitPart(builder, loc, left)))
            .getResult();
      };
      Value result;
      if (isOwn) {
        result = emitCopy();
      } else {
        Value isSame = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, getLength(left), initLength);
        auto choice = scf::IfOp::create(builder, loc, type, isSame, /*withElseRegion=*/true);
        builder.setInsertionPointToStart(choice.thenBlock());
        scf::YieldOp::create(builder, loc, init);
        builder.setInsertionPointToStart(choice.elseBlock());
        scf::YieldOp::create(builder, loc, emitCopy());
        result = choice.getResult(0);
      }
      for (OpOperand *use : uses)
        use->set(result);
    }
  }

  CarriedNames names; // as a list has them, once they are replaced
  ExtentOrigins &origins;
  Aliasing &aliasing;
  Value init;
  ArrayType type;
  int64_t axis = -1; // along which it grows
  bool isReshaped = false;
  SmallVector<Append> appends;
  SmallVector<Value> rowExtents; // of the axes but the one that grows, from before the loop
  Value initLength;
};

struct GrowArrays : impl::GrowArraysBase<GrowArrays> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!growOne(function, getAnalysis<ExtentOrigins>()))
      return markAllAnalysesPreserved();
    for (bool hasMore = true; hasMore;) {
      ExtentOrigins origins(function); // loops are others now
      hasMore = growOne(function, origins);
    }
    OpPassManager cleanup(func::FuncOp::getOperationName()); // lengths that positions decide are counted
    cleanup.addPass(createSafeCanonicalizer());
    cleanup.addPass(createCountIterations());
    addCleanup(cleanup);
    if (failed(runPipeline(cleanup, function)))
      signalPassFailure();
  }

  /// One array at a time: what is replaced takes the operations that others were found in.
  static bool growOne(func::FuncOp function, ExtentOrigins &origins) {
    Aliasing aliasing(function->hasAttr("np.general"));
    return function
        .walk<WalkOrder::PreOrder>([&](LoopLikeOpInterface loop) {
          if (!isa<scf::ForOp, scf::WhileOp>(loop.getOperation()))
            return WalkResult::advance();
          for (unsigned k = 0; k < loop.getInits().size(); k++)
            if (Growth growth(loop, k, origins, aliasing); growth.find()) {
              growth.replace();
              return WalkResult::interrupt();
            }
          return WalkResult::advance();
        })
        .wasInterrupted();
  }
};
} // namespace
} // namespace npcc
