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
#include "compiler/gpu/Diagonals.h"
#include "compiler/gpu/Gpu.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/kernels/InnerLoops.h"
#include "compiler/kernels/LoopVersions.h"
#include "compiler/target/Target.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_SKEWLOOPS
#include "compiler/gpu/Passes.h.inc"
namespace {

// Elements of what iterations make for themselves, all together.
constexpr int64_t mostElements = int64_t(1) << 26;
class Skewer {
public:
  Skewer(scf::ForOp outer, bool general) : outer(outer), general(general), builder(outer), loc(outer.getLoc()) {}

  bool skew() {
    DiagonalNest nest(outer, general);
    std::optional<int64_t> factor = nest.collect() ? nest.findFactor() : std::nullopt;
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
    makeVersions(outer, {outer}, /*everywhere=*/true, emitIsWorthwhile(nest.temporaries));
    DiagonalNest checked(outer, general);
    checked.collect();
    emit(checked, *factor);
    return true;
  }

private:
  IndexMath math() { return {builder, loc}; }

  Value emitRows() {
    IndexMath m = math();
    return m.max(m.sub(outer.getUpperBound(), outer.getLowerBound()), m.constant(0));
  }

  Value emitIsWorthwhile(ArrayRef<np::AllocOp> temporaries) {
    IndexMath m = math();
    Value rows = emitRows();
    // With fewer rows, a launch for each diagonal is no better than one block for all of them.
    Value result =
        m.compare(arith::CmpIPredicate::sge, rows, m.constant(getTargetProperties(outer).tuning.longDiagonal));
    for (np::AllocOp alloc : temporaries) {
      Value elements = rows;
      for (Value extent : alloc.getExtents())
        elements = m.mul(elements, extent);
      result = m.both(result, m.compare(arith::CmpIPredicate::sle, elements, m.constant(mostElements)));
    }
    return result;
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
    for (np::AllocOp alloc : nest.temporaries) {
      auto type = cast<MemRefType>(alloc.getBuffer().getType());
      SmallVector<int64_t> shape{ShapedType::kDynamic};
      llvm::append_range(shape, type.getShape());
      SmallVector<Value> extents{rows};
      llvm::append_range(extents, alloc.getExtents());
      shared.push_back(np::AllocOp::create(builder, loc, MemRefType::get(shape, type.getElementType()), extents));
    }
    auto diagonals = scf::ForOp::create(builder, loc, first, m.add(last, 1), m.constant(1));
    for (Value buffer : shared)
      np::ReleaseOp::create(builder, loc, buffer);
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
      for (Operation *user : llvm::make_early_inc_range(copy.getUsers())) {
        OpBuilder at(user);
        SmallVector<Value> indices{row};
        if (auto load = dyn_cast<memref::LoadOp>(user)) {
          llvm::append_range(indices, load.getIndices());
          load.replaceAllUsesWith(memref::LoadOp::create(at, load.getLoc(), buffer, indices).getResult());
        } else if (auto store = dyn_cast<memref::StoreOp>(user)) {
          llvm::append_range(indices, store.getIndices());
          memref::StoreOp::create(at, store.getLoc(), store.getValueToStore(), buffer, indices);
        }
        user->erase();
      }
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
    if (getOperation()->hasAttr("np.thread")) // it runs on the device as it is
      return;
    bool general = getOperation()->hasAttr("np.general");
    SmallVector<scf::ForOp> loops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<np::KernelOp>(op))
        return WalkResult::skip();
      if (auto loop = dyn_cast<scf::ForOp>(op))
        loops.push_back(loop);
      return WalkResult::advance();
    });
    llvm::SmallDenseSet<Operation *> done;
    for (scf::ForOp loop : loops) {
      if (done.contains(loop))
        continue;
      SmallVector<Operation *> inside;
      loop.walk([&](scf::ForOp each) { inside.push_back(each); });
      moveLoopInvariantCode(loop); // extents, of which checks are known then
      if (Skewer(loop, general).skew())
        done.insert(inside.begin(), inside.end());
    }
  }
};

} // namespace
} // namespace npcc
