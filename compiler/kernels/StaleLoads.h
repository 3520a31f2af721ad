#ifndef NPCC_COMPILER_KERNELS_STALELOADS_H
#define NPCC_COMPILER_KERNELS_STALELOADS_H
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace npcc {

/// Gives a new operation its number in the order of its block. Where two new ones without a number stand beside each
/// other, the next question which of two operations comes first numbers the whole block anew, which takes as long as
/// the function is.
void numberInBlock(mlir::Operation *op);

/// Writes values to memory that hold loads of arrays which something overwrites before the values are used, and values
/// that are stored to an array which they read at other positions. `toArray` writes one to memory, for a reason, and
/// gives the load of it that all others use from then on.
void materializeStale(mlir::func::FuncOp function, bool general,
                      llvm::function_ref<mlir::Value(mlir::Value, const llvm::Twine &)> toArray);

} // namespace npcc
#endif
