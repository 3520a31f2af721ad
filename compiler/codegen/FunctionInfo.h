#ifndef NPCC_COMPILER_CODEGEN_FUNCTIONINFO_H
#define NPCC_COMPILER_CODEGEN_FUNCTIONINFO_H
#include "compiler/target/EmittedCode.h"
#include "runtime/abi/devices.h"
#include "runtime/abi/dtypes.h"
#include "runtime/abi/functions.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace npcc {

/// What the runtime must know of a compiled function: the source of every `npcc_function`, whether it becomes constants of an
/// ahead-of-time module (emitFunctionTable), memory of this process (FunctionTable), or part of a cache entry (CompiledCode).
struct ParamInfo {
  std::string name;
  npcc_kind kind = NPCC_SCALAR;
  npcc_dtype dtype = NPCC_FLOAT64;
  int32_t rank = 0;
  int32_t weak = 0;
  bool written = false;
  uint32_t unitAxes = 0;
  bool isView = false;
  bool tellsLayout = false;
};

struct VariantInfo {
  npcc_target target = NPCC_TARGET_CPU;
  int32_t assumptions = 0;
  bool distributed = false;
  bool awaits = false; // its arguments itself (npcc-await-arguments)
  bool moved = false;  // to the host, from a GPU that would take longer (npcc-limit-calls)
  int32_t flags() const {
    return (distributed ? NPCC_VARIANT_DISTRIBUTED : 0) | (awaits ? NPCC_VARIANT_AWAITS : 0) |
           (moved ? NPCC_VARIANT_MOVED : 0);
  }
  std::vector<npcc_extent_guard> guards;
  /// Symbol of the npcc_entry.
  std::string entry;
  /// Symbol of npcc_variant::choice; empty: the code has all alternatives.
  std::string choice;
};

struct FunctionInfo {
  std::string name;       // Python's
  std::string symbol;     // C's, unique in a module
  std::string signature;  // for messages
  std::string file;
  int32_t line = 0;
  std::string resultForm;     // NPCC_FORM_*
  int32_t generatorCount = 0; // captured generators of random numbers: the highest number, plus 1
  std::vector<ParamInfo> params, results;
  std::vector<VariantInfo> variants;
};

/// The symbol of the entry of a function: `step` -> `step.entry`.
std::string getEntrySymbol(llvm::StringRef function);

/// What a compilation gives: objects, and the functions whose entries are in them.
struct CompiledCode : EmittedCode {
  std::vector<FunctionInfo> functions;

  /// One string of bytes, and back; nothing if the bytes are not from this version of `serialize`.
  std::string serialize() const;
  static std::optional<CompiledCode> deserialize(llvm::StringRef bytes);
};

/// `npcc_function` structs in memory, with all that they point to.
class FunctionTable {
public:
  /// `lookup` gives the address of an entry symbol.
  FunctionTable(const FunctionInfo &info, llvm::function_ref<npcc_entry(llvm::StringRef)> lookup);
  const npcc_function *get() const { return &function; }

private:
  FunctionInfo info;
  std::vector<npcc_param> params, results;
  std::vector<npcc_variant> variants;
  npcc_function function;
};

} // namespace npcc
#endif
