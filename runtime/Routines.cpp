#include "runtime/Routines.h"
#include "runtime/Fourier.h"
#include "runtime/LinearAlgebra.h"
#include "runtime/Partition.h"
#include "runtime/Text.h"

namespace npcc::rt {

Status callRoutine(Device &device, const char *name, int32_t inputs, int32_t count, const npcc_array *operands,
                   int64_t &failed) {
  failed = 0;
  if (isTextRoutine(name))
    return guarded([&] { return callText(device, name, count, operands); });
  if (isPartition(name))
    return guarded([&] { return callPartition(device, name, operands); });
  FourierShape shape;
  if (findFourier(name, operands[count - 1], shape))
    return guarded([&] { return callFourier(device, shape, operands[0], operands[1]); });
  return guarded([&] { return callLinearAlgebra(device, name, inputs, count, operands, failed); });
}

} // namespace npcc::rt
