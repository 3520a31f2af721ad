#ifndef NPCC_COMPILER_GPU_EMIT_CHECKORDER_H
#define NPCC_COMPILER_GPU_EMIT_CHECKORDER_H
#include "compiler/gpu/emit/BodyEmitter.h"
#include "dialects/Np/Kernels.h"

namespace npcc::cuda {

/// Emits the np.iteration of a check of a kernel, for one lane: the kernel's positions (or what an np.iteration in the
/// kernel says), and from there inwards, for each block that the check is in, which of its checks it is among, and the
/// position of a loop.
void emitCheckOrder(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *check, np::KernelOp kernel,
                    Lane &lane);

/// A check that all threads make alike: those that fail end there.
void endAtCheck(mlir::Operation *check);

} // namespace npcc::cuda
#endif
