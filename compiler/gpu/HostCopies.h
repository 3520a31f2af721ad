#ifndef NPCC_COMPILER_GPU_HOSTCOPIES_H
#define NPCC_COMPILER_GPU_HOSTCOPIES_H
#include "mlir/IR/Builders.h"

namespace npcc {

/// Whether the elements of an array lie one behind the other, as far as its type says.
bool isContiguous(mlir::Value array);

/// Makes a contiguous array with the extents and elements of `array`, in the memory of the host or of the device.
mlir::Value emitLike(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value array, bool onHost);

/// A contiguous copy of an array of the host, or of a view of one, in the memory of the device.
mlir::Value makeDeviceCopy(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value array);

} // namespace npcc
#endif
