#ifndef NPCC_DIALECTS_NP_ARRAYS_H
#define NPCC_DIALECTS_NP_ARRAYS_H
// Arrays: references to memory, views of them, loads and stores.
#include "dialects/Np/Np.h"

#define GET_OP_CLASSES
#include "dialects/Np/NpArrays.h.inc"

#endif
