#ifndef NPCC_DIALECTS_NP_CHECKS_H
#define NPCC_DIALECTS_NP_CHECKS_H
// What is checked before something is done, and what fails where it does not hold.
#include "dialects/Np/Np.h"

#define GET_OP_CLASSES
#include "dialects/Np/NpChecks.h.inc"

namespace npcc::np {

/// Whether the exact result of every combination of a left and a right operand in these ranges fits into 64 bits. Of
/// powers it is not known.
bool alwaysFits(Arithmetic kind, const mlir::ConstantIntRanges &lhs, const mlir::ConstantIntRanges &rhs);

} // namespace npcc::np
#endif
