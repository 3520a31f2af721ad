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
#include "compiler/memory/Region.h"
#include "compiler/np/Alternation.h"
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

void Alternation::emitCopies(OpBuilder &at, ArrayRef<Value> from, ArrayRef<Value> to) {
  for (auto [source, target] : llvm::zip_equal(from, to))
    StoreOp::create(at, loc, LoadOp::create(at, loc, source), target);
}

SmallVector<Value> Alternation::emitTurn(OpBuilder &at, IRMapping mapping, ArrayRef<Value> from, ArrayRef<Value> to,
                                         bool isFirst) {
  DenseMap<Value, Operation *> lastStores;
  for (Operation *store : stores)
    lastStores[getRoot(getAccessed(store))] = store;
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

namespace {
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
