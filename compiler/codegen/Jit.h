#ifndef NPCC_COMPILER_CODEGEN_JIT_H
#define NPCC_COMPILER_CODEGEN_JIT_H
#include "compiler/codegen/FunctionInfo.h"
#include "runtime/abi/functions.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm::orc {
class LLJIT;
}

namespace npcc {

/// Code in this process. It stays until the last shared_ptr to it goes.
class LoadedCode {
public:
  ~LoadedCode();
  /// The address of an entry (`step.entry`).
  llvm::Expected<npcc_entry> lookup(llvm::StringRef symbol) const;
  /// One for each of CompiledCode::functions.
  const npcc_function *getFunction(size_t k) const { return tables[k].get()->get(); }
  size_t getFunctionCount() const { return tables.size(); }
  /// Whether it has kernels that were made in a hurry.
  bool isQuick() const { return !quickKernels.empty(); }
  /// Links the objects that compileWithCare() made, and has all kernels go on in them, also those of calls that run.
  llvm::Error exchangeKernels(const std::vector<std::string> &objects);

private:
  friend llvm::Expected<std::shared_ptr<LoadedCode>> loadCode(const CompiledCode &code);
  LoadedCode();
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::vector<std::string> quickKernels;
  std::vector<std::unique_ptr<FunctionTable>> tables;
};

/// Links an object (made now, or read from a cache) into the process: libm, libmvec and libnpcc_rt are resolved. No compilation.
llvm::Expected<std::shared_ptr<LoadedCode>> loadCode(const CompiledCode &code);

} // namespace npcc
#endif
