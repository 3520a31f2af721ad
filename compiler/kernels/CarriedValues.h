#ifndef NPCC_COMPILER_KERNELS_CARRIEDVALUES_H
#define NPCC_COMPILER_KERNELS_CARRIEDVALUES_H
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace npcc {

/// Values that go round a loop or out of a branch (NumPy scalars, mostly) become new arrays each time.
/// NumPy scalars go in registers where the host may read them: always on the CPU, and on a GPU where no kernel makes
/// them.
void materializeCarried(mlir::func::FuncOp function);

} // namespace npcc
#endif
