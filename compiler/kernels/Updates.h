#ifndef NPCC_COMPILER_KERNELS_UPDATES_H
#define NPCC_COMPILER_KERNELS_UPDATES_H
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {

/// a[p] = a[p] + v, or another operation whose result is the same in any order of its operands: integers only. Iterations of a loop that
/// meet at an element in such updates alone may run in any order, if each update is one access:
///
///   %old = memref.load %a[%p]
///   %new = arith.addi %old, %v        ->      memref.atomic_rmw addi %v, %a[%p]
///   memref.store %new, %a[%p]
struct Update {
  mlir::memref::LoadOp load;
  mlir::Operation *combine;
  mlir::memref::StoreOp store;
  mlir::arith::AtomicRMWKind kind; // a difference is a sum with the negative number

  mlir::Value getMemory() { return store.getMemRef(); }
  /// The load, the operation and the store become one operation.
  void makeAtomic();
};

/// What computes `value` inside the loop.
void collectSlice(mlir::scf::ForOp loop, mlir::Value value, llvm::SetVector<mlir::Operation *> &slice);

/// The updates in `loop` at positions that memory gives. (Where other positions meet, one of the loops around can run in order.)
llvm::SmallVector<Update> findUpdates(mlir::scf::ForOp loop);

/// Whether the position, in a loop, is computed from what is loaded in it.
bool isPositionGivenByMemory(mlir::scf::ForOp loop, mlir::Value index);

/// The branch that a block of an iteration is, if it stands in the loop's body, without an alternative; null if not.
mlir::scf::IfOp getBranch(mlir::Block *block, mlir::scf::ForOp loop);

/// For the checks of positions that memory gives: two versions of `loop`, where all hold that without them, otherwise
/// the loop as it is written. False if that cannot be: a check depends on a check, or they are made on several
/// conditions. `innermost` is the last loop of the perfect nest.
bool checkPositionsBefore(mlir::scf::ForOp outer, mlir::scf::ForOp innermost, bool releases = false);

} // namespace npcc
#endif
