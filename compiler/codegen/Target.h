#ifndef NPCC_COMPILER_CODEGEN_TARGET_H
#define NPCC_COMPILER_CODEGEN_TARGET_H
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class TargetLibraryInfoImpl;
class TargetMachine;
} // namespace llvm

namespace npcc {

struct KeepMachine {
  void operator()(llvm::TargetMachine *machine) const;
};
/// A machine that belongs to one thread. When that is done, it is kept for the next that asks for such a one: to read
/// the description of a processor takes as long as to compile a short function.
using MachineHandle = std::unique_ptr<llvm::TargetMachine, KeepMachine>;

/// The machine named by Options.cpu ("native" or an LLVM name), on this operating system.
llvm::Expected<MachineHandle> createTargetMachine(llvm::StringRef cpu, int optLevel);

/// Bytes of the widest vector registers of a CPU: how many accumulators a reduction is given.
unsigned getVectorBytes(llvm::StringRef cpu);

/// Name and features of the CPU that "native" stands for; part of cache keys.
std::string getCpuDescription(llvm::StringRef cpu);

/// Which library functions exist, with their vector forms in libmvec for registers of up to `vectorBytes`.
const llvm::TargetLibraryInfoImpl &getTargetLibraryInfo(unsigned vectorBytes);

} // namespace npcc
#endif
