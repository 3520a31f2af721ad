#ifndef NPCC_COMPILER_KERNELS_COMPLEXOPS_H
#define NPCC_COMPILER_KERNELS_COMPLEXOPS_H
#include "dialects/Np/Ufunc.h"
#include "mlir/IR/Builders.h"

namespace npcc {
/// Functions of one complex argument that are made of others; null for those that are not.
mlir::Value emitComplexFunction(mlir::OpBuilder &builder, mlir::Location loc, np::Ufunc ufunc, mlir::Value z);
} // namespace npcc
#endif
