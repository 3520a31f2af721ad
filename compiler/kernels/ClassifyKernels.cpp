// npcc-classify-kernels: of what kind a kernel is, read off its loops and its accesses. The kind decides which emitter
// takes it, and so how threads share out its iterations.
//
//   np.kernel (%i, %j) = (%n, %m) {                         np.kernel transpose (%i, %j) = (%n, %m) {
//     %u = memref.load %x[%j, %i]                     ->      ...
//     memref.store %u, %y[%i, %j]                           }
//   }
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/Transpositions.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_CLASSIFYKERNELS
#include "compiler/kernels/Passes.h.inc"

namespace {

/// Whether `value` is computed from positions other than `column` and from the host's values, without memory.
bool isSameForAll(Value value, Value column, np::KernelOp kernel) {
  if (isInvariant(value, kernel))
    return true;
  if (Operation *maker = value.getDefiningOp())
    return isa<arith::ArithDialect>(maker->getDialect()) &&
           llvm::all_of(maker->getOperands(), [&](Value operand) { return isSameForAll(operand, column, kernel); });
  return value != column && llvm::is_contained(kernel.getInductionVars(), value);
}

/// One fold and code without loops around it. Lines across the contiguous axis have a thread each, and neighbours load
/// neighbours: they are a map. So are several lines that are folded in order: a thread each is as much as there is to
/// do at once.
bool isScan(np::KernelOp kernel, KernelAccesses &accesses) {
  auto folds = kernel.getBody()->getOps<np::FoldOp>();
  if (!llvm::hasSingleElement(folds))
    return false;
  np::FoldOp fold = *folds.begin();
  for (Operation &op : kernel.getBody()->without_terminator())
    if (&op != fold && op.walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted())
      return false;
  if (kernel.isUnit())
    return true;
  bool isTeamCode = fold.getGrouping() == np::Grouping::any && fold.getInitial().size() == 1;
  return isTeamCode && llvm::any_of(accesses.getStreams(),
                                    [&](const Stream &stream) { return stream.getUnitAxis(fold.getPosition()) >= 0; });
}

/// Whether a reduction combines what lies along its loop with what the iteration has, and nothing that both move (the
/// nearest of many points in space to each of others): an iteration is much work, and there may be few of them.
bool isOfPairs(np::KernelOp kernel, ArrayRef<scf::ParallelOp> inner, KernelAccesses &accesses) {
  auto uses = [](const Stream &stream, ValueRange positions) {
    return llvm::any_of(positions, [&](Value position) { return stream.uses(position); });
  };
  bool isAlong = false;
  for (scf::ParallelOp loop : inner)
    for (Operation *op : accesses.getOps())
      if (const Stream &stream = *accesses.lookup(op).stream;
          loop->isAncestor(op) && uses(stream, loop.getInductionVars())) {
        if (loop.getNumResults() == 0 || uses(stream, kernel.getInductionVars()))
          return false;
        isAlong = true;
      }
  return isAlong;
}

np::KernelKind classify(np::KernelOp kernel, KernelAccesses &accesses) {
  SmallVector<scf::ParallelOp> inner(kernel.getBody()->getOps<scf::ParallelOp>());
  bool isNested = false;
  kernel.getBody()->walk([&](scf::ParallelOp loop) { isNested |= !llvm::is_contained(inner, loop); });
  bool hasUpdates =
      kernel.getBody()->walk([](memref::AtomicRMWOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (hasUpdates)
    return inner.empty() && !isNested ? np::KernelKind::updates : np::KernelKind::map;
  if (inner.empty() && !isNested && isScan(kernel, accesses))
    return np::KernelKind::scan;
  if (inner.empty() && !isNested)
    return !findTransposition(kernel, accesses).loads.empty() ? np::KernelKind::transpose : np::KernelKind::map;
  Directions directions = getDirections(kernel, accesses);
  if (directions.along > directions.across || kernel.isUnit())
    return np::KernelKind::rows;
  if (!directions.along && !directions.across && isOfPairs(kernel, inner, accesses))
    return np::KernelKind::rows;
  // Columns: one reduction, outer code around it. Extents of the loop must be the same for all columns.
  bool isOneReduction = inner.size() == 1 && !isNested && inner[0].getNumResults() > 0;
  bool isUniform = isOneReduction && llvm::all_of(inner[0].getUpperBound(), [&](Value bound) {
                     return isSameForAll(bound, kernel.getInductionVars().back(), kernel);
                   });
  return isUniform && directions.areColumns() ? np::KernelKind::columns : np::KernelKind::map;
}

struct ClassifyKernels : impl::ClassifyKernelsBase<ClassifyKernels> {
  void runOnOperation() override {
    getOperation()->walk([&](np::KernelOp kernel) {
      if (kernel.getKind())
        return;
      KernelAccesses accesses(kernel);
      kernel.setKind(accesses.getUnsupported() ? np::KernelKind::map : classify(kernel, accesses));
    });
  }
};
} // namespace
} // namespace npcc
