// The routines of libraries that compiled code calls by their names (np.routine): Fourier.h, LinearAlgebra.h and
// Partition.h have them.
#ifndef NPCC_RUNTIME_ROUTINES_H
#define NPCC_RUNTIME_ROUTINES_H

#include "runtime/Device.h"
#include "runtime/abi/arrays.h"

namespace npcc::rt {

/// The first `inputs` of the `count` operands are only read. `failed` is the number, from 1, of the first matrix that a
/// routine has no result for, or 0. If there is an error to raise for such a matrix, a device may leave it in the
/// record of kernels' errors instead.
Status callRoutine(Device &device, const char *name, int32_t inputs, int32_t count, const npcc_array *operands,
                   const RoutineError *error, int64_t &failed);

} // namespace npcc::rt

#endif
