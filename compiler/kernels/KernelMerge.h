#ifndef NPCC_COMPILER_KERNELS_KERNELMERGE_H
#define NPCC_COMPILER_KERNELS_KERNELMERGE_H
#include "dialects/Np/Kernels.h"

namespace npcc {

/// One kernel of two that follow each other in a block, where no position needs what another one makes
/// (npcc-merge-kernels); null if they stay two, and why.
np::KernelOp mergeKernels(np::KernelOp first, np::KernelOp second, bool general, llvm::StringRef &reason);

} // namespace npcc
#endif
