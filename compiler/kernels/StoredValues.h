#ifndef NPCC_COMPILER_KERNELS_STOREDVALUES_H
#define NPCC_COMPILER_KERNELS_STOREDVALUES_H
#include "compiler/memory/Extents.h"

namespace npcc {

/// The np.new or np.store after which an array holds all elements of a value, unchanged for as long as anybody uses the
/// value; null if there is none. Who needs the value in memory need not make another array then. What may as well come
/// at once is moved there.
mlir::Operation *findKeeper(mlir::Value value, ExtentOrigins &origins, bool general);

} // namespace npcc
#endif
