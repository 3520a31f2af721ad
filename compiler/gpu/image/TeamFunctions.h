#ifndef NPCC_COMPILER_GPU_IMAGE_TEAMFUNCTIONS_H
#define NPCC_COMPILER_GPU_IMAGE_TEAMFUNCTIONS_H
#include "llvm/ADT/StringRef.h"

namespace npcc::cuda {

/// The PTX of a function of runtime/cuda/kernels/teams.cu, which kernels that call it are linked with (LinkPtx.h); ""
/// if there is none of that name.
llvm::StringRef findTeamFunction(llvm::StringRef name);

} // namespace npcc::cuda
#endif
