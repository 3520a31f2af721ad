
#include "compiler/codegen/ModuleTable.h"
#include "compiler/codegen/Object.h"
#include "compiler/codegen/Target.h"
#include "runtime/abi/values.h"
#include "runtime/npcc_module.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace npcc;
using llvm::Constant;

void npcc::mergeVariants(FunctionInfo &to, const FunctionInfo &from) {
  to.variants.insert(to.variants.end(), from.variants.begin(), from.variants.end());
  // Tried in order: what assumes most comes first.
  std::stable_sort(to.variants.begin(), to.variants.end(), [](const VariantInfo &a, const VariantInfo &b) {
    auto weight = [](const VariantInfo &variant) {
      return llvm::popcount(unsigned(variant.assumptions)) + variant.guards.size();
    };
    return weight(a) > weight(b);
  });
  for (auto [a, b] : llvm::zip(to.params, from.params)) {
    a.written |= b.written;
    a.tellsLayout |= b.tellsLayout;
  }
  to.generatorCount = std::max(to.generatorCount, from.generatorCount);
}

static bool haveSameTypes(const FunctionInfo &a, const FunctionInfo &b) {
  return std::equal(a.params.begin(), a.params.end(), b.params.begin(), b.params.end(),
                    [](const ParamInfo &x, const ParamInfo &y) {
                      return x.kind == y.kind && x.dtype == y.dtype && x.rank == y.rank && x.weak == y.weak &&
                             x.unitAxes == y.unitAxes;
                    });
}

std::vector<ExportInfo> npcc::joinFunctions(const std::vector<FunctionInfo> &functions) {
  std::vector<ExportInfo> exports;
  for (const FunctionInfo &function : functions) {
    auto exported = llvm::find_if(exports, [&](const ExportInfo &each) { return each.name == function.name; });
    if (exported == exports.end())
      exported = exports.insert(exports.end(), {function.name, {}});
    auto same =
        llvm::find_if(exported->signatures, [&](const FunctionInfo &each) { return haveSameTypes(each, function); });
    if (same == exported->signatures.end())
      exported->signatures.push_back(function);
    else
      mergeVariants(*same, function);
  }
  return exports;
}

/// Words that C or C++ keep for themselves, and that Python does not.
static bool isReserved(llvm::StringRef name) {
  static const llvm::StringSet<> words{
      "alignas",  "alignof",   "asm",       "auto",   "bool",     "case",     "catch",   "char",
      "const",    "constexpr", "default",   "delete", "do",       "double",   "enum",    "explicit",
      "export",   "extern",    "float",     "friend", "goto",     "inline",   "int",     "long",
      "main",     "mutable",   "namespace", "new",    "noexcept", "operator", "private", "protected",
      "public",   "register",  "restrict",  "short",  "signed",   "sizeof",   "static",  "struct",
      "switch",   "template",  "this",      "throw",  "typedef",  "typename", "typeof",  "union",
      "unsigned", "using",     "virtual",   "void",   "volatile", "xor",      "and_eq"};
  return words.contains(name);
}

std::string npcc::getCName(llvm::StringRef name) { return isReserved(name) ? (name + "_").str() : name.str(); }

void npcc::assignSymbols(ModuleInfo &module) {
  for (ExportInfo &exported : module.exports)
    for (auto [k, signature] : llvm::enumerate(exported.signatures))
      signature.symbol = k ? exported.name + "_" + std::to_string(k + 1) : getCName(exported.name);
}

namespace {

/// Lays out C structs as constants. The struct types are written as LLVM lays out C's on every target with 8-byte
/// pointers.
class TableEmitter {
public:
  TableEmitter(llvm::Module &module)
      : module(module), context(module.getContext()), builder(context), pointer(builder.getPtrTy()) {}

  void emit(const ModuleInfo &info) {
    std::vector<Constant *> exports;
    for (const ExportInfo &exported : info.exports) {
      std::vector<Constant *> signatures;
      for (const FunctionInfo &function : exported.signatures) {
        signatures.push_back(emit(function));
        emitWrapper(function, llvm::cast<llvm::GlobalVariable>(signatures.back()));
      }
      exports.push_back(structure({text(exported.name), i32(signatures.size()), array(signatures, pointer)}));
    }
    static_assert(sizeof(npcc_export) == 24 && sizeof(npcc_module) == 40);
    Constant *value =
        structure({text(info.name), text(info.file), text(info.source), i32(exports.size()), array(exports)});
    global(value, "npcc_this_module", llvm::GlobalValue::HiddenVisibility);
  }

private:
  Constant *i32(int64_t value) { return builder.getInt32(value); }
  Constant *structure(llvm::ArrayRef<Constant *> fields) { return llvm::ConstantStruct::getAnon(context, fields); }
  Constant *null() { return llvm::ConstantPointerNull::get(pointer); }

  llvm::GlobalVariable *global(Constant *value, const llvm::Twine &name = "",
                               std::optional<llvm::GlobalValue::VisibilityTypes> visibility = {}) {
    auto linkage = visibility ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::PrivateLinkage;
    // Not constant for the linker's purposes: the addresses in it are relocated when the module is loaded, then read
    // only.
    auto *variable = new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true, linkage, value, name);
    if (visibility)
      variable->setVisibility(*visibility);
    return variable;
  }
  Constant *text(llvm::StringRef text) { return global(llvm::ConstantDataArray::getString(context, text)); }
  /// The address of an array of these constants; null if there are none.
  Constant *array(llvm::ArrayRef<Constant *> elements, llvm::Type *type = nullptr) {
    if (elements.empty())
      return null();
    return global(llvm::ConstantArray::get(llvm::ArrayType::get(type ? type : elements[0]->getType(), elements.size()),
                                           elements));
  }

  Constant *params(const std::vector<ParamInfo> &params) {
    static_assert(sizeof(npcc_param) == 40);
    std::vector<Constant *> elements;
    for (const ParamInfo &param : params)
      elements.push_back(
          structure({text(param.name), i32(param.kind), i32(param.dtype), i32(param.rank), i32(param.weak),
                     i32(param.written), i32(param.unitAxes), i32(param.isView), i32(param.tellsLayout)}));
    return array(elements);
  }

  Constant *variants(const std::vector<VariantInfo> &variants) {
    static_assert(sizeof(npcc_variant) == 40 && sizeof(npcc_extent_guard) == 8);
    std::vector<Constant *> elements;
    for (const VariantInfo &variant : variants) {
      std::vector<Constant *> guards;
      for (const npcc_extent_guard &guard : variant.guards)
        guards.push_back(structure({builder.getInt16(guard.array_a), builder.getInt16(guard.axis_a),
                                    builder.getInt16(guard.array_b), builder.getInt16(guard.axis_b)}));
      llvm::Function *entry = module.getFunction(variant.entry);
      if (!entry) {
        auto *type = llvm::FunctionType::get(builder.getVoidTy(), {pointer}, false);
        entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, variant.entry, module);
        entry->setVisibility(llvm::GlobalValue::HiddenVisibility);
      }
      elements.push_back(structure({i32(variant.target), i32(variant.assumptions), i32(guards.size()),
                                    i32(variant.flags()), array(guards), entry, null()}));
    }
    return array(elements);
  }

  Constant *emit(const FunctionInfo &info) {
    static_assert(sizeof(npcc_function) == 80);
    Constant *value =
        structure({text(info.name), text(info.signature), text(info.file), i32(info.line), i32(info.params.size()),
                   i32(info.results.size()), i32(info.variants.size()), text(info.resultForm), i32(info.generatorCount),
                   params(info.params), params(info.results), variants(info.variants)});
    return global(value, info.symbol + ".function", llvm::GlobalValue::HiddenVisibility);
  }

  //===---- C functions ----===//

  static bool isSigned(npcc_dtype dtype) { return dtype >= NPCC_INT8 && dtype <= NPCC_INT64; }
  static bool isComplex(int32_t dtype) { return dtype == NPCC_COMPLEX64 || dtype == NPCC_COMPLEX128; }
  static bool byAddress(const ParamInfo &param) { return param.kind != NPCC_SCALAR || isComplex(param.dtype); }

  /// How C passes a scalar.
  llvm::Type *getType(const ParamInfo &param) {
    if (byAddress(param))
      return pointer;
    switch (param.dtype) {
    case NPCC_BOOL:
    case NPCC_INT8:
    case NPCC_UINT8:
      return builder.getInt8Ty();
    case NPCC_INT16:
    case NPCC_UINT16:
      return builder.getInt16Ty();
    case NPCC_INT32:
    case NPCC_UINT32:
      return builder.getInt32Ty();
    case NPCC_INT64:
    case NPCC_UINT64:
      return builder.getInt64Ty();
    case NPCC_FLOAT16:
    case NPCC_BFLOAT16:
    case NPCC_FLOAT32:
      return builder.getFloatTy();
    default:
      return builder.getDoubleTy();
    }
  }

  void emitWrapper(const FunctionInfo &info, llvm::GlobalVariable *table) {
    std::vector<llvm::Type *> types;
    for (const ParamInfo &param : info.params)
      if (param.kind != NPCC_NONE)
        types.push_back(getType(param));
    for (const ParamInfo &result : info.results)
      if (result.kind != NPCC_NONE)
        types.push_back(pointer);
    auto *function = llvm::Function::Create(llvm::FunctionType::get(builder.getInt32Ty(), types, false),
                                            llvm::GlobalValue::ExternalLinkage, info.symbol, module);
    function->addFnAttr("frame-pointer", "all");
    builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", function));
    // npcc_value: 16 bytes.
    llvm::Type *value = llvm::ArrayType::get(builder.getInt64Ty(), 2);
    static_assert(sizeof(npcc_value) == 16);
    auto *args = builder.CreateAlloca(value, builder.getInt32(std::max<size_t>(info.params.size(), 1)));
    auto *results = builder.CreateAlloca(value, builder.getInt32(std::max<size_t>(info.results.size(), 1)));
    unsigned next = 0;
    for (auto [k, param] : llvm::enumerate(info.params)) {
      if (param.kind == NPCC_NONE)
        continue;
      llvm::Argument *given = function->getArg(next);
      llvm::Value *slot = builder.CreateConstGEP1_64(value, args, k);
      storeArgument(param, given, slot, next++);
    }
    unsigned firstResult = next;
    for (auto [k, result] : llvm::enumerate(info.results))
      if (result.kind == NPCC_ARRAY)
        builder.CreateStore(function->getArg(next++), builder.CreateConstGEP1_64(value, results, k));
      else if (result.kind == NPCC_SCALAR)
        ++next;
    llvm::FunctionCallee invoke =
        module.getOrInsertFunction("npcc_rt_invoke", builder.getInt32Ty(), pointer, pointer, pointer);
    llvm::Value *status = builder.CreateCall(invoke, {table, args, results});
    giveResults(info, function, firstResult, status, value, results);
  }

  void storeArgument(const ParamInfo &param, llvm::Argument *given, llvm::Value *slot, unsigned index) {
    if (param.kind == NPCC_ARRAY || param.kind == NPCC_GENERATOR) {
      builder.CreateStore(given, slot);
    } else if (isComplex(param.dtype)) {
      auto *parts = llvm::ArrayType::get(builder.getDoubleTy(), 2);
      builder.CreateStore(builder.CreateLoad(parts, given), slot);
    } else if (given->getType()->isFloatingPointTy()) {
      builder.CreateStore(builder.CreateFPExt(given, builder.getDoubleTy()), slot);
    } else {
      bool sign = isSigned(param.dtype);
      if (!given->getType()->isIntegerTy(64))
        given->addAttr(sign ? llvm::Attribute::SExt : llvm::Attribute::ZExt);
      builder.CreateStore(builder.CreateIntCast(given, builder.getInt64Ty(), sign), slot);
    }
  }

  /// Scalars are stored where the caller said if the call succeeded.
  void giveResults(const FunctionInfo &info, llvm::Function *function, unsigned next, llvm::Value *status,
                   llvm::Type *value, llvm::Value *results) {
    auto *good = llvm::BasicBlock::Create(context, "", function),
         *done = llvm::BasicBlock::Create(context, "", function);
    builder.CreateCondBr(builder.CreateIsNull(status), good, done);
    builder.SetInsertPoint(good);
    for (auto [k, result] : llvm::enumerate(info.results)) {
      if (result.kind == NPCC_NONE)
        continue;
      llvm::Value *to = function->getArg(next++), *slot = builder.CreateConstGEP1_64(value, results, k);
      if (result.kind == NPCC_ARRAY)
        continue;
      if (isComplex(result.dtype)) {
        builder.CreateStore(builder.CreateLoad(llvm::ArrayType::get(builder.getDoubleTy(), 2), slot), to);
        continue;
      }
      llvm::Type *type = getType(result);
      if (type->isFloatingPointTy())
        builder.CreateStore(builder.CreateFPCast(builder.CreateLoad(builder.getDoubleTy(), slot), type), to);
      else
        builder.CreateStore(builder.CreateTrunc(builder.CreateLoad(builder.getInt64Ty(), slot), type), to);
    }
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
    builder.CreateRet(status);
  }

  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::IRBuilder<> builder;
  llvm::PointerType *pointer;
};
} // namespace

llvm::Expected<std::string> npcc::emitModuleTable(const ModuleInfo &info, const Options &options) {
  llvm::LLVMContext context;
  llvm::Module module("npcc.table", context);
  auto machine = createTargetMachine(options.cpu, options.optLevel);
  if (!machine)
    return machine.takeError();
  module.setTargetTriple((*machine)->getTargetTriple());
  module.setDataLayout((*machine)->createDataLayout());
  TableEmitter(module).emit(info);
  std::string object;
  llvm::Error error = guardFatalErrors([&]() -> llvm::Error {
    llvm::Expected<std::string> bytes = emitObject(module, options);
    if (!bytes)
      return bytes.takeError();
    object = std::move(*bytes);
    return llvm::Error::success();
  });
  if (error)
    return error;
  return object;
}
