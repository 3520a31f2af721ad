#include "runtime/Partition.h"
#include "runtime/Buffer.h"
#include "runtime/Element.h"
#include "runtime/cpu/Partition.h"
#include <algorithm>
#include <string_view>

namespace npcc::rt {

Status callPartition(Device &device, const char *routine, const npcc_array *operands) {
  if (std::string_view(routine) == "select") {
    const npcc_array &places = operands[0], &lines = operands[1], &out = operands[2];
    SortShape shape{lines.dtype, false, lines.shape[0], lines.shape[1]};
    if (shape.lines * places.shape[0] == 0)
      return {};
    return device.select(shape, lines.data, static_cast<const int64_t *>(places.data), places.shape[0], out.data);
  }
  const npcc_array &places = operands[0], &lines = operands[1],
                   &out = operands[std::string_view(routine) == "partition" ? 1 : 2];
  bool isPositions = &out != &lines;
  SortShape shape{lines.dtype, isPositions, lines.shape[0], lines.shape[1]};
  if (shape.lines * shape.length == 0)
    return {};
  if (!device.onHost()) {
    if (isPositions)
      return device.sort(shape, lines.data, out.data);
    int64_t bytes = shape.lines * shape.length * elementSize(shape.dtype);
    OwnedBuffer sorted;
    NPCC_TRY(sorted.allocate(device, bytes));
    NPCC_TRY(device.sort(shape, lines.data, sorted.get()));
    return device.copyWithin(lines.data, sorted.get(), bytes);
  }
  auto *first = static_cast<const int64_t *>(places.data);
  std::vector<int64_t> wanted(first, first + places.shape[0]);
  for (int64_t &place : wanted)
    place += place < 0 ? shape.length : 0;
  std::sort(wanted.begin(), wanted.end());
  return isPositions ? argpartitionOnHost(shape, wanted, lines.data, static_cast<int64_t *>(out.data))
                     : partitionOnHost(shape, wanted, lines.data);
}

} // namespace npcc::rt
