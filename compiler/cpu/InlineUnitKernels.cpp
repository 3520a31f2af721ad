// npcc-inline-unit-kernels: a kernel of one iteration is host code. Its inner loops become kernels, and its inner reductions full reductions.
//
//   scf.parallel (%i) = (%c0) to (%c1) step (%c1) {            %s = scf.parallel (%k) = (%c0) to (%n) ... init (%zero) -> f64 {...}
//     %s = scf.parallel (%k) ... init (%zero) -> f64 {...}  ->  %r = math.sqrt %s
//     %r = math.sqrt %s                                         memref.store %r, %out[%c0]
//     memref.store %r, %out[%i] }
#include "compiler/cpu/CpuPasses.h"
#include "compiler/cpu/Loops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace npcc;

namespace {
struct InlineUnitKernels : PassWrapper<InlineUnitKernels, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InlineUnitKernels)
  StringRef getArgument() const override { return "npcc-inline-unit-kernels"; }
  StringRef getDescription() const override { return "Make host code of kernels of one iteration"; }

  void runOnOperation() override {
    SmallVector<scf::ParallelOp> kernels;
    getOperation().walk([&](scf::ParallelOp loop) {
      if (isOutermost(loop) && loop.getInitVals().empty() && isUnit(loop))
        kernels.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ParallelOp kernel : kernels) {
      rewriter.eraseOp(kernel.getBody()->getTerminator());
      rewriter.inlineBlockBefore(kernel.getBody(), kernel, kernel.getLowerBound());
      rewriter.eraseOp(kernel);
    }
  }

  static bool isUnit(scf::ParallelOp loop) {
    return llvm::all_of(loop.getUpperBound(), [](Value bound) { return matchPattern(bound, m_One()); });
  }
};
} // namespace

std::unique_ptr<Pass> npcc::createInlineUnitKernelsPass() { return std::make_unique<InlineUnitKernels>(); }
