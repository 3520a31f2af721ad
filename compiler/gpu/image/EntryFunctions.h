#ifndef NPCC_COMPILER_GPU_IMAGE_ENTRYFUNCTIONS_H
#define NPCC_COMPILER_GPU_IMAGE_ENTRYFUNCTIONS_H
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace npcc::cuda {

/// The attribute of a kernel that has a name of its own: "kernel:NAME", or "c:NAME" and "numba:NAME" for a function
/// that kernels call.
inline constexpr llvm::StringLiteral entryAttribute = "npcc-entry";
/// The attribute of thread-level kernels.
inline constexpr llvm::StringLiteral threadsAttribute = "npcc-threads";
/// The variable that such a function's result is stored in.
inline constexpr llvm::StringLiteral resultSymbol = "npcc_result";

/// Gives kernels with the attribute their names, and makes functions of those that are to be called: by the C ABI ("c")
/// one that returns the result, by Numba's ("numba") one that stores it where its first parameter points, and returns
/// 0.
void makeEntryFunctions(llvm::Module &module);

} // namespace npcc::cuda
#endif
