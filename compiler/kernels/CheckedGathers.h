#ifndef NPCC_COMPILER_KERNELS_CHECKEDGATHERS_H
#define NPCC_COMPILER_KERNELS_CHECKEDGATHERS_H
#include "compiler/memory/Extents.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace npcc {

/// The gathers whose positions a kernel of their own checks, where they stand. The others are checked by the kernels
/// that compute their elements. That is not enough where such a kernel does not come to all elements (`x[p][:3]`, of
/// which NumPy looks at all positions that memory gives), or stores into what outlives the error: NumPy stores nothing
/// of `y[:] = x[p]` where one position is wrong. Nor is it where the host makes checks before that kernel: the first
/// error counts.
llvm::DenseSet<mlir::Operation *> findGathersToCheck(mlir::func::FuncOp function, ExtentOrigins &origins);

/// Whether somebody looks at the gather's positions where it has no elements, and has to do so before its kernel: not
/// in a loop, which is to become a kernel as a whole.
bool mayBeEmpty(np::GatherOp gather, ExtentOrigins &origins);

} // namespace npcc
#endif
