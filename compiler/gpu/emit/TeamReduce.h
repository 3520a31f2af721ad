#ifndef NPCC_COMPILER_GPU_EMIT_TEAMREDUCE_H
#define NPCC_COMPILER_GPU_EMIT_TEAMREDUCE_H
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

namespace npcc::cuda {

/// What another thread of the warp holds: gpu.shuffle for every type. `lane` is what the mode takes (i32); all threads of the warp come here.
mlir::Value emitShuffle(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value lane, mlir::gpu::ShuffleMode mode);

/// Combines what the threads of a team hold, in a fixed order; every thread gets the same result. A team is `size`
/// neighbouring threads: a power of two up to `most`, or, if that is 0, up to the `threads` of a block;
/// `isSeveralWarps` says that it is more than a warp. All threads of the block must come here together.
llvm::SmallVector<mlir::Value>
emitTeamReduce(mlir::OpBuilder &builder, mlir::Location loc, mlir::gpu::LaunchOp launch, mlir::Value size,
               mlir::Value isSeveralWarps, mlir::ValueRange values,
               llvm::function_ref<mlir::Value(unsigned, mlir::Value, mlir::Value)> combine, int64_t threads,
               int64_t most = 0);

} // namespace npcc::cuda
#endif
