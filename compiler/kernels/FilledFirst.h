#ifndef NPCC_COMPILER_KERNELS_FILLEDFIRST_H
#define NPCC_COMPILER_KERNELS_FILLEDFIRST_H
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// Whether each iteration of `loop` stores every element of an array of one axis before it loads it, whatever its
/// extent: the elements that it has stored are a range, which loops that store next to it make longer. The array is
/// from before the loop.
bool isFilledFirst(np::AllocOp array, mlir::scf::ForOp loop);

} // namespace npcc
#endif
