#ifndef NPCC_COMPILER_NP_WHILELOOPS_H
#define NPCC_COMPILER_NP_WHILELOOPS_H
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace npcc {

/// `scf.while` loops whose condition ends with a branch on the condition itself: the branch becomes the body.
void populateBranchToBodyPatterns(mlir::RewritePatternSet &patterns);

/// `scf.while` loops that count up to a bound: `scf.for`.
void populateWhileToForPatterns(mlir::RewritePatternSet &patterns);

/// The counter behind a loop: the first of lower, lower + step, ... that is not below the bound.
mlir::Value emitCounterBehind(mlir::OpBuilder &builder, mlir::scf::ForOp loop);

} // namespace npcc
#endif
