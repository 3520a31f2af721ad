#ifndef NPCC_COMPILER_KERNELS_MOVEDPARTS_H
#define NPCC_COMPILER_KERNELS_MOVEDPARTS_H
#include "compiler/memory/Extents.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Values.h"

namespace npcc {

/// Insertions that follow each other into one value, each of a part of one computed value: what numpy.roll and
/// numpy.concatenate make of it.
///
///   %b = np.insert (np.view %v offsets [0]) into %a offsets [1] extents [%n - 1]
///   %c = np.insert (np.view %v offsets [%n - 1]) into %b offsets [0] extents [1]
///
/// An element of the result is one of `source`, at a position that is chosen, or one of `base`. So the code that
/// computes an element of the source is there once, and the source need not be in memory for it.
struct MovedParts {
  llvm::SmallVector<np::InsertOp, 2> insertions; // in program order: later ones replace what earlier ones have inserted
  mlir::Value source, base;
  static np::ViewOp getView(np::InsertOp insertion, ExtentOrigins &origins);
};

/// Those that end with an insertion; nothing where it is the only one, where the source is in memory, and on the host,
/// which does better with branches.
std::optional<MovedParts> getMovedParts(np::InsertOp last, ExtentOrigins &origins);

/// Whether an insertion leaves elements out between those that it replaces.
bool hasSteps(np::InsertOp insertion);

/// The last of the insertions that take parts of a value, if `view`, a user of the value, is for one of them.
np::InsertOp getLastOfMoved(mlir::Operation *view, ExtentOrigins &origins);

} // namespace npcc
#endif
