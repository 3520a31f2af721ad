// npcc-split-steps: where the elements of a row take the steps of a loop, and none needs another one, a device has a
// thread for each element, and not a team of threads for the row that meets after each step.
//
//   np.kernel steps (%i) = (%n) {                             np.kernel map (%i, %j) = (%n, %m) {
//     %from = load %ends[%i]  %to = ...                         %from = load %ends[%i]  %to = ...
//     scf.for %k = %from to %to {                               scf.for %k = %from to %to {
//       %c = load %columns[%k]                         ->         %c = load %columns[%k]
//       scf.parallel (%j) = (0) to (%m) {                         ... %y[%i, %j] + %a[%k] * %x[%c, %j]
//         ... %y[%i, %j] + %a[%k] * %x[%c, %j] } } }            } }
//
// So rows of a sparse matrix times a matrix, `for k in range(ends[i], ends[i + 1]): y[i] += a[k] * x[columns[k]]`, keep
// their sums in registers (npcc-carry-elements), and short rows leave no threads idle. What stands between the loops,
// every thread of the team had computed too.
//
// All loops of threads have the same positions, which the kernel does not change. Stores are inside them, and what may
// touch what is stored, too: at positions that move with an element's own in the same way, so that no element meets
// another one. Errors stay those of the steps: there are no checks inside the loops of threads, and where rows have no
// elements, the kernel is as it was.
#include "compiler/explain/Remarks.h"
#include "compiler/kernels/Passes.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Kernels.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace npcc {
#define GEN_PASS_DEF_SPLITSTEPS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
class StepsSplit {
public:
  StepsSplit(KernelOp kernel, bool general) : kernel(kernel), general(general) {}

  bool apply() {
    if (!collect(kernel.getBody(), /*inLoop=*/false) || !hasSteps || !areApart())
      return false;
    remarkLoop(kernel.getLoc(), "a thread for each element of the rows: none needs another one's steps");
    OpBuilder builder(kernel);
    if (hasChecks && llvm::any_of(rows.front().getUpperBound(), [](Value extent) { return !isPositive(extent); }))
      keepForNothing(builder);
    emit(builder);
    return true;
  }

private:
  struct Access {
    scf::ParallelOp row; // null outside
    Value memory;
    SmallVector<LinearForm> positions;
    bool isStore;
  };

  static bool isPositive(Value extent) {
    APInt known;
    return matchPattern(extent, m_ConstantInt(&known)) && known.isStrictlyPositive();
  }

  bool addAccess(scf::ParallelOp row, Value memory, ValueRange indices, bool isStore) {
    Access access{row, memory, {}, isStore};
    for (Value index : indices)
      access.positions.push_back(getLinearForm(index, kernel));
    accesses.push_back(std::move(access));
    return isInvariant(memory, kernel);
  }

  /// What stands between the loops of threads, and these.
  bool collect(Block *block, bool inLoop) {
    return llvm::all_of(*block, [&](Operation &op) {
      if (auto row = dyn_cast<scf::ParallelOp>(op)) {
        hasSteps |= inLoop;
        return collect(row);
      }
      if (auto loop = dyn_cast<scf::ForOp>(op))
        return loop.getNumResults() == 0 && collect(loop.getBody(), /*inLoop=*/true);
      if (auto load = dyn_cast<memref::LoadOp>(op))
        return addAccess({}, load.getMemRef(), load.getIndices(), false);
      if (isa<CheckIndexOp, AssertOp>(op))
        return hasChecks = true;
      return op.getNumRegions() == 0 && (isa<scf::YieldOp, EndOp>(op) || isMemoryEffectFree(&op));
    });
  }

  bool collect(scf::ParallelOp row) {
    auto isNumber = [](Value bound, int64_t number) { return getConstantIntValue(bound) == number; };
    bool isPlain = row.getNumResults() == 0 &&
                   llvm::all_of(row.getLowerBound(), [&](Value bound) { return isNumber(bound, 0); }) &&
                   llvm::all_of(row.getStep(), [&](Value step) { return isNumber(step, 1); }) &&
                   llvm::all_of(row.getUpperBound(), [&](Value bound) { return isInvariant(bound, kernel); });
    if (!isPlain || (!rows.empty() && row.getUpperBound() != rows.front().getUpperBound()))
      return false;
    rows.push_back(row);
    WalkResult result = row.getBody()->walk([&](Operation *op) {
      bool isKnown = isMemoryEffectFree(op) || isa<scf::ForOp, scf::IfOp, scf::YieldOp, scf::ReduceOp>(op);
      if (auto load = dyn_cast<memref::LoadOp>(op))
        isKnown = addAccess(row, load.getMemRef(), load.getIndices(), false);
      else if (auto store = dyn_cast<memref::StoreOp>(op))
        isKnown = addAccess(row, store.getMemRef(), store.getIndices(), true);
      return isKnown && !isa<scf::ParallelOp, CheckIndexOp, AssertOp>(op) ? WalkResult::advance()
                                                                          : WalkResult::interrupt();
    });
    return !result.wasInterrupted();
  }

  bool areApart() {
    for (const Access &store : accesses)
      for (const Access &other : accesses)
        if (store.isStore && mayAlias(store.memory, other.memory, general) &&
            !(store.memory == other.memory && other.row && areApart(store, other)))
          return false;
    return true;
  }

  /// Whether for each position of an element there is an axis along which both move with it alone, by what is the same
  /// in all steps.
  bool areApart(const Access &a, const Access &b) {
    for (unsigned number = 0, count = scf::ParallelOp(a.row).getNumLoops(); number < count; ++number) {
      auto withoutPosition = [&](LinearForm form, scf::ParallelOp row) {
        addScaled(form, LinearForm{0, {Term{row.getInductionVars()[number], Value(), 1}}}, -1);
        return form;
      };
      bool moves = false;
      for (auto [one, other] : llvm::zip_equal(a.positions, b.positions)) {
        LinearForm first = withoutPosition(one, a.row), second = withoutPosition(other, b.row);
        moves |= first.constant == second.constant && first.terms.size() == second.terms.size() &&
                 llvm::all_of(first.terms, [&](const Term &term) {
                   return llvm::is_contained(second.terms, term) &&
                          (isInvariant(term.leaf, kernel) || llvm::is_contained(kernel.getInductionVars(), term.leaf));
                 });
      }
      if (!moves)
        return false;
    }
    return true;
  }

  /// Rows without elements still have steps, whose checks may fail.
  void keepForNothing(OpBuilder &builder) {
    Location loc = kernel.getLoc();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), isAny;
    for (Value extent : rows.front().getUpperBound()) {
      Value one = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, extent, zero);
      isAny = isAny ? arith::AndIOp::create(builder, loc, isAny, one).getResult() : one;
    }
    auto versions = AlternativesOp::create(builder, loc, TypeRange(), "rows with elements", isAny);
    versions.setGeneral(builder.clone(*kernel));
    versions.setOffered(kernel);
    builder.setInsertionPoint(kernel);
  }

  void emit(OpBuilder &builder) {
    SmallVector<Value> extents(kernel.getExtents());
    llvm::append_range(extents, rows.front().getUpperBound());
    auto elements = KernelOp::create(builder, kernel.getLoc(), extents);
    elements.setKind(KernelKind::map);
    ValueRange positions = elements.getInductionVars();
    for (auto [from, to] : llvm::zip(kernel.getInductionVars(), positions))
      from.replaceAllUsesWith(to);
    for (scf::ParallelOp row : rows) {
      for (auto [from, to] : llvm::zip_equal(row.getInductionVars(), positions.drop_front(kernel.getNumLoops())))
        from.replaceAllUsesWith(to);
      row.getBody()->getTerminator()->erase();
      row->getBlock()->getOperations().splice(row->getIterator(), row.getBody()->getOperations());
      row.erase();
    }
    kernel.getBody()->getTerminator()->erase();
    elements.getBody()->getOperations().splice(elements.getBody()->getTerminator()->getIterator(),
                                               kernel.getBody()->getOperations());
    kernel.erase();
  }

  KernelOp kernel;
  bool general, hasSteps = false, hasChecks = false;
  SmallVector<scf::ParallelOp> rows;
  SmallVector<Access> accesses;
};

struct SplitSteps : impl::SplitStepsBase<SplitSteps> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread") || getTargetProperties(function).hostSharesMemory)
      return markAllAnalysesPreserved();
    SmallVector<KernelOp> kernels;
    function.walk([&](KernelOp kernel) {
      if (kernel.getKind() == KernelKind::steps)
        kernels.push_back(kernel);
    });
    bool hasChanged = false;
    for (KernelOp kernel : kernels)
      hasChanged |= StepsSplit(kernel, function->hasAttr("np.general")).apply();
    if (!hasChanged)
      markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace npcc
