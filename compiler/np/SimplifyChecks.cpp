// Checks that cannot fail, or that were made already, disappear.
//
//   scf.for %i = %c0 to %n step %c1 {              scf.for %i = %c0 to %n step %c1 {
//     %a = np.check_index %i of %n axis 0    ->      use %i twice
//     %b = np.check_index %i of %n axis 0          }
//     use %a, %b }
#include "compiler/memory/Extents.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Checks.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

namespace npcc {
#define GEN_PASS_DEF_SIMPLIFYCHECKS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
struct SimplifyChecks : impl::SimplifyChecksBase<SimplifyChecks> {
  ExtentOrigins origins;

  static Value stripCasts(Value value) {
    while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
      value = cast.getIn();
    return value;
  }

  /// The loop counts from a nonnegative constant to the size itself, or to a smaller constant's distance from it.
  bool isWithin(CheckIndexOp check) {
    auto argument = dyn_cast<BlockArgument>(stripCasts(check.getPosition()));
    auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
    APInt low;
    if (!loop || argument != loop.getInductionVar() || !matchPattern(loop.getLowerBound(), m_ConstantInt(&low)) || low.isNegative())
      return false;
    Value bound = stripCasts(loop.getUpperBound());
    return bound.getType().isIndex() && origins.ofIndex(bound) == origins.ofIndex(check.getSize());
  }

  void runOnOperation() override {
    origins = ExtentOrigins(getOperation());
    DominanceInfo dominance(getOperation());
    SmallVector<Operation *> checks;
    getOperation().walk([&](Operation *op) {
      if (isa<CheckIndexOp, BroadcastExtentOp, AssertOp>(op))
        checks.push_back(op);
    });
    DenseMap<std::pair<TypeID, Value>, SmallVector<Operation *>> kept;
    for (Operation *op : checks) {
      if (auto check = dyn_cast<CheckIndexOp>(op); check && isWithin(check)) {
        check.replaceAllUsesWith(check.getPosition());
        check.erase();
        origins.forget();
        continue;
      }
      if (auto assertion = dyn_cast<AssertOp>(op); assertion && matchPattern(assertion.getCondition(), m_One())) {
        op->erase();
        continue;
      }
      // Only what looks alike is compared: a function may have thousands of checks.
      SmallVector<Operation *> &alike =
          kept[{op->getName().getTypeID(), op->getNumOperands() ? op->getOperand(0) : Value()}];
      auto same = llvm::find_if(alike, [&](Operation *earlier) {
        return earlier->getOperands() == op->getOperands() &&
               earlier->getPropertiesAsAttribute() == op->getPropertiesAsAttribute() &&
               dominance.properlyDominates(earlier, op);
      });
      if (same == alike.end()) {
        alike.push_back(op);
        continue;
      }
      op->replaceAllUsesWith(*same);
      op->erase();
      origins.forget();
    }
  }
};
} // namespace
} // namespace npcc
