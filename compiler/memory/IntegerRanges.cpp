#include "compiler/memory/IntegerRanges.h"
#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace npcc {
namespace {

/// An item of range(start, stop, step) with a step whose sign is not known when it is imported:
/// start + k * step, where k counts to ceildiv(max(stop - start, 0), step).
struct Item {
  Value start, stop, step;
};

/// The difference that a loop counts through if its step is positive.
arith::SubIOp getDistance(Value distance) {
  if (auto select = distance.getDefiningOp<arith::SelectOp>()) {
    auto isUp = select.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!isUp || isUp.getPredicate() != arith::CmpIPredicate::sgt || !matchPattern(isUp.getRhs(), m_Zero()))
      return {};
    distance = select.getTrueValue();
  }
  return distance.getDefiningOp<arith::SubIOp>();
}

std::optional<Item> getItem(Value start, Value offset) {
  auto product = offset.getDefiningOp<arith::MulIOp>();
  auto counter = product ? dyn_cast<BlockArgument>(product.getLhs()) : BlockArgument();
  auto loop = counter ? dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp()) : scf::ForOp();
  if (!loop || counter != loop.getInductionVar() || !matchPattern(loop.getLowerBound(), m_Zero()) ||
      !matchPattern(loop.getStep(), m_One()))
    return std::nullopt;
  auto trips = loop.getUpperBound().getDefiningOp<arith::CeilDivSIOp>();
  auto most = trips ? trips.getLhs().getDefiningOp<arith::MaxSIOp>() : arith::MaxSIOp();
  if (!most || !matchPattern(most.getRhs(), m_Zero()))
    return std::nullopt;
  arith::SubIOp distance = getDistance(most.getLhs());
  Value magnitude = trips.getRhs(), step = product.getRhs();
  if (auto select = magnitude.getDefiningOp<arith::SelectOp>())
    magnitude = select.getTrueValue();
  if (!distance || distance.getRhs() != start || magnitude != step)
    return std::nullopt;
  return Item{start, distance.getLhs(), step};
}

std::optional<Item> getItem(Operation *op) {
  if (!isa<arith::AddIOp>(op))
    return std::nullopt;
  std::optional<Item> item = getItem(op->getOperand(0), op->getOperand(1));
  return item ? item : getItem(op->getOperand(1), op->getOperand(0));
}

struct Analysis : dataflow::IntegerRangeAnalysis {
  Analysis(DataFlowSolver &solver, func::FuncOp function, IntegerRanges::Parameters parameters)
      : IntegerRangeAnalysis(solver), function(function), parameters(std::move(parameters)) {}

  void setToEntryState(dataflow::IntegerValueRangeLattice *lattice) override {
    auto argument = dyn_cast<BlockArgument>(lattice->getAnchor());
    std::optional<ConstantIntRanges> range;
    if (parameters && argument && argument.getOwner() == &function.getBody().front())
      range = parameters(argument);
    if (!range)
      return IntegerRangeAnalysis::setToEntryState(lattice);
    propagateIfChanged(lattice, lattice->join(IntegerValueRange(*range)));
  }

  /// Items of a range with a positive step are not below its start, and below its stop.
  /// Upstream's analysis follows a sum around a loop for as long as its range grows by one step each time, which is
  /// 2^64 steps. A result that was found this often is taken for any number.
  LogicalResult visitOperation(Operation *op, ArrayRef<const dataflow::IntegerValueRangeLattice *> operands,
                               ArrayRef<dataflow::IntegerValueRangeLattice *> results) override {
    if (std::optional<Item> item = getItem(op)) {
      const IntegerValueRange &start = watch(op, item->start), &stop = watch(op, item->stop),
                              &step = watch(op, item->step);
      if (start.isUninitialized() || stop.isUninitialized() || step.isUninitialized())
        return success(); // this is called again when they are known
      if (step.getValue().smin().isStrictlyPositive()) {
        APInt first = start.getValue().smin(), last = stop.getValue().smax() - 1;
        auto range = ConstantIntRanges::fromSigned(first, llvm::APIntOps::smax(first, last));
        propagateIfChanged(results[0], results[0]->join(IntegerValueRange(range)));
        return success();
      }
    }
    constexpr unsigned mostVisits = 8;
    if (++visits[op] <= mostVisits)
      return IntegerRangeAnalysis::visitOperation(op, operands, results);
    for (dataflow::IntegerValueRangeLattice *result : results)
      propagateIfChanged(result, result->join(IntegerValueRange::getMaxRange(result->getAnchor())));
    return success();
  }

  /// The range of a value that an operation's result follows from.
  const IntegerValueRange &watch(Operation *op, Value value) {
    return getLatticeElementFor(getProgramPointAfter(op), value)->getValue();
  }

  func::FuncOp function;
  IntegerRanges::Parameters parameters;
  DenseMap<Operation *, unsigned> visits;
};

} // namespace

IntegerRanges::IntegerRanges(func::FuncOp function, Parameters parameters) {
  solver.load<dataflow::DeadCodeAnalysis>();
  solver.load<dataflow::SparseConstantPropagation>();
  solver.load<Analysis>(function, std::move(parameters));
  works = succeeded(solver.initializeAndRun(function));
}

ConstantIntRanges IntegerRanges::lookup(Value value) const {
  auto *state = works ? solver.lookupState<dataflow::IntegerValueRangeLattice>(value) : nullptr;
  bool isKnown = state && !state->getValue().isUninitialized();
  return isKnown ? state->getValue().getValue()
                 : ConstantIntRanges::maxRange(ConstantIntRanges::getStorageBitwidth(value.getType()));
}

std::optional<bool> IntegerRanges::decide(Value condition) const {
  std::optional<APInt> constant = lookup(condition).getConstantValue();
  return constant ? std::optional(constant->isOne()) : std::nullopt;
}

static ConstantIntRanges inferRange(Value value, DenseMap<Value, ConstantIntRanges> &known) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  auto range = ConstantIntRanges::maxRange(ConstantIntRanges::getStorageBitwidth(value.getType()));
  auto op = value.getDefiningOp<InferIntRangeInterface>();
  bool isOfNumbers =
      op && !op->getNumRegions() && llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrIndex(); });
  if (isOfNumbers) {
    SmallVector<IntegerValueRange> operands;
    for (Value operand : op->getOperands())
      operands.push_back(operand.getType().isIntOrIndex() ? IntegerValueRange(inferRange(operand, known))
                                                          : IntegerValueRange());
    op.inferResultRangesFromOptional(operands, [&](Value result, const IntegerValueRange &inferred) {
      if (result == value && !inferred.isUninitialized())
        range = inferred.getValue();
    });
  }
  return known.try_emplace(value, range).first->second;
}

std::optional<bool> decideByRanges(Value condition) {
  if (!condition.getType().isInteger(1))
    return std::nullopt;
  DenseMap<Value, ConstantIntRanges> known;
  std::optional<APInt> constant = inferRange(condition, known).getConstantValue();
  return constant ? std::optional(constant->isOne()) : std::nullopt;
}

} // namespace npcc
