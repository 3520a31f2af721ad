#include "runtime/LinearAlgebra.h"
#include "runtime/Element.h"
#include "runtime/cpu/Lapack.h"
#include <cstring>
#include <vector>

namespace npcc::rt {
namespace {

int64_t matrixBytes(const npcc_stack &stack) {
  int64_t bytes = elementSize(stack.dtype);
  for (int32_t axis = 1; axis < stack.rank; ++axis)
    bytes *= stack.extents[axis];
  return bytes;
}

Status onHost(const char *routine, int32_t count, const npcc_stack *operands, int64_t &failed) {
  LapackRoutine found = findLapackRoutine(routine, operands[0].dtype);
  if (!found)
    return makeError(NPCC_NOT_IMPLEMENTED_ERROR, "there is no routine {} of dtype {}", routine, operands[0].dtype);
  for (int64_t k = 0; k < operands[0].extents[0]; ++k) {
    MatrixOperands matrices{};
    matrices.n = operands[0].extents[2];
    for (int32_t operand = 0; operand < count; ++operand)
      matrices.data[operand] = static_cast<char *>(operands[operand].data) + k * matrixBytes(operands[operand]);
    if (count > 1)
      matrices.columns = operands[1].extents[1];
    if (matrices.n > 0 && !found(matrices) && !failed)
      failed = k + 1;
  }
  return {};
}

} // namespace

Status callLinearAlgebra(Device &device, const char *routine, int32_t count, const npcc_stack *operands, int64_t &failed) {
  failed = 0;
  if (device.onHost())
    return onHost(routine, count, operands, failed);
  std::vector<std::vector<char>> copies(count);
  std::vector<npcc_stack> local(operands, operands + count);
  for (int32_t k = 0; k < count; ++k) {
    copies[k].resize(matrixBytes(operands[k]) * operands[k].extents[0]);
    if (!copies[k].empty())
      NPCC_TRY(device.copyOut(copies[k].data(), operands[k].data, copies[k].size()));
    local[k].data = copies[k].data();
  }
  NPCC_TRY(onHost(routine, count, local.data(), failed));
  for (int32_t k = 0; k < count; ++k)
    if (!copies[k].empty())
      NPCC_TRY(device.copyIn(operands[k].data, copies[k].data(), copies[k].size()));
  return {};
}

} // namespace npcc::rt
