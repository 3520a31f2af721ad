#ifndef NPCC_COMPILER_KERNELS_HOSTLOOPS_H
#define NPCC_COMPILER_KERNELS_HOSTLOOPS_H
#include "dialects/Np/Kernels.h"

namespace npcc {

/// Whether loops of the host can do what the kernel does, with the same bits: no check that the program makes at
/// another place than its position says, no sum that is rounded in another order, no function that a device's library
/// computes. `inPython`: instead, as Python would do it, with functions of the host's library and sums in order.
bool canBeHostLoops(np::KernelOp kernel, bool inPython = false);

/// Whether an operation is one on numbers that the host computes as Python does, element by element.
bool isHostNumber(mlir::Operation *op);

/// The kernel as loops of the host, one iteration after the other, if that can be.
void makeHostLoops(np::KernelOp kernel);

} // namespace npcc
#endif
