// npcc-version-host-loops: a nest of loops of the host that no kernel was made of has a version without checks of
// positions, which runs where all of them hold. What leaves a loop in the middle keeps LLVM from making vectors of it.
//
//   scf.for %i = %c0 to %n { scf.for %j = %i to %n {
//     %p = np.check_index %j of %m axis 1
//     ... %a[%i, %p] ... } }
// becomes
//   scf.if (%n <= %m) {
//     scf.for %i = %c0 to %n { scf.for %j = %i to %n { ... %a[%i, %j] ... } }
//   } else { as before }
#include "compiler/cpu/CpuPasses.h"
#include "compiler/kernels/LoopVersions.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_VERSIONHOSTLOOPS
#include "compiler/cpu/Passes.h.inc"
} // namespace npcc

// What is worth two versions.
static constexpr int64_t mostOperations = 300;

/// Whether a position is made of numbers of loops and of what is known before `outer`: not of elements of arrays, whose
/// bounds would have to be looked for.
static bool isOfLoops(Value position, scf::ForOp outer) {
  if (outer.isDefinedOutsideOfLoop(position))
    return true;
  if (auto argument = dyn_cast<BlockArgument>(position)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && position == loop.getInductionVar() && isOfLoops(loop.getLowerBound(), outer) &&
           isOfLoops(loop.getUpperBound(), outer);
  }
  Operation *op = position.getDefiningOp();
  bool isSum = isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::IndexCastOp, arith::MaxSIOp, arith::MinSIOp,
                   arith::ConstantOp, np::CheckIndexOp>(op);
  return isSum && llvm::all_of(op->getOperands(), [&](Value operand) { return isOfLoops(operand, outer); });
}

static bool isWorthwhile(scf::ForOp outer) {
  int64_t operations = 0;
  bool checks = false;
  WalkResult result = outer.walk([&](Operation *op) {
    if (isa<np::KernelOp>(op) || ++operations > mostOperations)
      return WalkResult::interrupt();
    auto check = dyn_cast<np::CheckIndexOp>(op);
    if (!check || !outer.isDefinedOutsideOfLoop(check.getSize()) || !canCheckBefore(check.getPosition(), outer))
      return WalkResult::advance();
    if (!isOfLoops(check.getPosition(), outer))
      return WalkResult::interrupt();
    checks = true;
    return WalkResult::advance();
  });
  return checks && !result.wasInterrupted();
}

namespace {
struct VersionHostLoops : npcc::impl::VersionHostLoopsBase<VersionHostLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto loop = dyn_cast<scf::ForOp>(op);
      if (loop && isWorthwhile(loop))
        loops.push_back(loop);
      return isa<np::KernelOp>(op) || (loop && !loops.empty() && loops.back() == loop) ? WalkResult::skip()
                                                                                       : WalkResult::advance();
    });
    for (scf::ForOp loop : loops)
      (void)makeVersions(loop, loop, Asked::all); // where it fails, another pass has made them
  }
};
} // namespace
