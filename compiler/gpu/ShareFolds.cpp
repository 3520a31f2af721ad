// npcc-share-folds: where a kernel has few iterations, a team of threads shares the loop that each of them goes
// through, if what it carries is the same in any order: the greatest of some numbers, a sum of integers.
//
//   np.kernel (%i) = (%n) {                                   np.kernel steps (%i) = (%n) {
//     %m = scf.for %k ... iter_args(%t = %x) {                  %s = scf.parallel (%k) ... { ... maxsi }
//       ... maxsi %t, %v }                            ->        %m = maxsi %x, %s
//     memref.store %m, %y[%i] }                                 memref.store %m, %y[%i] }
//
// Diagonals of a table are such kernels: as many iterations as the table has rows, each as long as a row. How many
// iterations there are is asked when the code runs.
#include "compiler/gpu/Gpu.h"
#include "compiler/kernels/Folds.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Kernels.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_SHAREFOLDS
#include "compiler/gpu/Passes.h.inc"
namespace {

struct ShareFolds : impl::ShareFoldsBase<ShareFolds> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread")) // it runs on the device as it is
      return;
    SmallVector<np::KernelOp> kernels;
    function.walk([&](np::KernelOp kernel) {
      if (!findLoops(kernel).empty())
        kernels.push_back(kernel);
    });
    for (np::KernelOp kernel : kernels)
      share(kernel);
  }

  bool isGeneral() { return getOperation()->hasAttr("np.general"); }

  /// Reductions that iterations go through alone: kernels whose threads share other loops are left as they are.
  SmallVector<scf::ForOp> findLoops(np::KernelOp kernel) {
    SmallVector<scf::ForOp> loops;
    bool isShared = kernel.isUnit() || kernel.getNumLoops() == 0;
    kernel.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      isShared |= isa<scf::ParallelOp, np::FoldOp, memref::AtomicRMWOp>(op);
      auto loop = dyn_cast<scf::ForOp>(op);
      if (!loop)
        return WalkResult::advance();
      std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
      if (!(end && *end <= getTargetProperties(loop).tuning.shortLoop) && isReduction(loop, isGeneral()))
        loops.push_back(loop);
      else
        isShared = true; // a loop that all threads of a team would repeat
      return WalkResult::skip();
    });
    return isShared ? SmallVector<scf::ForOp>() : loops;
  }

  void share(np::KernelOp kernel) {
    OpBuilder builder(kernel);
    IndexMath m{builder, kernel.getLoc()};
    Value iterations = m.product(kernel.getExtents());
    Value areFew =
        m.compare(arith::CmpIPredicate::sle, iterations, m.constant(getTargetProperties(kernel).tuning.manyRows));
    auto versions =
        np::AlternativesOp::create(builder, kernel.getLoc(), TypeRange(), "a team for each iteration", areFew);
    versions.setGeneral(builder.clone(*kernel));
    versions.setOffered(kernel);
    for (scf::ForOp loop : findLoops(kernel))
      raiseReduction(loop, isGeneral());
    kernel.setKind(np::KernelKind::steps);
  }
};

} // namespace
} // namespace npcc
