// npcc-inline-unit-kernels: a kernel of one iteration is host code. Its inner loops become kernels, and its inner
// reductions full reductions.
//
//   np.kernel (%i) = (%c1) {                                   %s = scf.parallel (%k) = (%c0) to (%n) ... init (%zero) -> f64 {...}
//     %s = scf.parallel (%k) ... init (%zero) -> f64 {...}  ->  %r = math.sqrt %s
//     %r = math.sqrt %s                                         memref.store %r, %out[%c0]
//     memref.store %r, %out[%i] }
#include "compiler/cpu/CpuPasses.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_INLINEUNITKERNELS
#include "compiler/cpu/Passes.h.inc"
} // namespace npcc

namespace {
struct InlineUnitKernels : npcc::impl::InlineUnitKernelsBase<InlineUnitKernels> {
  void runOnOperation() override {
    SmallVector<np::KernelOp> kernels;
    getOperation().walk([&](np::KernelOp kernel) {
      if (kernel.isUnit())
        kernels.push_back(kernel);
    });
    IRRewriter rewriter(&getContext());
    for (np::KernelOp kernel : kernels) {
      SmallVector<scf::ParallelOp> walks;
      kernel.getBody()->walk<WalkOrder::PreOrder>([&](scf::ParallelOp loop) {
        if (loop.getInitVals().empty())
          walks.push_back(loop);
        return WalkResult::skip();
      });
      rewriter.setInsertionPoint(kernel);
      Value zero = arith::ConstantIndexOp::create(rewriter, kernel.getLoc(), 0);
      rewriter.eraseOp(kernel.getBody()->getTerminator());
      rewriter.inlineBlockBefore(kernel.getBody(), kernel, SmallVector<Value>(kernel.getNumLoops(), zero));
      rewriter.eraseOp(kernel);
      for (scf::ParallelOp walk : walks)
        makeKernel(rewriter, walk);
    }
  }

  static void makeKernel(IRRewriter &rewriter, scf::ParallelOp walk) {
    rewriter.setInsertionPoint(walk);
    auto kernel = np::KernelOp::create(rewriter, walk.getLoc(), walk.getUpperBound());
    rewriter.eraseOp(walk.getBody()->getTerminator());
    rewriter.inlineBlockBefore(walk.getBody(), kernel.getBody()->getTerminator(), kernel.getInductionVars());
    rewriter.eraseOp(walk);
  }
};
} // namespace
