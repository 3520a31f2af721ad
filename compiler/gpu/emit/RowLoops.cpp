// What the extents of loops inside of kernels of rows say of how a team goes through them (EmitRows.cpp).
#include "compiler/gpu/emit/RowLoops.h"
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/RowLengths.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/memory/IterationBounds.h"

using namespace mlir;
namespace npcc::cuda {
namespace {

/// What an extent does not exceed, as a value before the kernel; null if nothing says so.
Value getMost(Value extent, np::KernelOp kernel) {
  if (isInvariant(extent, kernel))
    return extent;
  auto least = extent.getDefiningOp<arith::MinSIOp>();
  for (Value operand : least ? least->getOperands() : OperandRange(nullptr, 0))
    if (isInvariant(operand, kernel))
      return operand;
  return {};
}

} // namespace

void findNarrow(HostSide &host, np::KernelOp kernel, RowLoops &loops, Value size) {
  IndexMath h = host.math();
  kernel.getBody()->walk<WalkOrder::PreOrder>([&](scf::ParallelOp inner) {
    RowLoop &plan = loops.find(inner)->second;
    if (inner.getNumLoops() == 1) {
      if (mayWrite(inner))
        return WalkResult::skip();
      bool isOnly = kernel.isUnit() && !plan.extents.empty() && inner.getNumResults() > 0;
      if (isOnly && plan.mode.position && plan.mode.width > 1 && getConstantIntValue(size) == threadsPerBlock) {
        Value isNarrow = h.compare(arith::CmpIPredicate::sle, plan.extents.back(), size);
        plan.isNarrow = host.choose("a row no longer than a block", isNarrow);
      }
      return WalkResult::skip();
    }
    Value last = plan.extents.empty() ? getMost(inner.getUpperBound().back(), kernel) : plan.extents.back();
    if (last) {
      int64_t width = plan.mode.position ? plan.mode.width : 1;
      Value isTeam = h.compare(arith::CmpIPredicate::sgt, size, h.constant(1));
      Value isNarrow = h.both(isTeam, h.compare(arith::CmpIPredicate::slt, last, h.mul(size, width)));
      // Code for both is worth it for a whole block only, whose other threads would have nothing to do.
      bool isKnown =
          getConstantIntValue(isNarrow) || FirstCall(kernel->getParentOfType<func::FuncOp>()).evaluate(isNarrow);
      if (!isKnown && !getConstantIntValue(size))
        return WalkResult::skip();
      plan.isNarrow = host.choose("a last axis shorter than the team", isNarrow);
      plan.unrollOfNarrow = chooseUnroll(*inner.getBody(), 1, inner.getNumResults() > 0 ? 4 : 2);
    }
    return WalkResult::skip();
  });
}

void shorten(HostSide &host, np::KernelOp kernel, RowLoops &loops, function_ref<bool(scf::ParallelOp)> areJoined,
             Value size) {
  IndexMath h = host.math();
  kernel.getBody()->walk<WalkOrder::PreOrder>([&](scf::ParallelOp inner) {
    RowLoop &plan = loops.find(inner)->second;
    if (plan.isNarrow && getConstantIntValue(plan.isNarrow).value_or(0)) // nothing goes round
      return WalkResult::skip();
    int64_t width = plan.mode.position ? plan.mode.width : 1;
    bool isJoined = areJoined(inner), isKnown = !plan.extents.empty();
    SmallVector<Value> extents = isKnown ? plan.extents : SmallVector<Value>(inner.getUpperBound());
    if (!isKnown && !llvm::all_of(extents, [&](Value extent) { return hoistLength(extent, kernel); }))
      return WalkResult::skip();
    bool isOfHost = llvm::all_of(extents, [&](Value extent) { return isInvariant(extent, kernel); });
    OpBuilder inKernel(inner);
    IndexMath k{inKernel, inner.getLoc()}, m = isOfHost ? h : k;
    Value elements = extents.back();
    for (Value extent : ArrayRef(extents).drop_back())
      elements = isJoined ? m.mul(elements, extent) : elements;
    // Where a row has a whole block, it may be shorter than a round by so much that fewer steps are a round.
    int64_t fewest = getConstantIntValue(size) && isOfHost && !isJoined ? 1 : plan.unroll;
    for (int64_t steps = fewest; plan.unroll > 1 && steps <= plan.unroll && !plan.isShort; steps *= 2) {
      Value isShort = m.compare(arith::CmpIPredicate::slt, elements, h.mul(size, width * steps));
      // The bounds of the loops around it tell how long a row is at most that only the kernel knows the length of.
      if (!isOfHost)
        isShort = IterationBounds(host.getBuilder()).emitHolds(isShort, true);
      plan.isShort = isShort && host.holdsInFirstCall("rows shorter than a round", isShort);
      // What is left of a joined loop is gone over one step after the other, into one accumulator.
      if (plan.isShort)
        plan.unroll = isJoined ? 1 : steps;
    }
    // Where rows follow each other in memory, they are whole vectors if each begins with one. So are the parts of a
    // row.
    if (width > 1 && !kernel.isUnit()) {
      Value isWhole = emitIsMultiple(host, isKnown ? elements : extents.back(), width);
      plan.isWhole = isWhole && host.holdsInFirstCall("whole vectors", isWhole);
    }
    return WalkResult::skip();
  });
}

} // namespace npcc::cuda
