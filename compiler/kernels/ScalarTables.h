#ifndef NPCC_COMPILER_KERNELS_SCALARTABLES_H
#define NPCC_COMPILER_KERNELS_SCALARTABLES_H
#include "dialects/Np/Ufunc.h"
#include "mlir/IR/Builders.h"

namespace npcc {
/// Functions of real numbers that are one upstream operation (see UFUNC_OPERATION); null for others.
mlir::Value emitRealOperation(mlir::OpBuilder &builder, mlir::Location loc, np::Ufunc ufunc, mlir::ValueRange x);
/// The same of complex numbers.
mlir::Value emitComplexOperation(mlir::OpBuilder &builder, mlir::Location loc, np::Ufunc ufunc, mlir::ValueRange x);
} // namespace npcc
#endif
