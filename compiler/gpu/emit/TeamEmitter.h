#ifndef NPCC_COMPILER_GPU_EMIT_TEAMEMITTER_H
#define NPCC_COMPILER_GPU_EMIT_TEAMEMITTER_H
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/HeldRows.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace npcc::cuda {

/// The code of a kernel of rows, whose iterations a team of threads computes each (EmitRows.cpp).
class TeamEmitter : public BodyEmitter {
public:
  using BodyEmitter::BodyEmitter;

  mlir::gpu::LaunchOp launch;
  mlir::Value member, size;   // of the team: this thread's number in it, its number of threads
  mlir::Value isSeveralWarps; // so that they meet in shared memory
  mlir::Value isValid;        // the team has an iteration of its own
  bool isBlock;               // all threads of the block take the same way through the outer code
  bool isSteps;               // a block runs a whole loop of the host, or an iteration of one
  bool isLoop = false;        // a whole loop: there is one block
  bool isOwnRows = false;     // a whole loop for each row: all teams take the same way
  int64_t threads = threadsPerBlock;
  RowLoops loops;
  HeldRows held;

  void hold(HeldRows rows) {
    held = std::move(rows);
    sameStreams = held.same;
  }

  /// Whether all axes of a loop are one: rows may be shorter than the team.
  bool isJoined(mlir::scf::ParallelOp op) const { return (isLoop || isOwnRows) && op.getNumLoops() > 1; }

protected:
  /// What the first thread stores the others may still be reading, where the kernel has more to read than one row: in
  /// steps.
  void prepare(mlir::Operation &op) override;
  /// What the first thread of a team stored the others may read next.
  void finish(mlir::Operation &op) override;
  /// A loop that only stores, one iteration after the other, is the first thread's alone: the others would wait at each
  /// store.
  bool isSerial(mlir::Operation *op);
  void emitFor(mlir::scf::ForOp op, Lanes lanes) override;
  /// A running total in steps, by all threads of the block: LowerFolds.cpp says which ones come here.
  void emitFold(np::FoldOp op, Lanes lanes) override;
  void emitParallel(mlir::scf::ParallelOp op, Lanes lanes) override;
  void emitStore(mlir::memref::StoreOp op, Lanes lanes) override;

private:
  struct HeldStep {
    mlir::Value base, isInside, isStored; // the position of this thread's first element, or 0 beyond the row
  };
  llvm::SmallVector<HeldStep> steps; // of rows that are held

  void beginSteps(mlir::Value extent);
  /// A loop over a row that is held.
  void emitHeld(mlir::scf::ParallelOp op, Lane &lane, const RowLoop &plan);
  /// What the threads of the team have, combined.
  llvm::SmallVector<mlir::Value> emitOverTeam(mlir::scf::ParallelOp op, llvm::ArrayRef<mlir::Value> values);
  /// What `emit` makes where the condition holds and where it does not, as one; null: as if it held.
  llvm::SmallVector<mlir::Value> emitEither(mlir::Value condition, llvm::ArrayRef<mlir::Value> inits,
                                            llvm::function_ref<llvm::SmallVector<mlir::Value>(bool)> emit);
  llvm::SmallVector<mlir::Value> emitNarrow(mlir::scf::ParallelOp op, Lane &lane, RowLoop plan,
                                            llvm::ArrayRef<mlir::Value> extents, llvm::ArrayRef<mlir::Value> inits);
  /// This thread's part of the loop; its accumulators combined into one for each result.
  llvm::SmallVector<mlir::Value> emitShared(mlir::scf::ParallelOp op, Lane &lane, const RowLoop &plan,
                                            llvm::ArrayRef<mlir::Value> extents, llvm::ArrayRef<mlir::Value> inits,
                                            bool areOneAxis = false);
  /// What `emit` makes of the accumulators where the condition holds.
  void emitIf(mlir::Value condition, llvm::SmallVector<mlir::Value> &accumulators,
              llvm::function_ref<void(llvm::SmallVector<mlir::Value> &)> emit);
  /// The steps that are left, fewer than a round of them: all at once, so that short rows have as many loads under way
  /// as long ones. What lies beyond the row is computed at its start and not combined.
  void emitRest(mlir::scf::ParallelOp op, Lane &lane, mlir::Value position, mlir::Value start, mlir::Value whole,
                mlir::Value step, mlir::Value mine, int64_t width, int64_t unroll,
                llvm::SmallVector<mlir::Value> &accumulators);
  /// All axes of a loop as one, numbered along the last one: in steps, rows may be shorter than the block.
  void emitJoined(mlir::scf::ParallelOp op, Lane &lane, const RowLoop &plan, llvm::ArrayRef<mlir::Value> extents,
                  llvm::SmallVector<mlir::Value> &accumulators);
  void emitAxis(mlir::scf::ParallelOp op, Lane &lane, const RowLoop &plan, llvm::ArrayRef<mlir::Value> extents,
                unsigned axis, int64_t width, llvm::SmallVector<mlir::Value> &accumulators);
};

} // namespace npcc::cuda
#endif
