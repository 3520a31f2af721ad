#ifndef NPCC_DIALECTS_NP_VALUES_H
#define NPCC_DIALECTS_NP_VALUES_H
// Values: what NumPy's functions give, whole.
#include "dialects/Np/Np.h"

#define GET_OP_CLASSES
#include "dialects/Np/NpValues.h.inc"

#endif
