#ifndef NPCC_COMPILER_MEMORY_COUNTS_H
#define NPCC_COMPILER_MEMORY_COUNTS_H
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace npcc {

/// Whether a number is not negative by what it is: a constant, an extent, the position of a
/// loop that begins with such a number, the greater of two of which one is none.
bool isCount(mlir::Value value);

/// Whether a number is at most one that `isBound` takes, by how it is computed: a difference, a quotient or a minimum
/// of one, or 0.
bool isAtMost(mlir::Value number, llvm::function_ref<bool(mlir::Value)> isBound);

} // namespace npcc
#endif
