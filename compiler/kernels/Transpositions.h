#ifndef NPCC_COMPILER_KERNELS_TRANSPOSITIONS_H
#define NPCC_COMPILER_KERNELS_TRANSPOSITIONS_H
#include "compiler/memory/Accesses.h"
#include "dialects/Np/Kernels.h"

namespace npcc {

/// The loads of a kernel that run along another axis than its stores do (y = x.T, a + a.T).
struct Transposition {
  unsigned along = 0, across = 0;                // the kernel's axes: that of the stores, that of the loads
  llvm::SmallVector<mlir::memref::LoadOp> loads; // none: the kernel is no transposition
};
Transposition findTransposition(np::KernelOp kernel, KernelAccesses &accesses);

} // namespace npcc
#endif
