// npcc-skew-loops: two loops of the host in each other, where (i, j) needs what was stored before at (i, k < j) and (k
// < i, j), do not have iterations that are independent, but all (i, j) with the same t = a i + j are: they become one
// kernel for each t.
//
//   scf.for %i = %c0 to %n {                                     scf.for %t = %first to %end {
//     scf.for %j = %c0 to %i {                                     np.kernel (%i) = (%n) {
//       np.kernel (%u) = (%c1) {                                     %j = %t - a %i
//         %s = scf.parallel (%k) = (%c0) to (%j) ...       ->        scf.if (0 <= %j < %i) {
//         memref.store ..., %x[%i, %j]                                 %s = scf.parallel (%k) = (%c0) to (%j) ...
//       }                                                              memref.store ..., %x[%i, %j]
//     }                                                              }
//   }                                                              }
//                                                                }
//
// So a factorisation that is written element by element takes as many launches as the matrix has diagonals, and each is
// as wide as one. Several loops in a row, and statements between them, share the diagonals: a statement behind a loop
// counts as the iteration that would follow.
//
// What is stored must tell which iteration stored it: positions along two axes are i and j (or along one of them j,
// while any i may have stored there: a relaxation in place, with steps as the outer loop). Where an access meets such a
// store, both must have the order along t that they have in the program.
#include "compiler/explain/Remarks.h"
#include "compiler/kernels/Diagonals.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/kernels/InnerLoops.h"
#include "compiler/kernels/IterationTest.h"
#include "compiler/kernels/LoopVersions.h"
#include "compiler/kernels/OwnArrays.h"
#include "compiler/kernels/Passes.h"
#include "compiler/target/Target.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_SKEWLOOPS
#include "compiler/kernels/Passes.h.inc"
namespace {

class Skewer {
public:
  Skewer(scf::ForOp outer, bool general) : outer(outer), general(general), builder(outer), loc(outer.getLoc()) {}

  bool skew() {
    DiagonalNest nest(outer, general);
    std::optional<int64_t> factor = nest.collect() && holdsDependentLoop(nest) ? nest.findFactor() : std::nullopt;
    if (!factor || !llvm::all_of(nest.groups, [&](const DiagonalGroup &group) {
          LinearForm diagonal = nest.getDiagonal(group, *factor);
          return emitBound(diagonal, outer, nullptr, false) && emitBound(diagonal, outer, nullptr, true);
        }))
      return false;
    // Positions are taken to be what they are before a check, so checks are made before: none may count from the end.
    // Other errors may come at their own place where the arrays that are stored are lost with them.
    bool losesStores = nest.losesStores();
    bool areBefore = llvm::all_of(nest.checks, [&](Operation *op) {
      if (auto assertion = dyn_cast<np::AssertOp>(op))
        return losesStores || outer.isDefinedOutsideOfLoop(assertion.getCondition());
      auto check = cast<np::CheckIndexOp>(op);
      return outer.isDefinedOutsideOfLoop(check.getSize()) && canCheckBefore(check.getPosition(), outer);
    });
    if (!areBefore)
      return false;
    remarkLoop(outer.getLoc(), "a loop over diagonals: an iteration needs what is left of it and above");
    if (failed(makeVersions(outer, {outer}, Asked::all, emitIsWorthwhile(nest.temporaries))))
      return false;
    DiagonalNest checked(outer, general);
    checked.collect();
    emit(checked, *factor);
    return true;
  }

private:
  IndexMath math() { return {builder, loc}; }

  /// Whether the iterations of a loop inside need each other: else each such loop is one kernel, and there are as many
  /// launches as rows, which are fewer than diagonals.
  bool holdsDependentLoop(const DiagonalNest &nest) {
    return llvm::any_of(nest.groups, [&](const DiagonalGroup &group) {
      return group.loop && !IterationTest(group.loop, general).canMerge();
    });
  }

  Value emitRows() {
    IndexMath m = math();
    return m.max(m.sub(outer.getUpperBound(), outer.getLowerBound()), m.constant(0));
  }

  Value emitIsWorthwhile(ArrayRef<np::AllocOp> temporaries) {
    IndexMath m = math();
    Value rows = emitRows();
    const Tuning &tuning = getTargetProperties(outer).tuning;
    // With fewer rows, a launch for each diagonal is no better than one block for all of them. And where a row does
    // little, one thread of the host goes through many of them until the threads of a device have met.
    int64_t fewest = holdsInnerLoop() ? tuning.longDiagonal : 4 * tuning.longDiagonal;
    Value result = m.compare(arith::CmpIPredicate::sge, rows, m.constant(fewest));
    for (np::AllocOp alloc : temporaries) {
      Value elements = m.mul(rows, m.product(alloc.getExtents()));
      result = m.both(result, m.compare(arith::CmpIPredicate::sle, elements, m.constant(tuning.mostOwnElements)));
    }
    return result;
  }

  /// Whether an iteration goes through elements itself.
  bool holdsInnerLoop() {
    return outer
        ->walk([&](Operation *op) {
          auto loop = dyn_cast<scf::ForOp>(op);
          bool isInner = loop && loop != outer && loop->getParentOfType<scf::ForOp>() != outer;
          return isInner || isa<scf::ParallelOp, scf::WhileOp, np::FoldOp>(op) ? WalkResult::interrupt()
                                                                               : WalkResult::advance();
        })
        .wasInterrupted();
  }

  void emit(DiagonalNest &nest, int64_t factor) {
    builder.setInsertionPoint(outer);
    IndexMath m = math();
    Value rows = emitRows(), first, last;
    for (const DiagonalGroup &group : nest.groups) {
      LinearForm diagonal = nest.getDiagonal(group, factor);
      Value least = *emitBound(diagonal, outer, &builder, false), most = *emitBound(diagonal, outer, &builder, true);
      first = first ? m.min(first, least) : least;
      last = last ? m.max(last, most) : most;
    }
    SmallVector<Value> shared;
    for (np::AllocOp alloc : nest.temporaries)
      shared.push_back(emitShared(builder, alloc, ValueRange{rows}, alloc.getExtents()));
    auto diagonals = scf::ForOp::create(builder, loc, first, m.add(last, 1), m.constant(1));
    builder.setInsertionPoint(diagonals.getBody()->getTerminator());
    auto kernel = np::KernelOp::create(builder, loc, ValueRange{rows});
    builder.setInsertionPoint(kernel.getBody()->getTerminator());
    Value row = kernel.getInductionVars()[0], i = m.add(row, outer.getLowerBound());
    IRMapping mapping;
    mapping.map(outer.getInductionVar(), i);
    for (Operation *op : nest.prefix)
      builder.clone(*op, mapping);
    Value j = m.sub(diagonals.getInductionVar(), m.mul(i, factor));
    for (const DiagonalGroup &group : nest.groups)
      emitGroup(group, j, mapping);
    finish(kernel, row, nest.temporaries, shared, mapping);
    outer.erase();
  }

  void emitGroup(const DiagonalGroup &group, Value j, IRMapping &mapping) {
    IndexMath m = math();
    Value isHere;
    if (group.loop)
      isHere = m.both(m.compare(arith::CmpIPredicate::sge, j, mapping.lookupOrDefault(group.loop.getLowerBound())),
                      m.compare(arith::CmpIPredicate::slt, j, mapping.lookupOrDefault(group.loop.getUpperBound())));
    else
      isHere = m.compare(arith::CmpIPredicate::eq, j, m.add(mapping.lookupOrDefault(group.at), group.shift));
    auto here = scf::IfOp::create(builder, loc, isHere, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(here.thenYield());
    if (group.loop) {
      mapping.map(group.loop.getInductionVar(), j);
      for (Operation &op : group.loop.getBody()->without_terminator())
        builder.clone(op, mapping);
    }
    for (Operation *op : group.statements)
      builder.clone(*op, mapping);
  }

  /// What stands in one kernel only: no kernels, and no arrays that are made there.
  void finish(np::KernelOp kernel, Value row, ArrayRef<np::AllocOp> temporaries, ArrayRef<Value> shared,
              IRMapping &mapping) {
    for (auto [made, buffer] : llvm::zip_equal(temporaries, shared)) {
      np::AllocOp alloc = made;
      Value copy = mapping.lookup(alloc.getBuffer());
      placeInShared(copy, buffer, ValueRange{row});
      copy.getDefiningOp()->erase();
    }
    SmallVector<np::KernelOp> own;
    kernel.getBody()->walk([&](np::KernelOp inner) { own.push_back(inner); });
    for (np::KernelOp inner : own)
      makeInnerLoop(inner);
    // The threads of a block share the loops inside; without any, a thread has an iteration.
    if (kernel.getBody()->walk([](scf::ParallelOp) { return WalkResult::interrupt(); }).wasInterrupted())
      kernel.setKind(np::KernelKind::steps);
  }

  scf::ForOp outer;
  bool general;
  OpBuilder builder;
  Location loc;
};

struct SkewLoops : impl::SkewLoopsBase<SkewLoops> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread") || getTargetProperties(function).hostSharesMemory)
      return;
    bool general = function->hasAttr("np.general");
    forEachHostLoop(function, [&](scf::ForOp loop) {
      hoistNumbers(loop);
      // Iterations that do not need each other are npcc-merge-iterations' with all that they hold.
      if (IterationTest(loop, general).canMerge())
        return true;
      hoistInvariants(loop); // extents, of which checks are known then
      return Skewer(loop, general).skew();
    });
  }
};

} // namespace
} // namespace npcc
