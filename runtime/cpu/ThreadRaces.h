#ifndef NPCC_RUNTIME_CPU_THREADRACES_H
#define NPCC_RUNTIME_CPU_THREADRACES_H
// Races of thread-level kernels, for the target "debug": two threads that reach one byte, one of them to write it, with
// nothing between that orders them. Barriers order the threads of a block, barriers of the grid all, what the lanes of
// a warp exchange these, and a fence what its thread did before it. Atomics do not race with each other.
#include "runtime/abi/threads.h"
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace npcc::rt {

enum class ThreadAccess : int8_t { Read, Write, Atomic };

class ThreadRaces {
public:
  explicit ThreadRaces(const npcc_grid &grid);

  /// Hears of an access of `bytes` bytes; says which earlier one it races with, nothing if it does with none.
  std::string access(int64_t block, int64_t thread, uintptr_t address, int64_t bytes, ThreadAccess kind, int32_t line);

  /// What has happened to a thread since the launch, by number of the block and in the block.
  void passBarrier(int64_t block, int64_t thread, bool grid);
  void meetWarp(int64_t block, int64_t thread) { ++clockOf(block, thread).warp; }
  void fence(int64_t block, int64_t thread) { ++clockOf(block, thread).fences; }

private:
  struct Clock {
    int32_t barriers = 0, grids = 0, warp = 0, fences = 0;
  };
  struct Event {
    int64_t block = -1, thread = 0; // no event
    Clock clock;
    int32_t line = 0;
  };
  /// The last write, the last atomic, and the last two threads that read.
  struct Place {
    Event write, atomic, read, otherRead;
  };

  Clock &clockOf(int64_t block, int64_t thread) { return clocks[static_cast<size_t>(block * threads + thread)]; }
  bool isOrdered(const Event &earlier, const Event &now);
  std::string describe(int64_t block, int64_t thread) const;

  const npcc_grid &grid;
  int64_t threads; // in a block
  std::vector<Clock> clocks;
  std::unordered_map<uintptr_t, Place> places;
};

} // namespace npcc::rt
#endif
