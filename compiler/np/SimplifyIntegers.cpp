// Arithmetic of Python's integers that cannot overflow needs no check.
//
//   %ok = np.fits add(%i, %c1)  np.assert %ok, "OverflowError" ...    ->    nothing, where %i counts to an extent
//
// Nor do integers need one that become elements of a dtype which is wide enough for them.
//
// What is known comes from three places: the ranges of values (upstream's analysis, which asks the operations);
// counters, which a loop changes by small constants only and which therefore do not reach the end of 64 bits in any
// time that anybody waits; and, in the fast version of a function, integer arguments that are taken for small. That is
// an assumption like the others of the fast version, made only where it saves a check: the function gets the attribute
// `np.small_integers`, and the runtime looks at the arguments.
#include "compiler/memory/IntegerRanges.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Checks.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"

namespace npcc {
#define GEN_PASS_DEF_SIMPLIFYINTEGERS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// NPCC_ASSUME_SMALL_INTEGERS of the runtime.
constexpr int64_t smallInteger = int64_t(1) << 31;
/// A counter that starts below 2^62 and changes by this much at most takes 2^54 iterations to leave 64 bits: months at
/// one a nanosecond.
constexpr int64_t smallStep = 256;

/// What the fast version takes an integer argument for.
std::optional<ConstantIntRanges> smallRange(func::FuncOp function, BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  if (!argument.getType().isInteger(64) || !function.getArgAttr(number, "np.weak") ||
      function.getArgAttr(number, "np.string"))
    return std::nullopt;
  return ConstantIntRanges::fromSigned(APInt(64, -smallInteger, true), APInt(64, smallInteger));
}

/// Which checks can fail, after one run of the analysis.
class Prover {
public:
  Prover(func::FuncOp function, bool assumesSmall)
      : ranges(function, [=](BlockArgument argument) {
          return assumesSmall ? smallRange(function, argument) : std::nullopt;
        }) {}

  bool holds(FitsOp op) {
    ConstantIntRanges lhs = ranges.lookup(op.getLhs()), rhs = ranges.lookup(op.getRhs());
    if (alwaysFits(op.getKind(), lhs, rhs))
      return true;
    bool isAdd = op.getKind() == Arithmetic::add, isSubtract = op.getKind() == Arithmetic::subtract;
    DenseSet<Value> seen;
    return ((isAdd || isSubtract) && isSmallStep(op.getRhs()) && isCounter(op.getLhs(), seen)) ||
           (isAdd && isSmallStep(op.getLhs()) && isCounter(op.getRhs(), seen));
  }

  /// Whether a condition is true whatever its operands are in the program.
  bool holds(Value condition) { return ranges.decide(condition) == true; }

private:
  static bool isSmallStep(Value value) {
    APInt step;
    return matchPattern(value, m_ConstantInt(&step)) && step.abs().ule(smallStep);
  }

  /// Does every way to the value start below 2^62 and then add small steps only? `seen`: what is taken for granted on
  /// the way around a loop.
  bool isCounter(Value value, DenseSet<Value> &seen) {
    if (!seen.insert(value).second)
      return true;
    if (value.getDefiningOp<ub::PoisonOp>()) // on the way out of a loop, where nobody asks for it
      return true;
    ConstantIntRanges range = ranges.lookup(value);
    APInt limit(range.smin().getBitWidth(), 0);
    limit.setBit(limit.getBitWidth() - 2);
    if (range.smin().sge(-limit) && range.smax().sle(limit))
      return true;
    auto all = [&](std::initializer_list<Value> sources) {
      return llvm::all_of(sources, [&](Value source) { return isCounter(source, seen); });
    };
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *parent = argument.getOwner()->getParentOp();
      unsigned number = argument.getArgNumber();
      if (auto loop = dyn_cast<scf::ForOp>(parent))
        return number > 0 && all({loop.getInitArgs()[number - 1], loop.getYieldedValues()[number - 1]});
      if (auto loop = dyn_cast<scf::WhileOp>(parent))
        return argument.getOwner() == loop.getBeforeBody()
                   ? all({loop.getInits()[number], loop.getYieldOp().getResults()[number]})
                   : all({loop.getConditionOp().getArgs()[number]});
      return false;
    }
    unsigned number = cast<OpResult>(value).getResultNumber();
    Operation *op = value.getDefiningOp();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return all({loop.getInitArgs()[number], loop.getYieldedValues()[number]});
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return all({loop.getConditionOp().getArgs()[number]});
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return all({branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)});
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return all({select.getTrueValue(), select.getFalseValue()});
    if (auto cast = dyn_cast<arith::IndexCastOp>(op))
      return all({cast.getIn()});
    if (isa<arith::AddIOp>(op) && isSmallStep(op->getOperand(0)))
      return all({op->getOperand(1)});
    return isa<arith::AddIOp, arith::SubIOp>(op) && isSmallStep(op->getOperand(1)) && all({op->getOperand(0)});
  }

  IntegerRanges ranges;
};

struct SimplifyIntegers : impl::SimplifyIntegersBase<SimplifyIntegers> {
  /// Drops the checks that hold. Returns whether there were any such.
  bool drop(SmallVector<FitsOp> &checks, bool assumesSmall) {
    if (checks.empty())
      return false;
    Prover prover(getOperation(), assumesSmall);
    SmallVector<FitsOp> proven, rest;
    for (FitsOp check : checks)
      (prover.holds(check) ? proven : rest).push_back(check);
    for (FitsOp check : proven) {
      for (Operation *user : llvm::make_early_inc_range(check->getUsers()))
        if (isa<AssertOp>(user))
          user->erase();
      OpBuilder builder(check);
      check.replaceAllUsesWith(arith::ConstantIntOp::create(builder, check.getLoc(), 1, 1).getResult());
      check.erase();
    }
    checks = std::move(rest);
    return !proven.empty();
  }

  /// Integers that an array's dtype is wide enough for.
  void dropBounds(func::FuncOp function) {
    SmallVector<AssertOp> bounds;
    function.walk([&](AssertOp op) {
      if (op.getError() == "OverflowError" && !op.getCondition().getDefiningOp<FitsOp>())
        bounds.push_back(op);
    });
    if (bounds.empty())
      return;
    Prover prover(function, /*assumesSmall=*/false);
    for (AssertOp op : bounds)
      if (prover.holds(op.getCondition()))
        op.erase();
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    dropBounds(function);
    SmallVector<FitsOp> checks;
    function.walk([&](FitsOp op) { checks.push_back(op); });
    drop(checks, /*assumesSmall=*/false);
    if (!function->hasAttr("np.general") && drop(checks, /*assumesSmall=*/true))
      function->setAttr("np.small_integers", UnitAttr::get(&getContext()));
  }
};
} // namespace
} // namespace npcc
