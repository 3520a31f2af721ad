#ifndef NPCC_COMPILER_GPU_EMIT_GRIDEMITTER_H
#define NPCC_COMPILER_GPU_EMIT_GRIDEMITTER_H
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/GridBarriers.h"
#include "compiler/gpu/emit/TeamReduce.h"
#include "dialects/Np/Kernels.h"
#include "llvm/Support/SaveAndRestore.h"

namespace npcc::cuda {

/// Emits a loop of the host with all of its kernels for the whole grid: see EmitGrid.cpp.
class GridEmitter : public BodyEmitter {
public:
  GridEmitter(HostSide &host, mlir::OpBuilder &builder, mlir::Location loc, np::KernelOp kernel, bool hasClusters);

  /// Makes the launch and what its threads need to wait for each other.
  void begin();
  void end();

protected:
  void prepare(mlir::Operation &op) override;
  /// What one thread of a team stored the others may read next.
  void finish(mlir::Operation &op) override;
  void emitFor(mlir::scf::ForOp op, Lanes lanes) override;
  void emitLoad(mlir::memref::LoadOp op, Lanes lanes) override;
  void emitStore(mlir::memref::StoreOp op, Lanes lanes) override;
  void emitParallel(mlir::scf::ParallelOp op, Lanes lanes) override;

private:
  mlir::Type getNumberType(mlir::Type type);
  void emitNumbers();
  mlir::Value emitHasFewEdges();
  llvm::DenseSet<mlir::Operation *> findRepeated();
  mlir::Value getPointer(mlir::Value memref);
  void emitBarrier();
  void emitBarrierInMemory();
  void emitEdgeBarrier();
  bool hasThreadForEach(mlir::scf::ParallelOp op);
  void emitElements(mlir::scf::ParallelOp op, Lane &lane, llvm::ArrayRef<mlir::Value> extents, mlir::Value first,
                    mlir::Value stride, llvm::SmallVector<mlir::Value> &accumulators, int64_t unroll);
  void emitMaskedRounds(mlir::scf::ParallelOp op, Lane &lane, llvm::ArrayRef<mlir::Value> extents, mlir::Value first,
                        mlir::Value stride, llvm::SmallVector<mlir::Value> &accumulators, int64_t unroll);
  void emitParts(llvm::function_ref<void(mlir::Value, mlir::Value)> emit, llvm::function_ref<void(mlir::Value)> finish,
                 bool isEdge = false);
  void emitPosition(Lane &lane, mlir::scf::ParallelOp op, llvm::ArrayRef<mlir::Value> extents, mlir::Value number);
  llvm::SmallVector<mlir::Value> emitOwnPart(mlir::scf::ParallelOp op, Lane &lane, llvm::ArrayRef<mlir::Value> extents,
                                             mlir::Value first, mlir::Value stride);
  llvm::SmallVector<mlir::Value> emitReduction(mlir::scf::ParallelOp op, Lane &lane,
                                               llvm::ArrayRef<mlir::Value> extents);
  void emitTeams(mlir::scf::ParallelOp op, Lane &lane, llvm::ArrayRef<mlir::Value> extents);
  void emitTeamLoop(mlir::scf::ParallelOp op, Lane &lane);
  void setTeamSize(mlir::scf::ParallelOp op, llvm::ArrayRef<mlir::Value> extents);
  llvm::SmallVector<mlir::Value> emitCombined(mlir::scf::ParallelOp op, mlir::ValueRange values, mlir::Value size,
                                              mlir::Value isSeveralWarps, int64_t most);
  llvm::SmallVector<mlir::Value> lookUp(mlir::ValueRange values, Lane &lane);
  mlir::Value product(llvm::ArrayRef<mlir::Value> extents);

  np::KernelOp kernel;
  mlir::gpu::LaunchOp launch;
  GridBarriers barriers;
  bool hasClusters;
  mlir::Value isCluster;                  // all blocks are one; null if never
  llvm::SmallVector<mlir::Value> buffers; // to be released after the launch
  mlir::Value wanted;                     // blocks, by the extents
  mlir::Value thread, block, blocks;      // in the block, in the grid, of the grid
  mlir::Value number, size;               // of this thread in the grid, of the grid
  mlir::Value counter, target;            // arrivals at barriers; how many the next one needs
  mlir::Value turn;                       // which half of a buffer is free
  bool isShared = false;                  // inside a loop that threads take parts of
  mlir::Value hasFewEdges;                // the first block alone has the loops over fewer axes
  mlir::Value teamSize, isSeveralWarps, teamMember, isValid;
  llvm::DenseMap<mlir::Value, mlir::Value> numbersInMemory;
};

} // namespace npcc::cuda
#endif
