#ifndef NPCC_COMPILER_NP_CANONICALIZER_H
#define NPCC_COMPILER_NP_CANONICALIZER_H
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/Passes.h"

namespace npcc {

/// Upstream's canonicalizer without the patterns that change what a program computes. The pipelines use this one only.
std::unique_ptr<mlir::Pass>
createSafeCanonicalizer(mlir::GreedyRewriteConfig config = mlir::GreedyRewriteConfig().setUseTopDownTraversal(true));

/// The canonicalizer, and upstream's CSE behind it.
void addCleanup(mlir::OpPassManager &pm,
                mlir::GreedyRewriteConfig config = mlir::GreedyRewriteConfig().setUseTopDownTraversal(true));

/// How patterns are applied below `root`: code of one block for each region has no blocks to simplify, and dead
/// operations are erased without that.
mlir::GreedyRewriteConfig getRewriteConfig(mlir::Operation *root, mlir::GreedyRewriteConfig config = {});

/// Patterns frozen without those that createSafeCanonicalizer leaves out, and without those that applySafely() applies
/// in turns with them.
mlir::FrozenRewritePatternSet freezeSafePatterns(mlir::RewritePatternSet &&patterns);
/// The same with the canonicalization of all dialects and operations beside them.
mlir::FrozenRewritePatternSet freezeCanonicalization(mlir::RewritePatternSet &&patterns);

/// Applies frozen patterns below `root`, and in turns with them those that look at all that a branch or loop carries.
/// Whether anything changed.
bool applySafely(mlir::Operation *root, const mlir::FrozenRewritePatternSet &patterns,
                 mlir::GreedyRewriteConfig config);

} // namespace npcc
#endif
