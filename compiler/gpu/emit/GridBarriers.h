#ifndef NPCC_COMPILER_GPU_EMIT_GRIDBARRIERS_H
#define NPCC_COMPILER_GPU_EMIT_GRIDBARRIERS_H
#include "compiler/gpu/emit/PositionRange.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Kernels.h"
#include "llvm/ADT/DenseSet.h"

namespace npcc::cuda {

/// What the host has made sure of for every extent that a position in a kernel of the grid is checked against: it is no
/// less. So the second element from the start and the last but one are two.
inline constexpr int64_t leastGridExtent = 3;

/// The operations of a kernel of the whole grid before which all threads wait for each other: something before it wrote
/// what it reads or writes, or read what it writes, in another thread.
///
///   scf.for %k {
///     scf.parallel (%i) = 0 to %n     { %q[%i] = %p[%i] }                     waits: the iteration before wrote %p
///     scf.parallel (%i) = 0 to %n - 2 { %p[%i + 1] = %q[%i] + %q[%i + 2] }    waits: %q
///     %p[%n - 1] = 0.0                                                       does not: another element
///   }
///
/// Threads take the same elements of loops of equal extents, so element by element there is nothing to wait for.
/// Numbers in memory that the loop's own code stores are known to all threads.
class GridBarriers {
public:
  /// `repeated`: reductions that each block computes for itself.
  GridBarriers(np::KernelOp kernel, KernelAccesses &accesses, llvm::DenseSet<mlir::Operation *> repeated);
  bool waitsBefore(mlir::Operation *op) const { return waiting.contains(op); }
  /// The same, where it is enough that the first block's threads wait for each other if that block alone has the edges.
  bool waitsAtEdge(mlir::Operation *op) const { return waitingAtEdge.contains(op) && !waitsBefore(op); }
  /// A loop over fewer axes than others of the kernel have: mostly few elements, one after the other along the border.
  bool isEdge(mlir::Operation *op) const;
  /// How often all threads wait for each other in the kernel's code.
  int64_t countWaits() const { return int64_t(waiting.size()) + sharedReductions; }
  bool isRepeated(mlir::Operation *op) const { return repeated.contains(op); }
  /// Whether an array is a number that every thread knows: of no axes, made for the loop, and stored where all threads
  /// have the value.
  bool isOwn(mlir::Value memref) const { return own.contains(memref); }
  /// A loop of stores and numbers, one iteration after the other, that one thread runs alone.
  static bool isAlone(mlir::Operation *op);

private:
  /// An access, and which threads make it.
  struct Access {
    const KernelAccess *access;
    mlir::scf::ParallelOp loop; // that is shared out; null: all threads or blocks load, the first thread stores
    bool isFirstAlone;
    bool isAtEdge;  // the first block alone may have it
    bool isSettled; // and all of its threads have waited for it
    bool operator==(const Access &other) const { return access == other.access; }
  };
  using Pending = llvm::SmallVector<Access>;
  void findOwn();
  void visit(mlir::Block &block, Pending &pending);
  void visit(mlir::Operation &op, Pending &pending);
  void visitLoop(mlir::Operation &loop, Pending &pending);
  void touch(mlir::Operation &op, Pending &pending, mlir::scf::ParallelOp loop, bool isFirstAlone);
  bool conflict(const Access &a, const Access &b);
  bool findConflict(const Access &a, const Access &b);
  static void unite(Pending &pending, const Pending &others);

  np::KernelOp kernel;
  KernelAccesses &accesses;
  PositionRanges ranges;
  Aliasing aliasing;
  llvm::DenseMap<std::pair<const KernelAccess *, const KernelAccess *>, bool> conflicts;
  unsigned mostAxes = 0;
  int64_t sharedReductions = 0; // whose parts all wait for
  llvm::DenseSet<mlir::Operation *> waiting, waitingAtEdge, repeated;
  llvm::DenseSet<mlir::Value> own;
};

} // namespace npcc::cuda
#endif
