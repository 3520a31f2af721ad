// npcc-gather-steps: small kernels that follow each other are one kernel of one block.
//
//   np.kernel (%i) = (%n) { ... }                         scf.if (they are small) {
//   np.kernel (%u) = (1) { sum }                            np.kernel steps (%u) = (1) {
//   np.kernel (%i) = (%n) { ... }            ->               scf.for 0 to 1 { scf.parallel (%i) ... sum ... } }
//                                                         } else { as before }
//
// A launch takes a few microseconds, and a block goes through some thousand elements in that time. Such are the vectors
// and numbers between the large kernels of a solver, and all kernels of small arrays. In the loop that npcc-enclose-steps
// knows how to run in one block, this is one iteration. Only for a first call in which they are small: nobody wants both.
// What stands between the kernels is moved out of their way, which nobody can tell: arrays are made before, and given
// back after.
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/StepLoop.h"
#include "compiler/memory/FirstCall.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_GATHERSTEPS
#include "compiler/gpu/Passes.h.inc"

namespace {
// Elements of one kernel, with those of the loops inside it.
constexpr int64_t mostElements = 32768;
// Elements that one thread goes through.
constexpr int64_t mostSerial = 32;

class Gatherer {
public:
  explicit Gatherer(func::FuncOp function) : first(function) {}

  /// Makes a loop of one iteration of each run of small kernels.
  void gather(Block &block) {
    SmallVector<np::KernelOp> run;
    SmallVector<Operation *> between;
    auto close = [&] {
      if (run.size() > 1)
        loops.push_back(wrap(run, between));
      run.clear();
      between.clear();
    };
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto kernel = dyn_cast<np::KernelOp>(op);
      if (kernel && isSmall(kernel)) {
        run.push_back(kernel);
        continue;
      }
      if (canBeMoved(&op)) {
        between.push_back(&op);
        continue;
      }
      close();
    }
    close();
  }

  ArrayRef<scf::ForOp> getLoops() const { return loops; }

private:
  static bool canBeMoved(Operation *op) {
    return isa<np::AllocOp, np::ReleaseOp>(op) || (isPure(op) && op->getNumRegions() == 0);
  }

  bool isSmall(np::KernelOp kernel) {
    if (kernel.getKind() == np::KernelKind::steps)
      return false;
    std::optional<int64_t> elements = 1;
    auto take = [&](Value extent) {
      IntegerAttr known = first.evaluate(extent);
      if (!known || !elements || known.getInt() > mostElements)
        elements = std::nullopt;
      else
        elements = std::min(*elements * std::max<int64_t>(known.getInt(), 1), 2 * mostElements);
    };
    llvm::for_each(kernel.getExtents(), take);
    // What one thread does while all others wait.
    auto takeSerial = [&](Value extent) {
      IntegerAttr known = first.evaluate(extent);
      take(extent);
      if (!known || (kernel.isUnit() && known.getInt() > mostSerial))
        elements = std::nullopt;
    };
    kernel.getBody()->walk([&](Operation *op) {
      if (auto inner = dyn_cast<scf::ParallelOp>(op))
        llvm::for_each(inner.getUpperBound(), take);
      else if (auto inner = dyn_cast<scf::ForOp>(op))
        takeSerial(inner.getUpperBound());
      else if (auto fold = dyn_cast<np::FoldOp>(op))
        takeSerial(fold.getExtent());
      else if (isa<scf::WhileOp>(op) || !StepLoop::isThreadOperation(op))
        elements = std::nullopt;
    });
    return elements && *elements <= mostElements;
  }

  static scf::ForOp wrap(ArrayRef<np::KernelOp> run, ArrayRef<Operation *> between) {
    Operation *begin = run.front(), *last = run.back();
    Location loc = begin->getLoc();
    // What stands before the first kernel, or behind the last one, stays.
    for (Operation *op : between)
      if (begin->isBeforeInBlock(op) && op->isBeforeInBlock(last))
        isa<np::ReleaseOp>(op) ? op->moveAfter(last) : op->moveBefore(begin);
    OpBuilder builder(begin);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto loop = scf::ForOp::create(builder, loc, zero, one, one);
    for (np::KernelOp kernel : run)
      kernel->moveBefore(loop.getBody()->getTerminator());
    return loop;
  }

  FirstCall first;
  SmallVector<scf::ForOp> loops;
};

/// What the loop held stands where it was.
void unwrap(scf::ForOp loop) {
  for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator()))
    op.moveBefore(loop);
  loop.erase();
}

struct GatherSteps : impl::GatherStepsBase<GatherSteps> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread") || function.isDeclaration() || !FirstCall::isKnown(function))
      return;
    SmallVector<Block *> blocks;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<np::KernelOp>(op))
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          blocks.push_back(&block);
      return WalkResult::advance();
    });
    Gatherer gatherer(function);
    for (Block *block : blocks)
      gatherer.gather(*block);
    for (scf::ForOp loop : gatherer.getLoops()) {
      StepLoop step(loop);
      if (step.canEnclose())
        step.encloseOnce();
      unwrap(loop);
    }
  }
};
} // namespace
} // namespace npcc
