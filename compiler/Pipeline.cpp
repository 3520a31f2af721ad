// THE pipeline: the phases of docs/design.md, in order. What comes after the loop form is in compiler/cpu and compiler/gpu.
#include "compiler/Pipeline.h"
#include "compiler/kernels/ElementModels.h"
#include "compiler/kernels/Passes.h"
#include "compiler/np/Canonicalizer.h"
#include "compiler/np/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "runtime/abi/arrays.h"

using namespace mlir;

namespace npcc {

void buildImportToNp(OpPassManager &pm, const Options &) {
  {
    OpPassManager &function = pm.nest<func::FuncOp>();
    function.addPass(createKeepChecks());
    function.addPass(createRaiseNames());
    addCleanup(function);
    function.addPass(createCarryMasks());
    function.addPass(createMaskPositions());
    function.addPass(createMoveSelections());
    function.addPass(createFindDistinct());
    function.addPass(createExpandSelections());
    addCleanup(function);
    function.addPass(createSimplifyIntegers());
    addCleanup(function);
    function.addPass(createCountIterations());
    addCleanup(function);
    function.addPass(createContractLists());
    function.addPass(createPeelLoops());
  }
  pm.addPass(createUnrollLoops());
  OpPassManager &function = pm.nest<func::FuncOp>();
  addCleanup(function);
  function.addPass(createRotateLoops());
  addCleanup(function);
  // Before the extents: what two slices have for their ends is one value, though a program reads it for each of them.
  function.addPass(createSimplifyChecks());
  addCleanup(function);
  // And a view of a view has the extents of the root's axes, which is what makes two of them equal.
  function.addPass(createComposeViews());
  addCleanup(function);
  function.addPass(createCopyReshapes());
  // Ends that two slices have in common are found before a loop decides one of them.
  function.addPass(createResolveExtents({/*guardsOnly=*/true}));
  function.addPass(createSimplifyPositions());
  addCleanup(function);
  function.addPass(createCountRotated());
  function.addPass(createGrowArrays());
  function.addPass(createResolveExtents());
  function.addPass(createReserveLists({/*keepOthers=*/true}));
  addCleanup(function);
  // Twice: where branches that the extents decide are gone, what they gave has extents of its own.
  for (int round = 0; round < 2; ++round) {
    pm.addPass(createAssumeExtents());
    OpPassManager &assumed = pm.nest<func::FuncOp>();
    addCleanup(assumed);
    assumed.addPass(createSimplifyPositions());
    addCleanup(assumed);
    assumed.addPass(createCountRotated());
    assumed.addPass(createResolveExtents());
    if (round == 0) { // the extents of what a list holds are known now, if they stay
      assumed.addPass(createGrowInBlocks());
      assumed.addPass(createReserveLists());
      addCleanup(assumed);
    }
  }
  OpPassManager &checked = pm.nest<func::FuncOp>();
  checked.addPass(createStackKept());
  addCleanup(checked);
  checked.addPass(createChooseElements());
  checked.addPass(createDropUnreadResults());
  addCleanup(checked); // what only those read is gone, and so are the errors of routines that are not called
  checked.addPass(createExpandReductions());
  checked.addPass(createSimplifyChecks());
  addCleanup(checked);
}

void buildNpToLoops(OpPassManager &pm, const Options &options) {
  if (options.devices <= 1) {
    pm.addNestedPass<func::FuncOp>(createShrinkArrays());
    addOffering(pm, createAlternateArrays());
  }
  {
    OpPassManager &function = pm.nest<func::FuncOp>();
    function.addPass(createPromoteArrays());
    addCleanup(function);
    if (options.devices <= 1) {
      function.addPass(createAskInBlocks());
      addCleanup(function);
      // Before values are split into parts: what is sorted often is put together of some.
      function.addPass(createExpandSorts());
      addCleanup(function);
      function.addPass(createSplitParts());
      addCleanup(function);
    }
    if (options.devices > 1) {
      function.addPass(createDistribute());
      addCleanup(function);
      function.addPass(createComposeViews());
      addCleanup(function);
    }
    function.addPass(createCopyCarriedParts());
    function.addPass(createHoistInvariants());
    function.addPass(createLoopInvariantCodeMotionPass());
  }
  if (options.devices <= 1) {
    addOffering(pm, createVersionWindows());
    {
      OpPassManager &function = pm.nest<func::FuncOp>();
      function.addPass(createSimplifyPositions());
      addCleanup(function);
      // What depends on the extents of windows is the same in all iterations now.
      function.addPass(createLoopInvariantCodeMotionPass());
    }
    addOffering(pm, createVersionExtents());
    {
      OpPassManager &function = pm.nest<func::FuncOp>();
      addCleanup(function);
      function.addPass(createRaiseProducts());
      addCleanup(function);
      function.addPass(createRaiseDraws({NPCC_MAX_RANK}));
      function.addPass(createRaiseCalls({NPCC_MAX_RANK}));
      addCleanup(function);
    }
    addOffering(pm, createExpandProducts());
    addOffering(pm, createBatchProducts());
  }
  {
    OpPassManager &function = pm.nest<func::FuncOp>();
    if (options.devices <= 1) {
      function.addPass(createJoinProducts());
      function.addPass(createStackProducts());
    }
    function.addPass(createNarrowProducts({options.matmul}));
    if (options.devices <= 1) // of several devices, each has a part of the addend
      function.addPass(createFuseEpilogues());
    // They make views of values, which are views of the arrays that these were loaded from.
    function.addPass(createComposeViews());
    addCleanup(function);
    function.addPass(createDeferItems());
    addCleanup(function);
    function.addPass(createMaterialize());
    function.addPass(createGatherItems());
    addCleanup(function);
  }
  pm.addPass(createFuse());
  pm.addPass(createPlanAlternatives());
  pm.addNestedPass<func::FuncOp>(createCheckRanks({NPCC_MAX_RANK}));
  pm.addPass(createCleanLoops());
  addOffering(pm, createFuseRows());
  {
    OpPassManager &function = pm.nest<func::FuncOp>();
    function.addPass(createElideCopies());
    function.addPass(createMergeLoops());
    function.addPass(createPrivatizeArrays());
  }
  addOffering(pm, createComputeAhead());
  {
    OpPassManager &function = pm.nest<func::FuncOp>();
    function.addPass(createCarryElements({/*onlyTotals=*/true}));
    function.addPass(createSeparateTotals());
    function.addPass(createDistributeUpdates());
    function.addPass(createSplitAtPivots());
  }
  addOffering(pm, createParallelizeLoops());
  {
    OpPassManager &function = pm.nest<func::FuncOp>();
    function.addPass(createUnrollStacks());
    function.addPass(createMergeKernels());
  }
  addOffering(pm, createUpdateInPlace());
  // What a nest of loops is as a whole is asked before the loops inside it become kernels.
  addOffering(pm, createSkewLoops());
  addOffering(pm, createMergeIterations());
  addOffering(pm, createInterchangeLoops());
  addOffering(pm, createSplitSteps());
  {
    OpPassManager &function = pm.nest<func::FuncOp>();
    function.addPass(createTabulateIterations());
    function.addPass(createCarryElements());
  }
  pm.addNestedPass<func::FuncOp>(createMergeKernels()); // loops inside with what made the arrays that they begin with
  pm.addNestedPass<func::FuncOp>(createMergeReductions());
  pm.addNestedPass<func::FuncOp>(createMergeScans());
  pm.addNestedPass<func::FuncOp>(createTurnOperands());
  pm.addNestedPass<func::FuncOp>(createSplitAxes());
  pm.addNestedPass<func::FuncOp>(createCountReferences());
  pm.addNestedPass<func::FuncOp>(createSimplifyThreadPositions());
  pm.addPass(createCleanLoops());
  pm.addNestedPass<func::FuncOp>(createClassifyKernels());
}

void registerPipelines() {
  PassPipelineRegistration<>("npcc-import-to-np", "np as imported to np on structured control flow",
                             [](OpPassManager &pm) { buildImportToNp(pm, Options()); });
  PassPipelineRegistration<>("npcc-np-to-loops", "np to the loop form",
                             [](OpPassManager &pm) { buildNpToLoops(pm, Options()); });
}

void registerAllNpccDialects(DialectRegistry &registry) {
  registry.insert<np::NpDialect>();
  registerAllDialects(registry);
  registerElementModels(registry);
}

} // namespace npcc
