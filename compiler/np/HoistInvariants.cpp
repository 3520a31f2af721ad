// npcc-hoist-invariants: what a loop would sum, sort or multiply anew in each iteration, though it stays the same, is
// computed once before it.
//
//   scf.for %k {                                      %x = np.load %a
//     %x = np.load %a                  // no store     %m = np.reduce "maximum" %x
//     %m = np.reduce "maximum" %x            ->        scf.for %k {
//     ... %m ...                                         ... %m ...
//   }                                                  }
//
// Only what goes through many elements for each of its own (ElementCost::Walk and Whole): functions of single elements
// cost a kernel of the loop less than reading what was computed of them before. What an operation is made of is
// computed before the loop as well, and stays in the loop where others need it. NumPy's errors (a maximum of no
// element) are raised where they were. A loop that has no iteration computes it for nothing. Nothing leaves the loop
// that stands behind a check of extents there: where the check would fail, a product would read beyond its operands.
#include "compiler/memory/Aliasing.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npcc {
#define GEN_PASS_DEF_HOISTINVARIANTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
class Hoist {
public:
  Hoist(LoopLikeOpInterface loop, Aliasing &aliasing) : loop(loop), aliasing(aliasing), builder(loop) {}

  void run() {
    for (Region *region : loop.getLoopRegions())
      for (Operation &op : llvm::make_early_inc_range(region->front())) {
        if (isCheckOfExtents(&op))
          return;
        if (getElementCost(&op) >= ElementCost::Walk && isInvariant(&op))
          hoist(&op);
      }
  }

private:
  /// Whether code behind the operation may rely on extents that it checks. Whether an array is empty does not matter.
  static bool isCheckOfExtents(Operation *op) {
    auto assertion = dyn_cast<AssertOp>(op);
    auto compare = assertion ? assertion.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
    bool isOfEmpty = compare && compare.getPredicate() == arith::CmpIPredicate::ne &&
                     compare.getLhs().getDefiningOp<DimOp>() && matchPattern(compare.getRhs(), m_Zero());
    return isa<BroadcastExtentOp>(op) || (assertion && !isOfEmpty);
  }

  bool isInvariant(Value value) {
    return loop.isDefinedOutsideOfLoop(value) || (value.getDefiningOp() && isInvariant(value.getDefiningOp()));
  }
  /// Whether the operation, which stands in the loop, gives the same in all iterations, and may be run without one.
  bool isInvariant(Operation *op) {
    auto [known, isNew] = invariant.try_emplace(op, false);
    if (!isNew)
      return known->second;
    bool isCode = op->getNumRegions() == 0 && isMemoryEffectFree(op) && isSpeculatable(op);
    // Elements of an array that the loop does not change are those from before it.
    if (auto load = dyn_cast<LoadOp>(op))
      isCode = !aliasing.mayWriteTo(loop, load.getArray());
    return invariant[op] =
               isCode && llvm::all_of(op->getOperands(), [&](Value operand) { return isInvariant(operand); });
  }

  void hoist(Operation *op) {
    for (Value operand : op->getOperands())
      copyBefore(operand);
    op->replaceAllUsesWith(builder.clone(*op, copies));
    // Another operation may get its memory, and must not be taken for it.
    for (Value result : op->getResults())
      copies.erase(result);
    copies.erase(op);
    invariant.erase(op);
    op->erase();
  }
  /// Computes a value of the loop before it.
  void copyBefore(Value value) {
    if (loop.isDefinedOutsideOfLoop(value) || copies.contains(value))
      return;
    for (Value operand : value.getDefiningOp()->getOperands())
      copyBefore(operand);
    builder.clone(*value.getDefiningOp(), copies);
  }

  LoopLikeOpInterface loop;
  Aliasing &aliasing;
  OpBuilder builder;
  IRMapping copies;
  llvm::DenseMap<Operation *, bool> invariant;
};

struct HoistInvariants : impl::HoistInvariantsBase<HoistInvariants> {
  void runOnOperation() override {
    Aliasing aliasing(getOperation()->hasAttr("np.general"));
    // Inner loops first: what leaves one may leave the loop around it, too.
    getOperation()->walk([&](LoopLikeOpInterface loop) { Hoist(loop, aliasing).run(); });
  }
};
} // namespace
} // namespace npcc
