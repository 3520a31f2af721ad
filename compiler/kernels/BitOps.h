#ifndef NPCC_COMPILER_KERNELS_BITOPS_H
#define NPCC_COMPILER_KERNELS_BITOPS_H
// Elementwise functions that are told by the bits or the divisors of one element.
#include "dialects/Np/Ufunc.h"
#include "mlir/IR/Builders.h"

namespace npcc {

/// gcd, lcm and bitwise_count of integers in registers; null for other functions.
mlir::Value emitIntegerBits(mlir::OpBuilder &builder, mlir::Location loc, np::Ufunc ufunc,
                            mlir::ValueRange operands, bool isUnsigned);
/// nextafter, spacing, ldexp (the exponent a whole number of the same type) and the two parts of frexp, frexp_mantissa
/// and frexp_exponent (of the same type too); null for other functions. The first two are defined by the type itself:
/// half precision is not widened for them.
mlir::Value emitFloatBits(mlir::OpBuilder &builder, mlir::Location loc, np::Ufunc ufunc, mlir::ValueRange operands,
                          mlir::FloatType type);

} // namespace npcc
#endif
