#ifndef NPCC_COMPILER_KERNELS_LOOPTEST_H
#define NPCC_COMPILER_KERNELS_LOOPTEST_H
#include "compiler/kernels/Updates.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"

namespace npcc {

/// Whether the iterations of an explicit loop over elements need each other: see npcc-parallelize-loops.
class LoopTest {
public:
  /// A loop in the nest of `outer`, or that one.
  LoopTest(mlir::scf::ForOp loop, mlir::scf::ForOp outer, bool general);

  bool isIndependent();

  /// The updates without which iterations would not be independent.
  llvm::SmallVector<Update> updates;
  /// Whether an iteration may raise an error of the program's.
  bool raises = false;
  /// Whether positions are what they seem only where they are checked before the loop.
  bool needsChecks = false;
  /// Whether iterations are independent only because what they store in one place is the same.
  bool storesMeet = false;
  /// Whether an array that is stored into outlives an error.
  bool keepsStores() const;
  /// Whether the arrays that such iterations store into are lost with an error.
  bool losesStores() const;

private:
  struct Access {
    mlir::Operation *op;
    mlir::Value memory;
    llvm::SmallVector<mlir::Value> indices;
    bool isStore;
    std::optional<mlir::arith::AtomicRMWKind> update; // updates of one kind may meet
    mlir::Value same;                                 // what every iteration stores
  };

  bool stay(const llvm::Twine &reason);
  bool meets();
  bool markUpdates();
  /// An array that an iteration makes and nobody else sees: of the same extents in each, which are constants where
  /// threads have caches of their own for what they use again.
  bool isOwn(np::AllocOp array);
  /// A kernel on such arrays alone, which a thread of its iteration can run.
  bool isOwn(np::KernelOp kernel);
  bool collect();
  /// Whether checks of positions before the loop say that none of those that the index passes changes it: a position
  /// that counts from the end would be another one.
  bool canCheckAll(mlir::Value index);
  /// Whether two indices along one axis differ wherever the iterations do: both move with the loop by one number of
  /// elements, and what they have apart from that is the same in all iterations and differs by no multiple of it.
  bool differ(mlir::Value x, mlir::Value y);
  /// Whether one index is the same in all iterations, and the other one never that: a row below the pivot's.
  bool isApart(mlir::Value moving, mlir::Value fixed);
  /// What is stored, where that is the same in all iterations and memory gives the position.
  mlir::Value getSame(mlir::memref::StoreOp store) const;
  /// May two different iterations touch one element?
  bool mayMeet(const Access &a, const Access &b);

  mutable mlir::scf::ForOp loop, outer;
  bool general, storesMayMeet;
  std::string met; // why iterations need each other
  llvm::SmallVector<Access> accesses;
};

/// The loop that is all that an iteration of `loop` does, beside a little that is computed before it, so that both can
/// be axes of one kernel; null if there is none. `outer` begins the nest, and what bounds the loop is known before
/// that.
mlir::scf::ForOp findOnlyLoop(mlir::scf::ForOp loop, mlir::scf::ForOp outer, bool general);
/// Moves what is computed before such a loop into it.
void sinkInto(mlir::scf::ForOp inner);

} // namespace npcc
#endif
