// npcc-opt: runs each pass and pipeline alone.
#include "compiler/Pipeline.h"
#include "compiler/Targets.h"
#include "compiler/kernels/Passes.h"
#include "compiler/np/Passes.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

namespace npcc {
void registerCpuPasses();
void registerGpuPasses();
void registerDebugPasses();
} // namespace npcc

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  npcc::registerAllNpccDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  npcc::registerNpccNpPasses();
  npcc::registerNpccKernelPasses();
  npcc::registerTargets();
  npcc::registerPipelines();
  npcc::registerCpuPasses();
  npcc::registerGpuPasses();
  npcc::registerDebugPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "npcc optimizer driver\n", registry));
}
