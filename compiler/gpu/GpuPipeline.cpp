// What happens to the loop form on its way to CUDA, in order.
#include "compiler/codegen/HostLowering.h"
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/emit/Passes.h"
#include "compiler/gpu/image/Passes.h"
#include "compiler/kernels/Passes.h"
#include "compiler/np/Canonicalizer.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
namespace npcc {

#define GEN_PASS_REGISTRATION
#include "compiler/gpu/Passes.h.inc"

static void addCleanupUpwards(OpPassManager &pm) {
  // From the ends of blocks up: a third of the time on the long blocks of unrolled kernels, and the same code in the end.
  addCleanup(pm, GreedyRewriteConfig().setUseTopDownTraversal(false));
}

/// Whether each of the architectures ("sm_90,sm_100a") has clusters of blocks.
static bool haveClusters(StringRef archs) {
  SmallVector<StringRef> names;
  archs.split(names, ',');
  return llvm::all_of(names, [](StringRef name) {
    int64_t number = 0;
    name = name.trim().drop_while([](char letter) { return !llvm::isDigit(letter); });
    return !name.consumeInteger(10, number) && number >= 90;
  });
}

void buildLoopsToLastKernels(OpPassManager &pm) {
  addOffering(pm, createLeaveToHost());
  addOffering(pm, createGroupUpdates());
  {
    OpPassManager &function = pm.nest<func::FuncOp>();
    function.addPass(createCSEPass());
    function.addPass(createPlaceOnHost({/*wholeLoops=*/true}));
    function.addPass(createCarryElements());
  }
  addOffering(pm, createEncloseLoops());
  pm.addNestedPass<func::FuncOp>(createSinkLoads());
  addOffering(pm, createShareFolds());
  pm.addNestedPass<func::FuncOp>(createAlternateSteps());
  addOffering(pm, createEncloseSteps());
  pm.addNestedPass<func::FuncOp>(createTabulateIterations()); // of loops that are kernels now
  // Before what is around a routine becomes a kernel of one block without it.
  pm.addPass(createRecordFailures());
  pm.addNestedPass<func::FuncOp>(createEncloseRoutines());
  pm.addNestedPass<func::FuncOp>(createComputeOnce()); // behind those that make a kernel of a whole loop
  addOffering(pm, createGatherSteps());
  {
    OpPassManager &function = pm.nest<func::FuncOp>();
    function.addPass(createPlaceOnHost());
    function.addPass(createRaiseFolds());
    function.addPass(createCheckBeforeStores());
    function.addPass(createClassifyKernels());
  }
  addOffering(pm, createSplitLaunches());
  addOffering(pm, createSplitScans());
  pm.addNestedPass<func::FuncOp>(createClassifyKernels());
}

static void buildLastKernelsToLaunches(OpPassManager &pm, const Options &options) {
  {
    OpPassManager &function = pm.nest<func::FuncOp>();
    function.addPass(createLowerFolds({/*keepScans=*/true}));
    function.addPass(createCSEPass());
    function.addPass(createRunBeside());
  }
  pm.addPass(createGuardKernels());
  pm.addPass(createAwaitArguments());
  addOffering(pm, createMapKernels({haveClusters(options.arch)}));
  addCleanupUpwards(pm.nest<func::FuncOp>());
  pm.addPass(createLaunchThreads());
}

void buildLoopsToLaunches(OpPassManager &pm, const Options &options) {
  buildLoopsToLastKernels(pm);
  buildLastKernelsToLaunches(pm, options);
}

static void buildLaunchesToKernels(OpPassManager &pm) {
  pm.addPass(createLowerDeviceChecks());
  pm.addPass(createOutlineLaunches());
  addCleanupUpwards(pm.nest<gpu::GPUModuleOp>());
  pm.addPass(createShareKernels());
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createLeaveSettled());
  kernels.addPass(createExpandDeviceMath());
  kernels.addPass(createLowerDeviceViews());
  kernels.addPass(createConvertComplexToStandardPass());
  kernels.addPass(createSCFToControlFlowPass());
  kernels.addPass(createNarrowPositions());
  kernels.addPass(createConvertGpuOpsToNVVMOps());
  // What libdevice has no function for.
  kernels.addPass(createConvertMathToLLVMPass());
  addCleanupUpwards(kernels);
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(createConvertNVVMToLLVMPass());
}

void buildLaunchesToImages(OpPassManager &pm, const Options &options, bool ptxOnly) {
  buildLaunchesToKernels(pm);
  pm.addPass(createCompileKernels({options.arch, options.cudaPath, ptxOnly}));
}

void buildLastKernelsToImages(OpPassManager &pm, const Options &options) {
  buildLastKernelsToLaunches(pm, options);
  buildLaunchesToKernels(pm);
}

void buildKernelsToHost(OpPassManager &pm, const Options &options) {
  buildEmbedImages(pm, options);
  buildHostToLlvm(pm);
}

void buildEmbedImages(OpPassManager &pm, const Options &) {
  pm.addPass(createEmbedKernels());
  pm.addPass(createSafeCanonicalizer());
}

void buildLoopsToCuda(OpPassManager &pm, const Options &options) {
  buildLoopsToLaunches(pm, options);
  buildLaunchesToImages(pm, options);
  buildEmbedImages(pm, options);
  buildHostToLlvm(pm);
}

void registerGpuPasses() {
  registerNpccGpuPasses();
  registerNpccGpuEmitPasses();
  registerNpccGpuImagePasses();
  PassPipelineRegistration<>("npcc-loops-to-launches", "The loop form to host code with gpu.launch",
                             [](OpPassManager &pm) { buildLoopsToLaunches(pm, Options()); });
  PassPipelineRegistration<>("npcc-launches-to-images", "gpu.launch to PTX and cubin",
                             [](OpPassManager &pm) { buildLaunchesToImages(pm, Options()); });
  PassPipelineRegistration<>("npcc-loops-to-kernels", "The loop form to gpu.modules in the LLVM dialect",
                             [](OpPassManager &pm) {
                               buildLoopsToLastKernels(pm);
                               buildLastKernelsToImages(pm, Options());
                             });
  PassPipelineRegistration<>("npcc-loops-to-last-kernels", "The loop form with the kernels that a GPU gets",
                             [](OpPassManager &pm) { buildLoopsToLastKernels(pm); });
  PassPipelineRegistration<>("npcc-last-kernels-to-images", "These kernels to gpu.modules in the LLVM dialect",
                             [](OpPassManager &pm) { buildLastKernelsToImages(pm, Options()); });
  PassPipelineRegistration<>("npcc-kernels-to-host", "The host's code to the LLVM dialect, with kernels embedded",
                             [](OpPassManager &pm) { buildKernelsToHost(pm, Options()); });
  PassPipelineRegistration<>("npcc-loops-to-cuda", "The loop form to the LLVM dialect with embedded kernels",
                             [](OpPassManager &pm) { buildLoopsToCuda(pm, Options()); });
}

} // namespace npcc
