// npcc-count-rotated: a loop that was rotated because it may be left in the middle counts where it turns out not to.
//
//   scf.if (%lo < %n) {                                  scf.if (%lo < %n) {
//     scf.while (%i = %lo, %x = %x0) {                     scf.for %i = %lo to %n step %c1 iter_args(%x = %x0) {
//       ...                                                  ...
//       %next = %i + 1                          ->           scf.yield %y
//       scf.condition(%next < %n) %next, %y                }
//     } do { scf.yield %next, %y }                       }
//   }
//
// Which of a function's branches are taken often depends on extents, and so does whether an error leaves the loop in
// one of them: a cross product of vectors with two elements is a number, of others an array. Where the extents are
// known, the rest counts from its first position to a bound, and is run like any other loop over positions. A bound
// that is not known to be above the first position is replaced by one that is: such a loop has an iteration at least.
#include "compiler/np/Passes.h"
#include "compiler/np/WhileLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npcc {
#define GEN_PASS_DEF_COUNTROTATED
#include "compiler/np/Passes.h.inc"

using namespace mlir;

namespace {
class Rotated {
public:
  explicit Rotated(scf::WhileOp loop) : loop(loop), condition(loop.getConditionOp()) {}

  bool canCount() {
    auto comparison = condition.getCondition().getDefiningOp<arith::CmpIOp>();
    auto isFree = [](Operation &op) {
      return op.getNumRegions() == 0 && isMemoryEffectFree(&op) && isSpeculatable(&op);
    };
    if (!comparison || !llvm::all_of(loop.getAfterBody()->without_terminator(), isFree))
      return false;
    auto [next, end] = getOrdered(comparison);
    bound = end;
    auto sum = next ? next.getDefiningOp<arith::AddIOp>() : nullptr;
    if (!sum || !isOutside(bound) || !matchPattern(sum.getRhs(), m_ConstantInt(&step)) || !step.isStrictlyPositive())
      return false;
    counter = dyn_cast<BlockArgument>(sum.getLhs());
    if (!counter || counter.getOwner() != loop.getBeforeBody() || !isNext(getHandedOn(counter.getArgNumber())))
      return false;
    return llvm::all_of(llvm::seq(loop->getNumResults()), [&](unsigned k) {
      Value given = condition.getArgs()[k];
      return loop.getResult(k).use_empty() || given == counter || isNext(given) || isOutside(given) || findCarried(k);
    });
  }

  void count() {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    unsigned number = counter.getArgNumber();
    Value lower = loop.getInits()[number];
    Value by = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(lower.getType(), step));
    if (!isKnownToBegin(lower))
      bound = builder.createOrFold<arith::MaxSIOp>(loc, bound, builder.createOrFold<arith::AddIOp>(loc, lower, by));
    SmallVector<Value> inits(loop.getInits());
    inits.erase(inits.begin() + number);
    auto counted =
        scf::ForOp::create(builder, loc, lower, bound, by, inits, [](OpBuilder &, Location, Value, ValueRange) {});
    for (unsigned k = 0; k < loop->getNumResults(); k++) {
      Value result = loop.getResult(k), given = condition.getArgs()[k];
      if (result.use_empty())
        continue;
      if (isOutside(given))
        result.replaceAllUsesWith(given);
      else if (given == counter)
        result.replaceAllUsesWith(
            arith::SubIOp::create(builder, loc, emitCounterBehind(builder, counted), by).getResult());
      else if (isNext(given))
        result.replaceAllUsesWith(emitCounterBehind(builder, counted)); // what fails the comparison
      else
        result.replaceAllUsesWith(counted.getResult(*findCarried(k) - (*findCarried(k) > number)));
    }

    Block *body = counted.getBody();
    SmallVector<Value> inside(counted.getRegionIterArgs());
    inside.insert(inside.begin() + number, counted.getInductionVar());
    for (auto [argument, value] : llvm::zip_equal(loop.getBeforeArguments(), inside))
      argument.replaceAllUsesWith(value);
    for (auto [argument, value] : llvm::zip_equal(loop.getAfterArguments(), condition.getArgs()))
      argument.replaceAllUsesWith(value);
    condition->erase();
    body->getOperations().splice(body->end(), loop.getBeforeBody()->getOperations());
    body->getOperations().splice(body->end(), loop.getAfterBody()->getOperations());
    body->getTerminator()->eraseOperand(number);
    loop->erase();
  }

private:
  /// Of a < b, or b > a, the two numbers in this order; null for other comparisons.
  static std::pair<Value, Value> getOrdered(arith::CmpIOp comparison) {
    if (comparison.getPredicate() == arith::CmpIPredicate::slt)
      return {comparison.getLhs(), comparison.getRhs()};
    if (comparison.getPredicate() == arith::CmpIPredicate::sgt)
      return {comparison.getRhs(), comparison.getLhs()};
    return {};
  }

  bool isOutside(Value value) { return !loop->isAncestor(value.getParentBlock()->getParentOp()); }

  /// What the `k`th argument of the next iteration gets.
  Value getHandedOn(unsigned k) { return getGiven(loop.getYieldOp().getOperand(k)); }
  /// What the condition gives for an argument of the body.
  Value getGiven(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    bool isOfBody = argument && argument.getOwner() == loop.getAfterBody();
    return isOfBody ? condition.getArgs()[argument.getArgNumber()] : value;
  }

  /// Whether a value is the counter of the next iteration: computed in the condition or in the body.
  bool isNext(Value value) {
    APInt added;
    auto sum = value.getDefiningOp<arith::AddIOp>();
    return sum && getGiven(sum.getLhs()) == counter && matchPattern(sum.getRhs(), m_ConstantInt(&added)) &&
           added == step;
  }

  /// The argument of the next iteration that gets what the loop has as its `k`th result.
  std::optional<unsigned> findCarried(unsigned k) {
    for (unsigned argument = 0; argument < loop.getBeforeArguments().size(); argument++)
      if (getHandedOn(argument) == condition.getArgs()[k])
        return argument;
    return std::nullopt;
  }

  /// Whether the loop stands where its first position is below the bound.
  bool isKnownToBegin(Value lower) {
    auto branch = dyn_cast<scf::IfOp>(loop->getParentOp());
    auto comparison = branch ? branch.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
    if (!comparison || loop->getBlock() != branch.thenBlock())
      return false;
    auto [left, right] = getOrdered(comparison);
    return left && isSame(left, lower) && isSame(right, bound);
  }
  static bool isSame(Value a, Value b) {
    APInt one, other;
    return a == b || (matchPattern(a, m_ConstantInt(&one)) && matchPattern(b, m_ConstantInt(&other)) && one == other);
  }

  scf::WhileOp loop;
  scf::ConditionOp condition;
  Value bound;
  APInt step;
  BlockArgument counter;
};

struct CountRotated : impl::CountRotatedBase<CountRotated> {
  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops;
    getOperation()->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops)
      if (Rotated rotated(loop); rotated.canCount())
        rotated.count();
  }
};
} // namespace
} // namespace npcc
