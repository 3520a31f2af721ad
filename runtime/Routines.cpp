#include "runtime/Routines.h"
#include "runtime/Fourier.h"
#include "runtime/LinearAlgebra.h"
#include "runtime/Partition.h"
#include "runtime/Sparse.h"
#include "runtime/Text.h"
#include <string_view>

namespace npcc::rt {

namespace {
enum class Family { Transform, Selection, Factor };

/// The family of a row of Routines.def. Factors have what is none: names of the host's, and their own error for others.
Family familyOf(std::string_view name) {
#define ROUTINE(NAME, FAMILY, ...)                                                                                     \
  if (name == #NAME)                                                                                                   \
    return Family::FAMILY;
#include "runtime/Routines.def"
  return Family::Factor;
}
} // namespace

Status callRoutine(Device &device, const char *name, int32_t inputs, int32_t count, const npcc_array *operands,
                   const RoutineError *error, int64_t &failed) {
  failed = 0;
  if (isTextRoutine(name))
    return guarded([&] { return callText(device, name, count, operands); });
  if (std::string_view(name) == sparseColumns || std::string_view(name) == sparseRows)
    return guarded([&] { return callSparse(device, name, operands, failed); });
  switch (familyOf(name)) {
  case Family::Selection:
    return guarded([&] { return callPartition(device, name, operands); });
  case Family::Transform:
    return guarded([&] { return callFourier(device, name, operands[0], operands[1]); });
  case Family::Factor:
    break;
  }
  return guarded([&] { return callLinearAlgebra(device, name, inputs, count, operands, error, failed); });
}

} // namespace npcc::rt
