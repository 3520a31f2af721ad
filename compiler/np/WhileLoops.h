#ifndef NPCC_COMPILER_NP_WHILELOOPS_H
#define NPCC_COMPILER_NP_WHILELOOPS_H
#include "mlir/IR/PatternMatch.h"

namespace npcc {

/// `scf.while` loops whose condition ends with a branch on the condition itself: the branch becomes the body.
void populateBranchToBodyPatterns(mlir::RewritePatternSet &patterns);

/// `scf.while` loops that count up to a bound: `scf.for`.
void populateWhileToForPatterns(mlir::RewritePatternSet &patterns);

} // namespace npcc
#endif
