// npcc-shrink-arrays: an array that iterations make shorter keeps the extents that it has before the loop, and the loop
// hands on how much of it is used.
//
//   scf.for ... iter_args(%a = %a0) {                 scf.for ... iter_args(%b = %a0, %n = dim(%a0)) {
//     ... %a                                            ... np.view %b offsets [0] extents [%n]
//     %c = np.new f(%a[1:], %a[:-1])           ->       %d = np.empty(dim(%a0))
//     scf.yield %c                                      np.store f(...), %d[0 : %n - 1]
//   }                                                   scf.yield %d, %n - 1
//                                                     }
//
// Such are binomial trees and divided differences (`v = f(v[1:], v[:-1])`), pyramids (`a = a[::2] + a[1::2]`), and what
// selects of an array what it goes on with (`points = points[~near]`). Where a name is moved along an array
// (`queue = queue[1:]`) the loop hands on where it begins, and no array changes. As the arrays of all iterations have
// the same extents, one kernel can run the loop (npcc-enclose-steps), and host and device need not agree on a length in
// each iteration.
//
// The new extents must be known to be no more than those of one of the names of the same array: differences, quotients
// and minima of them, and how many elements of a mask are true. What the loop leaves is a view of the last array, or a
// copy, which lets go of the larger one, where nobody else has what the loop begins with. Where launches are costly
// only.
#include "compiler/memory/Counts.h"
#include "compiler/memory/Extents.h"
#include "compiler/np/Canonicalizer.h"
#include "compiler/np/CarriedNames.h"
#include "compiler/np/Passes.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"

namespace npcc {
#define GEN_PASS_DEF_SHRINKARRAYS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// Which of an array's axes iterations make shorter, and which ones begin elsewhere.
struct Axes {
  SmallVector<bool> changed, moved;
  SmallVector<Value> extents;                 // before the loop
  DenseMap<Value, SmallVector<Value>> ofMade; // of each array that iterations make
  bool isChanged() const { return llvm::is_contained(changed, true); }
  bool stayContiguous() const { return !llvm::is_contained(ArrayRef(changed).drop_front(), true); }
};

/// One array that a loop hands on.
class Shrinkage {
public:
  Shrinkage(Operation *loop, unsigned index) : names(loop, index), init(names.getGiven().get()) {}

  /// Finds all names of the array. False if there are some that cannot lie in another one.
  bool collect();
  /// Which axes are shorter after some iterations. None, where an iteration may make one longer than the arrays of
  /// `all` are, of the same loop.
  std::optional<Axes> findAxes(ArrayRef<Shrinkage> all, ExtentOrigins &origins) const;
  bool hasExtent(const ExtentOrigin &extent, const ExtentOrigin &first, ExtentOrigins &origins) const;
  /// Says what the extents of the arrays are: before the loop, and of each that iterations make.
  void emitExtents(Axes &of, ExtentOrigins &origins);
  unsigned getIndex() const { return names.getIndex(); }
  /// Makes the loop hand on arrays of the extents that the first one has. Gives the loop.
  Operation *replace(const Axes &of);

private:
  static bool isOnlyAccessed(Value value);
  SmallVector<Value> getNumbersOfMade(Value made);
  Value replaceName(Value name);
  void replaceResult(Value left, bool isOwn);
  ViewOp emitView(OpBuilder &builder, Location loc, Value room, ArrayRef<Value> numbers);

  CarriedNames names;
  Value init;
  ArrayType type;
  Axes axes;
};

/// Whether an operation hands an array on, as far as it uses one at all.
bool handsOn(Operation *user) {
  return isa<scf::YieldOp, scf::ConditionOp, scf::ForOp, scf::WhileOp, arith::SelectOp>(user);
}

bool Shrinkage::collect() {
  type = dyn_cast<ArrayType>(init.getType());
  if (!type || type.getRank() == 0 || !type.getContiguous() || !names.takePassing(names.getGiven()))
    return false;
  if (init.getDefiningOp<ub::PoisonOp>()) // what is bound in the loop for the first time has any extents before
    return false;
  auto isMade = [&](Operation *op) {
    auto view = dyn_cast<ViewOp>(op);
    if (view)
      names.insert(view.getSource());
    // The same axes, from somewhere on.
    return isa<EmptyOp, NewOp>(op) ||
           (view && view.getAxes() == ArrayRef(llvm::to_vector(llvm::seq(type.getRank()))) &&
            llvm::all_of(view.getSteps(), [](Value step) { return matchPattern(step, m_One()); }));
  };
  for (size_t k = 0; k < names.getValues().size(); k++) {
    Value value = names.getValues()[k];
    if (value.getType() != type || (value.getDefiningOp() && !names.getLoop()->isAncestor(value.getDefiningOp())) ||
        !names.takeSources(value, isMade))
      return false;
    if (!names.isLeft(value))
      for (OpOperand &use : value.getUses())
        if (handsOn(use.getOwner()) && !names.takePassing(use))
          return false;
  }
  return names.hasOneOfEach();
}

/// Whether an extent is at most `first`, which some arrays of a loop begin with along an axis: each of their names has
/// no more along that one.
bool isNoLonger(const ExtentOrigin &extent, const ExtentOrigin &first, ArrayRef<Shrinkage> arrays,
                ExtentOrigins &origins) {
  auto isKnown = [&](const ExtentOrigin &of) {
    return of == first || of.constant == 0 ||
           llvm::any_of(arrays, [&](const Shrinkage &array) { return array.hasExtent(of, first, origins); });
  };
  if (isKnown(extent))
    return true;
  return extent.axis < 0 && extent.value &&
         isAtMost(
             extent.value,
             [&](Value number) {
               ExtentOrigin of = origins.ofIndex(number);
               return isKnown(of) ||
                      (of.value != number && of.axis < 0 && of.value && isNoLonger(of, first, arrays, origins));
             });
}

std::optional<Axes> Shrinkage::findAxes(ArrayRef<Shrinkage> all, ExtentOrigins &origins) const {
  Axes found;
  found.changed.assign(type.getRank(), false);
  found.moved.assign(type.getRank(), false);
  bool makesShorter = false;
  for (Value value : names.getValues()) {
    Operation *op = value.getDefiningOp();
    auto view = dyn_cast_if_present<ViewOp>(op);
    if (!isa_and_present<EmptyOp, NewOp, ViewOp>(op))
      continue;
    for (int64_t axis = 0; axis < type.getRank(); axis++) {
      found.moved[axis] |= view && !matchPattern(view.getOffsets()[axis], m_Zero());
      ExtentOrigin extent = origins.of(value, axis), first = origins.of(init, axis);
      if (extent == first)
        continue;
      // A view is never more than what it is a view of. Where two extents meet they are mostly equal.
      makesShorter |= !extent.value || !extent.value.getDefiningOp<BroadcastExtentOp>();
      if (!ShapedType::isDynamic(type.getShape()[axis]) || !(view || isNoLonger(extent, first, all, origins)))
        return std::nullopt;
      found.changed[axis] = true;
    }
  }
  if (!makesShorter)
    found.changed.assign(type.getRank(), false);
  if (found.isChanged() && !found.stayContiguous() &&
      !llvm::all_of(names.getValues(), [&](Value value) { return names.isLeft(value) || isOnlyAccessed(value); }))
    return std::nullopt;
  return found;
}

/// Whether a name has this extent along an axis of which the first array has the extent `first`.
bool Shrinkage::hasExtent(const ExtentOrigin &extent, const ExtentOrigin &first, ExtentOrigins &origins) const {
  return llvm::any_of(llvm::seq(type.getRank()), [&](int64_t axis) {
    return origins.of(init, axis) == first && llvm::any_of(names.getValues(), [&](Value value) {
             bool isGiven = !names.isLeft(value) && !isa_and_present<EmptyOp, NewOp>(value.getDefiningOp());
             return isGiven && origins.of(value, axis) == extent;
           });
  });
}

void Shrinkage::emitExtents(Axes &of, ExtentOrigins &origins) {
  OpBuilder builder(names.getLoop());
  for (int64_t axis = 0; axis < type.getRank(); axis++)
    of.extents.push_back(materializeExtent(builder, names.getLoop()->getLoc(), origins.of(init, axis)));
  DominanceInfo dominance(names.getLoop()->getParentOfType<func::FuncOp>());
  for (Value name : names.getValues()) {
    Operation *made = name.getDefiningOp();
    if (!isa_and_present<EmptyOp, NewOp>(made))
      continue;
    builder.setInsertionPoint(made);
    SmallVector<Value> &extents = of.ofMade[name];
    auto empty = dyn_cast<EmptyOp>(made);
    for (int64_t axis = 0, next = 0; axis < type.getRank(); axis++) {
      ExtentOrigin extent = origins.of(name, axis);
      if (empty && ShapedType::isDynamic(type.getShape()[axis]))
        extents.push_back(empty.getExtents()[next++]);
      else if (!extent.value || dominance.properlyDominates(extent.value, made))
        extents.push_back(materializeExtent(builder, made->getLoc(), extent));
      else
        extents.push_back(getExtent(builder, made->getLoc(), cast<NewOp>(made).getValue(), axis));
    }
  }
}

/// Whether nothing asks of a name that its elements follow each other in memory.
bool Shrinkage::isOnlyAccessed(Value value) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<LoadOp, DimOp>(user) || handsOn(user))
      return true;
    if (isa<ViewOp>(user))
      return isOnlyAccessed(user->getResult(0));
    auto store = dyn_cast<StoreOp>(user);
    return store && use.get() == store.getArray() && use.get() != store.getValue();
  });
}

Operation *Shrinkage::replace(const Axes &of) {
  axes = of;
  OpBuilder builder(names.getLoop());
  Location loc = names.getLoop()->getLoc();
  bool isOwn = isa_and_present<NewOp, EmptyOp>(init.getDefiningOp()) && llvm::hasSingleElement(init.getUsers());
  SmallVector<Value> initial;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  for (int64_t axis = 0; axis < type.getRank(); axis++) {
    if (axes.changed[axis])
      initial.push_back(axes.extents[axis]);
    if (axes.moved[axis])
      initial.push_back(zero);
  }
  names.addNumbers(initial, [&](Value made) { return getNumbersOfMade(made); }, [](Value, Value) {});
  SmallVector<std::pair<Value, Value>> parts; // names that are views, and what they are views of
  for (Value name : names.getValues()) {
    Value source = name;
    while (auto view = source.getDefiningOp<ViewOp>())
      source = view.getSource();
    if (source != name)
      parts.emplace_back(name, source);
  }
  DenseMap<Value, Value> rooms;
  for (Value name : names.getValues())
    if (!names.isLeft(name) && !name.getDefiningOp<ViewOp>())
      rooms[name] = replaceName(name);
  for (auto [part, source] : parts)
    part.replaceUsesWithIf(rooms.lookup(source), [](OpOperand &use) { return handsOn(use.getOwner()); });
  for (Value left : SmallVector<Value>(names.getLoop()->getResults()))
    if (names.contains(left) && !left.use_empty())
      replaceResult(left, isOwn);
  return names.getLoop();
}

SmallVector<Value> Shrinkage::getNumbersOfMade(Value made) {
  Operation *op = made.getDefiningOp();
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto view = dyn_cast<ViewOp>(op);
  SmallVector<Value> numbers;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  ArrayRef<Value> ofSource = view ? names.getNumbers(view.getSource()) : ArrayRef<Value>();
  for (int64_t axis = 0; axis < type.getRank(); axis++) {
    if (axes.changed[axis]) {
      numbers.push_back(view ? Value(view.getExtents()[axis]) : axes.ofMade[made][axis]);
      ofSource = ofSource.drop_front(view ? 1 : 0);
    }
    if (axes.moved[axis]) {
      numbers.push_back(view ? builder.createOrFold<arith::AddIOp>(loc, ofSource.front(), view.getOffsets()[axis])
                             : zero);
      ofSource = ofSource.drop_front(view ? 1 : 0);
    }
  }
  return numbers;
}

/// The part of a room that a name is.
ViewOp Shrinkage::emitView(OpBuilder &builder, Location loc, Value room, ArrayRef<Value> numbers) {
  int64_t rank = type.getRank();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> of(axes.extents), offsets(rank, zero);
  for (int64_t axis = 0; axis < rank; axis++) {
    if (axes.changed[axis]) {
      of[axis] = numbers.front();
      numbers = numbers.drop_front();
    }
    if (axes.moved[axis]) {
      offsets[axis] = numbers.front();
      numbers = numbers.drop_front();
    }
  }
  auto part = ArrayType::get(type.getContext(), type.getShape(), type.getElementType(), axes.stayContiguous());
  return ViewOp::create(builder, loc, part, room, offsets, llvm::to_vector(llvm::seq(rank)), of,
                        SmallVector<Value>(rank, one));
}

/// Whether nothing is stored to an array before the iteration that makes it ends.
static bool isOnlyRead(Value array) {
  return llvm::all_of(array.getUsers(), [](Operation *user) {
    return isa<LoadOp, DimOp, scf::YieldOp, scf::ConditionOp>(user) ||
           (isa<ViewOp, ReshapeOp>(user) && isOnlyRead(user->getResult(0)));
  });
}

/// Makes the name a part of an array with the extents of the first one, which is handed on instead. Gives that array.
Value Shrinkage::replaceName(Value name) {
  Operation *op = name.getDefiningOp();
  OpBuilder builder(name.getContext());
  builder.setInsertionPointAfterValue(name);
  Location loc = name.getLoc();
  bool isMade = isa_and_present<EmptyOp, NewOp>(op);
  Value room = name;
  if (isMade) {
    SmallVector<Value> dynamic;
    for (auto [extent, known] : llvm::zip_equal(axes.extents, type.getShape()))
      if (ShapedType::isDynamic(known))
        dynamic.push_back(extent);
    room = EmptyOp::create(builder, loc, type, dynamic);
  }
  ViewOp view = emitView(builder, loc, room, names.getNumbers(name));
  if (auto made = dyn_cast_if_present<NewOp>(op)) {
    StoreOp::create(builder, loc, made.getValue(), view);
    if (isOnlyRead(name))
      for (Operation *user : llvm::make_early_inc_range(name.getUsers()))
        if (auto load = dyn_cast<LoadOp>(user)) {
          load.replaceAllUsesWith(made.getValue());
          load.erase();
        }
  }
  name.replaceUsesWithIf(room, [](OpOperand &use) { return handsOn(use.getOwner()); });
  name.replaceUsesWithIf(view, [&](OpOperand &use) { return use.getOwner() != view && !handsOn(use.getOwner()); });
  if (isMade)
    op->erase();
  return room;
}

/// What the loop leaves.
void Shrinkage::replaceResult(Value left, bool isOwn) {
  OpBuilder builder(left.getContext());
  builder.setInsertionPointAfter(names.getLoop());
  Location loc = left.getLoc();
  ViewOp view = emitView(builder, loc, left, names.getNumbers(left));
  bool isOnlyRead = llvm::all_of(left.getUsers(), [&](Operation *user) { return isa<LoadOp, DimOp, ViewOp>(user); });
  Value result = view;
  if (!isOnlyRead && (isOwn || !axes.stayContiguous()))
    result = NewOp::create(builder, loc, type, LoadOp::create(builder, loc, view));
  left.replaceUsesWithIf(result, [&](OpOperand &use) { return use.getOwner() != view; });
}

struct ShrinkArrays : impl::ShrinkArraysBase<ShrinkArrays> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!getTargetProperties(function).launchesAreCostly || !shrinkAll(function, getAnalysis<ExtentOrigins>()))
      return markAllAnalysesPreserved();
    for (bool hasMore = true; hasMore;) {
      ExtentOrigins origins(function); // loops are others now
      hasMore = shrinkAll(function, origins);
    }
    OpPassManager cleanup(func::FuncOp::getOperationName()); // lengths that positions decide are counted
    cleanup.addPass(createSafeCanonicalizer());
    cleanup.addPass(createComposeViews());
    cleanup.addPass(createCountIterations());
    addCleanup(cleanup);
    cleanup.addPass(createSimplifyPositions());
    addCleanup(cleanup);
    if (failed(runPipeline(cleanup, function)))
      signalPassFailure();
  }

  /// The arrays of the first loop that has some: which of them have equal extents is known for all at once.
  static bool shrinkAll(func::FuncOp function, ExtentOrigins &origins) {
    return function
        .walk<WalkOrder::PreOrder>([&](LoopLikeOpInterface loop) {
          if (!isa<scf::ForOp, scf::WhileOp>(loop.getOperation()))
            return WalkResult::advance();
          std::vector<Shrinkage> all;
          for (unsigned k = 0; k < loop.getInits().size(); k++)
            if (Shrinkage shrinkage(loop, k); shrinkage.collect())
              all.push_back(shrinkage);
          // Each may owe what is known of it to the others.
          for (size_t before = 0; before != all.size();) {
            before = all.size();
            llvm::erase_if(all, [&](const Shrinkage &each) { return !each.findAxes(all, origins); });
          }
          SmallVector<std::pair<unsigned, Axes>> found;
          for (Shrinkage &each : all)
            if (Axes axes = *each.findAxes(all, origins); axes.isChanged()) {
              each.emitExtents(axes, origins);
              found.emplace_back(each.getIndex(), axes);
            }
          Operation *changed = loop;
          for (auto &[k, axes] : found) {
            Shrinkage shrinkage(changed, k);
            if (shrinkage.collect())
              changed = shrinkage.replace(axes);
          }
          return found.empty() ? WalkResult::advance() : WalkResult::interrupt();
        })
        .wasInterrupted();
  }
};
} // namespace
} // namespace npcc
