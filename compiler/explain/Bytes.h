#ifndef NPCC_COMPILER_EXPLAIN_BYTES_H
#define NPCC_COMPILER_EXPLAIN_BYTES_H
#include "compiler/explain/Quantity.h"
#include "compiler/memory/Accesses.h"

namespace npcc {

/// What a kernel reads and writes of one array, each element counted once, however often it is accessed.
struct ArrayBytes {
  mlir::Value root;
  std::optional<Quantity> read, written;
};

/// Of every array that a kernel, or a part of it, accesses, in the order of the accesses. Elements are exact where
/// positions are sums of loops' positions; elsewhere, where memory or a condition decides, they are the most that it
/// may be.
llvm::SmallVector<ArrayBytes> getBytes(np::KernelOp kernel, Quantities &quantities);

/// All of an array.
Quantity getSize(mlir::Value memref, Quantities &quantities);

/// How many iterations the loops around an operation have, from the kernel on: how often it runs.
Quantity getIterations(mlir::Operation *op, np::KernelOp kernel, Quantities &quantities);
/// How many iterations one loop of a kernel has.
Quantity getLoopCount(mlir::Operation *loop, np::KernelOp kernel, Quantities &quantities);

/// Operations of floating-point arithmetic in all iterations. A function counts as one.
Quantity getArithmetic(np::KernelOp kernel, Quantities &quantities);

} // namespace npcc
#endif
