#ifndef NPCC_COMPILER_KERNELS_HOSTBLOCKS_H
#define NPCC_COMPILER_KERNELS_HOSTBLOCKS_H
#include "dialects/Np/Kernels.h"

namespace npcc {

/// The blocks within `root` that the host runs: all but those inside of kernels. A block comes before the blocks nested
/// in it.
inline llvm::SmallVector<mlir::Block *> getHostBlocks(mlir::Operation *root) {
  llvm::SmallVector<mlir::Block *> blocks;
  root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (llvm::isa<np::KernelOp>(op))
      return mlir::WalkResult::skip();
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        blocks.push_back(&block);
    return mlir::WalkResult::advance();
  });
  return blocks;
}

} // namespace npcc
#endif
