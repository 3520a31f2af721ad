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
#include "compiler/np/CallOperands.h"
#include "compiler/np/LoopBlocks.h"
#include "compiler/np/Passes.h"
#include "compiler/np/UnswitchLoops.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Routines.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

namespace npcc {
#define GEN_PASS_DEF_RAISECALLS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
bool isCall(Operation *op) {
  auto routine = dyn_cast<RoutineOp>(op);
  return isa<SortOp>(op) || (routine && lookupRoutine(routine.getRoutine()));
}

/// Whether all iterations' operands have an axis more than one iteration's; else the first axis, of extent 1, grows.
bool addsAxis(Operation *call) {
  auto routine = dyn_cast<RoutineOp>(call);
  return !routine || lookupRoutine(routine.getRoutine())->operands == RoutineOperands::Lines;
}

class Raiser {
public:
  Raiser(scf::ForOp loop, bool general, int64_t mostAxes)
      : loop(loop), what(loop, general), given(loop, what, mostAxes) {}

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
    given.clear();
    conditions.clear();
    what.forget();
    return findConditions(call) && what.statements.isEmpty() &&
           (isa<SortOp>(call) ? isSortKnown(cast<SortOp>(call)) : isRoutineKnown(cast<RoutineOp>(call))) &&
           given.areStoredApart();
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
      (isSame ? conditions : given.guards).push_back(asked);
    }
    return true;
  }

  /// Notes extents; false where iterations have different ones.
  bool areExtentsKnown(CallOperand &operand, Operation *call) {
    OpBuilder at(call);
    for (int64_t axis = 0; axis < getRank(operand.whole.getType()); ++axis) {
      operand.extents.push_back(given.findExtent(at, operand.whole, axis));
      if (!operand.extents.back())
        return false;
    }
    return true;
  }

  bool isSortKnown(SortOp sort) {
    CallOperand operand{sort.getInput(), {}, false, sort.getInput(), {}, {}};
    if (!given.hasRoom(sort.getInput()) || !what.canEmit(sort.getInput()) || !areExtentsKnown(operand, sort))
      return false;
    operands.push_back(operand);
    return true;
  }

  bool isRoutineKnown(RoutineOp routine) {
    const RoutineInfo &row = *lookupRoutine(routine.getRoutine());
    if (row.mayFail && !endsLoop(routine.getFailed()))
      return false;
    for (auto [k, input] : llvm::enumerate(routine.getInputs())) {
      CallOperand operand{input, {}, k == 0 && row.operands == RoutineOperands::PlacedStacks, input, {}, {}};
      if (operand.isShared ? !arePlacesKnown(input, routine)
                           : !isOneKnown(operand, routine) || !what.canEmitContents(input, routine))
        return false;
      operands.push_back(operand);
    }
    for (Value output : routine.getOutputs()) {
      CallOperand operand{output, output, false, output, {}, {}};
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
      bool isOnce = llvm::none_of(operands, [&](const CallOperand &other) { return other.root == operand.root; });
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
  bool isOneKnown(CallOperand &operand, Operation *call) {
    auto type = dyn_cast<ArrayType>(operand.mine.getType());
    return type &&
           (addsAxis(call) ? given.hasRoom(operand.mine) && given.hasRoom(operand.whole) : getShape(type)[0] == 1) &&
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
    for (CallOperand &operand : operands) {
      Value elements = constant(1);
      for (Value extent : operand.isShared ? ArrayRef<Value>() : ArrayRef<Value>(operand.extents))
        elements = builder.createOrFold<arith::MulIOp>(loc, elements, what.emit(extent, before, builder));
      most = builder.createOrFold<arith::MaxSIOp>(loc, most, elements);
    }
    LoopBlock block = splitByElements(loop, most, mostOfBlock, builder);
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
      count = arith::SelectOp::create(builder, loc, given.emitCondition(condition, before, builder), count, zero);
    return builder.createOrFold<arith::MaxSIOp>(loc, count, zero);
  }

  void emit(Operation *call) {
    makeBlocks();
    builder.setInsertionPoint(loop);
    IRMapping before;
    Value count = emitCount(before);
    int64_t first = addsAxis(call) ? 0 : 1; // axis of one that all have behind the iterations'
    for (CallOperand &operand : operands) {
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
      operand.all = EmptyOp::create(builder, loc, getContiguousType(operand.mine.getType(), shape), extents);
    }
    given.emit(begin, count, builder);
    if (isa<SortOp>(call))
      return emitSort(cast<SortOp>(call));
    emitRoutine(cast<RoutineOp>(call), count, before);
  }

  Value emitRow(OpBuilder &at) { return at.createOrFold<arith::SubIOp>(loc, loop.getInductionVar(), begin); }

  void emitSort(SortOp sort) {
    CallOperand &operand = operands[0];
    Value inputs = LoadOp::create(builder, loc, operand.all);
    auto type = RankedTensorType::get(getShape(inputs.getType()), getElementType(sort.getType()));
    Value all = SortOp::create(builder, loc, type, inputs, sort.getPositions());
    OpBuilder at(sort);
    Value row = emitRow(at);
    // Others that ask for what is sorted find it there.
    Value mine = emitPartOfAll(at, loc, inputs, operand.mine.getType(), row, operand.extents);
    operand.mine.replaceUsesWithIf(mine, [&](OpOperand &use) {
      Operation *user = sort->getBlock()->findAncestorOpInBlock(*use.getOwner());
      return user && sort->isBeforeInBlock(user);
    });
    sort.replaceAllUsesWith(emitPartOfAll(at, loc, all, sort.getType(), row, operand.extents));
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
  Value emitViews(Value mine, const CallOperand &operand, Value count, IRMapping &before) {
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
    for (CallOperand &operand : operands)
      (operand.root ? outputs : inputs)
          .push_back(operand.isShared                    ? emitPlaces(operand.mine, routine, before)
                     : addsAxis(routine) && operand.root ? emitViews(operand.mine, operand, count, before)
                                                         : operand.all);
    Value failed = RoutineOp::create(builder, loc, builder.getI64Type(), routine.getRoutine(), inputs, outputs);
    scf::YieldOp::create(builder, loc, failed);
    // Each iteration has its matrix's results where it had that matrix.
    for (CallOperand &operand : operands) {
      if (!operand.root)
        continue;
      Operation *made = operand.root.getDefiningOp();
      bool hasStatements = what.statements.has(operand.root); // which go on with the array before the call
      OpBuilder at(hasStatements ? routine : made);
      // Most are a matrix or line that was given an axis of one: they are the part without that axis.
      bool isPart = getRank(operand.root.getType()) + 1 == getRank(operand.all.getType());
      Type type =
          isPart ? operand.root.getType() : getContiguousType(operand.mine.getType(), getShape(operand.mine.getType()));
      Value mine =
          emitPartOfAll(at, loc, operand.all, type, emitRow(at), ValueRange(operand.extents).take_back(getRank(type)));
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
    for (CallOperand &operand : operands)
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
  CallOperands given;
  SmallVector<CallOperand> &operands = given.operands;
  Location loc = loop.getLoc();
  OpBuilder builder{loop.getContext()};
  SmallVector<Condition> conditions; // the same in all iterations
  Value begin, end;                  // of the block's iterations
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
