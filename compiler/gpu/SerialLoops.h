#ifndef NPCC_COMPILER_GPU_SERIALLOOPS_H
#define NPCC_COMPILER_GPU_SERIALLOOPS_H
#include "mlir/IR/Operation.h"

namespace npcc {

/// Whether one thread of the device can run a loop of the host: it is scalar code that reads or writes elements of the
/// device's memory.
bool isSerialLoop(mlir::Operation *loop);

/// The loop of the host around an operation that no other one is around; null if there is none.
mlir::Operation *getOutermostLoop(mlir::Operation *op);

/// Whether something in the operation is sent to the device: kernels, for which `remains` says whether they stay that,
/// and calls of libraries.
bool sendsWork(mlir::Operation *op, llvm::function_ref<bool(mlir::Operation *)> remains);

} // namespace npcc
#endif
