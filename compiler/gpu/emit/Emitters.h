#ifndef NPCC_COMPILER_GPU_EMIT_EMITTERS_H
#define NPCC_COMPILER_GPU_EMIT_EMITTERS_H
#include "compiler/gpu/emit/HostSide.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

/// One emitter for each kind of kernel: each makes the host code and one `gpu.launch` before the kernel, and leaves the kernel to be erased.
namespace npcc::cuda {

/// Threads of a block, in all kernels: enough to hide latency, few enough that a thread may have 255 registers.
inline constexpr int64_t threadsPerBlock = 256;
/// Of the one block that runs a whole loop of the host: more, for nothing else is there to hide latency. A thread may still have 128 registers.
inline constexpr int64_t threadsPerLoop = 512, fewestThreadsPerLoop = 128;
/// What cuLaunchKernel takes as grid y and z.
inline constexpr int64_t maxGridRows = 65535;
inline constexpr int64_t maxBlockDepth = 64; // what CUDA takes of a block's third extent

/// Every thread computes its own iterations: elementwise kernels, stencils, operands that are broadcast, and whatever has no kind of its
/// own (inner loops are sequential in each thread).
void emitMap(np::KernelOp kernel, KernelAccesses &accesses);
/// A team of threads computes an iteration of the kernel: the inner loops run along the contiguous axis and are shared out.
void emitRows(np::KernelOp kernel, KernelAccesses &accesses);
/// The same where an iteration factorises small matrices (np.factor), which lie in shared memory: a lane of a warp for
/// each of their rows.
void emitMatrices(np::KernelOp kernel, KernelAccesses &accesses);
/// How many teams of so many lanes a block has, each with arrays of so many bytes in shared memory.
int64_t countTeamsOfMatrices(int64_t lanes, int64_t bytes);
/// Threads of a block of the grid that runs a whole loop of the host, and the most blocks: each waits for all others.
inline constexpr int64_t threadsOfGrid = 512, mostBlocksOfGrid = 256;
/// Kernels of the kind `steps` by the grid: a loop of the host with all of its kernels, by the threads of
/// all blocks of one cooperative launch. The extent is the number of blocks that have something to do.
void emitGrid(np::KernelOp kernel, KernelAccesses &accesses, bool hasClusters);
/// A column of threads computes neighbouring iterations of the kernel: the inner loop runs across the contiguous axis and is shared out.
void emitColumns(np::KernelOp kernel, KernelAccesses &accesses);
/// The most neighbouring columns, in one access, and the most terms at once of a thread that goes down columns.
inline constexpr int64_t mostColumnsOfThread = 4, roundOfColumn = 8;
/// Whether columns are taken `width` at a time: a few that are no whole vectors are not, for vectors would not begin
/// where rows do.
mlir::Value areColumnsInVectors(IndexMath math, mlir::Value columns, int64_t width);
/// The blocks that go down columns: as many threads side by side as there are vectors of columns, shared out evenly (of
/// a power of two up to half would have nothing to do), and the rest of a block's threads below one another.
struct ColumnBlocks {
  mlir::Value grid, side, members;
};
ColumnBlocks getColumnBlocks(IndexMath math, mlir::Value vectors);
/// A team of threads computes a fold along the contiguous axis, or along the only line.
void emitScan(np::KernelOp kernel, KernelAccesses &accesses);
/// Such a fold in order: a block computes elements side by side, one of its threads combines them.
void emitFold(np::KernelOp kernel, KernelAccesses &accesses);
/// Loads contiguous along one axis, stores along another: through a tile in shared memory.
void emitTranspose(np::KernelOp kernel, KernelAccesses &accesses);

/// Updates that threads make at once (memref.atomic_rmw): blocks sum into copies of their own, where the array is small.
void emitUpdates(np::KernelOp kernel, KernelAccesses &accesses);
/// Updates of `memory` whose iterations are parts with elements of their own: a block for each, sums of its warps in
/// order.
void emitSums(np::KernelOp kernel, KernelAccesses &accesses, mlir::Value memory);

/// The threads that work on one row together: a power of two up to the block.
struct Team {
  mlir::Value size;
  mlir::Value isSeveralWarps; // more than one; null: always
};
/// For `rows` rows of `extent` elements (null: not known), `width` of which are one access. `walks`: how often it goes
/// over the row. Host values, before the kernel.
Team emitTeam(HostSide &host, mlir::Value rows, mlir::Value extent, int64_t width, bool isBlock, int64_t walks = 1);

/// Threads that go through a whole loop with a row, of so many elements at most (null: not known). In a warp each
/// thread has an element; where warps wait for each other, fewer of them with two elements each are faster.
Team emitTeamOfLoop(HostSide &host, mlir::Value elements);
/// How many elements of an inner loop a team's threads share out: those along the last axis, or, where there are too
/// few rows to keep the device busy, those of all axes.
mlir::Value emitSharedLength(HostSide &host, mlir::Value rows, llvm::ArrayRef<mlir::Value> extents);

/// Which row a thread's team works on, which of the team's threads it is, and whether the team has a row of its own: one
/// without repeats the last row, for all threads of a block meet. `threads` is the size of blocks, of which `teams` fit
/// into one.
struct TeamPlace {
  mlir::Value row, member, isValid;
};
TeamPlace emitTeamPlace(IndexMath math, mlir::gpu::LaunchOp launch, mlir::Value size, mlir::Value teams,
                        mlir::Value rows, int64_t threads);

/// An empty launch before the kernel, with the builder inside; host values made from now on stand before the launch.
mlir::gpu::LaunchOp beginLaunch(HostSide &host, mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> grid,
                                llvm::ArrayRef<mlir::Value> block, llvm::StringRef name);

/// Says of a launch, whose body is complete, that all its positions are numbers of 32 bits, if they are in the first
/// call: of arrays of any size the kernel is another one.
void markSmallPositions(HostSide &host, mlir::gpu::LaunchOp launch);

/// For each axis of a loop with these positions and extents but the last, whether it and the next are one run in memory for every stream (a host value, decided at
/// run time). The loop may then run with extent 1 along the outer and with the product along the inner, the streams' strides as they are.
llvm::SmallVector<mlir::Value> emitJoins(HostSide &host, mlir::ValueRange positions, mlir::ValueRange extents);
/// The extents after the joins; `math` may stand on the host or in the kernel.
llvm::SmallVector<mlir::Value> joinExtents(IndexMath math, llvm::ArrayRef<mlir::Value> joins, mlir::ValueRange extents);

} // namespace npcc::cuda
#endif
