#ifndef NPCC_DIALECTS_NP_KERNELS_H
#define NPCC_DIALECTS_NP_KERNELS_H
// Kernels, and the folds inside of them.
#include "dialects/Np/Np.h"

#define GET_OP_CLASSES
#include "dialects/Np/NpKernels.h.inc"

#endif
