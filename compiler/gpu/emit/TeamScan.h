#ifndef NPCC_COMPILER_GPU_EMIT_TEAMSCAN_H
#define NPCC_COMPILER_GPU_EMIT_TEAMSCAN_H
#include "compiler/gpu/emit/BodyEmitter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace npcc::cuda {

/// Running totals of what the threads of a warp hold; `inWarp` is the thread's number in its team or warp. All threads
/// of the warp come here.
mlir::Value emitRunningInWarp(mlir::OpBuilder &builder, mlir::Location loc, np::FoldOp fold, mlir::Value total,
                              mlir::Value inWarp);

/// A fold whose totals may be grouped in any way, by a team of L threads: L U elements of the line at a time.
///
///   L = 1, 2, .. 32 threads of a warp, or those of a block; U = 4
///   thread l of a warp takes elements l, L + l, 2 L + l, 3 L + l of the warp's part: neighbours load neighbours
///   each of the U groups of L elements has running totals by shuffles; then comes the total of what was before it, in
///   groups, warps, and former steps
///
/// The grouping depends on the extent and on L only. All threads of the block must come here together.
class TeamScan {
public:
  TeamScan(BodyEmitter &body, mlir::OpBuilder &builder, mlir::Location loc, mlir::gpu::LaunchOp launch)
      : body(body), builder(builder), loc(loc), launch(launch) {}

  mlir::Value member, size;   // of the team: this thread's number in it, its number of threads
  mlir::Value isSeveralWarps; // the team's threads, which are the block's then
  mlir::Value isValid;        // the team has a line of its own
  int64_t warps = 0;          // of the block, where that is known; else as many as `size` has, 32 at most

  void emit(np::FoldOp fold, Lane &lane);

private:
  mlir::Value emitStep(Lane &lane, mlir::Value start, mlir::Value extent, mlir::Value before);
  std::pair<mlir::Value, mlir::Value> emitPrefix(mlir::Value before, mlir::Value sum, mlir::Value inWarp,
                                                 mlir::Value number);
  std::pair<mlir::Value, mlir::Value> combineWarps(mlir::Value shared, mlir::Value before, mlir::Value number);
  mlir::Value emitRunning(mlir::Value total, mlir::Value inWarp) {
    return emitRunningInWarp(builder, loc, fold, total, inWarp);
  }

  IndexMath math() { return {builder, loc}; }
  mlir::Value combine(mlir::Value left, mlir::Value right) { return fold.emitCombine(builder, left, right)[0]; }
  mlir::Value choose(mlir::Value condition, mlir::Value left, mlir::Value right);
  mlir::Value toInt(mlir::Value value);

  BodyEmitter &body;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::gpu::LaunchOp launch;
  np::FoldOp fold;
};

} // namespace npcc::cuda
#endif
