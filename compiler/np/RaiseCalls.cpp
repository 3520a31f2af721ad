// npcc-raise-calls: a sort, or a routine of a library, that a loop calls in each iteration becomes one call for all
// iterations, made before the loop, in which each iteration takes its part of the result.
//
//   scf.for %i = %c0 to %n step %c1 {                          %all = np.empty(%n, %m)
//     %x = np.load (np.view %a offsets [%c0, %i] ...)          scf.for %i = %c0 to %n step %c1 {
//     %s = np.sort %x                                            np.store (column %i of %a), (row %i of %all)
//     ...                                                  ->  }
//   }                                                          %sorted = np.sort (np.load %all)
//                                                              scf.for %i = %c0 to %n step %c1 {
//                                                                %s = np.view %sorted offsets [%i, 0] ...
//                                                                ...
//                                                              }
//
// A call of a library is several launches and takes as long for one line or matrix as for hundreds, and nothing around
// it becomes a kernel; the loops before and behind it do. What the call is given must be known before the loop: it
// depends on the position, and on what nothing in the loop changes but, after it has been read, the iteration that it
// belongs to (Precomputation.h: x[i].sort()). So it is with arrays that the iteration makes and stores into, in loops
// of its own as well: the statements that do so run in the loop before the call (Statements.h). Iterations go in
// blocks, which bound the memory. A branch around the call, on what is known before the loop, becomes two loops first.
// How the results of several calls are those of one is a column of the table of routines (runtime/Routines.def).
//
// Checks stay in the loop. Where one of them fails for all iterations, or for those from a position on, nothing is
// computed for these; an iteration of which a check fails before it comes to the call has zeros there.
#include "compiler/np/LoopBlocks.h"
#include "compiler/np/Passes.h"
#include "compiler/np/Precomputation.h"
#include "compiler/np/UnswitchLoops.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Routines.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

namespace npcc {
#define GEN_PASS_DEF_RAISECALLS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
// Elements of one operand of a call for a block of iterations.
constexpr int64_t mostElements = int64_t(1) << 24;

bool isCall(Operation *op) {
  auto routine = dyn_cast<RoutineOp>(op);
  return isa<SortOp>(op) || (routine && lookupRoutine(routine.getRoutine()));
}

/// Whether all iterations' operands have an axis more than one iteration's; else the first axis, of extent 1, grows.
bool addsAxis(Operation *call) {
  auto routine = dyn_cast<RoutineOp>(call);
  return !routine || lookupRoutine(routine.getRoutine())->operands == RoutineOperands::Lines;
}

/// What a call is given of each iteration, and the array of all of them.
struct Operand {
  Value mine; // of the iteration: a value of np.sort, an array of a routine
  Value root; // the new array in the loop that a routine writes into, or null
  bool isShared = false;
  Value whole;                // what `all` has one of for each iteration: `mine`, or of views `root`
  SmallVector<Value> extents; // of it
  Value all;
};

/// A flag, or two extents that are broadcast.
using Condition = SmallVector<Value>;

class Raiser {
public:
  Raiser(scf::ForOp loop, bool general, int64_t mostAxes) : loop(loop), what(loop, general), mostAxes(mostAxes) {}

  void raise() {
    for (Operation *call : findCalls())
      if (canRaise(call))
        emit(call);
  }

private:
  SmallVector<Operation *> findCalls() {
    SmallVector<Operation *> calls;
    for (Operation &op : *loop.getBody())
      if (isCall(&op))
        calls.push_back(&op);
    return calls;
  }

  bool canRaise(Operation *call) {
    operands.clear();
    conditions.clear();
    guards.clear();
    what.forget();
    return findConditions(call) && what.statements.isEmpty() &&
           (isa<SortOp>(call) ? isSortKnown(cast<SortOp>(call)) : isRoutineKnown(cast<RoutineOp>(call))) &&
           areStoredApart();
  }

  /// What checks have found to hold where the call is made.
  bool findConditions(Operation *call) {
    for (Operation &op : llvm::make_range(call->getBlock()->begin(), call->getIterator())) {
      SmallVector<Value> asked;
      if (auto check = dyn_cast<AssertOp>(op))
        asked = {check.getCondition()};
      if (auto check = dyn_cast<BroadcastExtentOp>(op))
        asked = {check.getLhs(), check.getRhs()};
      if (asked.empty())
        continue;
      if (!llvm::all_of(asked, [&](Value value) { return what.canEmit(value); }))
        return false;
      bool isSame = llvm::all_of(asked, [&](Value value) { return what.isInvariant(value); });
      (isSame ? conditions : guards).push_back(asked);
    }
    return true;
  }

  /// Notes extents; false where iterations have different ones.
  bool areExtentsKnown(Operand &operand, Operation *call) {
    OpBuilder at(call);
    for (int64_t axis = 0; axis < getRank(operand.whole.getType()); ++axis) {
      operand.extents.push_back(findExtent(at, operand.whole, axis));
      if (!operand.extents.back())
        return false;
    }
    return true;
  }

  /// An extent that is the same in all iterations; null if none is found.
  Value findExtent(OpBuilder &at, Value value, int64_t axis) {
    Value extent = getExtent(at, loc, value, axis);
    auto dim = extent.getDefiningOp<DimOp>();
    Operation *source = dim ? dim->getOperand(0).getDefiningOp() : nullptr;
    // All operands of a function have its extents, and of what is in memory code can ask for them.
    if (isa_and_nonnull<UfuncOp, CastOp>(source))
      for (Value operand : source->getOperands())
        if (getRank(operand.getType()) == getRank(source->getResult(0).getType()))
          if (Value found = findExtent(at, operand, dim.getAxis()))
            return found;
    return what.isInvariant(extent) ? extent : Value();
  }

  bool isSortKnown(SortOp sort) {
    Operand operand{sort.getInput(), {}, false, sort.getInput(), {}, {}};
    if (!hasRoom(sort.getInput()) || !what.canEmit(sort.getInput()) || !areExtentsKnown(operand, sort))
      return false;
    operands.push_back(operand);
    return true;
  }

  /// For one axis more.
  bool hasRoom(Value operand) { return getRank(operand.getType()) < mostAxes; }

  bool isRoutineKnown(RoutineOp routine) {
    const RoutineInfo &row = *lookupRoutine(routine.getRoutine());
    if (row.mayFail && !endsLoop(routine.getFailed()))
      return false;
    for (auto [k, input] : llvm::enumerate(routine.getInputs())) {
      Operand operand{input, {}, k == 0 && row.operands == RoutineOperands::PlacedStacks, input, {}, {}};
      if (operand.isShared ? !arePlacesKnown(input, routine)
                           : !isOneKnown(operand, routine) || !what.canEmitContents(input, routine))
        return false;
      operands.push_back(operand);
    }
    for (Value output : routine.getOutputs()) {
      Operand operand{output, output, false, output, {}, {}};
      while (auto name = operand.root.getDefiningOp()) {
        if (!(addsAxis(routine) ? isa<ViewOp>(name) && areInvariant(name->getOperands().drop_front())
                                : isa<ReshapeOp>(name)))
          break;
        operand.root = name->getOperand(0);
      }
      Operation *made = operand.root.getDefiningOp();
      if (addsAxis(routine))
        operand.whole = operand.root;
      auto value = dyn_cast_or_null<NewOp>(made);
      if (value)
        forwardLoads(value, routine);
      bool isNew = isa_and_nonnull<NewOp, EmptyOp>(made) && loop->isProperAncestor(made);
      bool isStored = isNew && !isUntouchedBefore(operand.root, routine, /*mayLoad=*/false);
      if (isStored && (addsAxis(routine) || !what.statements.takeContents(operand.root, routine)))
        return false;
      bool isOnce = llvm::none_of(operands, [&](const Operand &other) { return other.root == operand.root; });
      bool isGiven = !value || isStored || (!addsAxis(routine) && what.canEmit(value.getValue()));
      if (!isNew || !isOnce || !isGiven || !isOneKnown(operand, routine))
        return false;
      operands.push_back(operand);
    }
    return true;
  }

  bool areInvariant(ValueRange numbers) {
    return llvm::all_of(numbers, [&](Value number) { return what.isInvariant(number); });
  }

  /// What loads before the routine find in a new array is what it was made with.
  static void forwardLoads(NewOp made, RoutineOp routine) {
    for (Operation *user : llvm::to_vector(made->getUsers()))
      if (auto load = dyn_cast<LoadOp>(user); load && load->getBlock() == routine->getBlock() &&
                                              load->isBeforeInBlock(routine) &&
                                              isUntouchedBefore(made.getArray(), load, /*mayLoad=*/true)) {
        load.replaceAllUsesWith(made.getValue());
        load->erase();
      }
  }

  /// An array of one matrix or line, or one that may have an axis more.
  bool isOneKnown(Operand &operand, Operation *call) {
    auto type = dyn_cast<ArrayType>(operand.mine.getType());
    return type && (addsAxis(call) ? hasRoom(operand.mine) && hasRoom(operand.whole) : getShape(type)[0] == 1) &&
           areExtentsKnown(operand, call);
  }

  /// A new array with the same elements in each iteration, or one from before the loop.
  bool arePlacesKnown(Value places, Operation *call) {
    if (loop.isDefinedOutsideOfLoop(places))
      return what.canEmitContents(places, call);
    Operation *made = places.getDefiningOp();
    if (!isa_and_nonnull<EmptyOp>(made) || !areInvariant(made->getOperands()))
      return false;
    for (Operation *user : made->getUsers()) {
      if (user == call)
        continue;
      auto view = dyn_cast<ViewOp>(user);
      if (!view || !areInvariant(view->getOperands().drop_front()))
        return false;
      for (Operation *use : view->getUsers()) {
        auto store = dyn_cast<StoreOp>(use);
        if (!store || store.getArray() != view || store->getBlock() != call->getBlock() ||
            !store->isBeforeInBlock(call) || !what.isInvariant(store.getValue()))
          return false;
      }
    }
    return true;
  }

  /// Whether a number of a failed matrix leads to nothing but an exception that leaves the loop.
  static bool endsLoop(Value failed) {
    return llvm::all_of(failed.getUses(), [](OpOperand &use) {
      Operation *user = use.getOwner();
      if (isa<AssertOp>(user))
        return true;
      if (isa<arith::CmpIOp>(user))
        return endsLoop(user->getResult(0));
      auto branch = dyn_cast<scf::IfOp>(user->getParentOp());
      return isa<scf::YieldOp>(user) && branch && endsLoop(branch.getResult(use.getOperandNumber()));
    });
  }

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

  /// A loop over blocks around the loop, of as many iterations as the memory bounds allow.
  void makeBlocks() {
    if (begin)
      return;
    builder.setInsertionPoint(loop);
    IRMapping before;
    Value most = constant(1);
    for (Operand &operand : operands) {
      Value elements = constant(1);
      for (Value extent : operand.isShared ? ArrayRef<Value>() : ArrayRef<Value>(operand.extents))
        elements = builder.createOrFold<arith::MulIOp>(loc, elements, what.emit(extent, before, builder));
      most = builder.createOrFold<arith::MaxSIOp>(loc, most, elements);
    }
    Value length = arith::DivSIOp::create(builder, loc, constant(mostElements), most);
    length = builder.createOrFold<arith::MaxSIOp>(loc, length, constant(1));
    LoopBlock block = splitIntoBlocks(loop, length, builder);
    begin = block.begin;
    end = block.end;
  }

  /// How many iterations of the block the call is made for.
  Value emitCount(IRMapping &before) {
    Value last = end;
    for (Value limit : what.limits)
      last = builder.createOrFold<arith::MinSIOp>(loc, last, what.emit(limit, before, builder));
    Value count = builder.createOrFold<arith::SubIOp>(loc, last, begin);
    Value zero = constant(0);
    for (Value extent : what.statements.checkedExtents) {
      Value isAny = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, extent, zero);
      count = arith::SelectOp::create(builder, loc, isAny, count, zero);
    }
    for (const Condition &condition : conditions)
      count = arith::SelectOp::create(builder, loc, emitCondition(condition, before), count, zero);
    return builder.createOrFold<arith::MaxSIOp>(loc, count, zero);
  }

  Value emitCondition(const Condition &condition, IRMapping &known) {
    Value holds = what.emit(condition[0], known, builder);
    if (condition.size() == 1)
      return holds;
    Value other = what.emit(condition[1], known, builder), one = constant(1);
    auto equal = [&](Value a, Value b) { return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b); };
    Value isOne = arith::OrIOp::create(builder, loc, equal(holds, one), equal(other, one));
    return arith::OrIOp::create(builder, loc, equal(holds, other), isOne);
  }

  static ArrayType arrayType(Type type, ArrayRef<int64_t> shape) {
    return ArrayType::get(type.getContext(), shape, getElementType(type), /*contiguous=*/true);
  }

  /// What an iteration has of an array or value of all of them, `row` being its number in the block.
  Value emitPart(OpBuilder &at, Value all, Type type, ValueRange extents, Value row) {
    Value zero = arith::ConstantIndexOp::create(at, loc, 0), one = arith::ConstantIndexOp::create(at, loc, 1);
    int64_t rank = getRank(all.getType()), added = rank - int64_t(extents.size());
    SmallVector<Value> offsets(rank, zero), steps(extents.size(), one);
    offsets[0] = row;
    auto axes = llvm::to_vector(llvm::seq<int64_t>(added, rank));
    return ViewOp::create(at, loc, type, all, offsets, axes, extents, steps);
  }

  void emit(Operation *call) {
    makeBlocks();
    builder.setInsertionPoint(loop);
    IRMapping before;
    Value count = emitCount(before);
    int64_t first = addsAxis(call) ? 0 : 1; // axis of one that all have behind the iterations'
    for (Operand &operand : operands) {
      if (operand.isShared)
        continue;
      for (Value &extent : operand.extents)
        extent = what.emit(extent, before, builder);
      SmallVector<int64_t> shape{ShapedType::kDynamic};
      llvm::append_range(shape, getShape(operand.whole.getType()).drop_front(first));
      SmallVector<Value> extents{count};
      for (auto [extent, known] :
           llvm::zip_equal(ArrayRef(operand.extents).drop_front(first), ArrayRef(shape).drop_front()))
        if (ShapedType::isDynamic(known))
          extents.push_back(extent);
      operand.all = EmptyOp::create(builder, loc, arrayType(operand.mine.getType(), shape), extents);
    }
    emitOperands(call, count);
    builder.setInsertionPoint(loop);
    if (isa<SortOp>(call))
      return emitSort(cast<SortOp>(call));
    emitRoutine(cast<RoutineOp>(call), count, before);
  }

  /// The loop that computes what the call is given.
  void emitOperands(Operation *call, Value count) {
    auto first = scf::ForOp::create(builder, loc, constant(0), count, constant(1));
    builder.setInsertionPointToStart(first.getBody());
    IRMapping known;
    known.map(loop.getInductionVar(), builder.createOrFold<arith::AddIOp>(loc, begin, first.getInductionVar()));
    auto store = [&](Operand &operand, Value value) {
      Type type = arrayType(operand.mine.getType(), getShape(operand.mine.getType()));
      StoreOp::create(builder, loc, value,
                      emitPart(builder, operand.all, type, operand.extents, first.getInductionVar()));
    };
    auto isGiven = [&](Operand &operand) {
      return !operand.isShared && !(operand.root && operand.root.getDefiningOp<EmptyOp>() && !getStored(operand));
    };
    if (!guards.empty()) {
      Value holds;
      for (const Condition &guard : guards) {
        Value mine = emitCondition(guard, known);
        holds = holds ? arith::AndIOp::create(builder, loc, holds, mine).getResult() : mine;
      }
      auto branch = scf::IfOp::create(builder, loc, holds, /*withElseRegion=*/true);
      builder.setInsertionPointToStart(branch.elseBlock());
      for (Operand &operand : llvm::make_filter_range(operands, isGiven))
        store(operand, emitZeros(operand));
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    // Statements store where all iterations' operands are.
    for (Operand &operand : llvm::make_filter_range(operands, isGiven))
      if (Value root = getStored(operand); root && !known.contains(root))
        known.map(root, emitStored(operand, root, known, first.getInductionVar()));
    for (Value array : what.statements.getArrays())
      if (!known.contains(array))
        expand(array, count, first, known);
    what.statements.emit(known, builder);
    for (Operand &operand : operands)
      if (isGiven(operand) && !getStored(operand))
        store(operand, isa<SortOp>(call) ? what.emit(operand.mine, known, builder)
                                         : what.emitContents(operand.mine, known, builder));
  }

  /// An array that each iteration makes becomes a part of one for all iterations, so that these do not need each other.
  void expand(Value array, Value count, scf::ForOp first, IRMapping &known) {
    if (!hasRoom(array))
      return;
    OpBuilder before(first), at(array.getDefiningOp());
    SmallVector<Value> extents, all{count};
    IRMapping none;
    for (auto [axis, length] : llvm::enumerate(getShape(array.getType()))) {
      Value extent = findExtent(at, array, axis);
      if (!extent)
        return;
      extents.push_back(what.emit(extent, none, before));
      if (ShapedType::isDynamic(length))
        all.push_back(extents.back());
    }
    SmallVector<int64_t> shape{ShapedType::kDynamic};
    llvm::append_range(shape, getShape(array.getType()));
    Value arrays = EmptyOp::create(before, loc, arrayType(array.getType(), shape), all);
    known.map(array, emitPart(builder, arrays, array.getType(), extents, first.getInductionVar()));
  }

  /// Whether no two operands are one array that statements store into.
  bool areStoredApart() {
    llvm::SmallPtrSet<Value, 4> roots;
    return llvm::all_of(operands, [&](Operand &operand) {
      Value root = getStored(operand);
      return !root || roots.insert(root).second;
    });
  }

  /// The array that is the operand but for axes of one, if statements of the iteration store into it; else null.
  Value getStored(Operand &operand) {
    Value root = operand.mine;
    while (isa_and_nonnull<ReshapeOp>(root.getDefiningOp()))
      root = root.getDefiningOp()->getOperand(0);
    return what.statements.isOwn(root) && what.statements.has(root) ? root : Value();
  }

  Value emitStored(Operand &operand, Value root, IRMapping &known, Value row) {
    Value part = emitPart(builder, operand.all, arrayType(operand.mine.getType(), getShape(operand.mine.getType())),
                          operand.extents, row);
    if (root == operand.mine)
      return part;
    OpBuilder at(operand.mine.getDefiningOp());
    SmallVector<Value> extents;
    for (Value extent : getExtents(at, loc, root))
      extents.push_back(what.emit(extent, known, builder));
    return ReshapeOp::create(builder, loc, root.getType(), part, extents);
  }

  /// What an iteration that raises an exception before it comes to the call has there.
  Value emitZeros(Operand &operand) {
    Type element = getElementType(operand.mine.getType());
    Value zero;
    if (auto complex = dyn_cast<ComplexType>(element)) {
      Attribute part = builder.getZeroAttr(complex.getElementType());
      zero = complex::ConstantOp::create(builder, loc, element, builder.getArrayAttr({part, part}));
    } else {
      zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    }
    auto type = RankedTensorType::get(getShape(operand.mine.getType()), element);
    SmallVector<Value> extents;
    for (auto [extent, known] : llvm::zip_equal(operand.extents, type.getShape()))
      if (ShapedType::isDynamic(known))
        extents.push_back(extent);
    return FullOp::create(builder, loc, type, zero, extents);
  }

  Value emitRow(OpBuilder &at) { return at.createOrFold<arith::SubIOp>(loc, loop.getInductionVar(), begin); }

  void emitSort(SortOp sort) {
    Operand &operand = operands[0];
    Value given = LoadOp::create(builder, loc, operand.all);
    auto type = RankedTensorType::get(getShape(given.getType()), getElementType(sort.getType()));
    Value all = SortOp::create(builder, loc, type, given, sort.getPositions());
    OpBuilder at(sort);
    Value row = emitRow(at);
    // Others that ask for what is sorted find it there.
    Value mine = emitPart(at, given, operand.mine.getType(), operand.extents, row);
    operand.mine.replaceUsesWithIf(mine, [&](OpOperand &use) {
      Operation *user = sort->getBlock()->findAncestorOpInBlock(*use.getOwner());
      return user && sort->isBeforeInBlock(user);
    });
    sort.replaceAllUsesWith(emitPart(at, all, sort.getType(), operand.extents, row));
    sort.erase();
  }

  /// The places in front of the call.
  Value emitPlaces(Value places, Operation *call, IRMapping &before) {
    if (loop.isDefinedOutsideOfLoop(places))
      return places;
    Operation *made = places.getDefiningOp();
    SmallVector<Value> extents;
    for (Value extent : made->getOperands())
      extents.push_back(what.emit(extent, before, builder));
    Value all = EmptyOp::create(builder, loc, places.getType(), extents);
    before.map(places, all);
    for (Operation &op : *call->getBlock())
      if (auto store = dyn_cast<StoreOp>(op))
        if (auto view = store.getArray().getDefiningOp<ViewOp>(); view && view.getSource() == places)
          StoreOp::create(builder, loc, what.emit(store.getValue(), before, builder), what.emit(view, before, builder));
    return all;
  }

  /// An array that nobody reads.
  static void eraseWritten(Value array) {
    for (Operation *view : llvm::make_early_inc_range(array.getUsers())) {
      for (Operation *store : llvm::to_vector(view->getUsers()))
        store->erase();
      view->erase();
    }
    array.getDefiningOp()->erase();
  }

  /// The views that one iteration's array is of its root, of all iterations' roots.
  Value emitViews(Value mine, const Operand &operand, Value count, IRMapping &before) {
    if (mine == operand.root)
      return operand.all;
    auto view = mine.getDefiningOp<ViewOp>();
    Value source = emitViews(view.getSource(), operand, count, before), zero = constant(0), one = constant(1);
    auto withFront = [&](Value front, ValueRange numbers) {
      SmallVector<Value> all{front};
      for (Value number : numbers)
        all.push_back(what.emit(number, before, builder));
      return all;
    };
    SmallVector<int64_t> axes{0}, shape{ShapedType::kDynamic};
    for (int64_t axis : view.getAxes())
      axes.push_back(axis < 0 ? axis : axis + 1);
    llvm::append_range(shape, getShape(view.getType()));
    auto type = ArrayType::get(view.getContext(), shape, getElementType(view.getType()), /*contiguous=*/false);
    return ViewOp::create(builder, loc, type, source, withFront(zero, view.getOffsets()), axes,
                          withFront(count, view.getExtents()), withFront(one, view.getSteps()));
  }

  void emitRoutine(RoutineOp routine, Value count, IRMapping &before) {
    Value zero = constant(0), none = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
    Value isAny = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, count, zero);
    auto branch = scf::IfOp::create(builder, loc, TypeRange(builder.getI64Type()), isAny, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, none);
    builder.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> inputs, outputs;
    for (Operand &operand : operands)
      (operand.root ? outputs : inputs)
          .push_back(operand.isShared                    ? emitPlaces(operand.mine, routine, before)
                     : addsAxis(routine) && operand.root ? emitViews(operand.mine, operand, count, before)
                                                         : operand.all);
    Value failed = RoutineOp::create(builder, loc, builder.getI64Type(), routine.getRoutine(), inputs, outputs);
    scf::YieldOp::create(builder, loc, failed);
    // Each iteration has its matrix's results where it had that matrix.
    for (Operand &operand : operands) {
      if (!operand.root)
        continue;
      Operation *made = operand.root.getDefiningOp();
      bool hasStatements = what.statements.has(operand.root); // which go on with the array before the call
      OpBuilder at(hasStatements ? routine : made);
      // Most are a matrix or line that was given an axis of one: they are the part without that axis.
      bool isPart = getRank(operand.root.getType()) + 1 == getRank(operand.all.getType());
      Type type = isPart ? operand.root.getType() : arrayType(operand.mine.getType(), getShape(operand.mine.getType()));
      Value mine = emitPart(at, operand.all, type, ValueRange(operand.extents).take_back(getRank(type)), emitRow(at));
      if (!isPart && operand.mine != operand.root)
        mine = ReshapeOp::create(at, loc, operand.root.getType(), mine, getExtents(at, loc, operand.root));
      if (hasStatements) {
        replaceAfter(operand.root, mine, routine);
      } else {
        operand.root.replaceAllUsesWith(mine);
        made->erase();
      }
    }
    OpBuilder at(routine);
    Value number = arith::IndexCastOp::create(at, loc, at.getI64Type(), emitRow(at));
    number = arith::AddIOp::create(at, loc, number, arith::ConstantOp::create(at, loc, at.getI64IntegerAttr(1)));
    Value isMine = arith::CmpIOp::create(at, loc, arith::CmpIPredicate::eq, branch.getResult(0), number);
    routine.getFailed().replaceAllUsesWith(arith::ExtUIOp::create(at, loc, at.getI64Type(), isMine));
    routine.erase();
    for (Operand &operand : operands)
      if (operand.isShared && !loop.isDefinedOutsideOfLoop(operand.mine))
        eraseWritten(operand.mine);
    what.statements.eraseUnused();
  }

  /// What uses an array by any of its names behind the call uses another one.
  static void replaceAfter(Value array, Value other, Operation *call) {
    for (OpOperand &use : llvm::make_early_inc_range(array.getUses())) {
      Operation *user = use.getOwner(), *statement = call->getBlock()->findAncestorOpInBlock(*user);
      if (statement && call->isBeforeInBlock(statement)) {
        use.set(other);
      } else if (isa<ViewOp, ReshapeOp>(user) && user->getBlock() == call->getBlock()) {
        OpBuilder at(call);
        Operation *name = at.clone(*user);
        name->setOperand(0, other);
        replaceAfter(user->getResult(0), name->getResult(0), call);
      }
    }
  }

  scf::ForOp loop;
  Precomputation what;
  int64_t mostAxes;
  Location loc = loop.getLoc();
  OpBuilder builder{loop.getContext()};
  SmallVector<Operand> operands;
  SmallVector<Condition> conditions, guards; // the same in all iterations, and of each
  Value begin, end;                          // of the block's iterations
};

/// A branch on what is known before the loop, with a call inside.
scf::IfOp findBranch(scf::ForOp loop) {
  for (auto branch : loop.getBody()->getOps<scf::IfOp>()) {
    auto found =
        branch->walk([](Operation *op) { return isCall(op) ? WalkResult::interrupt() : WalkResult::advance(); });
    if (found.wasInterrupted() && loop.isDefinedOutsideOfLoop(branch.getCondition()))
      return branch;
  }
  return {};
}

void raise(scf::ForOp loop, bool general, int64_t mostAxes) {
  scf::IfOp branch = findBranch(loop);
  if (!countsByOne(loop)) {
    bool hasCall = branch || llvm::any_of(*loop.getBody(), [](Operation &op) { return isCall(&op); });
    if (!hasCall || !loop.getInductionVar().getType().isIndex())
      return;
    countIterations(loop);
  }
  if (branch) {
    auto [left, right] = unswitch(loop, branch);
    raise(left, general, mostAxes);
    return raise(right, general, mostAxes);
  }
  Raiser(loop, general, mostAxes).raise();
}

struct RaiseCalls : impl::RaiseCallsBase<RaiseCalls> {
  using RaiseCallsBase::RaiseCallsBase;

  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread"))
      return;
    bool general = getOperation()->hasAttr("np.general");
    for (scf::ForOp loop : getLoops(getOperation()))
      raise(loop, general, mostAxes);
  }
};
} // namespace
} // namespace npcc
