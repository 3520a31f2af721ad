#ifndef NPCC_DIALECTS_NP_RANDOM_H
#define NPCC_DIALECTS_NP_RANDOM_H
// Generators of random numbers, and draws from them.
#include "dialects/Np/Np.h"
#include "runtime/random/Parameters.h"

#define GET_OP_CLASSES
#include "dialects/Np/NpRandom.h.inc"

namespace npcc::np {

/// A row of runtime/random/Distributions.def, which says what the kinds are.
enum class DistributionKind { FILL, REAL, WHOLE, OTHER };
struct DistributionInfo {
  llvm::StringRef name;
  DistributionKind kind;
  llvm::SmallVector<rt::random::Parameter, 3> parameters;
  int32_t number; // of the row
};
/// Null where there is no distribution of that name.
const DistributionInfo *lookupDistribution(llvm::StringRef name);

/// Whether two draws, one after the other, give what one draw of as many numbers gives.
bool isDrawnOneByOne(llvm::StringRef distribution, llvm::StringRef dtype);

} // namespace npcc::np

#endif
