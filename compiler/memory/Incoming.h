#ifndef NPCC_COMPILER_MEMORY_INCOMING_H
#define NPCC_COMPILER_MEMORY_INCOMING_H
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace npcc {

/// What comes into a name that a loop hands on or a branch gives: of a loop what it begins with, and then what its
/// iterations hand on; of a branch what its sides give. What the condition of a `while` gives comes into its body and
/// its results. Empty for any other value.
llvm::SmallVector<mlir::Value> getIncoming(mlir::Value name);

} // namespace npcc
#endif
