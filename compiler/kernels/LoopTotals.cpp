#include "compiler/kernels/LoopTotals.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace npcc;
using arith::AtomicRMWKind;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

bool Total::isExact() const { return kind != AtomicRMWKind::addf && kind != AtomicRMWKind::mulf; }

Value Total::emitNeutral(OpBuilder &builder, Location loc, Type type) const {
  return arith::getIdentityValue(kind, type, builder, loc);
}

Value Total::combine(OpBuilder &builder, Location loc, Value lhs, Value rhs) const {
  return arith::getReductionOp(kind, builder, loc, lhs, rhs);
}

Value Total::finish(OpBuilder &builder, Location loc, Value init, Value total) const {
  if (!skipsNan)
    return combine(builder, loc, init, total);
  auto predicate = kind == AtomicRMWKind::maximumf ? CmpFPredicate::OGT : CmpFPredicate::OLT;
  Value isBeyond = arith::CmpFOp::create(builder, loc, predicate, total, init);
  return arith::SelectOp::create(builder, loc, isBeyond, total, init);
}

void npcc::emitReduction(OpBuilder &builder, Location loc, ArrayRef<Total> totals, ValueRange parts) {
  auto reduce = scf::ReduceOp::create(builder, loc, parts);
  OpBuilder::InsertionGuard guard(builder);
  for (auto [region, total] : llvm::zip_equal(reduce.getReductions(), totals)) {
    Block &block = region.front();
    builder.setInsertionPointToStart(&block);
    scf::ReduceReturnOp::create(builder, loc, total.combine(builder, loc, block.getArgument(0), block.getArgument(1)));
  }
}

namespace {
/// Follows a carried value from what is yielded back to what came in.
class Chain {
public:
  explicit Chain(scf::ForOp loop) : loop(loop) {}

  std::optional<Total> find(unsigned number) {
    OpOperand &yielded = loop.getBody()->getTerminator()->getOpOperand(number);
    if (!follow(yielded, loop.getRegionIterArg(number)) || !total || !isAllThatUsesIt())
      return std::nullopt;
    return total;
  }

private:
  /// Whether what `use` uses is made of `start` by nothing but combining.
  bool follow(OpOperand &use, Value start) {
    uses.insert(&use);
    Value value = use.get();
    bool isNew = values.insert(value);
    if (value == start)
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || !isNew || !loop->isProperAncestor(op))
      return false;
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      unsigned number = cast<OpResult>(value).getResultNumber();
      return followArms(branch.getConditionMutable(), branch.thenYield()->getOpOperand(number),
                        branch.elseYield()->getOpOperand(number), start);
    }
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return followArms(select.getConditionMutable(), select.getTrueValueMutable(), select.getFalseValueMutable(),
                        start);
    if (auto inner = dyn_cast<scf::ForOp>(op)) {
      unsigned number = cast<OpResult>(value).getResultNumber();
      return follow(inner.getBody()->getTerminator()->getOpOperand(number), inner.getRegionIterArg(number)) &&
             follow(inner.getInitArgsMutable()[number], start);
    }
    std::optional<AtomicRMWKind> kind = getKind(op);
    if (!kind || !agrees({*kind}))
      return false;
    bool isDifference = isa<arith::SubIOp, arith::SubFOp>(op);
    for (unsigned side : {0, 1})
      if (leadsTo(op->getOperand(side), start))
        return (side == 0 || !isDifference) && follow(op->getOpOperand(side), start);
    return false;
  }

  bool followArms(OpOperand &condition, OpOperand &yes, OpOperand &no, Value start) {
    for (auto [flag, other] : {std::pair(&yes, &no), std::pair(&no, &yes)}) // a flag that is set
      if (flag->get().getType().isInteger(1) && matchPattern(flag->get(), m_Constant()))
        return agrees({matchPattern(flag->get(), m_One()) ? AtomicRMWKind::ori : AtomicRMWKind::andi}) &&
               follow(*other, start);
    if (leadsTo(yes.get(), start) && leadsTo(no.get(), start))
      return follow(yes, start) && follow(no, start);
    return followExtremum(condition, yes, no, start);
  }

  /// x > t ? x : t in any of its forms.
  bool followExtremum(OpOperand &condition, OpOperand &yes, OpOperand &no, Value start) {
    Operation *compare = condition.get().getDefiningOp();
    if (!isa_and_nonnull<arith::CmpIOp, arith::CmpFOp>(compare))
      return false;
    bool takesElement = leadsTo(no.get(), start); // where the condition holds
    Value element = (takesElement ? yes : no).get();
    OpOperand &sofar = takesElement ? no : yes;
    bool isFirst = compare->getOperand(0) == element;
    if (compare->getOperand(!isFirst) != element || compare->getOperand(isFirst) != sofar.get() ||
        leadsTo(element, start))
      return false;
    std::optional<Total> found = isa<arith::CmpIOp>(compare)
                                     ? getExtremum(cast<arith::CmpIOp>(compare).getPredicate(), isFirst == takesElement)
                                     : getExtremum(cast<arith::CmpFOp>(compare).getPredicate(), isFirst, takesElement);
    uses.insert(&condition);
    uses.insert(&compare->getOpOperand(isFirst));
    values.insert(condition.get());
    return found && agrees(*found) && follow(sofar, start);
  }

  /// `element predicate sofar` chooses the element, or `sofar predicate element`.
  static std::optional<Total> getExtremum(CmpIPredicate predicate, bool isFirst) {
    switch (predicate) {
    case CmpIPredicate::sgt:
    case CmpIPredicate::sge:
      return Total{isFirst ? AtomicRMWKind::maxs : AtomicRMWKind::mins};
    case CmpIPredicate::slt:
    case CmpIPredicate::sle:
      return Total{isFirst ? AtomicRMWKind::mins : AtomicRMWKind::maxs};
    default:
      return std::nullopt;
    }
  }

  /// A comparison with NaN is false: where it chooses the element, that is never a NaN.
  static std::optional<Total> getExtremum(CmpFPredicate predicate, bool isFirst, bool takesElement) {
    if (!takesElement)
      return std::nullopt;
    switch (predicate) {
    case CmpFPredicate::OGT:
    case CmpFPredicate::OGE:
      return Total{isFirst ? AtomicRMWKind::maximumf : AtomicRMWKind::minimumf, /*skipsNan=*/true};
    case CmpFPredicate::OLT:
    case CmpFPredicate::OLE:
      return Total{isFirst ? AtomicRMWKind::minimumf : AtomicRMWKind::maximumf, /*skipsNan=*/true};
    default:
      return std::nullopt;
    }
  }

  static std::optional<AtomicRMWKind> getKind(Operation *op) {
    if (isa<arith::AddIOp, arith::SubIOp>(op))
      return AtomicRMWKind::addi;
    if (isa<arith::AddFOp, arith::SubFOp>(op))
      return AtomicRMWKind::addf;
    if (isa<arith::MulIOp>(op))
      return AtomicRMWKind::muli;
    if (isa<arith::MulFOp>(op))
      return AtomicRMWKind::mulf;
    if (isa<arith::OrIOp>(op))
      return AtomicRMWKind::ori;
    if (isa<arith::AndIOp>(op))
      return AtomicRMWKind::andi;
    if (isa<arith::MaxSIOp>(op))
      return AtomicRMWKind::maxs;
    if (isa<arith::MinSIOp>(op))
      return AtomicRMWKind::mins;
    if (isa<arith::MaximumFOp>(op))
      return AtomicRMWKind::maximumf;
    if (isa<arith::MinimumFOp>(op))
      return AtomicRMWKind::minimumf;
    return std::nullopt;
  }

  bool agrees(Total other) {
    if (!total)
      total = other;
    return total->kind == other.kind && total->skipsNan == other.skipsNan;
  }

  /// Whether `value` depends on `start`, in the same iteration.
  bool leadsTo(Value value, Value start) {
    if (value == start)
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || !loop->isProperAncestor(op))
      return false;
    auto [place, isNew] = known.insert({{value, start}, false});
    if (!isNew)
      return place->second;
    bool leads = false;
    op->walk([&](Operation *inside) {
      leads |= llvm::any_of(inside->getOperands(), [&](Value operand) { return leadsTo(operand, start); });
    });
    return known[{value, start}] = leads;
  }

  /// What combines is all that uses the values on the way.
  bool isAllThatUsesIt() {
    return llvm::all_of(values, [&](Value value) {
      return llvm::all_of(value.getUses(), [&](OpOperand &use) { return uses.contains(&use); });
    });
  }

  scf::ForOp loop;
  std::optional<Total> total;
  llvm::SetVector<Value> values;
  llvm::SmallPtrSet<OpOperand *, 16> uses; // those that combine
  llvm::DenseMap<std::pair<Value, Value>, bool> known;
};
} // namespace

std::optional<Total> npcc::findTotal(scf::ForOp loop, unsigned number) { return Chain(loop).find(number); }
