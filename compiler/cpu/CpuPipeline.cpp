
#include "compiler/codegen/HostLowering.h"
#include "compiler/codegen/Target.h"
#include "compiler/cpu/CpuPasses.h"
#include "compiler/kernels/Passes.h"
#include "compiler/np/Canonicalizer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_REGISTRATION
#include "compiler/cpu/Passes.h.inc"
} // namespace npcc

void npcc::buildLoopsToCpu(OpPassManager &pm, const Options &options) {
  unsigned vectorBytes = getVectorBytes(options.cpu);
  if (options.movedUpTo)
    pm.addPass(createLimitCalls({options.movedUpTo}));
  pm.addPass(createOutlineThreads());
  pm.addNestedPass<func::FuncOp>(createComputeOnce());
  addOffering(pm, createVersionHostLoops());
  {
    OpPassManager &function = pm.nest<func::FuncOp>();
    function.addPass(createLowerFolds());
    function.addPass(createInlineUnitKernels());
    function.addPass(createSplitUpdates());
  }
  addOffering(pm, createPrivateUpdates());
  pm.addNestedPass<func::FuncOp>(createMergeAxes());
  pm.addNestedPass<func::FuncOp>(createSafeCanonicalizer());
  addOffering(pm, createCallProducts());
  pm.addNestedPass<func::FuncOp>(createVectorizeColumns({vectorBytes}));
  addOffering(pm, createColumnReductions());
  pm.addNestedPass<func::FuncOp>(createVectorizeRows()); // before rows are split, which short ones never are
  pm.addPass(createSplitReductions());
  pm.addPass(createPlanAlternatives());
  pm.addNestedPass<func::FuncOp>(createReductionLoops({vectorBytes}));
  pm.addNestedPass<func::FuncOp>(createTileTransposes());
  pm.addNestedPass<func::FuncOp>(createStoreWithoutBranches());
  pm.addNestedPass<func::FuncOp>(createUnrollAxes()); // last: canonicalization would take its casts away again
  pm.addPass(createOutlineKernels());
  {
    OpPassManager &function = pm.nest<func::FuncOp>();
    function.addPass(createUnswitchLoops());
    function.addPass(createSplitBorders());
    addCleanup(function);
  }
  buildHostToLlvm(pm);
}

void npcc::registerCpuPasses() {
  registerNpccCpuPasses();
  registerCodegenPasses();
  PassPipelineRegistration<>("npcc-loops-to-cpu", "The loop form to the LLVM dialect, for this machine's CPU",
                             [](OpPassManager &pm) { buildLoopsToCpu(pm, Options()); });
}
