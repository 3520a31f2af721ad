#ifndef NPCC_COMPILER_GPU_HOSTCOPIES_H
#define NPCC_COMPILER_GPU_HOSTCOPIES_H
#include "mlir/IR/Builders.h"

namespace npcc {

/// Makes a contiguous array with the extents and elements of `array`, in the memory of the host or of the device.
mlir::Value emitLike(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value array, bool onHost);

} // namespace npcc
#endif
