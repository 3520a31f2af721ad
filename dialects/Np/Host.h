#ifndef NPCC_DIALECTS_NP_HOST_H
#define NPCC_DIALECTS_NP_HOST_H
// What the host alone does: output, strings, Python's own objects, libraries.
#include "dialects/Np/Np.h"

#define GET_OP_CLASSES
#include "dialects/Np/NpHost.h.inc"

#endif
