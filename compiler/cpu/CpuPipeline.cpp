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

void npcc::buildLoopsToCpu(OpPassManager &pm, const Options &options) {
  unsigned vectorBytes = getVectorBytes(options.cpu);
  pm.addPass(createOutlineThreadsPass());
  {
    OpPassManager &function = pm.nest<func::FuncOp>();
    function.addPass(createLowerFolds());
    function.addPass(createInlineUnitKernelsPass());
    function.addPass(createPrivateUpdatesPass());
    function.addPass(createMergeAxesPass());
    function.addPass(createSafeCanonicalizer());
    function.addPass(createColumnReductionsPass());
  }
  pm.addPass(createSplitReductionsPass());
  pm.addPass(createPlanAlternatives());
  pm.addNestedPass<func::FuncOp>(createReductionLoopsPass(vectorBytes));
  pm.addNestedPass<func::FuncOp>(createTileTransposesPass());
  pm.addPass(createOutlineKernelsPass());
  {
    OpPassManager &function = pm.nest<func::FuncOp>();
    function.addPass(createUnswitchLoopsPass());
    function.addPass(createSplitBordersPass());
    function.addPass(createSafeCanonicalizer());
    function.addPass(createCSEPass());
  }
  buildHostToLlvm(pm);
}

void npcc::registerCpuPasses() {
  registerPass(createInlineUnitKernelsPass);
  registerPass(createPrivateUpdatesPass);
  registerPass(createMergeAxesPass);
  registerPass(createSplitReductionsPass);
  registerPass(createColumnReductionsPass);
  registerPass([] { return createReductionLoopsPass(); });
  registerPass(createTileTransposesPass);
  registerPass(createOutlineKernelsPass);
  registerPass(createUnswitchLoopsPass);
  registerPass(createSplitBordersPass);
  registerCodegenPasses();
  PassPipelineRegistration<>("npcc-loops-to-cpu", "The loop form to the LLVM dialect, for this machine's CPU",
                             [](OpPassManager &pm) { buildLoopsToCpu(pm, Options()); });
}
