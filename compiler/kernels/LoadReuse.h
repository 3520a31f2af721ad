#ifndef NPCC_COMPILER_KERNELS_LOADREUSE_H
#define NPCC_COMPILER_KERNELS_LOADREUSE_H
#include "mlir/IR/Block.h"

namespace npcc {
class Aliasing;

/// Drops loads of what was loaded or stored before, in the block and in regions inside of it, and has not changed
/// since. What a loop may write is not known in it: it may have been written by the iteration before. Kernels begin
/// with nothing, for what the host knows it has waited for.
void reuseLoads(mlir::Block &block, Aliasing &aliasing);

} // namespace npcc
#endif
