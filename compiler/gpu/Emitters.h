#ifndef NPCC_COMPILER_GPU_EMITTERS_H
#define NPCC_COMPILER_GPU_EMITTERS_H
#include "compiler/gpu/HostSide.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

/// One emitter per kernel class: each makes the host code and one `gpu.launch` before the kernel, and leaves the kernel to be erased.
namespace npcc::cuda {

/// Threads of a block, in all kernels: enough to hide latency, few enough that a thread may have 255 registers.
inline constexpr int64_t threadsPerBlock = 256;
/// What cuLaunchKernel takes as grid y and z.
inline constexpr int64_t maxGridRows = 65535;

/// Every thread computes its own iterations: elementwise kernels, stencils, operands that are broadcast, reductions along an outer axis
/// (the inner loop is sequential in each thread, neighbours along the last axis side by side).
void emitMap(mlir::scf::ParallelOp kernel, KernelAccesses &accesses);
/// A team of threads computes an iteration of the kernel: the inner loops run along the contiguous axis and are shared out.
void emitRows(mlir::scf::ParallelOp kernel, KernelAccesses &accesses);
/// Loads contiguous along one axis, stores along another: through a tile in shared memory.
void emitTranspose(mlir::scf::ParallelOp kernel, KernelAccesses &accesses);

enum class KernelClass { Map, Rows, Transpose };
KernelClass classify(mlir::scf::ParallelOp kernel, KernelAccesses &accesses);

/// An empty launch before the kernel, with the builder inside; host values made from now on stand before the launch.
mlir::gpu::LaunchOp beginLaunch(HostSide &host, mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> grid,
                                llvm::ArrayRef<mlir::Value> block, llvm::StringRef kernelClass);

/// Extents of the kernel's axes in which neighbours that are one run in memory for every stream are one axis: of two such axes
/// the outer gets extent 1 and the inner the product. Decided at run time; the strides of the streams stay what they are.
llvm::SmallVector<mlir::Value> emitCollapsedExtents(HostSide &host, mlir::scf::ParallelOp loop);

} // namespace npcc::cuda
#endif
