#ifndef NPCC_CODEGEN_MASKEDBYTES_H
#define NPCC_CODEGEN_MASKEDBYTES_H
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace npcc {

/// Makes masked accesses of 8 bytes masked accesses of 16, whose upper halves are masked out, where LLVM's code
/// generator would do so wrongly (MaskedBytes.cpp).
void widenMaskedBytes(llvm::Module &module, const llvm::TargetMachine &machine);

} // namespace npcc
#endif
