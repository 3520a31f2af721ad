// The target "cuda": kernels as images for the GPU, which are made while the host's code is compiled.
#include "compiler/codegen/Object.h"
#include "compiler/explain/Remarks.h"
#include "compiler/gpu/CallTimes.h"
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/image/KernelImages.h"
#include "compiler/target/Target.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace npcc;

namespace {
TargetProperties makeProperties() {
  TargetProperties properties;
  properties.hostSharesMemory = false;
  properties.launchesAreCostly = true;
  properties.groupsScans = true;
  properties.cutsKernels = true;
  properties.linksDeviceCode = true;
  properties.tuning.manyRows = 1024;
  properties.tuning.fusedRows = 256;
  properties.tuning.fewIterations = 64;
  properties.tuning.copiedPerIteration = 4096;
  properties.tuning.smallProduct = 8192;
  properties.tuning.factorOfVector = 64;
  properties.tuning.slimMatrix = 256;
  properties.tuning.leastColumns = 128;
  return properties;
}

struct CudaTarget : Target {
  CudaTarget() : Target("cuda", NPCC_TARGET_CUDA, makeProperties()) {}
  const char *getPipeline() const override { return "loops-to-cuda"; }
  void buildKernels(OpPassManager &pm, const Options &) const override { buildLoopsToLastKernels(pm); }
  int64_t findMovable(ModuleOp module) const override {
    CallTimes all;
    Location loc = module.getLoc();
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isDeclaration() || !function->hasAttr("np.python_name"))
        continue;
      std::optional<CallTimes> times = estimateCall(function);
      if (!times)
        return 0;
      loc = function.getLoc();
      all.host += times->host;
      all.device += times->device;
    }
    const Tuning &tuning = getProperties().tuning;
    double sooner = all.device / std::max(all.host * tuning.worthHost, 1.0);
    if (sooner < 1)
      return 0;
    remarkCall(loc, llvm::formatv("without a target, calls like this one are the host's: about {0} us, the device {1}",
                                  int64_t(std::ceil(all.host / 1000)), int64_t(std::ceil(all.device / 1000))));
    return std::clamp<int64_t>(std::sqrt(sooner), 2, tuning.mostLarger);
  }
  void buildPipeline(OpPassManager &pm, const Options &options) const override { buildLoopsToCuda(pm, options); }

  std::optional<EmittedCode> emitObjects(PhaseRunner &phases, ModuleOp module, const Options &options) const override {
    PendingImages images;
    if (!phases.run(module, "last-kernels-to-images",
                    [&](OpPassManager &pm) { buildLastKernelsToImages(pm, options); }))
      return std::nullopt;
    if (llvm::Error error = images.start(module, options))
      return fail(module, std::move(error));
    if (!phases.run(module, "kernels-to-host", [&](OpPassManager &pm) { buildKernelsToHost(pm, options); }))
      return std::nullopt;
    // The host launches kernels, and computes numbers for that.
    Options ofHost = options;
    ofHost.optLevel = std::min(options.optLevel, 1);
    llvm::Expected<std::string> host = compileToObject(module, ofHost);
    if (!host) {
      phases.reportInternal(llvm::toString(host.takeError()));
      return std::nullopt;
    }
    EmittedCode code{{std::move(*host)}, {}};
    if (images.isEmpty())
      return code;
    llvm::Expected<std::string> made = images.finish(options);
    if (!made)
      return fail(module, made.takeError());
    code.objects.push_back(std::move(*made));
    return code;
  }

  std::optional<std::string> emitText(PhaseRunner &phases, ModuleOp module, const Options &options,
                                      StringRef phase) const override {
    if (!phases.run(module, "loops-to-launches", [&](OpPassManager &pm) { buildLoopsToLaunches(pm, options); }))
      return std::nullopt;
    if (phase == "ptx") {
      if (!phases.run(module, "launches-to-images",
                      [&](OpPassManager &pm) { buildLaunchesToImages(pm, options, /*ptxOnly=*/true); }))
        return std::nullopt;
      return getPtx(module);
    }
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    return text;
  }

private:
  /// What the toolkit says, or the lack of one, is no fault of the compiler's.
  static std::nullopt_t fail(ModuleOp module, llvm::Error error) {
    emitError(UnknownLoc::get(module.getContext())) << llvm::toString(std::move(error));
    return std::nullopt;
  }
};
} // namespace

const Target &npcc::getCudaTarget() {
  static const CudaTarget target;
  return target;
}
