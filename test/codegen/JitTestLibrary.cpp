// The engine without a front end, for test/codegen/*.py: the text of a module in the loop form -> functions to be called.
#include "compiler/Targets.h"
#include "compiler/codegen/Describe.h"
#include "compiler/codegen/Jit.h"
#include "compiler/codegen/Link.h"
#include "compiler/codegen/ModuleTable.h"
#include "compiler/codegen/Object.h"
#include "compiler/codegen/RuntimeFunctions.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Np.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

using namespace mlir;
using namespace npcc;

namespace {
struct Handle {
  CompiledCode code;
  std::shared_ptr<LoadedCode> loaded;
};
thread_local std::string lastError;

ParamInfo describeLoopType(Type type, DictionaryAttr attributes) {
  ParamInfo info;
  Type element = type;
  if (auto memref = dyn_cast<MemRefType>(type)) {
    element = memref.getElementType();
    info.kind = attributes && attributes.get("np.scalar") ? NPCC_SCALAR : NPCC_ARRAY;
    info.rank = memref.getRank();
    info.written = true;
  }
  if (element.isIndex())
    element = IntegerType::get(type.getContext(), 64);
  info.dtype = attributes && attributes.get("test.bool")
                   ? NPCC_BOOL
                   : getMemoryDtype(element, attributes && attributes.get("test.unsigned"));
  return info;
}

std::vector<FunctionInfo> describeLoops(ModuleOp module) {
  std::vector<FunctionInfo> functions;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic())
      continue;
    FunctionInfo info;
    info.name = info.symbol = info.signature = function.getName().str();
    for (unsigned k = 0; k < function.getNumArguments(); ++k)
      info.params.push_back(describeLoopType(function.getArgumentTypes()[k], function.getArgAttrDict(k)));
    for (unsigned k = 0; k < function.getNumResults(); ++k)
      info.results.push_back(describeLoopType(function.getResultTypes()[k], function.getResultAttrDict(k)));
    VariantInfo variant;
    variant.entry = getEntrySymbol(info.symbol);
    info.variants.push_back(variant);
    functions.push_back(info);
  }
  return functions;
}
} // namespace

extern "C" {
const char *npcc_test_error() { return lastError.c_str(); }

/// Compiles loop-form text for a target of the host; `emit` "asm" or "llvm": gives that text as the error and no handle.
Handle *npcc_test_compile(const char *text, const char *cpu, const char *emit, const char *target) {
  registerTargets();
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllToLLVMIRTranslations(registry);
  registry.insert<np::NpDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  lastError.clear();
  context.getDiagEngine().registerHandler([](Diagnostic &diagnostic) { lastError += diagnostic.str() + "\n"; });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return nullptr;
  Options options;
  options.cpu = cpu;
  auto handle = std::make_unique<Handle>();
  handle->code.functions = describeLoops(*module);
  {
    PhaseTimer timer("mlir");
    PassManager pm(&context);
    findTarget(target)->buildPipeline(pm, options);
    if (std::getenv("NPCC_PRINT_PASSES"))
      pm.enableIRPrinting([](Pass *, Operation *) { return false; }, [](Pass *, Operation *) { return true; }, false);
    if (failed(pm.run(*module)))
      return nullptr;
  }
  StringRef kind = emit;
  if (kind == "llvm" || kind == "translated") {
    llvm::Expected<LlvmCode> code = translateToLlvm(*module, options);
    if (code && kind == "llvm")
      llvm::consumeError(optimize(*code->module, options));
    llvm::raw_string_ostream stream(lastError);
    if (code)
      stream << *code->module;
    else
      llvm::consumeError(code.takeError());
    return nullptr;
  }
  llvm::Expected<std::string> object = compileToObject(*module, options, kind == "asm" ? ObjectKind::Assembly : ObjectKind::Object);
  if (!object) {
    lastError += llvm::toString(object.takeError());
    return nullptr;
  }
  if (kind == "asm") {
    lastError = *object;
    return nullptr;
  }
  handle->code.objects = {std::move(*object)};
  // By way of the cache's form.
  std::optional<CompiledCode> again = CompiledCode::deserialize(handle->code.serialize());
  if (!again) {
    lastError = "serialize and deserialize disagree";
    return nullptr;
  }
  handle->code = std::move(*again);
  PhaseTimer timer("load");
  auto loaded = loadCode(handle->code);
  if (!loaded) {
    lastError += llvm::toString(loaded.takeError());
    return nullptr;
  }
  handle->loaded = *loaded;
  return handle.release();
}

/// What a compilation says that asks for more memory than there is, or calls itself `depth` times.
const char *npcc_test_guard(size_t bytes, size_t depth) {
  struct Deep {
    static size_t call(size_t depth) {
      volatile char frame[1024];
      frame[0] = static_cast<char>(depth);
      return depth ? call(depth - 1) + frame[0] : 0;
    }
  };
  llvm::Error error = guardFatalErrors([&]() -> llvm::Error {
    if (bytes)
      *static_cast<volatile char *>(::operator new(bytes)) = 0;
    return llvm::createStringError("came back from " + std::to_string(depth) + (Deep::call(depth) == 1 ? "." : ""));
  });
  lastError = llvm::toString(std::move(error));
  return lastError.c_str();
}

/// A crash in a compilation: 0 a write to nowhere, 1 an assertion, 2 more frames than the stack holds.
const char *npcc_test_crash(int kind, bool onThisThread) {
  struct Endless {
    static size_t call(size_t depth) {
      volatile char frame[1024];
      frame[0] = static_cast<char>(depth);
      return call(depth + 1) + frame[0];
    }
  };
  auto crash = [&]() -> llvm::Error {
    if (kind == 0)
      *static_cast<volatile char *>(nullptr) = 0;
    if (kind == 1)
      std::abort();
    return llvm::createStringError(std::to_string(Endless::call(0)));
  };
  lastError = llvm::toString(onThisThread ? guardCrashes(crash) : guardFatalErrors(crash));
  return lastError.c_str();
}

const npcc_function *npcc_test_function(Handle *handle, const char *name) {
  for (size_t k = 0; k < handle->loaded->getFunctionCount(); ++k)
    if (StringRef(handle->loaded->getFunction(k)->name) == name)
      return handle->loaded->getFunction(k);
  return nullptr;
}
/// Links the functions into a C library; the header's text is the error in the end.
bool npcc_test_link(Handle *handle, const char *output, const char *runtime) {
  Options options;
  ModuleInfo info{"functions", "functions.py", "", joinFunctions(handle->code.functions)};
  assignSymbols(info);
  llvm::Expected<std::string> table = emitModuleTable(info, options);
  if (!table) {
    lastError = llvm::toString(table.takeError());
    return false;
  }
  LinkRequest request{output, "", {handle->code.objects.front(), *table}, {}, runtime};
  for (const ExportInfo &exported : info.exports)
    request.exports.push_back(exported.signatures[0].symbol);
  PhaseTimer timer("link");
  if (llvm::Error error = linkModule(request)) {
    lastError = llvm::toString(std::move(error));
    return false;
  }
  lastError = emitHeader(info);
  return true;
}
}
