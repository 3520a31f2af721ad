#ifndef NPCC_DIALECTS_NP_CHOICE_H
#define NPCC_DIALECTS_NP_CHOICE_H
#include "dialects/Np/Np.h"

// np.alternatives and np.choice, by which passes and the library's functions offer alternatives. In a header of its
// own: most of the importer and of the passes on `np` know nothing of it.
#define GET_OP_CLASSES
#include "dialects/Np/NpChoice.h.inc"

#endif
