#ifndef NPCC_DIALECTS_NP_NAMES_H
#define NPCC_DIALECTS_NP_NAMES_H
// The names of the program while it is imported: slots, which `mem2reg` turns into values.
#include "dialects/Np/Np.h"

#define GET_OP_CLASSES
#include "dialects/Np/NpNames.h.inc"

#endif
