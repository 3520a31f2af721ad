// What the threads of a block share out of a kernel that has become part of a loop: its positions, or, where these are
// few and each holds a long reduction, the reductions, one position after the other.
//
//   np.kernel (%i) = (%c2) {                          scf.for %i = %c0 to %c2 {
//     %s = scf.parallel (%k) = to (%n) ...     ->       %s = scf.parallel (%k) = to (%n) ...     by all threads
//     store %s, %sums[%i] }                             store %s, %sums[%i] }
#include "compiler/gpu/StepLoop.h"
#include "compiler/kernels/InnerLoops.h"
#include "dialects/Np/Choice.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
namespace npcc {

/// Whether positions are few and reductions long, before the block's code; null where the kernel has no reductions of
/// its own, or where that is known in each iteration only.
static Value emitAreFew(np::KernelOp inner, np::KernelOp block, OpBuilder &before) {
  IndexMath m{before, inner.getLoc()};
  SmallVector<Value> bounds(inner.getExtents());
  for (auto loop : inner.getBody()->getOps<scf::ParallelOp>()) {
    bool isNested = loop.getBody()->walk([](scf::ParallelOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (loop.getNumResults() == 0 || isNested)
      return {};
    llvm::append_range(bounds, loop.getUpperBound());
  }
  if (!llvm::all_of(bounds, [&](Value bound) { return isInvariant(bound, block); }))
    return {};
  Value rows = m.product(inner.getExtents()), longest;
  for (auto loop : inner.getBody()->getOps<scf::ParallelOp>()) {
    Value length = m.product(loop.getUpperBound());
    longest = longest ? m.min(longest, length) : length;
  }
  if (!longest)
    return {};
  const Tuning &tuning = getTargetProperties(inner).tuning;
  return m.both(m.compare(arith::CmpIPredicate::sle, rows, m.constant(tuning.fewRowsOfBlock)),
                m.compare(arith::CmpIPredicate::sge, longest, m.constant(tuning.longRowOfBlock)));
}

/// The kernel's positions one after the other.
static void makeSerialLoops(np::KernelOp kernel) {
  OpBuilder builder(kernel);
  IndexMath m{builder, kernel.getLoc()};
  Value zero = m.constant(0), one = m.constant(1);
  SmallVector<Value> positions;
  for (Value extent : kernel.getExtents()) {
    auto loop = scf::ForOp::create(builder, kernel.getLoc(), zero, extent, one);
    positions.push_back(loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
  }
  inlineKernel(kernel, positions, builder.getInsertionBlock(), builder.getInsertionPoint());
}

void StepLoop::shareOut(np::KernelOp inner, np::KernelOp block) {
  OpBuilder before(block);
  Value areFew = inner.isUnit() ? Value() : emitAreFew(inner, block, before);
  std::optional<int64_t> known = areFew ? getConstantIntValue(areFew) : 0;
  if (known)
    return *known ? makeSerialLoops(inner) : makeInnerLoop(inner);
  OpBuilder builder(inner);
  auto offer =
      np::AlternativesOp::create(builder, inner.getLoc(), TypeRange(), "few rows, one after the other", areFew);
  auto serial = cast<np::KernelOp>(builder.clone(*inner));
  offer.setOffered(serial);
  offer.setGeneral(inner);
  makeSerialLoops(serial);
  makeInnerLoop(inner);
}

} // namespace npcc
