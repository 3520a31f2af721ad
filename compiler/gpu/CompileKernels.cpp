// npcc-compile-kernels: the gpu.module in the LLVM and NVVM dialects -> LLVM IR -> libdevice's functions -> LLVM's O3 -> PTX -> cubin.
// Upstream's gpu-module-to-binary does the same steps; this reads libdevice once for the process and not at all for kernels that
// call none of its functions, and reports a function that nothing defines instead of leaving it to the driver.
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/Toolkit.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include <mutex>

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_COMPILEKERNELS
#include "compiler/gpu/Passes.h.inc"
namespace {

void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

/// The file's bytes, kept for the life of the process.
llvm::Expected<llvm::MemoryBufferRef> readLibdevice(StringRef path) {
  static std::mutex mutex;
  static llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> buffers;
  std::lock_guard<std::mutex> lock(mutex);
  auto &buffer = buffers[path];
  if (!buffer) {
    auto read = llvm::MemoryBuffer::getFile(path);
    if (!read)
      return llvm::createStringError(read.getError(), "%s", path.str().c_str());
    buffer = std::move(*read);
  }
  return buffer->getMemBufferRef();
}

bool callsLibdevice(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &f) { return f.isDeclaration() && f.getName().starts_with("__nv_"); });
}

llvm::Error linkLibdevice(llvm::Module &module, StringRef cudaPath) {
  if (!callsLibdevice(module))
    return llvm::Error::success();
  std::string path = cuda::findToolkitFile(cudaPath, "nvvm/libdevice/libdevice.10.bc");
  if (path.empty())
    return llvm::createStringError("libdevice.10.bc was not found: install the CUDA toolkit, or set CUDA_HOME to it");
  auto bytes = readLibdevice(path);
  if (!bytes)
    return bytes.takeError();
  auto library = llvm::getLazyBitcodeModule(*bytes, module.getContext());
  if (!library)
    return library.takeError();
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  bool failed = llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded,
                                          [](llvm::Module &linked, const llvm::StringSet<> &names) {
                                            llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
                                              return !value.hasName() || !names.contains(value.getName());
                                            });
                                          });
  if (failed)
    return llvm::createStringError("%s cannot be linked", path.c_str());
  return llvm::Error::success();
}

void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  // Loops are unrolled by the emitters as far as it pays; more of it is ptxas' time.
  tuning.LoopUnrolling = false;
  llvm::PassBuilder passes(&machine, tuning);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);
  passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

llvm::Expected<std::string> compileToPtx(gpu::GPUModuleOp kernels, StringRef arch, StringRef cudaPath) {
  initializeTarget();
  llvm::LLVMContext context;
  auto module = translateModuleToLLVMIR(kernels, context);
  if (!module)
    return llvm::createStringError("the kernels cannot be translated to LLVM IR");
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError("%s", error.c_str());
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, arch, "", options, std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  if (llvm::Error failure = linkLibdevice(*module, cudaPath))
    return std::move(failure);
  optimize(*module, *machine);
  for (const llvm::Function &function : *module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty())
      return llvm::createStringError("a kernel calls %s, which the device does not have", function.getName().str().c_str());
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream out(text);
  llvm::legacy::PassManager codegen;
  if (machine->addPassesToEmitFile(codegen, out, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return llvm::createStringError("no PTX can be made for %s", arch.str().c_str());
  codegen.run(*module);
  return text.str().str();
}

struct CompileKernels : impl::CompileKernelsBase<CompileKernels> {
  using CompileKernelsBase::CompileKernelsBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registerAllGPUToLLVMIRTranslations(registry);
  }
  void runOnOperation() override {
    // PTX of the least architecture runs on all later ones; the cubin is for the greatest.
    SmallVector<StringRef> names;
    StringRef(arch).split(names, ',', -1, /*KeepEmpty=*/false);
    SmallVector<std::pair<int, std::string>> sorted;
    for (StringRef name : names) {
      int number = 0;
      StringRef digits = name.trim();
      if (!digits.consume_front("sm_") || digits.consumeInteger(10, number)) {
        getOperation().emitError("'" + name + "' is no GPU architecture: sm_90 is one");
        return signalPassFailure();
      }
      sorted.push_back({number, name.trim().str()});
    }
    llvm::sort(sorted);
    if (sorted.empty())
      return;
    const std::string &least = sorted.front().second, &greatest = sorted.back().second;
    for (auto kernels : getOperation().getOps<gpu::GPUModuleOp>()) {
      auto ptx = compileToPtx(kernels, least, cudaPath);
      if (!ptx) {
        kernels.emitError(llvm::toString(ptx.takeError()));
        return signalPassFailure();
      }
      Builder builder(&getContext());
      kernels->setAttr("npcc.ptx", builder.getStringAttr(*ptx));
      kernels->setAttr("npcc.arch", builder.getStringAttr(greatest));
      if (ptxOnly)
        continue;
      auto cubin = cuda::assemble(*ptx, greatest, cudaPath);
      if (!cubin) {
        kernels.emitError(llvm::toString(cubin.takeError()));
        return signalPassFailure();
      }
      if (!cubin->empty())
        kernels->setAttr("npcc.cubin", builder.getStringAttr(*cubin));
    }
  }
};

} // namespace

std::string getPtx(ModuleOp module) {
  for (auto kernels : module.getOps<gpu::GPUModuleOp>())
    if (auto text = kernels->getAttrOfType<StringAttr>("npcc.ptx"))
      return text.str();
  return "";
}

} // namespace npcc
