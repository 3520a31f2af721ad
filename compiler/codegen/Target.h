#ifndef NPCC_COMPILER_CODEGEN_TARGET_H
#define NPCC_COMPILER_CODEGEN_TARGET_H
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class TargetLibraryInfoImpl;
class TargetMachine;
class Triple;
} // namespace llvm

namespace npcc {

/// The machine named by Options.cpu ("native" or an LLVM name), on this operating system.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(llvm::StringRef cpu, int optLevel);

/// Bytes of the widest vector registers of a CPU: how many accumulators a reduction is given.
unsigned getVectorBytes(llvm::StringRef cpu);

/// Name and features of the CPU that "native" stands for; part of cache keys.
std::string getCpuDescription(llvm::StringRef cpu);

/// Which library functions exist, with their vector forms in libmvec for registers of up to `vectorBytes`.
std::unique_ptr<llvm::TargetLibraryInfoImpl> createTargetLibraryInfo(const llvm::Triple &triple, unsigned vectorBytes);

} // namespace npcc
#endif
