#ifndef NPCC_DIALECTS_NP_KERNELS_H
#define NPCC_DIALECTS_NP_KERNELS_H
// Kernels, and the folds inside of them.
#include "dialects/Np/Np.h"

namespace npcc::np {
class AlternativesOp; // whose regions end as those of folds do
} // namespace npcc::np

#define GET_OP_CLASSES
#include "dialects/Np/NpKernels.h.inc"

#endif
