#ifndef NPCC_COMPILER_GPU_IMAGE_LINETABLES_H
#define NPCC_COMPILER_GPU_IMAGE_LINETABLES_H
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace npcc {

/// What the attribute np.lines of a kernel asks for.
enum LineTables { noLines = 0, linesOnly = 1, debugInformation = 2 };

/// Gives kernels with the attribute np.lines the lines of the Python source that their operations come from.
void addLineTables(mlir::gpu::GPUModuleOp kernels);

} // namespace npcc
#endif
