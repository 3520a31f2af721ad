#ifndef NPCC_COMPILER_KERNELS_INTEGERPOWERS_H
#define NPCC_COMPILER_KERNELS_INTEGERPOWERS_H
#include "mlir/IR/Builders.h"

namespace npcc {

/// Exponents for which products take less time than pow().
inline constexpr int64_t leastProductPower = 3, mostProductPower = 32;

/// x to the power of such an exponent, float32 or float64: rounded once, but for results near the smallest normal
/// number. Products alone would be wrong by a unit in the last place for every second x, pow() is not.
mlir::Value emitIntegerPower(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x, int64_t exponent);

} // namespace npcc
#endif
