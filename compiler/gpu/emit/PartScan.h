#ifndef NPCC_COMPILER_GPU_EMIT_PARTSCAN_H
#define NPCC_COMPILER_GPU_EMIT_PARTSCAN_H
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/ScanChain.h"

namespace npcc::cuda {

/// How the threads of a block share out a part of a line whose running totals blocks hand on.
///
///   elements   = width * vectors, of each thread
///   warp w     has 32 * elements neighbours; of each of its `vectors` rows, thread l has the width neighbours from
///              l * width on, which one access moves where `areAligned` holds
///   totals     run along a thread's neighbours, then along the threads, rows and warps
struct PartPlan {
  int64_t width = 1, vectors = 1;
  VectorMode vector;
  mlir::Value areAligned; // a host value

  PartPlan(HostSide &host, np::KernelOp kernel, np::FoldOp fold);
  int64_t countElements() const { return width * vectors; }
  int64_t countElementsOfBlock() const;
};

/// A fold whose totals may be grouped in any way, by blocks that have parts of its line: of each part first the total,
/// then, when the totals of all parts before it are there, its running totals. What it loads is loaded twice, but the
/// second time from a cache.
class PartScan {
public:
  PartScan(BodyEmitter &body, const PartPlan &plan, ScanChain &chain, mlir::OpBuilder &builder, mlir::Location loc,
           mlir::gpu::LaunchOp launch)
      : body(body), plan(plan), chain(chain), builder(builder), loc(loc), launch(launch) {}

  /// Of the part at hand of the chain. All threads of the block come here.
  void emitTotal(np::FoldOp fold, Lane &lane);
  void emitRunning(np::FoldOp fold, Lane &lane);
  mlir::Value next; // the number of another part, taken when the thread has nothing to wait for

private:
  /// Totals of a thread's elements from the start of the warp's part on, and the total of that.
  struct Totals {
    llvm::SmallVector<mlir::Value> inWarp;
    mlir::Value ofWarp;
  };
  void begin(np::FoldOp op, Lane &lane);
  llvm::SmallVector<Lane> makeLanes(Lane &lane, bool isFast);
  llvm::SmallVector<mlir::Value> emitElements(Lane &lane);
  Totals emitTotals(llvm::ArrayRef<mlir::Value> elements, mlir::Value neutral);
  /// The total of all that comes before this warp.
  mlir::Value emitBeforeWarp(mlir::Value ofWarp, mlir::Value neutral);
  void emitEach(Lane &lane, llvm::ArrayRef<mlir::Value> totals);
  /// Runs `emit` for a part that is whole and can be moved in vectors, or else for any.
  llvm::SmallVector<mlir::Value> emitFastOrNot(mlir::TypeRange types,
                                               llvm::function_ref<llvm::SmallVector<mlir::Value>(bool)> emit);

  IndexMath math() { return {builder, loc}; }
  mlir::Value combine(mlir::Value left, mlir::Value right) { return fold.emitCombine(builder, left, right)[0]; }

  BodyEmitter &body;
  const PartPlan &plan;
  ScanChain &chain;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::gpu::LaunchOp launch;
  np::FoldOp fold;
  mlir::Value extent, first, inWarp, warpNumber, isFast;
};

} // namespace npcc::cuda
#endif
