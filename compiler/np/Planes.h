#ifndef NPCC_COMPILER_NP_PLANES_H
#define NPCC_COMPILER_NP_PLANES_H
#include "mlir/IR/Builders.h"

namespace npcc {

/// The elements of a value or array at one position of an axis, without that axis. `extents`: of the other axes.
/// `type`: of the result, if it is not that of the source without the axis.
mlir::Value emitPlane(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source, int64_t axis, int64_t position,
                      mlir::ValueRange extents, mlir::Type type = {});

} // namespace npcc
#endif
