// From the gpu.module in the LLVM and NVVM dialects to LLVM IR -> libdevice's functions -> LLVM's O3 -> PTX -> cubin.
// Upstream's gpu-module-to-binary does the same steps; this reads libdevice once for the process and not at all for
// kernels that call none of its functions, and reports a function that nothing defines instead of leaving it to the
// driver.
//
// Nearly all of a compilation's time for CUDA is spent here, most of it in ptxas. So large modules are cut into
// several, each with its own image and thread, and the host's code is compiled meanwhile.
#include "compiler/gpu/image/KernelImages.h"
#include "compiler/codegen/Target.h"
#include "compiler/gpu/image/Assemble.h"
#include "compiler/gpu/image/CounterComparisons.h"
#include "compiler/gpu/image/KeptLoops.h"
#include "compiler/gpu/image/EntryFunctions.h"
#include "compiler/gpu/image/LineTables.h"
#include "compiler/gpu/image/LinkPtx.h"
#include "compiler/gpu/image/NegatedExtremes.h"
#include "compiler/gpu/image/Passes.h"
#include "compiler/gpu/image/StrengthReduction.h"
#include "compiler/gpu/image/TeamFunctions.h"
#include "compiler/gpu/image/Toolkit.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"
#include <mutex>
#include <thread>

using namespace mlir;
namespace npcc {
namespace {

// Operations of the LLVM dialect that are worth a module of their own: about what takes longer to assemble than what
// each module takes by itself.
constexpr size_t leastOperations = 100;

// The metadata that holds PTX of other compilers which the kernels call.
constexpr llvm::StringLiteral linkedName = "npcc.linked";

std::string linkedCode(const llvm::Module &module) {
  const llvm::NamedMDNode *node = module.getNamedMetadata(linkedName);
  return node ? cast<llvm::MDString>(node->getOperand(0)->getOperand(0))->getString().str() : std::string();
}

void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

/// How memory of the device is laid out, which says how far numbers are aligned where an operation does not.
std::string dataLayout() {
  static const std::string layout = [] {
    initializeTarget();
    llvm::Triple triple("nvptx64-nvidia-cuda");
    std::string error;
    const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
    std::unique_ptr<llvm::TargetMachine> machine(
        target ? target->createTargetMachine(triple, "sm_80", "", {}, std::nullopt) : nullptr);
    return machine ? machine->createDataLayout().getStringRepresentation() : std::string();
  }();
  return layout;
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
  return llvm::any_of(module,
                      [](const llvm::Function &f) { return f.isDeclaration() && f.getName().starts_with("__nv_"); });
}

/// Whether numbers near zero are zero in all kernels, as fastmath lets them: libdevice asks for it by a flag of the
/// module.
bool flushesToZero(const llvm::Module &module) {
  return llvm::all_of(module, [](const llvm::Function &function) {
    return function.getCallingConv() != llvm::CallingConv::PTX_Kernel ||
           function.getFnAttribute("denormal-fp-math-f32").getValueAsString().starts_with("preserve-sign");
  });
}

llvm::Error linkLibdevice(llvm::Module &module, StringRef cudaPath) {
  if (!callsLibdevice(module))
    return llvm::Error::success();
  if (flushesToZero(module))
    module.addModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", 1);
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

/// Whether kernels are as the user wrote them, thread by thread.
bool hasThreadKernels(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &f) { return f.hasFnAttribute(cuda::threadsAttribute); });
}

void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  // Loops are unrolled by the emitters as far as it pays; more of it is ptxas' time. Those of thread-level kernels are
  // as the user wrote them, and arrays of a thread become registers only where they are gone.
  bool hasThreads = hasThreadKernels(module);
  tuning.LoopUnrolling = hasThreads;
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::TimePassesHandler times(PhaseTimer::wantsPasses());
  times.registerCallbacks(callbacks);
  llvm::PassBuilder passes(&machine, tuning, std::nullopt, &callbacks);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);
  PhaseTimer timer("- optimize");
  llvm::ModulePassManager pipeline = passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  if (hasThreads) {
    // Neighbouring accesses become vectors now: the code generator does it behind the reduction of addresses, which
    // hides how far they are aligned.
    llvm::FunctionPassManager vectors;
    vectors.addPass(llvm::InferAddressSpacesPass());
    vectors.addPass(llvm::InferAlignmentPass());
    vectors.addPass(llvm::LoadStoreVectorizerPass());
    pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(vectors)));
  }
  std::unique_lock<std::mutex> lock = PhaseTimer::lockPasses();
  pipeline.run(module, modules);
  times.print();
  if (lock)
    lock.unlock();
  for (llvm::Function &function : module) {
    compareNextCounters(function);
    if (!hasThreads)
      keepUnrolledLoops(function);
  }
  hideNegations(module);
}

/// A number that is stored byte by byte, because its address may be any, is first moved to a register of plain bits:
/// ptxas takes the store of a byte of a register that floating-point arithmetic wrote for the store of the number as an
/// integer.
void storeBitsOfUnaligned(llvm::Module &module) {
  const llvm::DataLayout &layout = module.getDataLayout();
  SmallVector<llvm::StoreInst *> stores;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *store = dyn_cast<llvm::StoreInst>(&instruction)) {
        llvm::Type *type = store->getValueOperand()->getType();
        if ((type->isDoubleTy() || type->isFloatTy()) && store->getAlign() < layout.getABITypeAlign(type))
          stores.push_back(store);
      }
  for (llvm::StoreInst *store : stores) {
    llvm::IRBuilder<> builder(store);
    llvm::Value *value = store->getValueOperand();
    bool isDouble = value->getType()->isDoubleTy();
    llvm::Type *bits = builder.getIntNTy(isDouble ? 64 : 32);
    auto *move = llvm::InlineAsm::get(llvm::FunctionType::get(bits, {value->getType()}, false),
                                      isDouble ? "mov.b64 $0, $1;" : "mov.b32 $0, $1;", isDouble ? "=l,d" : "=r,f",
                                      /*hasSideEffects=*/false);
    store->setOperand(0, builder.CreateCall(move, {value}));
  }
}

llvm::Expected<std::string> compileToPtx(llvm::Module &module, StringRef arch, StringRef cudaPath) {
  initializeTarget();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError("%s", error.c_str());
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(triple, arch, arch < "sm_75" ? "+ptx63" : "",
                                                                           options, std::nullopt, std::nullopt,
                                                                           llvm::CodeGenOptLevel::Aggressive));
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  if (llvm::Error failure = linkLibdevice(module, cudaPath))
    return std::move(failure);
  optimize(module, *machine);
  storeBitsOfUnaligned(module);
  std::string linked = linkedCode(module);
  if (llvm::NamedMDNode *node = module.getNamedMetadata(linkedName))
    module.eraseNamedMetadata(node);
  for (const llvm::Function &function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty() ||
        function.getName() == "vprintf" || cuda::definesFunction(linked, function.getName()))
      continue;
    llvm::StringRef found = cuda::findTeamFunction(function.getName());
    if (found.empty())
      return llvm::createStringError("a kernel calls %s, which the device does not have",
                                     function.getName().str().c_str());
    linked += found;
  }
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream out(text);
  llvm::legacy::PassManager codegen;
  StrengthReductionChoice choosing(codegen, module.getContext());
  llvm::legacy::PassManagerBase *all = &codegen, *passes = hasThreadKernels(module) ? all : &choosing;
  if (machine->addPassesToEmitFile(*passes, out, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return llvm::createStringError("no PTX can be made for %s", arch.str().c_str());
  PhaseTimer timer("- emit ptx");
  runCodegen(codegen, module);
  return linked.empty() ? text.str().str() : cuda::linkPtx(text, linked);
}

/// The kernels of a module in groups of about equal work, each with all the functions that are no kernels.
SmallVector<gpu::GPUModuleOp> splitKernels(gpu::GPUModuleOp kernels) {
  SmallVector<std::pair<size_t, StringAttr>> sizes;
  size_t all = 0;
  for (auto function : kernels.getOps<LLVM::LLVMFuncOp>()) {
    size_t size = 0;
    function.walk([&](Operation *) { ++size; });
    if (isKernel(function)) {
      sizes.push_back({size, function.getNameAttr()});
      all += size;
    }
  }
  size_t parts =
      std::min<size_t>({sizes.size(), std::max(1u, std::thread::hardware_concurrency()), all / leastOperations});
  if (parts < 2)
    return {kernels};
  // The largest first, each to the group that has least.
  llvm::sort(sizes, [](auto &a, auto &b) {
    return std::pair(b.first, a.second.getValue()) < std::pair(a.first, b.second.getValue());
  });
  SmallVector<size_t> work(parts, 0);
  llvm::DenseMap<StringAttr, size_t> parted;
  for (auto [size, name] : sizes) {
    size_t least = std::min_element(work.begin(), work.end()) - work.begin();
    work[least] += size;
    parted[name] = least;
  }
  SmallVector<gpu::GPUModuleOp> modules{kernels};
  OpBuilder builder(kernels->getContext());
  builder.setInsertionPointAfter(kernels);
  for (size_t part = 1; part < parts; ++part) {
    auto made = cast<gpu::GPUModuleOp>(builder.insert(kernels->cloneWithoutRegions()));
    made.setName((kernels.getName() + "_" + std::to_string(part)).str());
    made.getBodyRegion().emplaceBlock();
    modules.push_back(made);
  }
  // Kernels move, and only what they call is copied: with copies of the whole module, the time for it would grow with
  // the square of the number of kernels.
  for (Operation &op : llvm::make_early_inc_range(*kernels.getBody())) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
    if (function && isKernel(function)) {
      if (size_t part = parted.lookup(function.getNameAttr()))
        op.moveBefore(modules[part].getBody(), modules[part].getBody()->end());
    } else {
      for (gpu::GPUModuleOp module : llvm::drop_begin(modules))
        OpBuilder::atBlockEnd(module.getBody()).clone(op);
    }
  }
  kernels->getParentOfType<ModuleOp>().walk([&](gpu::LaunchFuncOp launch) {
    if (launch.getKernelModuleName() == kernels.getNameAttr())
      launch.setKernelAttr(SymbolRefAttr::get(modules[parted.lookup(launch.getKernelName())].getNameAttr(),
                                              {FlatSymbolRefAttr::get(launch.getKernelName())}));
  });
  return modules;
}

} // namespace

bool isKernel(LLVM::LLVMFuncOp function) { return function->hasAttr("nvvm.kernel") || function->hasAttr("gpu.kernel"); }

llvm::Expected<Architectures> parseArchitectures(StringRef text) {
  SmallVector<StringRef> names;
  text.split(names, ',', -1, /*KeepEmpty=*/false);
  SmallVector<std::pair<int, std::string>> sorted;
  for (StringRef name : names) {
    int number = 0;
    StringRef digits = name.trim();
    if (!digits.consume_front("sm_") || digits.consumeInteger(10, number))
      return llvm::createStringError("'%s' is no GPU architecture: sm_90 is one", name.str().c_str());
    sorted.push_back({number, name.trim().str()});
  }
  llvm::sort(sorted);
  if (sorted.empty())
    return Architectures();
  return Architectures{sorted.front().second, sorted.back().second, sorted.back().first};
}

llvm::Expected<LlvmCode> translateKernels(gpu::GPUModuleOp kernels) {
  addLineTables(kernels);
  // Upstream's conversion leaves what scf.for said of its loop as a mere comment on the branch.
  kernels.walk([](LLVM::BrOp branch) {
    if (auto annotation = dyn_cast_or_null<LLVM::LoopAnnotationAttr>(branch->removeAttr("llvm.loop_annotation")))
      branch.setLoopAnnotationAttr(annotation);
  });
  kernels->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(), StringAttr::get(kernels->getContext(), dataLayout()));
  LlvmCode code;
  code.context = std::make_unique<llvm::LLVMContext>();
  code.module = translateModuleToLLVMIR(kernels, *code.context);
  if (!code.module)
    return llvm::createStringError("the kernels cannot be translated to LLVM IR");
  cuda::makeEntryFunctions(*code.module);
  if (auto linked = kernels->getParentOfType<ModuleOp>()->getAttrOfType<StringAttr>("np.linked"))
    code.module->getOrInsertNamedMetadata(linkedName)
        ->addOperand(llvm::MDNode::get(*code.context, llvm::MDString::get(*code.context, linked.getValue())));
  return code;
}

llvm::Expected<KernelImage> compileImage(const LlvmCode &code, const Architectures &archs, StringRef cudaPath,
                                         bool ptxOnly) {
  KernelImage image;
  auto ptx = compileToPtx(*code.module, archs.least, cudaPath);
  if (!ptx)
    return ptx.takeError();
  image.ptx = std::move(*ptx);
  if (ptxOnly)
    return image;
  PhaseTimer timer("- ptxas");
  auto cubin = cuda::assemble(image.ptx, archs.greatest, cudaPath);
  if (!cubin)
    return cubin.takeError();
  image.cubin = std::move(*cubin);
  return image;
}

//===---- Images that are made while the host's code is ----===//

// The thread that makes the assembler ready makes the first image, too, which has the largest kernel. The assembler
// takes 10 MB for its tables, whatever it is given: a thread that has had these finds most of them in its heap, and
// another one has 2,500 pages made for it.
PendingImages::PendingImages() {
  auto work = [task = next.get_future()]() mutable {
    return guardFatalErrors([&]() -> llvm::Error {
      cuda::prepareAssembler();
      Task first = task.get();
      return first ? first() : llvm::Error::success();
    });
  };
  assembler = std::async(std::launch::async | std::launch::deferred, std::move(work));
}

PendingImages::~PendingImages() {
  if (assembler.valid()) {
    next.set_value(Task());
    llvm::consumeError(assembler.get());
  }
  for (Pending &pending : images)
    llvm::consumeError(pending.work.get());
}

llvm::Error PendingImages::start(ModuleOp module, const Options &options) {
  auto parsed = parseArchitectures(options.arch);
  if (!parsed)
    return parsed.takeError();
  archs = *parsed;
  // Images of several functions may be linked into one module; entries have names of their own.
  std::string prefix;
  for (auto function : module.getOps<func::FuncOp>())
    if (auto entry = function->getAttrOfType<StringAttr>("np.entry"); entry && prefix.empty())
      prefix = (entry.getValue() + ".").str();
  for (gpu::GPUModuleOp whole : llvm::to_vector(module.getOps<gpu::GPUModuleOp>()))
    for (gpu::GPUModuleOp kernels : splitKernels(whole)) {
      std::string symbol = prefix + "image." + kernels.getName().str();
      kernels->setAttr("np.image", StringAttr::get(module.getContext(), symbol));
      auto code = translateKernels(kernels);
      if (!code)
        return code.takeError();
      Pending &pending = images.emplace_back();
      pending.symbol = symbol;
      Task task = [this, code = std::move(*code), cudaPath = options.cudaPath, image = &pending.image] {
        return guardFatalErrors([&]() -> llvm::Error {
          auto made = compileImage(code, archs, cudaPath, /*ptxOnly=*/false);
          if (!made)
            return made.takeError();
          *image = std::move(*made);
          return llvm::Error::success();
        });
      };
      if (assembler.valid()) {
        next.set_value(std::move(task));
        pending.work = std::move(assembler);
      } else {
        pending.work = std::async(std::launch::async | std::launch::deferred, std::move(task));
      }
    }
  return llvm::Error::success();
}

/// Internal bytes in `module`.
static llvm::Constant *makeBytes(llvm::Module &module, StringRef bytes, bool terminate) {
  llvm::Constant *data = llvm::ConstantDataArray::getString(module.getContext(), bytes, terminate);
  auto *global = new llvm::GlobalVariable(module, data->getType(), /*isConstant=*/true,
                                          llvm::GlobalValue::InternalLinkage, data, "bytes");
  global->setAlignment(llvm::Align(16));
  return global;
}

llvm::Expected<std::string> PendingImages::finish(const Options &options) {
  llvm::Error failure = llvm::Error::success();
  {
    PhaseTimer timer("wait");
    for (Pending &pending : images) {
      // The first says enough: the others are often the same.
      llvm::Error error = pending.work.get();
      if (failure)
        llvm::consumeError(std::move(error));
      else
        failure = std::move(error);
    }
  }
  images.swap(done);
  if (failure)
    return std::move(failure);
  LlvmCode code;
  code.context = std::make_unique<llvm::LLVMContext>();
  code.module = std::make_unique<llvm::Module>("images", *code.context);
  auto machine = createTargetMachine(options.cpu, 0);
  if (!machine)
    return machine.takeError();
  code.module->setTargetTriple((*machine)->getTargetTriple());
  code.module->setDataLayout((*machine)->createDataLayout());
  auto *pointer = llvm::PointerType::get(*code.context, 0);
  auto *i64 = llvm::Type::getInt64Ty(*code.context), *i32 = llvm::Type::getInt32Ty(*code.context);
  auto *type = llvm::StructType::get(*code.context, {pointer, i64, i32, pointer, pointer}); // npcc_image
  llvm::Constant *null = llvm::ConstantPointerNull::get(pointer);
  for (Pending &pending : done) {
    const KernelImage &image = pending.image;
    llvm::Constant *cubin = image.cubin.empty() ? null : makeBytes(*code.module, image.cubin, /*terminate=*/false);
    llvm::Constant *value = llvm::ConstantStruct::get(
        type, {cubin, llvm::ConstantInt::get(i64, image.cubin.size()), llvm::ConstantInt::get(i32, archs.capability),
               makeBytes(*code.module, image.ptx, /*terminate=*/true), null});
    // The runtime writes its last field.
    new llvm::GlobalVariable(*code.module, type, /*isConstant=*/false, llvm::GlobalValue::ExternalLinkage, value,
                             pending.symbol);
  }
  return emitObject(*code.module, options);
}

std::string getPtx(ModuleOp module) {
  for (auto kernels : module.getOps<gpu::GPUModuleOp>())
    if (auto text = kernels->getAttrOfType<StringAttr>("np.ptx"))
      return text.str();
  return "";
}

} // namespace npcc
