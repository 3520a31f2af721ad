
#include "compiler/Driver.h"
#include "compiler/Pipeline.h"
#include "compiler/Targets.h"
#include "compiler/codegen/Describe.h"
#include "compiler/codegen/Object.h"
#include "compiler/explain/Describe.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace npcc;

std::optional<Phase> npcc::parsePhase(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Phase>>(name)
      .Case("import", Phase::Import)
      .Case("np", Phase::Np)
      .Cases({"kernels", "loops", "linalg"}, Phase::Loops)
      .Case("explain", Phase::Explain)
      .Case("gpu", Phase::Gpu)
      .Case("llvm", Phase::Llvm)
      .Case("ptx", Phase::Ptx)
      .Case("asm", Phase::Asm)
      .Default(std::nullopt);
}

//===---- Diagnostics ----===//

static SourceDiagnostic convert(Diagnostic &from) {
  SourceDiagnostic to;
  to.isError = from.getSeverity() == DiagnosticSeverity::Error;
  to.message = from.str();
  from.getLocation()->walk([&](Location loc) {
    auto range = dyn_cast<FileLineColRange>(loc);
    if (!range)
      return WalkResult::advance();
    to.file = range.getFilename().str();
    to.line = range.getStartLine();
    to.column = range.getStartColumn();
    to.endLine = range.getEndLine();
    to.endColumn = range.getEndColumn();
    return WalkResult::interrupt();
  });
  for (Diagnostic &note : from.getNotes())
    to.notes.push_back(note.str());
  return to;
}

bool Driver::hasErrors() const {
  return llvm::any_of(diagnostics, [](const SourceDiagnostic &diagnostic) { return diagnostic.isError; });
}

void Driver::reportInternal(const std::string &message) {
  SourceDiagnostic diagnostic;
  diagnostic.message = "internal error: " + message;
  diagnostics.push_back(std::move(diagnostic));
}

//===---- Construction ----===//

static const DialectRegistry &getRegistry() {
  static const DialectRegistry *registry = [] {
    auto *registry = new DialectRegistry;
    registerAllNpccDialects(*registry);
    registerAllExtensions(*registry); // the GPU's conversion to NVVM finds its patterns through these
    registerBuiltinDialectTranslation(*registry);
    registerLLVMDialectTranslation(*registry);
    registerGPUDialectTranslation(*registry);
    registerNVVMDialectTranslation(*registry);
    return registry;
  }();
  return *registry;
}

static const Target &getTarget(const Options &options) {
  registerTargets();
  return *findTarget(options.target);
}

Driver::Driver(const Options &options) : options(options), target(getTarget(options)) {
  PhaseTimer timer("context");
  context = std::make_unique<MLIRContext>(getRegistry(), MLIRContext::Threading::DISABLED);
  // For the context's whole life: the importer reports through it before the first pass, the translation to LLVM after
  // the last.
  context->getDiagEngine().registerHandler(
      [this](Diagnostic &diagnostic) { diagnostics.push_back(convert(diagnostic)); });
}

Driver::~Driver() {
  if (isLost) // a phase that crashed was changing what it holds
    (void)context.release();
}

//===---- Phases ----===//

/// Writes the module that a phase failed on, and the line that repeats it.
static std::string saveReproducer(ModuleOp module, const char *phase) {
  llvm::SmallString<128> path;
  int file;
  if (llvm::sys::fs::createTemporaryFile("npcc-internal-error", "mlir", file, path))
    return "";
  llvm::raw_fd_ostream stream(file, /*shouldClose=*/true);
  module->print(stream, OpPrintingFlags().enableDebugInfo().assumeVerified());
  return ("to reproduce: npcc-opt --npcc-" + llvm::StringRef(phase) + " " + path).str();
}

bool Driver::run(ModuleOp module, const char *phase, llvm::function_ref<void(OpPassManager &)> build) {
  OwningOpRef<ModuleOp> before = module.clone();
  PassManager pm(context.get());
  static const bool verify = std::getenv("NPCC_VERIFY") != nullptr;
  pm.enableVerifier(verify);
  if (std::getenv("NPCC_PRINT_PASSES"))
    pm.enableIRPrinting([](Pass *, Operation *) { return false; }, [](Pass *, Operation *) { return true; },
                        /*printModuleScope=*/false);
  build(pm);
  bool good = false;
  if (PhaseTimer::wantsPasses())
    pm.enableTiming();
  llvm::Error fatal = guardFatalErrors([&]() -> llvm::Error {
    PhaseTimer timer(phase);
    good = succeeded(pm.run(module));
    return llvm::Error::success();
  });
  isLost = isLost || fatal;
  std::string reason = fatal ? llvm::toString(std::move(fatal)) : "phase " + std::string(phase) + " failed";
  if (good || hasErrors()) {
    // A pass that finds the user's mistakes says where they are; one that fails by its own says what it failed on.
    if (!good && llvm::none_of(diagnostics, [](const SourceDiagnostic &diagnostic) {
          return diagnostic.isError && diagnostic.line;
        }))
      diagnostics.back().notes.push_back(saveReproducer(*before, phase));
    return good && !hasErrors();
  }
  reportInternal(reason);
  diagnostics.back().notes.push_back(saveReproducer(*before, phase));
  if (isLost)
    (void)before.release();
  return false;
}

/// The symbol of npcc_variant::choice, if there will be any.
static std::string getChoiceSymbol(const VariantInfo &variant) {
  llvm::StringRef entry = variant.entry;
  entry.consume_back(".entry");
  return getEntrySymbol((entry + ".choice").str());
}

/// Tells the passes what is known of the call that the code is compiled for.
static void describeFirstCall(func::FuncOp function, const VariantInfo &variant, const Options &options) {
  if (options.firstCall.size() != function.getNumArguments())
    return;
  for (auto [k, given] : llvm::enumerate(options.firstCall))
    if (!given.empty())
      function.setArgAttr(k, "np.first", DenseI64ArrayAttr::get(function.getContext(), given));
  function->setAttr("np.choice", StringAttr::get(function.getContext(), getChoiceSymbol(variant)));
}

bool Driver::lowerToNp(ModuleOp module) {
  if (hasErrors())
    return false;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function->hasAttr("np.thread")) // what threads do is the same everywhere
      continue;
    function->setAttr("np.target", StringAttr::get(context.get(), target.getName()));
    if (options.general)
      function->setAttr("np.general", UnitAttr::get(context.get()));
  }
  functions = describeFunctions(module, options);
  for (const FunctionInfo &info : functions)
    describeFirstCall(module.lookupSymbol<func::FuncOp>(info.symbol), info.variants[0], options);
  return run(module, "import-to-np", [&](OpPassManager &pm) { buildImportToNp(pm, options); });
}

bool Driver::lowerToLoops(ModuleOp module) {
  if (!lowerToNp(module) || !run(module, "np-to-loops", [&](OpPassManager &pm) { buildNpToLoops(pm, options); }))
    return false;
  completeDescriptions(module, functions);
  return true;
}

/// A Python function may have the name of a C function that its own code calls (cbrt, sin): behind the loop form it is
/// called otherwise. Callers use its entry.
static void renameFunctions(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr("np.entry"))
      SymbolTable::setSymbolName(function, (function.getName() + "_body").str());
}

bool Driver::lowerToLlvm(ModuleOp module) {
  if (!lowerToLoops(module))
    return false;
  renameFunctions(module);
  return run(module, target.getPipeline(), [&](OpPassManager &pm) { target.buildPipeline(pm, options); });
}

std::optional<CompiledCode> Driver::compile(ModuleOp module) {
  if (!lowerToLoops(module))
    return std::nullopt;
  if (!run(module, "loops-to-last-kernels", [&](OpPassManager &pm) { target.buildKernels(pm, options); }))
    return std::nullopt;
  movableUpTo = options.mayMoveToHost ? target.findMovable(module) : 0;
  if (movableUpTo)
    return std::nullopt;
  renameFunctions(module);
  std::optional<EmittedCode> code = target.emitObjects(*this, module, options);
  if (!code)
    return std::nullopt;
  for (FunctionInfo &info : functions)
    if (std::string choice = getChoiceSymbol(info.variants[0]); SymbolTable::lookupSymbolIn(module, choice))
      info.variants[0].choice = choice;
  return CompiledCode{std::move(*code), functions};
}

std::optional<std::string> Driver::emit(ModuleOp module, Phase phase) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  switch (phase) {
  case Phase::Import:
    break;
  case Phase::Np:
    if (!lowerToNp(module))
      return std::nullopt;
    break;
  case Phase::Loops:
    if (!lowerToLoops(module))
      return std::nullopt;
    break;
  case Phase::Explain: {
    std::vector<Remark> remarks;
    collectRemarks(*context, remarks);
    bool isDone = lowerToLoops(module) && run(module, target.getPipeline(), [&](OpPassManager &pm) {
                    target.buildKernels(pm, options);
                  });
    if (!isDone)
      return std::nullopt;
    if (options.mayMoveToHost)
      (void)target.findMovable(module); // it says what it finds
    return describeModule(module, remarks);
  }
  case Phase::Gpu:
  case Phase::Ptx:
    if (!lowerToLoops(module))
      return std::nullopt;
    return target.emitText(*this, module, options, phase == Phase::Gpu ? "gpu" : "ptx");
  case Phase::Llvm:
  case Phase::Asm: {
    if (!lowerToLlvm(module))
      return std::nullopt;
    llvm::Expected<std::string> code =
        compileToObject(module, options, phase == Phase::Asm ? ObjectKind::Assembly : ObjectKind::LlvmIr);
    if (code)
      return std::move(*code);
    reportInternal(llvm::toString(code.takeError()));
    return std::nullopt;
  }
  }
  stream << *module;
  return text;
}
