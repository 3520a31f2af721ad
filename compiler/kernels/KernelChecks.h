#ifndef NPCC_COMPILER_KERNELS_KERNELCHECKS_H
#define NPCC_COMPILER_KERNELS_KERNELCHECKS_H
#include "dialects/Np/Checks.h"

namespace npcc {

/// Whether the operation, or one in its regions, makes a check that may fail.
inline bool makesChecks(mlir::Operation *op) {
  return op
      ->walk([](mlir::Operation *inside) {
        return llvm::isa<np::CheckIndexOp, np::AssertOp, np::BroadcastExtentOp>(inside) ? mlir::WalkResult::interrupt()
                                                                                        : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace npcc
#endif
