#ifndef NPCC_COMPILER_KERNELS_PRODUCTPOWERS_H
#define NPCC_COMPILER_KERNELS_PRODUCTPOWERS_H
#include "mlir/IR/Builders.h"

namespace npcc {

/// x to the power of an exponent for which there is another way than pow(); null of others: of 0, 1, 2, 0.5 and -1, and
/// of float32 and float64 of whole numbers and halves up to 32. Results are rounded once, but for those near the
/// smallest normal number or, of negative exponents, near the largest. Products alone would be wrong by a unit in the
/// last place for every second x, pow() is not.
mlir::Value emitKnownPower(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x, double exponent);

} // namespace npcc
#endif
