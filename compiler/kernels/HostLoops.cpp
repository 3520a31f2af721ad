#include "compiler/kernels/HostLoops.h"
#include "compiler/kernels/Combiner.h"
#include "compiler/kernels/InnerLoops.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Iteration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
namespace npcc {

/// No narrow floats: host and device compute with them in different ways.
bool isHostNumber(Operation *op) {
  bool isNarrow = llvm::any_of(op->getResultTypes(), [](Type type) { return type.isF16() || type.isBF16(); });
  return !isNarrow && isa<arith::ArithDialect, math::MathDialect, ub::UBDialect>(op->getDialect());
}

/// Numbers that the host computes with the device's bits: no functions of a library.
static bool isExactNumber(Operation *op) {
  return isHostNumber(op) &&
         (!isa<math::MathDialect>(op->getDialect()) ||
          isa<math::AbsFOp, math::AbsIOp, math::SqrtOp, math::FloorOp, math::CeilOp, math::TruncOp, math::CopySignOp>(
              op));
}

bool canBeHostLoops(np::KernelOp kernel, bool inPython) {
  auto isLoop = [](Operation *op) {
    return isa<scf::ParallelOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  };
  // Of one iteration without loops inside, checks come in the program's order, whatever np.iteration says of others.
  bool isSerial = kernel.isUnit() && !kernel.getBody()->walk(isLoop).wasInterrupted();
  auto isOfHost = [&](Operation *op) {
    if (auto loop = dyn_cast<scf::ParallelOp>(op))
      return inPython || llvm::all_of(getCombiners(loop), [](Combiner each) { return each.isExact(); });
    if (isa<np::IterationOp>(op))
      return isSerial;
    if (isa<memref::AtomicRMWOp>(op))
      return inPython;
    return (inPython ? isHostNumber(op) : isExactNumber(op)) ||
           isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp, scf::ReduceOp, scf::ReduceReturnOp,
               np::EndOp, memref::LoadOp, memref::StoreOp, memref::DimOp, np::CheckIndexOp, np::AssertOp>(op);
  };
  return !kernel.getBody()
              ->walk([&](Operation *op) { return isOfHost(op) ? WalkResult::advance() : WalkResult::interrupt(); })
              .wasInterrupted();
}

namespace {
/// Loops around each other, in C order, that hand `carried` on. Leaves the builder in the innermost one.
struct Nest {
  Nest(OpBuilder &builder, Location loc, ValueRange lower, ValueRange upper, ValueRange step, ValueRange initial)
      : carried(initial) {
    for (auto [from, to, by] : llvm::zip_equal(lower, upper, step)) {
      auto loop = scf::ForOp::create(builder, loc, from, to, by, carried);
      carried = loop.getRegionIterArgs();
      positions.push_back(loop.getInductionVar());
      loops.push_back(loop);
      builder.setInsertionPointToStart(loop.getBody());
    }
  }

  /// What the iterations hand on; of no iteration, where nothing is carried, that is there already.
  void handOn(OpBuilder &builder, ValueRange last) {
    for (scf::ForOp loop : llvm::reverse(loops)) {
      if (loop.getNumResults() == 0)
        continue;
      builder.setInsertionPointToEnd(loop.getBody());
      scf::YieldOp::create(builder, loop.getLoc(), last);
      last = loop.getResults();
    }
  }

  SmallVector<scf::ForOp> loops;
  SmallVector<Value> positions;
  ValueRange carried;
};
} // namespace

static void makeHostLoops(scf::ParallelOp loop) {
  OpBuilder builder(loop);
  Nest nest(builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), loop.getInitVals());
  SmallVector<Combiner> combiners = getCombiners(loop);
  auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
  Block *body = nest.loops.back().getBody();
  for (auto [from, to] : llvm::zip_equal(loop.getInductionVars(), nest.positions))
    from.replaceAllUsesWith(to);
  Block::iterator place =
      body->empty() || !body->back().hasTrait<OpTrait::IsTerminator>() ? body->end() : body->back().getIterator();
  body->getOperations().splice(place, loop.getBody()->getOperations(), loop.getBody()->begin(), reduce->getIterator());
  builder.setInsertionPoint(body, place);
  SmallVector<Value> next;
  for (auto [combiner, total, element] : llvm::zip_equal(combiners, nest.carried, reduce.getOperands())) {
    Value combined = combiner.combine(builder, loop.getLoc(), combiner.widen(builder, loop.getLoc(), total),
                                      combiner.widen(builder, loop.getLoc(), element));
    next.push_back(combiner.narrow(builder, loop.getLoc(), combined));
  }
  nest.handOn(builder, next);
  loop.replaceAllUsesWith(nest.loops.front().getResults());
  loop.erase();
}

/// Iterations one after the other do not meet.
static void makePlain(memref::AtomicRMWOp update) {
  OpBuilder builder(update);
  Location loc = update.getLoc();
  Value old = memref::LoadOp::create(builder, loc, update.getMemref(), update.getIndices());
  Value updated = arith::getReductionOp(update.getKind(), builder, loc, old, update.getValue());
  memref::StoreOp::create(builder, loc, updated, update.getMemref(), update.getIndices());
  update.replaceAllUsesWith(old);
  update.erase();
}

void makeHostLoops(np::KernelOp kernel) {
  kernel.getBody()->walk([](np::IterationOp order) { order.erase(); });
  kernel.getBody()->walk([](memref::AtomicRMWOp update) { makePlain(update); });
  SmallVector<scf::ParallelOp> inner; // those inside of others first
  kernel.getBody()->walk([&](scf::ParallelOp loop) { inner.push_back(loop); });
  for (scf::ParallelOp loop : inner)
    makeHostLoops(loop);
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  size_t rank = kernel.getNumLoops();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  if (kernel.isUnit())
    return inlineKernel(kernel, SmallVector<Value>(rank, zero), kernel->getBlock(), kernel->getIterator());
  Nest nest(builder, loc, SmallVector<Value>(rank, zero), kernel.getExtents(), SmallVector<Value>(rank, one), {});
  Block *body = nest.loops.back().getBody();
  inlineKernel(kernel, nest.positions, body, body->getTerminator()->getIterator());
}

} // namespace npcc
