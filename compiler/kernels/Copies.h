#ifndef NPCC_COMPILER_KERNELS_COPIES_H
#define NPCC_COMPILER_KERNELS_COPIES_H
#include "compiler/memory/Extents.h"
#include "dialects/Np/Np.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace npcc {

/// Whether nothing but functions of elements and numbers, whatever they cost, compute the value of what is in memory:
/// no reduction, no position that is computed.
bool isMadeOfElements(mlir::Value value, llvm::DenseMap<mlir::Value, bool> &known);

/// Visits the values that kernels would hold so many copies of that their code would grow without bound, those that are
/// used last first; and those whose copies would take longer than to write and to read an array. `groupOf` says which
/// kernel a sink belongs to. `toArray` writes a value to memory, so that what it is made of is computed once.
void boundCopies(mlir::func::FuncOp function, const llvm::DenseMap<mlir::Operation *, int64_t> &groupOf,
                 ExtentOrigins &origins, llvm::function_ref<void(mlir::Value)> toArray);

/// Visits values that end a chain of so many elementwise operations that the code around one kernel would take too long
/// to compile.
void boundChains(mlir::func::FuncOp function, llvm::function_ref<void(mlir::Value)> toArray);

} // namespace npcc
#endif
