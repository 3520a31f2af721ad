#ifndef NPCC_COMPILER_MEMORY_REGION_H
#define NPCC_COMPILER_MEMORY_REGION_H
#include "compiler/memory/Aliasing.h"

namespace npcc {

/// May a region of one array (an np.view of a root, or a root) overlap a region of another?
bool mayOverlap(mlir::Value a, mlir::Value b, bool general);
/// The axes along which an array goes through its root: 1 of a column, with or without an axis of extent 1 beside it.
int64_t countMovingAxes(mlir::Value array);

/// Do both name the same elements, position by position?
bool isSameRegion(mlir::Value a, mlir::Value b);

/// The arrays that an operation (with everything in its regions) may write, and those that it may read.
void collectAccesses(mlir::Operation *op, llvm::SmallVectorImpl<mlir::Value> &read, llvm::SmallVectorImpl<mlir::Value> &written);
/// Whether no operation between the two writes to an array, so that what is loaded at the first one is there still; `last` is behind it in its block, or in
/// a branch there.
bool leaveArrays(mlir::Operation *first, mlir::Operation *last);

} // namespace npcc
#endif
