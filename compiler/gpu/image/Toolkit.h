#ifndef NPCC_COMPILER_GPU_IMAGE_TOOLKIT_H
#define NPCC_COMPILER_GPU_IMAGE_TOOLKIT_H
#include "llvm/ADT/StringRef.h"
#include <string>

namespace npcc::cuda {

/// The path of a file of the CUDA toolkit ("nvvm/libdevice/libdevice.10.bc", "bin/ptxas"): in `cudaPath` if that is given, else in
/// CUDA_HOME, CUDA_PATH, the toolkit of the `nvcc` or `ptxas` on PATH, and the usual places. "" if there is none.
std::string findToolkitFile(llvm::StringRef cudaPath, llvm::StringRef file);

} // namespace npcc::cuda
#endif
