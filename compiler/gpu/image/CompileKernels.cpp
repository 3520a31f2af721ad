// npcc-compile-kernels: each gpu.module in the LLVM and NVVM dialects gets its PTX and its machine code as attributes.
//
//   gpu.module @kernels { llvm.func @f ... }
// becomes
//   gpu.module @kernels attributes {np.ptx = ".visible .entry f ...", np.cubin = "...", np.arch = "sm_90"} { ... }
//
// A compilation that only wants the code in memory does the same beside the host's code (PendingImages).
#include "compiler/gpu/image/Passes.h"
#include "compiler/gpu/image/KernelImages.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_COMPILEKERNELS
#include "compiler/gpu/image/Passes.h.inc"
namespace {

struct CompileKernels : impl::CompileKernelsBase<CompileKernels> {
  using CompileKernelsBase::CompileKernelsBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registerAllGPUToLLVMIRTranslations(registry);
  }
  void runOnOperation() override {
    auto archs = parseArchitectures(arch);
    if (!archs) {
      getOperation().emitError(llvm::toString(archs.takeError()));
      return signalPassFailure();
    }
    if (archs->least.empty())
      return;
    for (auto kernels : getOperation().getOps<gpu::GPUModuleOp>()) {
      auto code = translateKernels(kernels);
      auto image = code ? compileImage(*code, *archs, cudaPath, ptxOnly) : llvm::Expected<KernelImage>(code.takeError());
      if (!image) {
        kernels.emitError(llvm::toString(image.takeError()));
        return signalPassFailure();
      }
      Builder builder(&getContext());
      kernels->setAttr("np.ptx", builder.getStringAttr(image->ptx));
      kernels->setAttr("np.arch", builder.getStringAttr(archs->greatest));
      if (!image->cubin.empty())
        kernels->setAttr("np.cubin", builder.getStringAttr(image->cubin));
    }
  }
};

} // namespace
} // namespace npcc
