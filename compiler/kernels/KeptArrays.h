#ifndef NPCC_COMPILER_KERNELS_KEPTARRAYS_H
#define NPCC_COMPILER_KERNELS_KEPTARRAYS_H
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {

/// An array that the iterations of a loop hand on, and do nothing else with: the mask, the labels or the path of the
/// best candidate so far. Each iteration hands on what it was given, or the one array that it may have made.
///
///   %r = scf.for %i = ... iter_args(%kept = %init)           %n = scf.for %i = ... iter_args(%which = -1)
///     %mask = np.alloc(%extent)                                ...
///     np.kernel ... memref.store %x, %mask[..]                 scf.yield (select %isBetter, %i - lo, %which)
///     ...                                             ->     %r = scf.if %n >= 0 {
///     scf.yield (select %isBetter, %mask, %kept)               %mask = np.alloc(%extent)
///                                                              np.kernel ...  // with %i = lo + %n
///                                                            } else { %init }
///
/// The loop hands on the number of the iteration then, and the array is made again behind it, by the kernels that made
/// it. A kernel that makes it computes each element on its own, so that it gives the same bits there.
class KeptArray {
public:
  /// The `index`th of what the loop hands on; none if it is something else.
  static std::optional<KeptArray> find(mlir::scf::ForOp loop, unsigned index);

  np::AllocOp getMade() const { return made; }
  /// What makes the array: its allocation and its kernels.
  const llvm::SmallSetVector<mlir::Operation *, 4> &getMakers() const { return makers; }
  /// Whether a use of the array does nothing but hand it on.
  bool isPassing(mlir::OpOperand &use) const;
  /// Whether nothing in the loop reads the array.
  bool isOnlyKept() const;
  /// The arrays that iterations make for themselves and that the kernels read.
  llvm::SmallVector<np::AllocOp> getRead() const;

  /// The loop hands on the number of an iteration, `iteration` inside of it. What is needed behind it is cloned to the
  /// branch that is returned, checks too; `placed` gets each array of an iteration that the clones read, the array that
  /// stands for it there, and the number of the iteration.
  struct Placed {
    np::AllocOp own, clone;
    mlir::Value iteration;
  };
  mlir::scf::IfOp makeBehind(mlir::Value iteration, llvm::SmallVectorImpl<Placed> &placed);

private:
  KeptArray(mlir::scf::ForOp loop, unsigned index) : loop(loop), index(index) {}
  bool follow(mlir::Value value);
  bool findMakers();
  void collectNeeded(mlir::Operation *op, llvm::DenseSet<mlir::Operation *> &needed) const;

  mlir::scf::ForOp loop;
  unsigned index;
  np::AllocOp made;
  llvm::SmallSetVector<mlir::Value, 4> passed; // values that are the array, or the one from before
  llvm::SmallSetVector<mlir::Operation *, 4> makers;
};

} // namespace npcc
#endif
