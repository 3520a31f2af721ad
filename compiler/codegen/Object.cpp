#include "compiler/codegen/Object.h"
#include "compiler/codegen/Target.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include <cstdlib>

using namespace npcc;
using llvm::Expected;

namespace {
/// Keeps the errors; "loop not vectorized" and the like are no business of the user's.
struct KeepErrors : llvm::DiagnosticHandler {
  std::string text;
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(text);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
      stream << '\n';
    }
    return true;
  }
};

llvm::Error takeErrors(llvm::Module &module) {
  auto *handler = static_cast<const KeepErrors *>(module.getContext().getDiagHandlerPtr());
  return handler->text.empty() ? llvm::Error::success() : llvm::createStringError(handler->text);
}
} // namespace

static std::unique_ptr<llvm::TargetLibraryInfoImpl> createLibraryInfo(llvm::Module &module, const Options &options) {
  return createTargetLibraryInfo(module.getTargetTriple(), getVectorBytes(options.cpu));
}

Expected<LlvmCode> npcc::translateToLlvm(mlir::ModuleOp from, const Options &options) {
  LlvmCode code;
  code.context = std::make_unique<llvm::LLVMContext>();
  code.context->setDiagnosticHandler(std::make_unique<KeepErrors>());
  code.module = mlir::translateModuleToLLVMIR(from, *code.context, "npcc");
  if (!code.module)
    return llvm::createStringError("translation to LLVM IR failed");
  auto machine = createTargetMachine(options.cpu, options.optLevel);
  if (!machine)
    return machine.takeError();
  code.module->setTargetTriple((*machine)->getTargetTriple());
  code.module->setDataLayout((*machine)->createDataLayout());
  for (llvm::Function &function : *code.module) {
    if (function.isDeclaration())
      continue;
    if (!function.getName().ends_with(".entry"))
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
    else
      function.setVisibility(llvm::GlobalValue::HiddenVisibility);
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.addFnAttr("target-cpu", (*machine)->getTargetCPU());
    function.addFnAttr("target-features", (*machine)->getTargetFeatureString());
    function.addFnAttr("no-trapping-math", "true");
    // Without a frame pointer spilled vectors are not aligned around calls of libmvec: half the speed, from process to process.
    function.addFnAttr("frame-pointer", "all");
  }
  return code;
}

llvm::Error npcc::optimize(llvm::Module &module, const Options &options) {
  auto machine = createTargetMachine(options.cpu, options.optLevel);
  if (!machine)
    return machine.takeError();
  std::unique_ptr<llvm::TargetLibraryInfoImpl> library = createLibraryInfo(module, options);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = tuning.LoopUnrolling = true;
  llvm::PassBuilder builder(machine->get(), tuning);
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(*library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  const llvm::OptimizationLevel levels[] = {llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1, llvm::OptimizationLevel::O2,
                                            llvm::OptimizationLevel::O3};
  llvm::OptimizationLevel level = levels[std::clamp(options.optLevel, 0, 3)];
  llvm::ModulePassManager passes =
      options.optLevel == 0 ? builder.buildO0DefaultPipeline(level) : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
  return takeErrors(module);
}

Expected<std::string> npcc::emitObject(llvm::Module &module, const Options &options, ObjectKind kind) {
  auto machine = createTargetMachine(options.cpu, options.optLevel);
  if (!machine)
    return machine.takeError();
  std::unique_ptr<llvm::TargetLibraryInfoImpl> library = createLibraryInfo(module, options);
  llvm::SmallVector<char> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  passes.add(new llvm::TargetLibraryInfoWrapperPass(*library));
  module.getContext().setDiagnosticHandler(std::make_unique<KeepErrors>()); // the module may be of another's making
  auto type = kind == ObjectKind::Object ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr, type))
    return llvm::createStringError("this target cannot emit such a file");
  passes.run(module);
  if (llvm::Error error = takeErrors(module))
    return error;
  return std::string(bytes.begin(), bytes.end());
}

Expected<std::string> npcc::compileToObject(mlir::ModuleOp module, const Options &options, ObjectKind kind) {
  std::string bytes;
  llvm::Error error = guardFatalErrors([&]() -> llvm::Error {
    Expected<LlvmCode> code = [&] {
      PhaseTimer timer("translate");
      return translateToLlvm(module, options);
    }();
    if (!code)
      return code.takeError();
    {
      PhaseTimer timer("optimize");
      if (llvm::Error error = optimize(*code->module, options))
        return error;
    }
    PhaseTimer timer("emit");
    if (kind == ObjectKind::LlvmIr) {
      llvm::raw_string_ostream(bytes) << *code->module;
      return llvm::Error::success();
    }
    Expected<std::string> object = emitObject(*code->module, options, kind);
    if (!object)
      return object.takeError();
    bytes = std::move(*object);
    return llvm::Error::success();
  });
  if (error)
    return error;
  return bytes;
}

PhaseTimer::PhaseTimer(const char *phase) : phase(phase), start(std::chrono::steady_clock::now()) {}
PhaseTimer::~PhaseTimer() {
  static const bool enabled = std::getenv("NPCC_TIME") != nullptr;
  if (enabled)
    // In one piece: threads print side by side.
    llvm::errs() << llvm::formatv("npcc: {0,-16} {1,8:f2} ms\n", phase,
                                  std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count())
                        .str();
}
