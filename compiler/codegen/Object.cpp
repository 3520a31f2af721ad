#include "compiler/codegen/Object.h"
#include "compiler/codegen/CodeParts.h"
#include "compiler/codegen/GlueCode.h"
#include "compiler/codegen/MaskedBytes.h"
#include "compiler/codegen/StraightFunctions.h"
#include "compiler/codegen/Target.h"
#include "compiler/codegen/TwoTiers.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/IPO/MergeFunctions.h"
#include "llvm/Transforms/Scalar.h"
#include "llvm/Transforms/Utils.h"
#include <cstdlib>
#include <ctime>
#include <future>
#include <thread>

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
  const llvm::TargetLibraryInfoImpl &library = getTargetLibraryInfo(getVectorBytes(options.cpu));
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  // Below O2, the code is what surrounds kernels: nothing in it is worth a search for vectors.
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = tuning.LoopUnrolling = options.optLevel >= 2;
  // Stores that are kept in registers while a loop runs are few. To look at all of a deep nest of loops of the host
  // takes the square of their number.
  tuning.LicmMssaNoAccForPromotionCap = 100;
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::TimePassesHandler times(PhaseTimer::wantsPasses());
  times.registerCallbacks(callbacks);
  llvm::PassBuilder builder(machine->get(), tuning, std::nullopt, &callbacks);
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  const llvm::OptimizationLevel levels[] = {llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1, llvm::OptimizationLevel::O2,
                                            llvm::OptimizationLevel::O3};
  llvm::OptimizationLevel level = levels[std::clamp(options.optLevel, 0, 3)];
  llvm::ModulePassManager passes = options.optLevel == 0 && options.tiers ? buildQuickPipeline()
                                   : options.optLevel == 0                ? builder.buildO0DefaultPipeline(level)
                                   : isGlue(module) ? buildGluePipeline()
                                                    : builder.buildPerModuleDefaultPipeline(level);
  StraightFunctions straight(module);
  std::unique_lock<std::mutex> lock = PhaseTimer::lockPasses();
  passes.run(module, modules);
  times.print();
  widenMaskedBytes(module, **machine);
  return takeErrors(module);
}

namespace {
/// Adds a target's passes but for the reduction of loops' positions to sums. Addresses of an x86 hold a position times
/// the size of an element, so loops are as fast without it; and with it half of the time went into that pass and into
/// the registers for what it makes.
class WithoutStrengthReduction : public llvm::legacy::PassManagerBase {
public:
  explicit WithoutStrengthReduction(llvm::legacy::PassManager &passes) : passes(passes) {}
  void add(llvm::Pass *pass) override {
    if (pass->getPassID() == reduction || pass->getPassID() == preparation)
      delete pass;
    else
      passes.add(pass);
  }

private:
  llvm::legacy::PassManager &passes;
  llvm::AnalysisID reduction = std::unique_ptr<llvm::Pass>(llvm::createLoopStrengthReducePass())->getPassID();
  llvm::AnalysisID preparation = std::unique_ptr<llvm::Pass>(llvm::createCanonicalizeFreezeInLoopsPass())->getPassID();
};
} // namespace

void npcc::runCodegen(llvm::legacy::PassManager &passes, llvm::Module &module) {
  std::unique_lock<std::mutex> lock = PhaseTimer::lockPasses();
  if (lock)
    llvm::TimePassesIsEnabled = true;
  passes.run(module);
  if (lock)
    llvm::reportAndResetTimings(&llvm::errs());
}

Expected<std::string> npcc::emitObject(llvm::Module &module, const Options &options, ObjectKind kind) {
  auto machine =
      createTargetMachine(options.cpu, isGlue(module) || llvm::any_of(module, isLong) ? 0 : options.optLevel);
  if (!machine)
    return machine.takeError();
  const llvm::TargetLibraryInfoImpl &library = getTargetLibraryInfo(getVectorBytes(options.cpu));
  llvm::SmallVector<char> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  passes.add(new llvm::TargetLibraryInfoWrapperPass(library));
  module.getContext().setDiagnosticHandler(std::make_unique<KeepErrors>()); // the module may be of another's making
  auto type = kind == ObjectKind::Object ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  WithoutStrengthReduction adding(passes);
  if ((*machine)->addPassesToEmitFile(adding, stream, nullptr, type))
    return llvm::createStringError("this target cannot emit such a file");
  runCodegen(passes, module);
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

/// Kernels whose code is the same become one function. A statement that stands in a program many times, or in a helper
/// that is called many times, gives as many.
static void mergeKernels(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && function.hasLocalLinkage())
      function.setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global); // nobody compares kernels' addresses
  llvm::MergeFunctionsPass::runOnModule(module);
}

static Expected<LlvmCode> readBitcode(llvm::StringRef bitcode) {
  LlvmCode code;
  code.context = std::make_unique<llvm::LLVMContext>();
  code.context->setDiagnosticHandler(std::make_unique<KeepErrors>());
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "npcc"), *code.context);
  if (!module)
    return module.takeError();
  code.module = std::move(*module);
  return code;
}

/// The module with the functions of `names` only; others are declarations.
static Expected<LlvmCode> extractPart(llvm::StringRef bitcode, const llvm::StringSet<> &names) {
  Expected<LlvmCode> code = readBitcode(bitcode);
  if (!code)
    return code.takeError();
  for (llvm::Function &function : *code->module)
    if (!function.isDeclaration() && !names.contains(function.getName())) {
      function.deleteBody(); // and is of external linkage now
      function.setVisibility(llvm::GlobalValue::DefaultVisibility);
    }
  return code;
}

static Expected<std::string> optimizeAndEmit(llvm::Module &module, const Options &options) {
  {
    PhaseTimer timer("optimize");
    if (llvm::Error error = optimize(module, options))
      return error;
  }
  PhaseTimer timer("emit");
  return emitObject(module, options);
}

static std::string writeBitcode(const llvm::Module &module) {
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  return bitcode;
}

/// Makes the object of the first tier, and keeps what the second one is made of.
static llvm::Error emitQuickly(llvm::Module &module, const Options &options, QuickKernels &quick) {
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() && !function.hasLocalLinkage())
      quick.kernels.push_back(function.getName().str());
  quick.cpu = options.cpu;
  quick.bitcode = writeBitcode(module);
  makeExchangeable(module);
  Options plain = options;
  plain.optLevel = 0;
  plain.tiers = true;
  Expected<std::string> object = optimizeAndEmit(module, plain);
  if (!object)
    return object.takeError();
  quick.object = std::move(*object);
  return llvm::Error::success();
}

/// The objects of a module by several threads, where there is work enough.
static llvm::Error compileParts(LlvmCode code, const Options &options, EmittedCode &emitted) {
  std::string bitcode;
  std::vector<llvm::StringSet<>> names;
  std::optional<size_t> quickPart;
  std::vector<std::string> objects;
  llvm::Error error = guardFatalErrors([&]() -> llvm::Error {
    mergeKernels(*code.module);
    CodeParts parts(*code.module);
    size_t count =
        parts.deal(std::max(1u, std::thread::hardware_concurrency()), options.tiers && options.optLevel >= 2);
    objects.resize(count);
    if (count > 1) {
      std::string prefix;
      for (const llvm::Function &function : *code.module)
        if (!function.isDeclaration() && function.hasExternalLinkage() && prefix.empty())
          prefix = function.getName().str();
      parts.exportFunctions(prefix);
      quickPart = parts.getQuickPart();
      names.resize(count);
      for (const llvm::Function &function : *code.module)
        if (!function.isDeclaration())
          names[parts.getPart(&function)].insert(function.getName());
      bitcode = writeBitcode(*code.module);
      return llvm::Error::success();
    }
    Expected<std::string> object = optimizeAndEmit(*code.module, options);
    if (!object)
      return object.takeError();
    objects[0] = std::move(*object);
    return llvm::Error::success();
  });
  if (error)
    return error;
  auto compile = [&](size_t part) -> llvm::Error {
    return guardFatalErrors([&]() -> llvm::Error {
      Expected<LlvmCode> code = extractPart(bitcode, names[part]);
      if (!code)
        return code.takeError();
      if (part == quickPart)
        return emitQuickly(*code->module, options, emitted.quick);
      Expected<std::string> object = optimizeAndEmit(*code->module, options);
      if (!object)
        return object.takeError();
      objects[part] = std::move(*object);
      return llvm::Error::success();
    });
  };
  if (objects.size() > 1) {
    std::vector<std::future<llvm::Error>> others;
    for (size_t part = 1; part < objects.size(); ++part)
      others.push_back(
          std::async(std::launch::async | std::launch::deferred, compile, part)); // here, where no thread can be had
    llvm::Error failure = compile(0);
    for (std::future<llvm::Error> &other : others)
      failure = llvm::joinErrors(std::move(failure), other.get());
    if (failure)
      return failure;
  }
  if (quickPart)
    objects.erase(objects.begin() + *quickPart);
  emitted.objects = std::move(objects);
  return llvm::Error::success();
}

Expected<EmittedCode> npcc::compileToObjects(mlir::ModuleOp from, const Options &options) {
  LlvmCode code;
  llvm::Error error = guardFatalErrors([&]() -> llvm::Error {
    PhaseTimer timer("translate");
    Expected<LlvmCode> translated = translateToLlvm(from, options);
    if (!translated)
      return translated.takeError();
    code = std::move(*translated);
    return llvm::Error::success();
  });
  EmittedCode emitted;
  if (!error)
    error = compileParts(std::move(code), options, emitted);
  if (error)
    return error;
  return emitted;
}

Expected<std::vector<std::string>> npcc::compileWithCare(const QuickKernels &quick) {
  Options options;
  options.cpu = quick.cpu;
  LlvmCode code;
  EmittedCode emitted;
  llvm::Error error = guardFatalErrors([&]() -> llvm::Error {
    Expected<LlvmCode> read = readBitcode(quick.bitcode);
    if (!read)
      return read.takeError();
    code = std::move(*read);
    return llvm::Error::success();
  });
  if (!error)
    error = compileParts(std::move(code), options, emitted);
  if (error)
    return error;
  return std::move(emitted.objects);
}

static double getThreadMilliseconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

static const char *getTimeSetting() {
  static const char *const setting = std::getenv("NPCC_TIME");
  return setting;
}

bool PhaseTimer::wantsPasses() { return getTimeSetting() && llvm::StringRef(getTimeSetting()) == "passes"; }

std::unique_lock<std::mutex> PhaseTimer::lockPasses() {
  static std::mutex mutex;
  return wantsPasses() ? std::unique_lock(mutex) : std::unique_lock<std::mutex>();
}

PhaseTimer::PhaseTimer(const char *phase)
    : phase(phase), start(std::chrono::steady_clock::now()), startOfThread(getThreadMilliseconds()) {}
PhaseTimer::~PhaseTimer() {
  if (!getTimeSetting())
    return;
  double wall = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  // In one piece: threads print side by side.
  llvm::errs() << llvm::formatv("npcc: {0,-16} {1,8:f2} ms, running {2,8:f2} ms\n", phase, wall,
                                getThreadMilliseconds() - startOfThread)
                      .str();
}
