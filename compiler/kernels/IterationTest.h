#ifndef NPCC_COMPILER_KERNELS_ITERATIONTEST_H
#define NPCC_COMPILER_KERNELS_ITERATIONTEST_H
#include "compiler/memory/Accesses.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Memory.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {

/// Whether the iterations of a loop of the host, which hold kernels, need each other: see npcc-merge-iterations.
class IterationTest {
public:
  IterationTest(mlir::scf::ForOp loop, bool general) : loop(loop), general(general) {}

  /// Whether iterations can be parts of one kernel: they do not need each other, and their checks may be made before the
  /// loop, or at their own places because the arrays that are stored are lost with an error.
  bool canMerge();
  /// Whether they do not, once `early` loads come from copies that are made before.
  bool isIndependent();
  /// Whether nobody sees what was stored when an error ends the function.
  bool losesStores();

  /// Loads of what later iterations store.
  llvm::SmallSetVector<mlir::memref::LoadOp, 4> early;
  llvm::SmallVector<np::AllocOp> temporaries;
  llvm::SmallVector<mlir::Operation *> checks;
  /// Of these, those that are to be asked before the loop (AskedChecks.h).
  llvm::SmallVector<mlir::Operation *> asked;
  bool hasKernel = false;

private:
  struct Access {
    mlir::Operation *op;
    mlir::Value memory;
    llvm::SmallVector<LinearForm> positions; // along each axis
    bool isStore;
  };

  bool sortChecks();
  bool collect();
  mlir::WalkResult add(mlir::Operation *op, mlir::Value memory, mlir::ValueRange indices, bool isStore);
  /// Whether an np.assert, of which a kernel keeps three numbers, says the same.
  static bool canAssert(np::BroadcastExtentOp meet);
  mlir::WalkResult addTemporary(np::AllocOp alloc);
  /// The position, without a check that a position which is not negative passes unchanged.
  LinearForm getForm(mlir::Value index);
  /// May two different iterations touch one element?
  bool mayMeet(const Access &a, const Access &b);
  /// Whether what `a` touches lies on one side of a diagonal of the axes p and q and what `b` touches on the other one, as the two triangles of a
  /// matrix do.
  bool areApart(const Access &a, const Access &b, unsigned p, unsigned q);
  /// Whether only iterations behind that of `load` store what it loads.
  bool isAhead(const Access &store, const Access &load);

  mlir::scf::ForOp loop;
  bool general;
  llvm::SmallVector<Access> accesses;
};

} // namespace npcc
#endif
