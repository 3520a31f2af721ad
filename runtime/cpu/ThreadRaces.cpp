#include "runtime/cpu/ThreadRaces.h"
#include <fmt/format.h>

namespace npcc::rt {

static constexpr int64_t warpSize = 32;

ThreadRaces::ThreadRaces(const npcc_grid &grid) : grid(grid), threads(grid.block[0] * grid.block[1] * grid.block[2]) {
  clocks.resize(static_cast<size_t>(grid.grid[0] * grid.grid[1] * grid.grid[2] * threads));
}

void ThreadRaces::passBarrier(int64_t block, int64_t thread, bool grid) {
  Clock &clock = clockOf(block, thread);
  ++(grid ? clock.grids : clock.barriers);
}

bool ThreadRaces::isOrdered(const Event &earlier, const Event &now) {
  if (earlier.block == now.block && earlier.thread == now.thread)
    return true;
  if (earlier.clock.grids < now.clock.grids || earlier.clock.fences < clockOf(earlier.block, earlier.thread).fences)
    return true;
  if (earlier.block != now.block)
    return false;
  return earlier.clock.barriers < now.clock.barriers ||
         (earlier.thread / warpSize == now.thread / warpSize && earlier.clock.warp < now.clock.warp);
}

std::string ThreadRaces::describe(int64_t block, int64_t thread) const {
  auto place = [](int64_t number, const int64_t *extents) {
    return fmt::format("({}, {}, {})", number % extents[0], number / extents[0] % extents[1],
                       number / extents[0] / extents[1]);
  };
  return fmt::format("thread {} of block {}", place(thread, grid.block), place(block, grid.grid));
}

std::string ThreadRaces::access(int64_t block, int64_t thread, uintptr_t address, int64_t bytes, ThreadAccess kind,
                                int32_t line) {
  Event now{block, thread, clockOf(block, thread), line};
  for (uintptr_t at = address; at < address + static_cast<uintptr_t>(bytes); ++at) {
    Place &place = places[at];
    auto meets = [&](const Event &earlier) { return earlier.block >= 0 && !isOrdered(earlier, now); };
    auto report = [&](const Event &earlier, const char *did) {
      const char *does = kind == ThreadAccess::Read ? "reads" : kind == ThreadAccess::Write ? "writes" : "updates";
      return fmt::format("kernel '{}': a race: {} {} an element that {} {} at line {}, with no barrier between",
                         grid.name, describe(block, thread), does, describe(earlier.block, earlier.thread), did,
                         earlier.line);
    };
    if (meets(place.write))
      return report(place.write, "writes");
    if (kind != ThreadAccess::Atomic && meets(place.atomic))
      return report(place.atomic, "updates");
    if (kind != ThreadAccess::Read) {
      for (const Event *read : {&place.read, &place.otherRead})
        if (meets(*read))
          return report(*read, "reads");
      (kind == ThreadAccess::Write ? place.write : place.atomic) = now;
    } else {
      if (place.read.block != block || place.read.thread != thread)
        place.otherRead = place.read;
      place.read = now;
    }
  }
  return {};
}

} // namespace npcc::rt
