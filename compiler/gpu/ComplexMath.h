#ifndef NPCC_COMPILER_GPU_COMPLEXMATH_H
#define NPCC_COMPILER_GPU_COMPLEXMATH_H
#include "mlir/IR/Builders.h"

namespace npcc {
/// A function of complex numbers, or their quotient, from functions of real ones and complex.abs and complex.angle;
/// null for another operation.
mlir::Value expandComplexFunction(mlir::OpBuilder &builder, mlir::Operation *op);
} // namespace npcc
#endif
