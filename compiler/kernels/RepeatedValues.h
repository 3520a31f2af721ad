#ifndef NPCC_COMPILER_KERNELS_REPEATEDVALUES_H
#define NPCC_COMPILER_KERNELS_REPEATEDVALUES_H
// Values that would be computed again and again where they are used, each time to the same.
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace npcc {

/// What loops below would compute in each iteration, where it is work.
llvm::SmallVector<mlir::Value> collectValuesOfLoops(mlir::func::FuncOp function);
/// NumPy scalars that every element would compute again.
llvm::SmallVector<mlir::Value> collectScalarsOfElements(mlir::func::FuncOp function);
/// What every row would compute again (exp(v)[None, :] * a), unless it is less than a launch.
llvm::SmallVector<mlir::Value> collectStretchedRows(mlir::func::FuncOp function);

} // namespace npcc
#endif
