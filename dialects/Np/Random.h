#ifndef NPCC_DIALECTS_NP_RANDOM_H
#define NPCC_DIALECTS_NP_RANDOM_H
// Generators of random numbers, and draws from them.
#include "dialects/Np/Np.h"

#define GET_OP_CLASSES
#include "dialects/Np/NpRandom.h.inc"

namespace npcc::np {

/// Whether two draws, one after the other, give what one draw of as many numbers gives.
bool isDrawnOneByOne(llvm::StringRef distribution, llvm::StringRef dtype);

} // namespace npcc::np

#endif
