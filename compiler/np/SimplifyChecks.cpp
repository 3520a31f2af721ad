// Checks that cannot fail, or that were made already, disappear.
//
//   scf.for %i = %c0 to %n step %c1 {              scf.for %i = %c0 to %n step %c1 {
//     %a = np.check_index %i of %n axis 0    ->      use %i twice
//     %b = np.check_index %i of %n axis 0          }
//     use %a, %b }
//
// An element that is loaded again, with nothing but checks in between, is the one that was loaded before. (For
// upstream's CSE a check is a write as any other.) So the ends of two slices that a program reads twice are the same:
//
//   %x = np.load %e    np.check_index ...    %y = np.load %e    ->    %x = np.load %e    np.check_index ...    %x twice
#include "compiler/memory/Extents.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
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
  ExtentOrigins *origins = nullptr;

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
    if (!loop || argument != loop.getInductionVar() || !matchPattern(loop.getLowerBound(), m_ConstantInt(&low)) ||
        low.isNegative())
      return false;
    Value bound = stripCasts(loop.getUpperBound());
    return bound.getType().isIndex() && origins->ofIndex(bound) == origins->ofIndex(check.getSize());
  }

  /// The same array, or the same view of it.
  static bool isSameArray(Value left, Value right) {
    if (left == right)
      return true;
    auto view = left.getDefiningOp<ViewOp>(), other = right.getDefiningOp<ViewOp>();
    return view && other &&
           OperationEquivalence::isEquivalentTo(view, other, OperationEquivalence::exactValueMatch, nullptr,
                                                OperationEquivalence::IgnoreLocations);
  }

  /// Whether the operation leaves all arrays as they are: it has no effect, or none but that it may fail.
  static bool keepsArrays(Operation *op) {
    auto effects = getEffectsRecursively(op);
    return effects && llvm::none_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
             return !isa<MemoryEffects::Read>(effect.getEffect()) && effect.getResource() != Failure::get();
           });
  }

  /// Elements, which decide positions; of whole arrays the kernels know better what is read once.
  static void mergeLoads(Block &block) {
    SmallVector<LoadOp> loads;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto load = dyn_cast<LoadOp>(op); load && getRank(load.getType()) == 0) {
        auto same =
            llvm::find_if(loads, [&](LoadOp earlier) { return isSameArray(earlier.getArray(), load.getArray()); });
        if (same == loads.end()) {
          loads.push_back(load);
        } else {
          load.replaceAllUsesWith(same->getResult());
          load.erase();
        }
      } else if (!loads.empty() && !keepsArrays(&op)) {
        loads.clear();
      }
    }
  }

  void runOnOperation() override {
    dropChecks();
    getOperation().walk([](Block *block) { mergeLoads(*block); });
  }

  void dropChecks() {
    origins = &getAnalysis<ExtentOrigins>();
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
        origins->forget();
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
      origins->forget();
    }
  }
};
} // namespace
} // namespace npcc
