#ifndef NPCC_COMPILER_GPU_IMAGE_LINKPTX_H
#define NPCC_COMPILER_GPU_IMAGE_LINKPTX_H
#include "llvm/ADT/StringRef.h"
#include <string>

namespace npcc::cuda {

/// Whether a PTX program has the function.
bool definesFunction(llvm::StringRef ptx, llvm::StringRef name);

/// One PTX program of two: `ptx`, which declares functions that `linked` defines. The version is the later one of both,
/// the target that of `ptx`.
std::string linkPtx(llvm::StringRef ptx, llvm::StringRef linked);

} // namespace npcc::cuda
#endif
