#ifndef NPCC_DIALECTS_NP_MEMORY_H
#define NPCC_DIALECTS_NP_MEMORY_H
// What remains beside scf, memref, arith and math after lowering to loops: buffers, references, calls of the runtime.
#include "dialects/Np/Np.h"

#define GET_OP_CLASSES
#include "dialects/Np/NpMemory.h.inc"

#endif
