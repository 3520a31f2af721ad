#ifndef NPCC_COMPILER_KERNELS_SCALARTABLES_H
#define NPCC_COMPILER_KERNELS_SCALARTABLES_H
#include "mlir/IR/Builders.h"

namespace npcc {
/// Functions of one real argument that are one operation of the math dialect; null for others.
mlir::Value emitUnaryMath(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name, mlir::Value x);
/// Functions that are one operation of the complex dialect; null for others.
mlir::Value emitComplexMath(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name, mlir::ValueRange x);
} // namespace npcc
#endif
