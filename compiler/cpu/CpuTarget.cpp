// The target "cpu": kernels on the thread pool, in the host's memory.
#include "compiler/codegen/HostTarget.h"
#include "compiler/cpu/CpuPasses.h"

using namespace npcc;

namespace {
struct CpuTarget : HostTarget {
  CpuTarget() : HostTarget("cpu", NPCC_TARGET_CPU, TargetProperties()) {}
  const char *getPipeline() const override { return "loops-to-cpu"; }
  void buildPipeline(mlir::OpPassManager &pm, const Options &options) const override { buildLoopsToCpu(pm, options); }
};
} // namespace

const Target &npcc::getCpuTarget() {
  static const CpuTarget target;
  return target;
}
