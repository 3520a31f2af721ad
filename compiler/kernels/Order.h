#ifndef NPCC_COMPILER_KERNELS_ORDER_H
#define NPCC_COMPILER_KERNELS_ORDER_H
#include "mlir/IR/Builders.h"

namespace npcc {

/// Whether `x` comes before `y` in NumPy's sorted arrays. NaN comes last; complex numbers go by their real and then
/// their imaginary parts, and behind them come those whose imaginary part is NaN, whose real part is, and of which both
/// are. `type` is that of the np dialect.
mlir::Value emitBefore(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x, mlir::Value y, mlir::Type type);

} // namespace npcc
#endif
