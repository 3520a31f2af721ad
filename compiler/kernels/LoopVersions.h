#ifndef NPCC_COMPILER_KERNELS_LOOPVERSIONS_H
#define NPCC_COMPILER_KERNELS_LOOPVERSIONS_H
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// Whether checks of positions against sizes that are known before the loop can be made before it: `outer` and the loops in it bound the position, and so
/// do values from outside.
bool canCheckBefore(mlir::Value position, mlir::scf::ForOp outer);

/// Whether what is known before `outer` tells how a check in it ends: an assertion of something from outside, or a
/// position as above.
bool isKnownBefore(mlir::Operation *check, mlir::scf::ForOp outer);

/// Which checks of positions are made before a loop, so that its first version is without them.
enum class Asked {
  simple, ///< of the induction variable of a loop of the nest, moved by a constant
  exact,  ///< of whatever moves with the loops in each of their iterations, too, those inside the nest among them, so
          ///< that one fails in the loop if it does before and they run, but for positions that memory gives; positions
          ///< may count from the end
  all,    ///< of whatever canCheckBefore holds for; in the first version, none counts from the end
};

/// Where checks of positions against sizes that are known before a nest can fail, two versions of it: `outer` where all
/// hold, without them, and the other one as it is written. Returns the other one, or null if there was nothing to
/// check. `nest` begins with `outer`. Checks that are not `asked` stay. `also`, if given, is one more condition of the
/// first version. Fails, and leaves the nest as it is, where it is itself the other one of two versions that an earlier
/// pass has made on the same condition: a version without checks would never run there.
mlir::FailureOr<mlir::scf::ForOp> makeVersions(mlir::scf::ForOp outer, llvm::ArrayRef<mlir::scf::ForOp> nest,
                                               Asked asked = Asked::simple, mlir::Value also = {});

} // namespace npcc
#endif
