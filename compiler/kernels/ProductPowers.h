#ifndef NPCC_COMPILER_KERNELS_PRODUCTPOWERS_H
#define NPCC_COMPILER_KERNELS_PRODUCTPOWERS_H
#include "mlir/IR/Builders.h"
#include <cmath>

namespace npcc {

/// Whether products, with a square root or a division where the exponent asks for one, take less time than pow(): whole
/// numbers and halves, but for those that are one operation.
inline bool isProductPower(double exponent) {
  double size = std::abs(exponent);
  return 2 * size == std::floor(2 * size) && size <= 32 && size != 0 && exponent != 1 && exponent != 0.5;
}

/// x to the power of such an exponent, float32 or float64: rounded once, but for results near the smallest normal
/// number or, of negative exponents, near the largest. Products alone would be wrong by a unit in the last place for
/// every second x, pow() is not.
mlir::Value emitProductPower(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x, double exponent);

} // namespace npcc
#endif
