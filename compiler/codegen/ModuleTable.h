#ifndef NPCC_COMPILER_CODEGEN_MODULETABLE_H
#define NPCC_COMPILER_CODEGEN_MODULETABLE_H
#include "compiler/Options.h"
#include "compiler/codegen/FunctionInfo.h"
#include "llvm/Support/Error.h"

namespace npcc {

/// One name that an ahead-of-time module exports, with one FunctionInfo for each signature (all its variants joined: see mergeVariants).
struct ExportInfo {
  std::string name;
  std::vector<FunctionInfo> signatures;
};

/// What becomes the module's `npcc_this_module` (runtime/npcc_module.h).
struct ModuleInfo {
  std::string name;
  std::string file;   // of the script
  std::string source; // Python that runs at import
  std::vector<ExportInfo> exports;
};

/// Adds the variants that another compilation of the same function gave: fast ones before general ones.
void mergeVariants(FunctionInfo &to, const FunctionInfo &from);

/// The functions of several compilations as exports: one for each name, one signature for each list of parameter types, with all its variants.
std::vector<ExportInfo> joinFunctions(const std::vector<FunctionInfo> &functions);

/// A Python name as C may spell it: `double` is `double_`.
std::string getCName(llvm::StringRef name);

/// The C functions of a module: the first signature of `step` is `step`, the second `step_2`. Symbols are set in place.
void assignSymbols(ModuleInfo &module);

/// An object with `npcc_this_module`, what it points to, `SYMBOL.function` (npcc_function) for each signature, and the C functions
///
///   int32_t step(const npcc_array *u, double alpha, npcc_array *result);
///
/// Arrays are npcc_array, complex numbers npcc_complex, both by address, other scalars by value; results by address at the end. They
/// return the npcc_error and keep the text for npcc_rt_last_error().
llvm::Expected<std::string> emitModuleTable(const ModuleInfo &module, const Options &options);

/// The C header that declares these functions.
std::string emitHeader(const ModuleInfo &module);

} // namespace npcc
#endif
