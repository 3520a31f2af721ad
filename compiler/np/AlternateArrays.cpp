// npcc-alternate-arrays: an array that each iteration of a loop makes anew, of its own elements at other positions and
// piece by piece, gets a second one beside it. Iterations take turns: one reads the first array and writes the second,
// the next one the other way round.
//
//   scf.for %k = 0 to %n {                       %s = np.empty
//     %q = np.new (np.load %p)                   scf.for %t = 0 to ceil(%n / 2) {
//     np.store f(%q), %p[1:-1]          ->         %l = np.new (np.load %p)  ... as before, on %l
//     np.store %p[1], %p[0]                        np.store (np.load %l), %s
//   }                                              scf.if (2 %t + 1 < %n) { the same, from %s to %p }
//                                                  else { np.store (np.load %s), %p }
//                                                }
//
// npcc-promote-arrays makes a value of %l, so an iteration is one kernel: it copies nothing, reads and writes each
// element once, and where one kernel runs the whole loop, all threads wait for each other once in an iteration. A
// `while`, also one that npcc-rotate-loops made of a loop with a `break`, carries whose turn it is instead. Numbers may
// go round. What follows the last store, mostly a change that is computed, reads the
// new array. What the program writes to the array it writes to a copy until the iteration ends, so nothing may fail in
// between: checks behind the first store must not depend on the iteration, and the loop stays as it was where one of
// them fails. Where launches are costly only.
#include "compiler/memory/Extents.h"
#include "compiler/memory/Region.h"
#include "compiler/np/Passes.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Kernels.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_ALTERNATEARRAYS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
// The body is there twice.
constexpr int64_t mostStores = 16;

class Alternation {
public:
  /// Of an scf.for or an scf.while.
  Alternation(Operation *loop, ExtentOrigins &origins)
      : loop(loop), body(getIteration(loop)), origins(origins), loc(loop->getLoc()) {}

  /// Whether there is an array that gains by it, and nothing stands against it.
  bool isPossible();
  void makeTurns();

private:
  /// The block with the stores: of a rotated `while` it ends with the condition.
  static Block *getIteration(Operation *loop) {
    auto conditional = dyn_cast<scf::WhileOp>(loop);
    if (conditional && hasStoresOrBranches(conditional.getBefore()))
      return conditional.getBeforeBody();
    return &loop->getRegions().back().front();
  }
  static bool hasStoresOrBranches(Region &region) {
    return region
        .walk([](Operation *op) {
          bool isOne = op->getNumRegions() || isa<StoreOp, StoreMaskedOp>(op);
          return isOne ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }
  bool isRotated() { return isa<scf::WhileOp>(loop) && body == cast<scf::WhileOp>(loop).getBeforeBody(); }
  bool isOutside(Value value) { return !loop->isAncestor(value.getParentRegion()->getParentOp()); }
  bool collectAccesses();
  /// Whether what goes round can be handed on by either turn.
  bool canHandOn();
  /// Loads, stores and extents of the array, or of views of it, in the loop's body, and nothing else.
  bool isPlain(Value array, bool isRoot);
  /// Whether a store leaves out no more than a few elements along each axis, as far as extents tell.
  bool coversNearly(StoreOp store, Value root);
  bool readsElsewhere(Value root, StoreOp store);
  bool gains(Value root);
  bool canHoist(Value value);
  /// A number of the body as a value before the loop; conditions of checks on the way are added.
  Value hoist(OpBuilder &at, Value value);
  void require(OpBuilder &at, Value condition) {
    isFine = isFine ? arith::AndIOp::create(at, loc, isFine, condition).getResult() : condition;
  }
  /// An iteration: what is new of the arrays is stored as a whole. Gives what it hands on.
  SmallVector<Value> emitTurn(OpBuilder &at, IRMapping mapping, ArrayRef<Value> from, ArrayRef<Value> to, bool isFirst);
  void emitCopies(OpBuilder &at, ArrayRef<Value> from, ArrayRef<Value> to);
  void emitPairs(OpBuilder &at, scf::ForOp counted, ArrayRef<Value> second);
  void emitWhile(OpBuilder &at, scf::WhileOp conditional, ArrayRef<Value> second);
  SmallVector<Value> emitChoice(OpBuilder &at, const IRMapping &mapping, Value isSecond, ArrayRef<Value> second,
                                ArrayRef<Value> cells);
  SmallVector<Value> makeCells(OpBuilder &at, TypeRange types);
  void handOn(OpBuilder &at, ArrayRef<Value> values, ArrayRef<Value> cells);
  SmallVector<Value> receive(OpBuilder &at, ValueRange numbers, ArrayRef<Value> cells);

  Operation *loop;
  Block *body;
  ExtentOrigins &origins;
  Location loc;
  SmallVector<LoadOp> loads;
  SmallVector<Operation *> stores;       // in the order of the body
  SmallVector<Operation *> lateChecks;   // behind the first store
  llvm::SmallSetVector<Value, 4> arrays; // that get a second one
  IRMapping hoisted;
  Value isFine;               // what must hold before the loop; null: nothing
  SmallVector<Value> results; // of the loop that was made
};

Value getArray(Operation *access) {
  auto load = dyn_cast<LoadOp>(access);
  return load ? load.getArray() : access->getOperands().back();
}

bool Alternation::collectAccesses() {
  for (Operation &op : body->without_terminator()) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      loads.push_back(load);
    } else if (isa<StoreOp, StoreMaskedOp>(op)) {
      stores.push_back(&op);
    } else if (isa<AssertOp, CheckIndexOp, BroadcastExtentOp>(op)) {
      if (!llvm::all_of(op.getOperands(), [&](Value operand) { return canHoist(operand); }))
        return false;
      if (!stores.empty())
        lateChecks.push_back(&op);
    } else if (op.getNumRegions() || getElementCost(&op) == ElementCost::Whole || (!isPure(&op) && !isa<NewOp, EmptyOp, DimOp>(op))) {
      return false;
    }
  }
  return !stores.empty() && int64_t(stores.size()) <= mostStores;
}

bool Alternation::canHandOn() {
  auto isNumber = [](Type type) {
    auto value = dyn_cast<RankedTensorType>(type);
    return value ? value.getRank() == 0 && !value.getElementType().isUnsignedInteger() : type.isIntOrIndexOrFloat();
  };
  if (auto counted = dyn_cast<scf::ForOp>(loop))
    return counted.getInductionVar().getType().isIndex() && llvm::all_of(counted.getResultTypes(), isNumber);
  auto conditional = cast<scf::WhileOp>(loop);
  Region &other = isRotated() ? conditional.getAfter() : conditional.getBefore();
  return llvm::all_of(conditional.getInits().getTypes(), isNumber) &&
         llvm::all_of(conditional.getResultTypes(), isNumber) && !hasStoresOrBranches(other);
}

bool Alternation::isPlain(Value array, bool isRoot) {
  return llvm::all_of(array.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto view = dyn_cast<ViewOp>(user))
      return isRoot && isPlain(view.getResult(), /*isRoot=*/false);
    // Other names of the same elements that are made before the loop: parts, reshapes.
    if (!loop->isProperAncestor(user))
      return llvm::none_of(user->getResults(), [&](Value other) {
        return isa<ArrayType>(other.getType()) && getRoot(other) == getRoot(array);
      });
    bool isStored = (isa<StoreOp>(user) || (isa<StoreMaskedOp>(user) && isRoot)) &&
                    use.getOperandNumber() + 1 == user->getNumOperands();
    return user->getBlock() == body && (isa<LoadOp, DimOp>(user) || isStored);
  });
}

bool Alternation::coversNearly(StoreOp store, Value root) {
  auto view = store.getArray().getDefiningOp<ViewOp>();
  if (!view)
    return true;
  if (view.getSource() != root) // a part of a reshape: of other axes
    return false;
  for (auto [k, axis] : llvm::enumerate(view.getAxes())) {
    if (axis != int64_t(k) || !matchPattern(view.getSteps()[k], m_One()))
      return false;
    Value extent = view.getExtents()[k];
    if (auto most = extent.getDefiningOp<arith::MaxSIOp>(); most && matchPattern(most.getRhs(), m_Zero()))
      extent = most.getLhs();
    APInt less;
    if (auto difference = extent.getDefiningOp<arith::SubIOp>();
        difference && matchPattern(difference.getRhs(), m_ConstantInt(&less)) && less.sle(8))
      extent = difference.getLhs();
    else if (auto sum = extent.getDefiningOp<arith::AddIOp>();
             sum && matchPattern(sum.getRhs(), m_ConstantInt(&less)) && less.isNegative() && less.sge(-8))
      extent = sum.getLhs();
    ExtentOrigin whole = origins.of(root, axis), own = origins.ofIndex(extent);
    bool isNear = whole.constant >= 0 && own.constant >= 0 && whole.constant - own.constant <= 8;
    if (!isNear && !(whole == own))
      return false;
  }
  return int64_t(view.getAxes().size()) == getRank(root.getType());
}

/// Whether the value is computed of a load, in the body, also by way of an array that the body makes.
static bool isComputedOf(Value value, LoadOp load, Block *body, llvm::SmallDenseSet<Value> &seen) {
  Operation *op = value.getDefiningOp();
  if (op == load)
    return true;
  if (!op || op->getBlock() != body || !seen.insert(value).second)
    return false;
  if (auto other = dyn_cast<LoadOp>(op)) {
    auto made = getRoot(other.getArray()).getDefiningOp<NewOp>();
    return made && isComputedOf(made.getValue(), load, body, seen);
  }
  return llvm::any_of(op->getOperands(), [&](Value operand) { return isComputedOf(operand, load, body, seen); });
}

/// A load along as many axes that overlaps what is stored behind it, of other elements or of all of them, and that the
/// stored value needs: what goes through another array on the way is read from there.
bool Alternation::readsElsewhere(Value root, StoreOp store) {
  return llvm::any_of(loads, [&](LoadOp load) {
    llvm::SmallDenseSet<Value> seen;
    return getRoot(load.getArray()) == root && load->isBeforeInBlock(store) &&
           countMovingAxes(load.getArray()) == getRank(root.getType()) &&
           !isSameRegion(load.getArray(), store.getArray()) && mayOverlap(load.getArray(), store.getArray(), false) &&
           isComputedOf(store.getValue(), load, body, seen);
  });
}

bool Alternation::gains(Value root) {
  return llvm::any_of(stores, [&](Operation *op) {
    auto store = dyn_cast<StoreOp>(op);
    return store && getRoot(store.getArray()) == root && coversNearly(store, root) && readsElsewhere(root, store);
  });
}

bool Alternation::canHoist(Value value) {
  if (isOutside(value))
    return true;
  Operation *op = value.getDefiningOp();
  bool isNumber = op && value.getType().isIntOrIndexOrFloat() && op->getNumRegions() == 0;
  return isNumber && (isPure(op) || isa<CheckIndexOp, BroadcastExtentOp, DimOp>(op)) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isa<DimOp>(op) ? isOutside(operand) : canHoist(operand); });
}

Value Alternation::hoist(OpBuilder &at, Value value) {
  if (isOutside(value))
    return value;
  if (Value known = hoisted.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  using P = arith::CmpIPredicate;
  if (auto check = dyn_cast<CheckIndexOp>(op)) {
    Value position = hoist(at, check.getPosition()), size = hoist(at, check.getSize());
    Value zero = arith::ConstantIndexOp::create(at, loc, 0);
    Value fromEnd = at.createOrFold<arith::AddIOp>(loc, position, size),
          isNegative = at.createOrFold<arith::CmpIOp>(loc, P::slt, position, zero),
          inside = at.createOrFold<arith::SelectOp>(loc, isNegative, fromEnd, position);
    require(at, arith::CmpIOp::create(at, loc, P::ult, inside, size));
    hoisted.map(value, inside);
  } else if (auto meet = dyn_cast<BroadcastExtentOp>(op)) {
    Value lhs = hoist(at, meet.getLhs()), rhs = hoist(at, meet.getRhs());
    if (lhs != rhs)
      require(at, arith::CmpIOp::create(at, loc, P::eq, lhs, rhs));
    hoisted.map(value, rhs);
  } else {
    for (Value operand : op->getOperands())
      if (Value known = hoist(at, operand); known != operand)
        hoisted.map(operand, known);
    at.clone(*op, hoisted);
  }
  return hoisted.lookup(value);
}

bool Alternation::isPossible() {
  if (!canHandOn() || !collectAccesses())
    return false;
  SmallVector<Value> roots; // of all that is accessed
  for (Operation *op : llvm::concat<Operation *>(SmallVector<Operation *>(loads.begin(), loads.end()), stores)) {
    Value root = getRoot(getArray(op));
    if (isOutside(root) && !llvm::is_contained(roots, root))
      roots.push_back(root);
  }
  for (Value root : roots) {
    bool isAlone = llvm::none_of(roots, [&](Value other) { return other != root && mayAlias(root, other, false); });
    if (isAlone && gains(root) && isPlain(root, /*isRoot=*/true))
      arrays.insert(root);
  }
  return !arrays.empty();
}

void Alternation::emitCopies(OpBuilder &at, ArrayRef<Value> from, ArrayRef<Value> to) {
  for (auto [source, target] : llvm::zip_equal(from, to))
    StoreOp::create(at, loc, LoadOp::create(at, loc, source), target);
}

SmallVector<Value> Alternation::emitTurn(OpBuilder &at, IRMapping mapping, ArrayRef<Value> from, ArrayRef<Value> to,
                                         bool isFirst) {
  DenseMap<Value, Operation *> lastStores;
  for (Operation *store : stores)
    lastStores[getRoot(getArray(store))] = store;
  SmallVector<Operation *> views; // of the arrays, before the loop and so far in it
  for (auto [array, source] : llvm::zip_equal(arrays, from)) {
    auto type = cast<ArrayType>(array.getType());
    auto own = ArrayType::get(at.getContext(), type.getShape(), type.getElementType(), /*contiguous=*/true);
    mapping.map(array, NewOp::create(at, loc, own, LoadOp::create(at, loc, source)).getArray());
    for (Operation *user : array.getUsers())
      if (isa<ViewOp>(user) && !loop->isAncestor(user) &&
          llvm::any_of(user->getUsers(), [&](Operation *access) { return loop->isAncestor(access); })) {
        views.push_back(user);
        at.clone(*user, mapping);
      }
  }
  for (Operation &op : body->without_terminator()) {
    // What is checked before the first store stands there, and fails in the first iteration or never.
    if (llvm::is_contained(lateChecks, &op)) {
      if (op.getNumResults())
        mapping.map(op.getResult(0), hoisted.lookup(op.getResult(0)));
    } else if (!isa<AssertOp>(op) || isFirst) {
      at.clone(op, mapping);
    }
    if (auto view = dyn_cast<ViewOp>(op); view && arrays.contains(view.getSource()))
      views.push_back(view);
    for (auto [array, target] : llvm::zip_equal(arrays, to)) {
      if (lastStores.lookup(array) != &op)
        continue;
      StoreOp::create(at, loc, LoadOp::create(at, loc, mapping.lookup(array)), target);
      mapping.map(array, target); // what follows reads what is there now
      for (Operation *view : views)
        if (view->getOperand(0) == array)
          at.clone(*view, mapping);
    }
  }
  return llvm::map_to_vector(body->getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookupOrDefault(value); });
}

/// NumPy scalars that go round are handed on in memory of their own, so that the choice between the turns gives no
/// arrays: a cell for each of these types that is one, null for a number.
SmallVector<Value> Alternation::makeCells(OpBuilder &at, TypeRange types) {
  return llvm::map_to_vector(types, [&](Type type) -> Value {
    auto value = dyn_cast<RankedTensorType>(type);
    if (!value)
      return Value();
    auto cell = ArrayType::get(at.getContext(), {}, value.getElementType(), /*contiguous=*/true);
    return EmptyOp::create(at, loc, cell, ValueRange());
  });
}

/// The end of a turn: scalars go to their cells, numbers are the result of the choice.
void Alternation::handOn(OpBuilder &at, ArrayRef<Value> values, ArrayRef<Value> cells) {
  SmallVector<Value> numbers;
  for (auto [value, cell] : llvm::zip_equal(values, cells))
    if (cell)
      StoreOp::create(at, loc, value, cell);
    else
      numbers.push_back(value);
  scf::YieldOp::create(at, loc, numbers);
}

SmallVector<Value> Alternation::receive(OpBuilder &at, ValueRange numbers, ArrayRef<Value> cells) {
  unsigned next = 0;
  return llvm::map_to_vector(
      cells, [&](Value cell) -> Value { return cell ? LoadOp::create(at, loc, cell).getResult() : numbers[next++]; });
}

/// The numbers among what goes round.
static SmallVector<Type> getNumberTypes(TypeRange types, ArrayRef<Value> cells) {
  SmallVector<Type> numbers;
  for (auto [type, cell] : llvm::zip_equal(types, cells))
    if (!cell)
      numbers.push_back(type);
  return numbers;
}

/// Two iterations of a counted loop after one another.
void Alternation::emitPairs(OpBuilder &builder, scf::ForOp counted, ArrayRef<Value> second) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1),
        two = arith::ConstantIndexOp::create(builder, loc, 2);
  auto make = [&]<typename Op>(OpBuilder &at, Value a, Value b) { return at.createOrFold<Op>(loc, a, b); };
  Value lower = counted.getLowerBound(), step = counted.getStep(),
        distance = make.operator()<arith::SubIOp>(builder, counted.getUpperBound(), lower),
        up = make.operator()<arith::AddIOp>(builder, distance, make.operator()<arith::SubIOp>(builder, step, one)),
        count = make.operator()<arith::DivSIOp>(builder, make.operator()<arith::MaxSIOp>(builder, up, zero), step),
        pairs = make.operator()<arith::DivSIOp>(builder, make.operator()<arith::AddIOp>(builder, count, one), two);
  SmallVector<Value> cells = makeCells(builder, counted.getResultTypes());
  auto turns = scf::ForOp::create(builder, loc, zero, pairs, one, counted.getInitArgs());
  auto emit = [&](OpBuilder &at, Value iteration, ValueRange given, ArrayRef<Value> from, ArrayRef<Value> to,
                  bool isFirst) {
    IRMapping mapping;
    Value distance = make.operator()<arith::MulIOp>(at, iteration, step);
    mapping.map(counted.getInductionVar(), make.operator()<arith::AddIOp>(at, distance, lower));
    mapping.map(counted.getRegionIterArgs(), given);
    return emitTurn(at, mapping, from, to, isFirst);
  };
  turns.getBody()->clear();
  OpBuilder inside = OpBuilder::atBlockBegin(turns.getBody());
  Value number = make.operator()<arith::MulIOp>(inside, turns.getInductionVar(), two);
  SmallVector<Value> values =
      emit(inside, number, turns.getRegionIterArgs(), arrays.getArrayRef(), second, /*isFirst=*/true);
  Value next = make.operator()<arith::AddIOp>(inside, number, one);
  Value isAnother = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::slt, next, count);
  auto choice = scf::IfOp::create(inside, loc, getNumberTypes(counted.getResultTypes(), cells), isAnother,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (Block *block : {choice.thenBlock(), choice.elseBlock()})
    block->clear();
  OpBuilder other = OpBuilder::atBlockBegin(choice.thenBlock());
  handOn(other, emit(other, next, values, second, arrays.getArrayRef(), /*isFirst=*/false), cells);
  OpBuilder last = OpBuilder::atBlockBegin(choice.elseBlock());
  emitCopies(last, second, arrays.getArrayRef());
  handOn(last, values, cells);
  scf::YieldOp::create(inside, loc, receive(inside, choice.getResults(), cells));
  results = llvm::to_vector_of<Value>(turns.getResults());
}

/// One of the two turns. Gives what the iteration hands on.
SmallVector<Value> Alternation::emitChoice(OpBuilder &at, const IRMapping &mapping, Value isSecond,
                                           ArrayRef<Value> second, ArrayRef<Value> cells) {
  TypeRange types = body->getTerminator()->getOperandTypes();
  auto choice = scf::IfOp::create(at, loc, getNumberTypes(types, cells), isSecond, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  for (bool isFirst : {false, true}) {
    Block *block = isFirst ? choice.elseBlock() : choice.thenBlock();
    block->clear();
    OpBuilder inside = OpBuilder::atBlockEnd(block);
    // Whichever turn comes first makes the checks.
    handOn(inside,
           isFirst ? emitTurn(inside, mapping, arrays.getArrayRef(), second, /*isFirst=*/true)
                   : emitTurn(inside, mapping, second, arrays.getArrayRef(), /*isFirst=*/false),
           cells);
  }
  return receive(at, choice.getResults(), cells);
}

/// A `while` carries whose turn it is.
void Alternation::emitWhile(OpBuilder &builder, scf::WhileOp conditional, ArrayRef<Value> second) {
  SmallVector<Value> inits(conditional.getInits());
  inits.push_back(arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false)));
  SmallVector<Value> cells = makeCells(builder, body->getTerminator()->getOperandTypes());
  SmallVector<Type> types(conditional.getResultTypes());
  types.push_back(builder.getI1Type());
  auto made = scf::WhileOp::create(builder, loc, types, inits);
  auto addBlock = [&](Region &region, TypeRange arguments) {
    OpBuilder::InsertionGuard guard(builder);
    return builder.createBlock(&region, region.end(), arguments, SmallVector<Location>(arguments.size(), loc));
  };
  Block *before = addBlock(made.getBefore(), ValueRange(inits).getTypes()), *after = addBlock(made.getAfter(), types);
  // Both blocks have whose turn it is as their last argument. The block of the iteration changes it.
  auto emitBlock = [&](Block *source, Block *target) {
    OpBuilder at = OpBuilder::atBlockEnd(target);
    Value isSecond = target->getArguments().back();
    IRMapping mapping;
    mapping.map(source->getArguments(), target->getArguments().drop_back());
    SmallVector<Value> handed;
    if (source == body) {
      handed = emitChoice(at, mapping, isSecond, second, cells);
      Value yes = arith::ConstantOp::create(at, loc, at.getBoolAttr(true));
      isSecond = arith::XOrIOp::create(at, loc, isSecond, yes);
    } else {
      for (Operation &op : source->without_terminator())
        at.clone(op, mapping);
      handed = llvm::map_to_vector(source->getTerminator()->getOperands(),
                                   [&](Value value) { return mapping.lookupOrDefault(value); });
    }
    handed.push_back(isSecond);
    if (target == before)
      scf::ConditionOp::create(at, loc, handed.front(), ArrayRef(handed).drop_front());
    else
      scf::YieldOp::create(at, loc, handed);
  };
  emitBlock(conditional.getBeforeBody(), before);
  emitBlock(conditional.getAfterBody(), after);
  auto last = scf::IfOp::create(builder, loc, made.getResults().back(), /*withElseRegion=*/false);
  OpBuilder inside = OpBuilder::atBlockBegin(last.thenBlock());
  emitCopies(inside, second, arrays.getArrayRef());
  builder.setInsertionPointAfter(last);
  results = llvm::to_vector_of<Value>(made.getResults().drop_back());
}

void Alternation::makeTurns() {
  OpBuilder builder(loop);
  for (Operation *check : lateChecks) {
    if (auto condition = dyn_cast<AssertOp>(check))
      require(builder, hoist(builder, condition.getCondition()));
    else
      hoist(builder, check->getResult(0));
  }
  AlternativesOp versions;
  if (isFine) {
    versions =
        AlternativesOp::create(builder, loc, loop->getResultTypes(), "checks that hold in all iterations", isFine);
    loop->replaceAllUsesWith(versions.getResults());
    versions.setGeneral(loop);
    builder.setInsertionPointToStart(versions.getOfferedBlock());
  }
  SmallVector<Value> second;
  for (Value array : arrays) {
    auto type = cast<ArrayType>(array.getType());
    auto own = ArrayType::get(builder.getContext(), type.getShape(), type.getElementType(), /*contiguous=*/true);
    SmallVector<Value> extents;
    for (auto [axis, extent] : llvm::enumerate(type.getShape()))
      if (ShapedType::isDynamic(extent))
        extents.push_back(getExtent(builder, loc, array, axis));
    second.push_back(EmptyOp::create(builder, loc, own, extents));
  }
  if (auto counted = dyn_cast<scf::ForOp>(loop))
    emitPairs(builder, counted, second);
  else
    emitWhile(builder, cast<scf::WhileOp>(loop), second);
  if (versions) {
    if (!results.empty())
      YieldOp::create(builder, loc, results);
    return;
  }
  loop->replaceAllUsesWith(results);
  loop->erase();
}

struct AlternateArrays : impl::AlternateArraysBase<AlternateArrays> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread") || function->hasAttr("np.general") ||
        !getTargetProperties(function).launchesAreCostly)
      return markAllAnalysesPreserved();
    SmallVector<Operation *> loops;
    function.walk([&](Operation *op) {
      if (isa<scf::ForOp, scf::WhileOp>(op))
        loops.push_back(op);
    });
    bool hasChanged = false;
    for (Operation *loop : loops) {
      Alternation alternation(loop, getAnalysis<ExtentOrigins>());
      if (alternation.isPossible()) {
        alternation.makeTurns();
        hasChanged = true;
      }
    }
    if (!hasChanged)
      markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace npcc
