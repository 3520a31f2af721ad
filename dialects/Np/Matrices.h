#ifndef NPCC_DIALECTS_NP_MATRICES_H
#define NPCC_DIALECTS_NP_MATRICES_H
// What the threads of a kernel do together with a small matrix.
#include "dialects/Np/Np.h"

#define GET_OP_CLASSES
#include "dialects/Np/NpMatrices.h.inc"

#endif
