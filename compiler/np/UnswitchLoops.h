#ifndef NPCC_COMPILER_NP_UNSWITCHLOOPS_H
#define NPCC_COMPILER_NP_UNSWITCHLOOPS_H
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// Two loops for one, by the condition of a branch in its body that is known before the loop: in each of them all
/// iterations take one side, whose code is part of the body.
///
///   scf.for %i { ... scf.if %c { a } else { b } ... }  ->  scf.if %c { scf.for %i { ... a ... } } else { scf.for %i {
///   ... b ... } }
std::pair<mlir::scf::ForOp, mlir::scf::ForOp> unswitch(mlir::scf::ForOp loop, mlir::scf::IfOp branch);

} // namespace npcc
#endif
