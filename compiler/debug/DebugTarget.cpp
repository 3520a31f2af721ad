// The target "debug", and what happens to the loop form on its way there, in order.
#include "compiler/codegen/HostLowering.h"
#include "compiler/codegen/HostTarget.h"
#include "compiler/debug/Debug.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace npcc {

#define GEN_PASS_REGISTRATION
#include "compiler/debug/Passes.h.inc"

void buildLoopsToDebug(OpPassManager &pm, const Options &options) {
  pm.addPass(createShuffleIterations());
  // What these insert is no part of the program: none of them looks at it, in this order.
  pm.addPass(createCheckUndefined());
  if (options.checkNans)
    pm.addNestedPass<func::FuncOp>(createCheckNans());
  pm.addPass(createCheckAccesses());
  pm.addPass(createOutlineThreads());
  buildHostToLlvm(pm);
}

void registerDebugPasses() {
  registerNpccDebugPasses();
  PassPipelineRegistration<>("npcc-loops-to-debug", "The loop form to the LLVM dialect, with all accesses checked",
                             [](OpPassManager &pm) { buildLoopsToDebug(pm, Options()); });
}

namespace {
TargetProperties makeProperties() {
  TargetProperties properties;
  properties.tellsUndefined = true;
  properties.checksAccesses = true;
  return properties;
}

struct DebugTarget : HostTarget {
  DebugTarget() : HostTarget("debug", NPCC_TARGET_CPU, makeProperties()) {}
  const char *getPipeline() const override { return "loops-to-debug"; }
  void buildPipeline(OpPassManager &pm, const Options &options) const override { buildLoopsToDebug(pm, options); }

  /// Nearly all of the code is calls of the runtime, and the functions are long: what an optimiser finds is not worth
  /// its time.
  std::optional<EmittedCode> emitObjects(PhaseRunner &phases, ModuleOp module, const Options &options) const override {
    Options plain = options;
    plain.optLevel = 0;
    return HostTarget::emitObjects(phases, module, plain);
  }
};
} // namespace

const Target &getDebugTarget() {
  static const DebugTarget target;
  return target;
}

} // namespace npcc
