// npcc-gather-steps: small kernels that follow each other are one kernel of one block.
//
//   np.kernel (%i) = (%n) { ... }                         np.alternatives (they are small) {
//   np.kernel (%u) = (1) { sum }                            np.kernel steps (%u) = (1) {
//   np.kernel (%i) = (%n) { ... }            ->               scf.for 0 to 1 { scf.parallel (%i) ... sum ... } }
//                                                         } or { as before }
//
// A launch takes a few microseconds, and a block goes through some thousand elements in that time. Such are the vectors
// and numbers between the large kernels of a solver, and all kernels of small arrays. In the loop that
// npcc-enclose-steps knows how to run in one block, this is one iteration. What the host does to elements between the
// kernels is one thread's there, so that it need not wait for them: the small matrix that a step of a filter inverts.
// Only for a first call in which they are small: nobody wants both. What stands between the kernels is moved out of
// their way, which nobody can tell: arrays are made before, and given back after. A kernel that stores into what the
// caller sees does not join one whose checks may fail before it: as one of its own it asks whether they did
// (npcc-guard-kernels).
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/StepLoop.h"
#include "compiler/kernels/HostBlocks.h"
#include "compiler/kernels/KernelChecks.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/target/HostMemory.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_GATHERSTEPS
#include "compiler/gpu/Passes.h.inc"

namespace {
// Of a run, with those that the host makes: a matrix of 4 x 4 is solved by some hundred.
constexpr size_t mostSteps = 2048;

class Gatherer {
public:
  explicit Gatherer(func::FuncOp function)
      : first(function), tuning(getTargetProperties(function).tuning), aliasing(function->hasAttr("np.general")) {}

  /// Makes a loop of one iteration of each run of small kernels, with what the host does to elements between them, where
  /// nothing else needs that.
  void gather(Block &block) {
    SmallVector<Operation *> run;
    bool mayHaveFailed = false; // a check of a kernel of the run
    auto finish = [&] {
      gatherRun(run);
      run.clear();
      mayHaveFailed = false;
    };
    for (Operation &op : llvm::make_early_inc_range(block)) {
      bool isKernel = isa<np::KernelOp>(op);
      if (mayHaveFailed && (isKernel || isa<memref::StoreOp>(op)) && aliasing.mayWriteToOthers(&op))
        finish();
      if (!belongs(&op)) {
        finish();
        continue;
      }
      run.push_back(&op);
      mayHaveFailed |= isKernel && makesChecks(&op);
    }
    finish();
  }

  ArrayRef<scf::ForOp> getLoops() const { return loops; }

private:
  /// Code of the host that reads elements waits for the device; in a kernel it is one thread's.
  static bool isHostCode(Operation *op) {
    if (isa<memref::LoadOp, memref::StoreOp>(op)) // of the device's memory
      return llvm::none_of(op->getOperandTypes(), isInHostMemory);
    return isa<np::AssertOp, np::CheckIndexOp>(op);
  }
  static bool canBeMoved(Operation *op) {
    bool isNumber = isPure(op) && op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>();
    return isa<np::AllocOp, np::ReleaseOp>(op) || isNumber;
  }
  bool belongs(Operation *op) {
    auto kernel = dyn_cast<np::KernelOp>(op);
    return kernel ? isSmall(kernel) : isHostCode(op) || canBeMoved(op);
  }

  /// The operations of a run that stay between its kernels: these, the host's code, and what depends on that. The others
  /// can be moved out of their way.
  static llvm::SetVector<Operation *> getSteps(ArrayRef<Operation *> run) {
    llvm::SetVector<Operation *> steps;
    for (Operation *op : run) {
      bool depends = llvm::any_of(op->getOperands(), [&](Value operand) {
        return operand.getDefiningOp() && steps.contains(operand.getDefiningOp());
      });
      if (isa<np::KernelOp>(op) || isHostCode(op) || depends)
        steps.insert(op);
    }
    return steps;
  }

  /// Whether nobody behind the run needs a number that is computed in it.
  static bool isClosed(const llvm::SetVector<Operation *> &steps) {
    return llvm::all_of(steps, [&](Operation *op) {
      return llvm::all_of(op->getUsers(), [&](Operation *user) {
        Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
        return here && steps.contains(here);
      });
    });
  }

  void gatherRun(ArrayRef<Operation *> run) {
    while (!run.empty() && !isa<np::KernelOp>(run.front()) && !isa<memref::LoadOp>(run.front()))
      run = run.drop_front();
    llvm::SetVector<Operation *> steps = getSteps(run);
    if (isClosed(steps)) {
      wrap(run, steps);
      return;
    }
    // Without the host's code.
    for (size_t begin = 0, end = 0; begin < run.size(); begin = end + 1) {
      for (end = begin; end < run.size() && !isHostCode(run[end]);)
        ++end;
      ArrayRef<Operation *> part = run.slice(begin, end - begin);
      wrap(part, getSteps(part));
    }
  }

  void wrap(ArrayRef<Operation *> run, const llvm::SetVector<Operation *> &steps) {
    int64_t kernels = llvm::count_if(steps, llvm::IsaPred<np::KernelOp>),
            loads = llvm::count_if(steps, llvm::IsaPred<memref::LoadOp>);
    if (kernels == 0 || kernels + loads < 2 || steps.size() > mostSteps)
      return;
    Operation *begin = steps.front(), *last = steps.back();
    Location loc = begin->getLoc();
    for (Operation *op : run) // what stands before the first step, or behind the last one, stays
      if (!steps.contains(op) && begin->isBeforeInBlock(op) && op->isBeforeInBlock(last))
        isa<np::ReleaseOp>(op) ? op->moveAfter(last) : op->moveBefore(begin);
    OpBuilder builder(begin);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto loop = scf::ForOp::create(builder, loc, zero, one, one);
    for (Operation *op : steps)
      op->moveBefore(loop.getBody()->getTerminator());
    loops.push_back(loop);
  }

  bool isSmall(np::KernelOp kernel) {
    if (kernel.getKind() == np::KernelKind::steps)
      return false;
    std::optional<int64_t> elements = 1;
    auto take = [&](Value extent) {
      IntegerAttr known = first.evaluate(extent);
      if (!known || !elements || known.getInt() > tuning.gatheredElements)
        elements = std::nullopt;
      else
        elements = std::min(*elements * std::max<int64_t>(known.getInt(), 1), 2 * tuning.gatheredElements);
    };
    llvm::for_each(kernel.getExtents(), take);
    // What one thread does while all others wait.
    auto takeSerial = [&](Value extent) {
      IntegerAttr known = first.evaluate(extent);
      take(extent);
      if (!known || (kernel.isUnit() && known.getInt() > tuning.gatheredSerial))
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
    return elements && *elements <= tuning.gatheredElements;
  }

  FirstCall first;
  const Tuning &tuning;
  Aliasing aliasing;
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
    Gatherer gatherer(function);
    for (Block *block : getHostBlocks(function))
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
