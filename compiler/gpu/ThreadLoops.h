#ifndef NPCC_COMPILER_GPU_THREADLOOPS_H
#define NPCC_COMPILER_GPU_THREADLOOPS_H
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace npcc {

/// Bounds how far LLVM unrolls the loops of a thread whose positions lie as far apart as the launch says
/// (range(cuda.grid(1), n, cuda.gridsize(1))): four at a time. Each further one takes two registers for its distance,
/// which is no constant, and with more than 32 registers fewer blocks run side by side.
void boundUnrolling(mlir::func::FuncOp function);

} // namespace npcc
#endif
