// npcc-assume-extents: code that is compiled for a call takes for granted that its slices lie inside the arrays as they
// do in that call, and that extents which meet are equal where they are then.
//
//   func.func @f(%a {np.first = array<i64: 100>}, %n: i64 {np.first = array<i64: 50>})
//     %size = np.dim %a, 0                                     // a[1:n] + a[0:n - 1]
//     %start = arith.minsi %size, %c1                          -> %c1, asking for 1 <= %size
//     %stop = arith.minsi %n, %size                            -> %n, asking for %n <= %size
//     %end = arith.minsi %less, %size                          -> %less, asking for %less <= %size
//     %extent = arith.subi %stop, %start
//     %e = np.broadcast_extent "ufunc" %extent, %end           -> %extent, which %end is too, asking for their equality
//
// So it is with indices that are checked or count from the end, with remainders (the shift of np.roll), with checks and
// branches that extents alone decide, and with alternatives that are offered already (np.choice). What the position of
// a loop decides is taken for granted if it comes out the same at both ends of the loop's range, and the extents of
// arrays that go round loops if they stay what they are before (LoopExtents.h). Then neither does an element ask
// whether its axis is broadcast, nor do equal positions look different: loads are shared, and what has equal extents
// can be one kernel. Other calls run other code (compiler/memory/FirstCall.h). What differs between the iterations of a
// loop, and what elements of arrays decide, stays as it is.
#include "compiler/memory/BranchFacts.h"
#include "compiler/memory/Extents.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/memory/IterationBounds.h"
#include "compiler/memory/PositionSums.h"
#include "compiler/np/LoopExtents.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

namespace npcc {
#define GEN_PASS_DEF_ASSUMEEXTENTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
class Assumptions {
public:
  explicit Assumptions(func::FuncOp function) : function(function), dominance(function), first(function) {}

  void make() {
    askArgumentsFirst();
    auto wantsFew = [](Operation *op) {
      return isa<ReduceOp, ChoiceOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
    };
    LoopExtents loops(function, first);
    loops.assume();
    if (function.walk(wantsFew).wasInterrupted())
      fixFew();
    function.walk([&](scf::IfOp branch) { takeBranch(branch); });
    function.walk([&](Operation *op) {
      if (isLeft(op))
        return;
      if (isa<arith::MinSIOp, arith::MaxSIOp>(op) && op->getResult(0).getType().isIndex()) // Python's integers are not
        takeOperand(op, isa<arith::MinSIOp>(op));
      else if (auto meet = dyn_cast<BroadcastExtentOp>(op))
        takeForEqual(meet);
      else if (auto compare = dyn_cast<arith::CmpIOp>(op))
        decideByLoops(compare);
      else if (auto check = dyn_cast<CheckIndexOp>(op))
        takePosition(check);
      else if (auto select = dyn_cast<arith::SelectOp>(op))
        takeArm(select);
      else if (auto ufunc = dyn_cast<UfuncOp>(op))
        takeRemainder(ufunc);
      else if (auto check = dyn_cast<AssertOp>(op))
        takeForGranted(check);
    });
    function.walk([&](ChoiceOp choice) { takeAlternative(choice); });
    function.walk([&](BroadcastOp op) { restate(op); });
    loops.follow();
    for (Operation *op : unused)
      op->erase();
    loops.restate();
    sayEqual();
  }

private:
  /// Of two equal extents the one that is there first stands for both. An argument's extents are, because passes will
  /// ask for them again: where another value stood for one of them, a store into the argument would be a broadcast.
  void askArgumentsFirst() {
    Block &entry = function.getBody().front();
    Operation *begin = &entry.front();
    for (DimOp dim : llvm::to_vector(entry.getOps<DimOp>()))
      if (isa<BlockArgument>(dim.getSource()) && dim != begin)
        dim->moveBefore(begin);
  }

  /// Axes of a few elements (coordinates, colours) have as many as in the first call: reductions along them are
  /// expressions then (npcc-expand-reductions), and matrices of a few rows are elements. So it is with arguments, and
  /// with what loops carry.
  void fixFew() {
    ExtentOrigins origins(function);
    for (BlockArgument argument : function.getArguments())
      fixFew(argument, origins);
    function.walk([&](Operation *loop) {
      for (CarriedArray &carried : getCarriedArrays(loop))
        for (Value array : {carried.inside, carried.result})
          if (array)
            fixFew(array, origins);
    });
  }

  void fixFew(Value argument, ExtentOrigins &origins) {
    if (!isa<ArrayType>(argument.getType()))
      return;
    OpBuilder builder(function.getContext());
    builder.setInsertionPointAfterValue(argument);
    Location loc = argument.getLoc();
    ArrayRef<int64_t> shape = getShape(argument.getType());
    SmallVector<Value> extents;
    bool areFew = false;
    for (int64_t axis = 0; axis < int64_t(shape.size()); ++axis) {
      extents.push_back(materializeExtent(builder, loc, origins.of(argument, axis)));
      IntegerAttr known = shape[axis] == ShapedType::kDynamic ? first.evaluate(extents.back()) : IntegerAttr();
      if (!known || known.getInt() < 2 || known.getInt() > fewElements)
        continue;
      first.requireEqual(extents.back(), known);
      extents.back() = arith::ConstantOp::create(builder, loc, known);
      areFew = true;
    }
    if (!areFew)
      return;
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    SmallVector<Value> offsets(extents.size(), zero), steps(extents.size(), one);
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(extents.size()));
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
      if (auto dim = dyn_cast<DimOp>(user);
          dim && dim.getResult() != extents[dim.getAxis()] && isConstant(extents[dim.getAxis()]))
        dim.replaceAllUsesWith(extents[dim.getAxis()]);
      auto load = dyn_cast<LoadOp>(user);
      if (!load)
        continue;
      builder.setInsertionPointAfter(load);
      Value view = ViewOp::create(builder, loc, load.getType(), load.getResult(), offsets, axes, extents, steps);
      load.getResult().replaceAllUsesExcept(view, view.getDefiningOp());
    }
  }

  /// What is offered already goes one way as early as it can, so that nothing is done to the other alternatives.
  void takeAlternative(ChoiceOp choice) {
    IntegerAttr known = first.evaluate(choice.getValue());
    if (!known)
      return;
    first.requireEqual(choice.getValue(), known);
    OpBuilder builder(choice);
    choice.replaceAllUsesWith(arith::ConstantOp::create(builder, choice.getLoc(), known).getResult());
    unused.push_back(choice);
  }

  static bool isConstant(Value value) { return matchPattern(value, m_Constant()); }

  /// A minimum or maximum is the operand that it is in the first call.
  void takeOperand(Operation *op, bool isMinimum) {
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    IntegerAttr left = first.evaluate(lhs), right = first.evaluate(rhs);
    if (!left || !right) {
      Value least = isMinimum ? rhs : lhs, other = isMinimum ? lhs : rhs; // where the first is no less than the other
      if (takeForLeast(op, lhs, rhs))
        op->getResult(0).replaceAllUsesWith(least);
      else if (takeForLeast(op, rhs, lhs))
        op->getResult(0).replaceAllUsesWith(other);
      return;
    }
    // Where both are, the one which it will be in more calls: slices end inside arrays, lengths are not negative.
    bool isLess = left.getInt() < right.getInt() ||
                  (left == right && (isConstant(lhs) || rhs.getDefiningOp<DimOp>()) && !isConstant(rhs));
    bool takesLeft = isLess == isMinimum;
    Value taken = takesLeft ? lhs : rhs, other = takesLeft ? rhs : lhs;
    first.require(isMinimum ? arith::CmpIPredicate::sle : arith::CmpIPredicate::sge, taken, other);
    op->getResult(0).replaceAllUsesWith(taken);
  }

  /// Whether a - b is at least `by` in the first call, in all iterations of the loops around. Other calls are asked for
  /// the same.
  bool takeForLeast(Operation *user, Value a, Value b, int64_t by = 0) {
    bool isBounded = true;
    for (const PositionSum &least : facts.getLeastDifferences(user, a, b)) {
      std::optional<int64_t> known = evaluate(least);
      isBounded &= known.has_value();
      if (known && *known >= by) {
        require(user, least, by);
        return true;
      }
    }
    return !isBounded && takeForBounds(user, a, b, by);
  }

  /// What a sum is in the first call.
  std::optional<int64_t> evaluate(const PositionSum &sum) {
    int64_t known = sum.constant;
    for (auto [value, factor] : sum.factors) {
      IntegerAttr number = first.evaluate(value);
      if (!number)
        return std::nullopt;
      known += factor * number.getInt();
    }
    return known;
  }

  /// Other calls are asked whether a sum is at least `by`.
  void require(Operation *user, const PositionSum &least, int64_t by) {
    OpBuilder builder(user);
    Location loc = user->getLoc();
    Value sum = arith::ConstantIndexOp::create(builder, loc, least.constant - by);
    for (auto [value, factor] : least.factors) {
      Value term = value;
      if (!value.getType().isIndex())
        term = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
      Value times = arith::ConstantIndexOp::create(builder, loc, factor);
      sum = builder.createOrFold<arith::AddIOp>(loc, sum, builder.createOrFold<arith::MulIOp>(loc, term, times));
    }
    first.require(arith::CmpIPredicate::sge, sum, arith::ConstantIndexOp::create(builder, loc, 0));
  }

  /// The same where positions are multiplied by numbers that are the same in all iterations: x[k * n:(k + 1) * n].
  bool takeForBounds(Operation *user, Value a, Value b, int64_t by) {
    OpBuilder builder(user);
    Location loc = user->getLoc();
    if (!b)
      b = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(a.getType(), 0));
    if (a.getType() != b.getType())
      return false;
    Value least = b;
    if (by)
      least = arith::AddIOp::create(builder, loc, b,
                                    arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(b.getType(), by)));
    auto question = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, a, least);
    Value holds = IterationBounds(builder).emitHolds(question, /*expected=*/true);
    IntegerAttr known = holds ? first.evaluate(holds) : IntegerAttr();
    if (!known || known.getValue().isZero())
      return false;
    first.requireEqual(holds, known);
    return true;
  }

  /// A comparison of positions that comes out the same in all iterations.
  void decideByLoops(arith::CmpIOp op) {
    Value lhs = op.getLhs(), rhs = op.getRhs();
    if (!lhs.getType().isIndex() || (first.evaluate(lhs) && first.evaluate(rhs)))
      return;
    using Predicate = arith::CmpIPredicate;
    Predicate predicate = op.getPredicate();
    if (predicate == Predicate::sgt || predicate == Predicate::sle) { // as a < b and its contrary
      std::swap(lhs, rhs);
      predicate = predicate == Predicate::sgt ? Predicate::slt : Predicate::sge;
    }
    if (predicate != Predicate::slt && predicate != Predicate::sge)
      return;
    bool isLess = takeForLeast(op, rhs, lhs, 1);
    if (!isLess && !takeForLeast(op, lhs, rhs))
      return;
    OpBuilder builder(op);
    Value answer = arith::ConstantIntOp::create(builder, op.getLoc(), isLess == (predicate == Predicate::slt), 1);
    op.replaceAllUsesWith(answer);
  }

  /// An index that is inside its axis in all iterations, and counts from the beginning, or from the end, in all of
  /// them.
  void takePosition(CheckIndexOp check) {
    Value position = check.getPosition(), size = check.getSize();
    if (takeForLeast(check, position, Value())) {
      if (!takeForLeast(check, size, position, 1))
        return;
    } else {
      OpBuilder builder(check);
      Value zero = arith::ConstantIndexOp::create(builder, check.getLoc(), 0);
      if (!takeForLeast(check, zero, position, 1))
        return;
      position = arith::AddIOp::create(builder, check.getLoc(), size, position);
      if (!takeForLeast(check, position, Value()))
        return;
    }
    check.replaceAllUsesWith(position);
    unused.push_back(check);
  }

  /// Whether extents alone decide the value. Integers that the function is given are others in each call more often.
  bool isOfExtents(Value value) {
    if (isa<BlockArgument>(value))
      return false;
    Operation *op = value.getDefiningOp();
    if (isa<DimOp>(op))
      return true;
    auto [known, isNew] = ofExtents.try_emplace(value, false);
    if (isNew) {
      bool areAll = llvm::all_of(op->getOperands(), [&](Value operand) { return isOfExtents(operand); });
      ofExtents[value] = areAll;
      return areAll;
    }
    return known->second;
  }

  /// An index that may count from the end (a[-n]) does as it does in the first call.
  void takeArm(arith::SelectOp op) {
    Value condition = op.getCondition();
    APInt decided;
    if (matchPattern(condition, m_ConstantInt(&decided)))
      op.replaceAllUsesWith(decided.isOne() ? op.getTrueValue() : op.getFalseValue());
    if (!op.getType().isIntOrIndex() || isConstant(condition) || !isOfExtents(condition))
      return;
    IntegerAttr known = first.evaluate(condition);
    if (!known)
      return;
    first.requireEqual(condition, known);
    op.replaceAllUsesWith(known.getValue().isOne() ? op.getTrueValue() : op.getFalseValue());
  }

  /// Python code that extents alone choose is what it is in the first call.
  void takeBranch(scf::IfOp branch) {
    Value condition = branch.getCondition();
    IntegerAttr known = isConstant(condition) || !isOfExtents(condition) ? IntegerAttr() : first.evaluate(condition);
    if (!known)
      return;
    first.requireEqual(condition, known);
    OpBuilder builder(branch);
    branch.getConditionMutable().assign(arith::ConstantOp::create(builder, branch.getLoc(), known));
    left.insert(known.getValue().isOne() ? &branch.getElseRegion() : &branch.getThenRegion());
  }

  /// Whether the operation stands in code that is not chosen.
  bool isLeft(Operation *op) const {
    for (Region *region = op->getParentRegion(); region && !left.empty(); region = region->getParentRegion())
      if (left.contains(region))
        return true;
    return false;
  }

  /// a % b of Python's integers is a - q * b, where the quotient q is what it is in the first call.
  void takeRemainder(UfuncOp op) {
    if (op.getName() != Ufunc::remainder || !op.getType().isInteger(64) || !isOfExtents(op.getResult()))
      return;
    Value lhs = op.getOperand(0), rhs = op.getOperand(1);
    IntegerAttr left = first.evaluate(lhs), right = first.evaluate(rhs);
    if (!left || !right || right.getInt() <= 0)
      return;
    int64_t quotient = llvm::divideFloorSigned(left.getInt(), right.getInt());
    if (quotient < -1 || quotient > 1)
      return;
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64), result = lhs;
    if (quotient == 1)
      result = arith::SubIOp::create(builder, loc, lhs, rhs);
    else if (quotient == -1)
      result = arith::AddIOp::create(builder, loc, lhs, rhs);
    first.require(arith::CmpIPredicate::sge, result, zero);
    first.require(arith::CmpIPredicate::slt, result, rhs);
    op.replaceAllUsesWith(result);
  }

  /// Two extents that are equal in the first call are one value: the constant, or the one that is there
  /// first.
  Value unify(Value lhs, Value rhs) {
    if (lhs == rhs)
      return lhs;
    first.require(arith::CmpIPredicate::eq, lhs, rhs);
    if (auto one = getArgument(lhs), other = getArgument(rhs); one && other)
      equal.push_back({*one, *other});
    if (isConstant(rhs) || (!isConstant(lhs) && comesFirst(rhs, lhs)))
      std::swap(lhs, rhs);
    if (isConstant(lhs)) {
      OpBuilder builder(function.getBody());
      lhs = builder.clone(*lhs.getDefiningOp())->getResult(0);
    }
    if (comesFirst(lhs, rhs))
      rhs.replaceAllUsesWith(lhs);
    return lhs;
  }

  using ArgumentExtent = std::pair<BlockArgument, int64_t>; // and its axis
  std::optional<ArgumentExtent> getArgument(Value extent) {
    auto dim = extent.getDefiningOp<DimOp>();
    auto argument = dim ? dyn_cast<BlockArgument>(dim.getSource()) : BlockArgument();
    if (!argument || argument.getOwner() != &function.getBody().front())
      return std::nullopt;
    return ArgumentExtent(argument, dim.getAxis());
  }

  /// Passes that ask for an extent of one argument get that of the other from now on, and know that they are equal.
  void sayEqual() {
    ExtentOrigins origins(function);
    auto list = function->getAttrOfType<DenseI64ArrayAttr>("np.equal_extents");
    SmallVector<int64_t> numbers(list ? list.asArrayRef() : ArrayRef<int64_t>());
    for (auto [one, other] : equal) {
      ExtentOrigin first = origins.of(one.first, one.second), second = origins.of(other.first, other.second);
      if (first == second || first.axis < 0 || second.axis < 0)
        continue;
      auto argument = cast<BlockArgument>(first.value), later = cast<BlockArgument>(second.value);
      if (std::pair(argument.getArgNumber(), first.axis) > std::pair(later.getArgNumber(), second.axis)) {
        std::swap(first, second);
        std::swap(argument, later);
      }
      llvm::append_values(numbers, int64_t(argument.getArgNumber()), first.axis, int64_t(later.getArgNumber()),
                          second.axis);
      origins.unify(second, first);
      origins.forget();
    }
    if (!numbers.empty())
      function->setAttr("np.equal_extents", DenseI64ArrayAttr::get(function.getContext(), numbers));
  }

  void takeForGranted(AssertOp check) {
    Value condition = check.getCondition();
    IntegerAttr known = isOfExtents(condition) ? first.evaluate(condition) : IntegerAttr();
    if (!known || !known.getValue().isOne())
      return;
    auto compare = condition.getDefiningOp<arith::CmpIOp>();
    if (compare && compare.getPredicate() == arith::CmpIPredicate::eq)
      unify(compare.getLhs(), compare.getRhs());
    else if (!isConstant(condition))
      first.requireEqual(condition, known);
    unused.push_back(check);
  }

  void takeForEqual(BroadcastExtentOp meet) {
    Value lhs = meet.getLhs(), rhs = meet.getRhs();
    IntegerAttr left = first.evaluate(lhs), right = first.evaluate(rhs);
    if (!left || left != right)
      return;
    meet.getResult().replaceAllUsesWith(unify(lhs, rhs));
    unused.push_back(meet);
  }

  /// What is not stretched in the first call has the extents of the result, as SSA values.
  void restate(BroadcastOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    SmallVector<Value> extents = getExtents(builder, loc, op.getSource());
    ArrayRef<int64_t> shape = getShape(op.getSource().getType());
    ValueRange wanted = op.getExtents().take_back(extents.size());
    bool isChanged = false;
    for (auto [axis, extent] : llvm::enumerate(extents)) {
      IntegerAttr mine = shape[axis] == 1 ? IntegerAttr() : first.evaluate(extent);
      if (!mine || extent == wanted[axis] || mine != first.evaluate(wanted[axis]))
        continue;
      first.require(arith::CmpIPredicate::eq, extent, wanted[axis]);
      extent = wanted[axis];
      isChanged = true;
    }
    // The extents of values are made of others, where these are known.
    auto isUnknown = [](Value extent) {
      auto dim = extent.getDefiningOp<DimOp>();
      return dim && isa<RankedTensorType>(dim.getSource().getType());
    };
    if (!isChanged || llvm::any_of(extents, isUnknown))
      return;
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    SmallVector<Value> offsets(extents.size(), zero), steps(extents.size(), one);
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(extents.size()));
    Value view = ViewOp::create(builder, loc, op.getSource().getType(), op.getSource(), offsets, axes, extents, steps);
    op.getSourceMutable().assign(view);
  }

  /// Whether `value` is there wherever `other` is.
  bool comesFirst(Value value, Value other) {
    return value != other && other.getDefiningOp() && dominance.properlyDominates(value, other.getDefiningOp());
  }

  func::FuncOp function;
  DominanceInfo dominance;
  FirstCall first;
  BranchFacts facts;
  SmallVector<Operation *> unused;
  llvm::SmallPtrSet<Region *, 4> left; // of branches that go the other way
  llvm::DenseMap<Value, bool> ofExtents;
  SmallVector<std::pair<ArgumentExtent, ArgumentExtent>> equal;
};

struct AssumeExtents : impl::AssumeExtentsBase<AssumeExtents> {
  void runOnOperation() override {
    for (auto function : llvm::make_early_inc_range(cast<ModuleOp>(getOperation()).getOps<func::FuncOp>()))
      if (!function.isDeclaration() && FirstCall::isKnown(function))
        Assumptions(function).make();
  }
};
} // namespace
} // namespace npcc
