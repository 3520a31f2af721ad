// Which regions of arrays may name the same elements.
#include "compiler/memory/Region.h"
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

/// Are the positions known, and different ones? Those that count from the end of an axis are, if both do, and if it is the same end.
static bool areDifferent(Value a, Value b) {
  auto first = a.getDefiningOp<CheckIndexOp>(), second = b.getDefiningOp<CheckIndexOp>();
  APInt x, y;
  bool areKnown = matchPattern(first ? first.getPosition() : a, m_ConstantInt(&x)) && matchPattern(second ? second.getPosition() : b, m_ConstantInt(&y));
  if (!areKnown || x == y || x.isNegative() != y.isNegative())
    return false;
  return !x.isNegative() || (first && second && first.getSize() == second.getSize());
}

/// Do the two views pick one row each, and different ones, along some axis?
static bool areDisjoint(ViewOp a, ViewOp b) {
  for (int64_t axis = 0; axis < getRank(a.getSource().getType()); ++axis) {
    if (llvm::is_contained(a.getAxes(), axis) || llvm::is_contained(b.getAxes(), axis))
      continue;
    if (areDifferent(a.getOffsets()[axis], b.getOffsets()[axis]))
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

} // namespace npcc
