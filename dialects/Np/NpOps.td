#ifndef NPCC_DIALECTS_NP_NPOPS_TD
#define NPCC_DIALECTS_NP_NPOPS_TD
// The whole dialect. In C++ each family of operations has a header of its own, so that a new operation concerns only the
// files that know its family.
include "dialects/Np/NpArrays.td"
include "dialects/Np/NpChecks.td"
include "dialects/Np/NpChoice.td"
include "dialects/Np/NpDevices.td"
include "dialects/Np/NpHost.td"
include "dialects/Np/NpIteration.td"
include "dialects/Np/NpKernels.td"
include "dialects/Np/NpMatrices.td"
include "dialects/Np/NpMemory.td"
include "dialects/Np/NpNames.td"
include "dialects/Np/NpRandom.td"
include "dialects/Np/NpThreads.td"
include "dialects/Np/NpValues.td"
#endif
