#ifndef NPCC_DIALECTS_NP_DEVICES_H
#define NPCC_DIALECTS_NP_DEVICES_H
// Programs over many devices.
#include "dialects/Np/Np.h"

#define GET_OP_CLASSES
#include "dialects/Np/NpDevices.h.inc"

#endif
