#ifndef NPCC_COMPILER_MEMORY_ALIASING_H
#define NPCC_COMPILER_MEMORY_ALIASING_H
#include "dialects/Np/Np.h"

namespace npcc {

// One model of which arrays share memory, for arrays of the np form (`!np.array`), for memrefs of the loop form, and
// for what npcc-fuse mixes of both.

/// The array that `array` is a view of: through np.view and np.reshape, and through memref.reinterpret_cast,
/// memref.cast, memref.subview and np.rebase, which are what views are in the loop form.
mlir::Value getRoot(mlir::Value array);

/// May two arrays, or views of them, have elements in common? `general`: in the general version of a function two
/// arguments may overlap.
bool mayAlias(mlir::Value a, mlir::Value b, bool general);

/// May the operation, or one in its regions, write elements of the array, or free it? What operations declare of their
/// effects decides; one that declares nothing may do anything.
bool mayWriteTo(mlir::Operation *op, mlir::Value array, bool general);

} // namespace npcc
#endif
