// npcc-rotate-loops: a loop that may be left in the middle asks whether there is a next iteration where this one ends.
//
//   for k in range(n):         scf.while (%k = 0, %x = %x0) {          scf.if (0 < %n) {
//     A                          %r = scf.if (%k < %n) {                 scf.while (%k = 0, %x = %x0) {
//     if c: break                  A                                       A
//     B                            scf.if %c { yield } else { B }          scf.condition(not %c and %k + 1 < %n)
//                                } else { yield }                  ->    } do { B }
//                                scf.condition(it did A and not %c)      scf.if %c { as it is left there }
//                              } do { ... }                              else { B, and the end of the count }
//                                                                      } else { the end of the count }
//
// As it was lifted the iteration is a branch of the condition: what it gives has other extents (none) where the count
// ends, and arrays are handed through the branch. Rotated, an iteration is straight code, in which the extents of
// carried arrays are seen to stay, and a GPU may run the loop without the host. B is there twice. Only for loops that
// carry arrays or store to some.
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_ROTATELOOPS
#include "compiler/np/Passes.h.inc"

using namespace mlir;

namespace {
// Operations of B and of the body, which are there twice.
constexpr int64_t mostTwice = 64;

class Rotation {
public:
  explicit Rotation(scf::WhileOp loop) : loop(loop), loc(loop.getLoc()), builder(loop) {}

  bool isPossible();
  void rotate();

private:
  static bool isFree(Operation &op) {
    return op.getNumRegions() == 0 && isMemoryEffectFree(&op) && isSpeculatable(&op);
  }
  bool isInside(Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }
  /// The number that a value of the condition is where there is no iteration, if it is the same every time.
  std::optional<APInt> evaluateAtEnd(Value value);
  /// Finds B: the side of the iteration's last branch that runs where the loop is not left.
  void findRest();
  /// Whether a value of the next iteration can be computed before B: it is made of A's numbers, by operations that
  /// may run early.
  bool canTell(Value value, llvm::DenseSet<Value> &seen);
  /// Computes it there; `map` has what is computed already.
  Value tell(Value value, IRMapping &map);

  void cloneAll(ArrayRef<Operation *> ops, IRMapping &map) {
    for (Operation *op : ops)
      builder.clone(*op, map);
  }
  static SmallVector<Operation *> getOps(Block &block) {
    SmallVector<Operation *> ops;
    for (Operation &op : block.without_terminator())
      ops.push_back(&op);
    return ops;
  }
  /// B and the body, and what they hand on to the next iteration.
  SmallVector<Value> emitRest(IRMapping &map);
  /// What the loop gives where its condition fails for these carried values.
  SmallVector<Value> emitEnd(ValueRange carried);
  void mapResults(scf::IfOp branch, Operation *yield, IRMapping &map) {
    for (auto [result, given] : llvm::zip_equal(branch.getResults(), yield->getOperands()))
      map.map(result, map.lookupOrDefault(given));
  }

  scf::WhileOp loop;
  Location loc;
  OpBuilder builder;
  scf::IfOp guarded;                   // A and B, where there is an iteration
  scf::IfOp rest;                      // the last branch of the iteration, with B on one side; null: there is no B
  Block *b = nullptr, *left = nullptr; // the sides of that branch
  SmallVector<Operation *> first, last, iteration; // before the iteration, after it in the condition, and A
};

std::optional<APInt> Rotation::evaluateAtEnd(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant;
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (op == guarded)
    return evaluateAtEnd(guarded.elseYield()->getOperand(cast<OpResult>(value).getResultNumber()));
  if (value == guarded.getCondition())
    return APInt(1, 0);
  if (op->getBlock() != loop.getBeforeBody() || op->getNumRegions() || op->getNumResults() != 1)
    return std::nullopt;
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    std::optional<APInt> number = evaluateAtEnd(operand);
    operands.push_back(number ? IntegerAttr::get(operand.getType(), *number) : IntegerAttr());
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return std::nullopt;
  auto found = dyn_cast_or_null<IntegerAttr>(dyn_cast<Attribute>(results[0]));
  return found ? std::optional(found.getValue()) : std::nullopt;
}

void Rotation::findRest() {
  Operation *end = guarded.thenBlock()->getTerminator();
  auto branch = dyn_cast_or_null<scf::IfOp>(end->getPrevNode());
  if (!branch || !branch.elseBlock() || branch.getNumResults() == 0)
    return;
  // B runs where the loop goes on: the branch's condition is the loop's, or its opposite. A number may hold the loop's.
  Value wide = loop.getConditionOp().getCondition();
  if (auto narrow = wide.getDefiningOp<arith::TruncIOp>())
    wide = narrow.getIn();
  auto given = dyn_cast<OpResult>(wide);
  if (!given || given.getOwner() != guarded)
    return;
  Value goesOn = end->getOperand(given.getResultNumber());
  if (auto extended = goesOn.getDefiningOp<arith::ExtUIOp>())
    goesOn = extended.getIn();
  Value negated;
  if (auto exclusive = goesOn.getDefiningOp<arith::XOrIOp>(); exclusive && matchPattern(exclusive.getRhs(), m_One()))
    negated = exclusive.getLhs();
  if (branch.getCondition() == goesOn)
    std::tie(b, left) = std::pair(branch.thenBlock(), branch.elseBlock());
  else if (branch.getCondition() == negated)
    std::tie(b, left) = std::pair(branch.elseBlock(), branch.thenBlock());
  else
    return;
  if (!llvm::hasSingleElement(*left)) {
    b = left = nullptr;
    return;
  }
  rest = branch;
}

bool Rotation::canTell(Value value, llvm::DenseSet<Value> &seen) {
  if (!isInside(value) || !seen.insert(value).second)
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() == loop.getAfterBody())
      return canTell(loop.getConditionOp().getArgs()[argument.getArgNumber()], seen);
    return argument.getOwner() == loop.getBeforeBody();
  }
  Operation *op = value.getDefiningOp();
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (op == guarded)
    return canTell(guarded.thenYield()->getOperand(number), seen);
  if (rest && op == rest)
    return canTell(b->getTerminator()->getOperand(number), seen);
  if (op->getBlock() == loop.getBeforeBody() || op->getBlock() == guarded.thenBlock())
    return true;
  bool isTwice = op->getBlock() == loop.getAfterBody() || (b && op->getBlock() == b);
  return isTwice && isFree(*op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return canTell(operand, seen); });
}

Value Rotation::tell(Value value, IRMapping &map) {
  if (map.contains(value) || !isInside(value))
    return map.lookupOrDefault(value);
  Value told;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    told = tell(loop.getConditionOp().getArgs()[argument.getArgNumber()], map);
  } else {
    Operation *op = value.getDefiningOp();
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (op == guarded) {
      told = tell(guarded.thenYield()->getOperand(number), map);
    } else if (rest && op == rest) {
      told = tell(b->getTerminator()->getOperand(number), map);
    } else {
      for (Value operand : op->getOperands())
        tell(operand, map);
      builder.clone(*op, map);
      return map.lookup(value);
    }
  }
  map.map(value, told);
  return told;
}

bool Rotation::isPossible() {
  bool storesArrays = loop.getBefore()
                          .walk([](np::StoreOp store) {
                            auto stored = cast<np::ArrayType>(store.getArray().getType());
                            return stored.getShape().empty() ? WalkResult::advance() : WalkResult::interrupt();
                          })
                          .wasInterrupted();
  if (!storesArrays && llvm::none_of(loop.getInits().getTypes(), llvm::IsaPred<np::ArrayType>))
    return false;
  for (Operation &op : loop.getBeforeBody()->without_terminator()) {
    if (auto branch = dyn_cast<scf::IfOp>(op); branch && !guarded && branch.elseBlock()) {
      guarded = branch;
      continue;
    }
    if (!isFree(op))
      return false;
    (guarded ? last : first).push_back(&op);
  }
  if (!guarded || !llvm::hasSingleElement(*guarded.elseBlock()))
    return false;
  std::optional<APInt> goesOn = evaluateAtEnd(loop.getConditionOp().getCondition());
  if (!goesOn || !goesOn->isZero())
    return false;
  findRest();
  iteration = getOps(*guarded.thenBlock());
  if (rest)
    iteration.pop_back();
  // What comes after the iteration needs nothing of B.
  auto isOfRest = [&](Value value) {
    auto result = dyn_cast<OpResult>(value);
    if (!rest || !result || result.getOwner() != guarded)
      return false;
    return guarded.thenYield()->getOperand(result.getResultNumber()).getDefiningOp() == rest;
  };
  for (Operation *op : last)
    if (llvm::any_of(op->getOperands(), isOfRest))
      return false;
  int64_t twice = 0;
  auto count = [&](Operation *) { ++twice; };
  loop.getAfterBody()->walk(count);
  if (b)
    b->walk(count);
  if (twice > mostTwice)
    return false;
  // The condition for the next iteration is numbers.
  llvm::SetVector<Value> open;
  open.insert(guarded.getCondition());
  llvm::DenseSet<Value> seen;
  for (size_t next = 0; next < open.size(); ++next) {
    auto carried = dyn_cast<BlockArgument>(open[next]);
    if (carried && carried.getOwner() == loop.getBeforeBody()) {
      if (isa<np::ArrayType, RankedTensorType>(carried.getType()) ||
          !canTell(loop.getYieldOp().getResults()[carried.getArgNumber()], seen))
        return false;
    } else if (Operation *op = open[next].getDefiningOp(); op && op->getBlock() == loop.getBeforeBody()) {
      for (Value operand : op->getOperands())
        open.insert(operand);
    }
  }
  return true;
}

SmallVector<Value> Rotation::emitRest(IRMapping &map) {
  if (rest) {
    cloneAll(getOps(*b), map);
    mapResults(rest, b->getTerminator(), map);
  }
  mapResults(guarded, guarded.thenYield(), map);
  for (auto [argument, given] : llvm::zip_equal(loop.getAfterArguments(), loop.getConditionOp().getArgs()))
    map.map(argument, map.lookupOrDefault(given));
  cloneAll(getOps(*loop.getAfterBody()), map);
  SmallVector<Value> handedOn;
  for (Value value : loop.getYieldOp().getResults())
    handedOn.push_back(map.lookupOrDefault(value));
  return handedOn;
}

SmallVector<Value> Rotation::emitEnd(ValueRange carried) {
  IRMapping map;
  map.map(loop.getBeforeArguments(), carried);
  cloneAll(first, map);
  mapResults(guarded, guarded.elseYield(), map);
  cloneAll(last, map);
  SmallVector<Value> given;
  for (Value value : loop.getConditionOp().getArgs())
    given.push_back(map.lookupOrDefault(value));
  return given;
}

void Rotation::rotate() {
  auto yield = [&](scf::IfOp branch, Block *block, llvm::function_ref<SmallVector<Value>()> emit) {
    block->clear();
    builder.setInsertionPointToEnd(block);
    SmallVector<Value> given = emit();
    builder.setInsertionPointToEnd(block);
    scf::YieldOp::create(builder, loc, given);
  };
  auto makeBranch = [&](Value condition) {
    return scf::IfOp::create(builder, loc, loop.getResultTypes(), condition, /*addThenBlock=*/true,
                             /*addElseBlock=*/true);
  };
  IRMapping atStart;
  atStart.map(loop.getBeforeArguments(), loop.getInits());
  cloneAll(first, atStart);
  scf::IfOp whole = makeBranch(atStart.lookupOrDefault(guarded.getCondition()));
  yield(whole, whole.elseBlock(), [&] { return emitEnd(loop.getInits()); });
  yield(whole, whole.thenBlock(), [&]() -> SmallVector<Value> {
    // What B, the body and the two ends need of A is handed through the condition.
    llvm::SetVector<Value> handed;
    auto hand = [&](Value value) {
      Block *home = value.getParentBlock();
      Operation *maker = value.getDefiningOp();
      bool isOfA =
          (home == loop.getBeforeBody() || home == guarded.thenBlock()) && maker != guarded && (!rest || maker != rest);
      if (isOfA)
        handed.insert(value);
    };
    auto handUses = [&](Region &region) {
      visitUsedValuesDefinedAbove(region, [&](OpOperand *use) { hand(use->get()); });
    };
    if (rest) {
      handUses(*b->getParent());
      llvm::for_each(left->getTerminator()->getOperands(), hand);
    }
    handUses(loop.getAfter());
    llvm::for_each(guarded.thenYield()->getOperands(), hand);
    llvm::for_each(loop.getConditionOp().getArgs(), hand);
    SmallVector<Value> names(handed.begin(), handed.end());
    SmallVector<Type> types = llvm::to_vector(ValueRange(names).getTypes());
    types.push_back(builder.getI1Type());
    auto rotated = scf::WhileOp::create(builder, loc, types, loop.getInits());
    SmallVector<Location> places(loop.getInits().size(), loc);
    Block *before = builder.createBlock(&rotated.getBefore(), {}, loop.getInits().getTypes(), places);
    IRMapping map;
    map.map(loop.getBeforeArguments(), before->getArguments());
    cloneAll(first, map);
    cloneAll(iteration, map);
    for (auto [result, given] : llvm::zip_equal(guarded.getResults(), guarded.thenYield()->getOperands()))
      if (!rest || given.getDefiningOp() != rest)
        map.map(result, map.lookupOrDefault(given));
    cloneAll(last, map);
    Value goesOn = map.lookupOrDefault(loop.getConditionOp().getCondition());
    IRMapping told = map, following;
    for (auto [number, argument] : llvm::enumerate(loop.getBeforeArguments()))
      if (llvm::DenseSet<Value> seen; !isa<np::ArrayType, RankedTensorType>(argument.getType()))
        if (Value next = loop.getYieldOp().getResults()[number]; canTell(next, seen))
          following.map(argument, tell(next, told));
    for (Operation *op : first)
      if (llvm::all_of(op->getOperands(),
                       [&](Value operand) { return !isInside(operand) || following.contains(operand); }))
        builder.clone(*op, following);
    Value isNext = following.lookupOrDefault(guarded.getCondition());
    Value no = arith::ConstantIntOp::create(builder, loc, 0, 1);
    isNext = arith::SelectOp::create(builder, loc, goesOn, isNext, no); // of poison where the loop is left
    SmallVector<Value> passed;
    for (Value name : names)
      passed.push_back(map.lookupOrDefault(name));
    passed.push_back(goesOn);
    scf::ConditionOp::create(builder, loc, isNext, passed);
    Block *after = builder.createBlock(&rotated.getAfter(), {}, types, SmallVector<Location>(types.size(), loc));
    IRMapping inBody;
    inBody.map(names, after->getArguments().drop_back());
    scf::YieldOp::create(builder, loc, emitRest(inBody));

    builder.setInsertionPointAfter(rotated);
    scf::IfOp ends = makeBranch(rotated.getResults().back());
    IRMapping atEnd;
    atEnd.map(names, rotated.getResults().drop_back());
    yield(ends, ends.thenBlock(), [&] {
      IRMapping there = atEnd;
      return emitEnd(emitRest(there));
    });
    yield(ends, ends.elseBlock(), [&]() -> SmallVector<Value> {
      IRMapping there = atEnd;
      if (rest)
        mapResults(rest, left->getTerminator(), there);
      mapResults(guarded, guarded.thenYield(), there);
      SmallVector<Value> given;
      for (Value value : loop.getConditionOp().getArgs())
        given.push_back(there.lookupOrDefault(value));
      return given;
    });
    return SmallVector<Value>(ends.getResults());
  });
  loop.replaceAllUsesWith(whole.getResults());
  loop.erase();
}

struct RotateLoops : impl::RotateLoopsBase<RotateLoops> {
  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops; // those inside come first
    getOperation()->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops)
      if (Rotation rotation(loop); rotation.isPossible())
        rotation.rotate();
  }
};

} // namespace
} // namespace npcc
