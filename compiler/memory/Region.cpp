// Which regions of arrays may name the same elements.
#include "compiler/memory/Region.h"
#include "compiler/memory/Accesses.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {

bool isSameRegion(Value a, Value b) {
  if (a == b)
    return true;
  auto first = a.getDefiningOp<ViewOp>(), second = b.getDefiningOp<ViewOp>();
  return first && second && first.getSource() == second.getSource() && first.getAxes() == second.getAxes() &&
         llvm::equal(first.getOffsets(), second.getOffsets()) && llvm::equal(first.getExtents(), second.getExtents()) &&
         llvm::equal(first.getSteps(), second.getSteps());
}

/// Whether a position does not count from the end: by the ends of the loops around it, from 0 and from a constant on.
static bool isNeverNegative(LinearForm form, Operation *function) {
  auto getSpan = [](const Term &term) {
    auto argument = dyn_cast<BlockArgument>(term.leaf);
    auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
    return loop && argument == loop.getInductionVar() && !term.scale ? loop : scf::ForOp();
  };
  for (;;) {
    const Term *found = llvm::find_if(form.terms, [&](const Term &term) { return bool(getSpan(term)); });
    if (found == form.terms.end())
      return form.terms.empty() && form.constant >= 0;
    Term term = *found;
    scf::ForOp loop = getSpan(term);
    APInt first;
    if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&first)) || first.isNegative())
      return false;
    LinearForm bound{first.getSExtValue(), {}};
    if (term.factor < 0) {
      // A loop to max(n, 0) has iterations only where that is n.
      Value end = loop.getUpperBound();
      auto most = end.getDefiningOp<arith::MaxSIOp>();
      bound = getLinearForm(most && matchPattern(most.getRhs(), m_Zero()) ? most.getLhs() : end, function);
      bound.constant -= 1;
    }
    addScaled(form, LinearForm{0, {term}}, -1);
    addScaled(form, bound, term.factor);
  }
}

/// Whether positions of one iteration differ by a constant, and neither counts from the end.
static bool areApart(Value a, Value b) {
  Operation *function = a.getParentRegion()->getParentOfType<func::FuncOp>();
  LinearForm first = getLinearForm(a, function), second = getLinearForm(b, function), distance = first;
  addScaled(distance, second, -1);
  return distance.terms.empty() && distance.constant != 0 && isNeverNegative(first, function) &&
         isNeverNegative(second, function);
}

/// Are the positions known, and different ones? Those that count from the end of an axis are, if both do, and if it is
/// the same end.
static bool areDifferent(Value a, Value b) {
  auto first = a.getDefiningOp<CheckIndexOp>(), second = b.getDefiningOp<CheckIndexOp>();
  APInt x, y;
  bool areKnown = matchPattern(first ? first.getPosition() : a, m_ConstantInt(&x)) &&
                  matchPattern(second ? second.getPosition() : b, m_ConstantInt(&y));
  if (!areKnown)
    return areApart(first ? first.getPosition() : a, second ? second.getPosition() : b);
  if (x == y || x.isNegative() != y.isNegative())
    return false;
  return !x.isNegative() || (first && second && first.getSize() == second.getSize());
}

namespace {
/// The positions of the source that a view has along an axis: from `least` to `most`.
struct Range {
  LinearForm least, most;
};
} // namespace

static std::optional<Range> getRange(ViewOp view, int64_t axis) {
  Operation *function = view->getParentOfType<func::FuncOp>();
  Value offset = view.getOffsets()[axis];
  auto check = offset.getDefiningOp<CheckIndexOp>();
  LinearForm first = getLinearForm(check ? check.getPosition() : offset, function);
  auto along = llvm::count(view.getAxes(), axis);
  if (along == 0)
    return isNeverNegative(first, function) ? std::optional(Range{first, first}) : std::nullopt;
  size_t number = llvm::find(view.getAxes(), axis) - view.getAxes().begin();
  APInt step;
  if (along > 1 || !matchPattern(view.getSteps()[number], m_ConstantInt(&step)))
    return std::nullopt;
  LinearForm last = first, length = getLinearForm(view.getExtents()[number], function);
  length.constant -= 1;
  addScaled(last, length, step.getSExtValue());
  return step.isNegative() ? Range{last, first} : Range{first, last};
}

/// Whether one range ends before the other one begins, wherever that is. (Of a range without positions that is so too.)
static bool areApart(const Range &a, const Range &b) {
  auto isBehind = [](LinearForm first, const LinearForm &last) {
    addScaled(first, last, -1);
    return first.terms.empty() && first.constant >= 1;
  };
  return isBehind(a.least, b.most) || isBehind(b.least, a.most);
}

/// Are the positions that the two views have along some axis different ones?
static bool areDisjoint(ViewOp a, ViewOp b) {
  for (int64_t axis = 0; axis < getRank(a.getSource().getType()); ++axis) {
    bool areRows = !llvm::is_contained(a.getAxes(), axis) && !llvm::is_contained(b.getAxes(), axis);
    if (areRows && areDifferent(a.getOffsets()[axis], b.getOffsets()[axis]))
      return true;
    std::optional<Range> first = getRange(a, axis), second = getRange(b, axis);
    if (!areRows && first && second && areApart(*first, *second))
      return true;
  }
  return false;
}

bool mayOverlap(Value a, Value b, bool general) {
  if (!mayAlias(a, b, general))
    return false;
  auto first = a.getDefiningOp<ViewOp>(), second = b.getDefiningOp<ViewOp>();
  return !(first && second && first.getSource() == second.getSource() && areDisjoint(first, second));
}

int64_t countMovingAxes(Value array) {
  auto view = array.getDefiningOp<ViewOp>();
  return view ? llvm::count_if(view.getAxes(), [](int64_t axis) { return axis >= 0; }) : getRank(array.getType());
}

void collectAccesses(Operation *op, SmallVectorImpl<Value> &read, SmallVectorImpl<Value> &written) {
  op->walk([&](Operation *inner) {
    auto interface = dyn_cast<MemoryEffectOpInterface>(inner);
    if (!interface)
      return;
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      Value array = effect.getValue();
      // What an operation makes itself nobody else has yet.
      if (!array || array.getDefiningOp() == inner)
        continue;
      if (isa<MemoryEffects::Read>(effect.getEffect()))
        read.push_back(array);
      else if (isa<MemoryEffects::Write>(effect.getEffect()))
        written.push_back(array);
    }
  });
}

bool leaveArrays(Operation *first, Operation *last) {
  auto leaves = [](Operation *op) {
    SmallVector<Value> read, written;
    collectAccesses(op, read, written);
    return written.empty() && !hasUnknownEffects(op);
  };
  for (; last->getBlock() != first->getBlock(); last = last->getParentOp()) {
    if (!isa<scf::IfOp>(last->getParentOp()))
      return false;
    for (Operation *op = &last->getBlock()->front(); op != last; op = op->getNextNode())
      if (!leaves(op))
        return false;
  }
  for (Operation *op = first->getNextNode(); op != last; op = op->getNextNode())
    if (!leaves(op))
      return false;
  return true;
}

} // namespace npcc
