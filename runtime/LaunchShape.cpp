#include "runtime/LaunchShape.h"
#include <limits>

namespace npcc::rt {

std::string describeExtents(const char *what, const int64_t *extents) {
  return fmt::format("{} ({}, {}, {})", what, extents[0], extents[1], extents[2]);
}

Status checkLaunchShape(const char *kernel, const int64_t *grid, const int64_t *block, const char *file, int32_t line) {
  static constexpr int64_t mostBlocks[] = {std::numeric_limits<int32_t>::max(), 65535, 65535},
                           mostThreads[] = {1024, 1024, 64};
  for (int axis = 0; axis < 3; ++axis) {
    if (grid[axis] < 0 || grid[axis] > mostBlocks[axis])
      return Status(NPCC_VALUE_ERROR,
                    fmt::format("kernel '{}': {}: axis {} has 0 to {} blocks", kernel, describeExtents("grid", grid),
                                axis, mostBlocks[axis]),
                    file, line);
    if (block[axis] < 1 || block[axis] > mostThreads[axis])
      return Status(NPCC_VALUE_ERROR,
                    fmt::format("kernel '{}': {}: axis {} has 1 to {} threads", kernel, describeExtents("block", block),
                                axis, mostThreads[axis]),
                    file, line);
  }
  return {};
}

} // namespace npcc::rt
