#ifndef NPCC_COMPILER_GPU_THREADACTIONS_H
#define NPCC_COMPILER_GPU_THREADACTIONS_H
// What the threads of a launch do together (barriers, votes, exchanges of values), and calls of linked code, as NVVM's.
#include "dialects/Np/Threads.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace npcc::cuda {

/// Lowers np.thread and np.call_linked in a launch. `gridCounter`: the counter at which all blocks wait for each other;
/// null where no thread asks for that.
void lowerThreadActions(mlir::ModuleOp module, mlir::gpu::LaunchOp launch, mlir::Value gridCounter);

} // namespace npcc::cuda
#endif
