// Thread-level kernels on the CPU. Blocks go over the threads of the pool. Where the threads of a block wait for each
// other, each is a fiber: it runs until it waits, then the next one does, and when all that it waits for have arrived
// it goes on. So barriers and what the lanes of a warp exchange work in any control flow. Threads that never wait are a
// loop in the generated code.
#include "runtime/Frame.h"
#include "runtime/LaunchShape.h"
#include "runtime/abi/kernels.h"
#include "runtime/cpu/Fibers.h"
#include "runtime/cpu/ThreadRaces.h"
#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

namespace npcc::rt {
namespace {

constexpr int64_t mostInBlock = 1024, mostShared = 227 << 10, mostCooperating = 1 << 17;
constexpr size_t stackBytes = 128 << 10;
constexpr int32_t warpSize = 32;

struct Launch {
  const npcc_grid &grid;
  void (*body)(npcc_thread *thread, void *context);
  void *context;
  int64_t threads, blocks; // in a block, in all
  size_t stack;
};

/// Of the launch that runs, where the target is "debug": all of it runs on this thread of the operating system then.
thread_local std::unique_ptr<ThreadRaces> races;

int64_t numberOf(const int64_t *position, const int64_t *extents) {
  return position[0] + extents[0] * (position[1] + extents[1] * position[2]);
}

/// What CUDA would refuse.
Status checkShape(const npcc_grid &grid) {
  NPCC_TRY(checkLaunchShape(grid.name, grid.grid, grid.block, grid.file, grid.line));
  int64_t threads = countThreads(grid.block);
  if (threads > mostInBlock)
    return Status(NPCC_VALUE_ERROR,
                  fmt::format("kernel '{}': {} is {} threads; a block has at most {}", grid.name,
                              describeExtents("block", grid.block), threads, mostInBlock),
                  grid.file, grid.line);
  if (grid.dynamic_bytes < 0 || grid.dynamic_bytes + grid.shared_bytes > mostShared)
    return Status(
        NPCC_VALUE_ERROR,
        fmt::format("kernel '{}': {} bytes of shared memory with {} that the kernel declares; a block has at most {}",
                    grid.name, grid.dynamic_bytes, grid.shared_bytes, mostShared),
        grid.file, grid.line);
  return {};
}

/// A place in a box, the first axis fastest.
void place(int64_t number, const int64_t *extents, int64_t *position) {
  position[0] = number % extents[0];
  position[1] = number / extents[0] % extents[1];
  position[2] = number / extents[0] / extents[1];
}

/// Shared memory of one block, for as many blocks as need it at a time.
class SharedMemory {
public:
  explicit SharedMemory(const npcc_grid &grid)
      : fixed((grid.shared_bytes + 127) / 128 * 128), block((fixed + grid.dynamic_bytes + 127) / 128 * 128) {}
  void reserve(int64_t blocks) { memory.resize(static_cast<size_t>(blocks * block) + 128); }
  void give(npcc_thread &thread, int64_t number) {
    auto start = (reinterpret_cast<uintptr_t>(memory.data()) + 127) & ~uintptr_t(127);
    thread.shared = reinterpret_cast<char *>(start) + number * block;
    thread.dynamic_shared = thread.shared + fixed;
  }

private:
  int64_t fixed, block;
  std::vector<char> memory;
};

npcc_thread firstThread(const npcc_grid &grid) {
  npcc_thread thread{};
  std::copy_n(grid.grid, 3, thread.grid_size);
  std::copy_n(grid.block, 3, thread.block_size);
  thread.dynamic_bytes = grid.dynamic_bytes;
  return thread;
}

//===---- Threads that wait for each other
//-------------------------------------------------------------------------===//

enum class State { Ready, AtBarrier, AtGridBarrier, InWarp, Done };

class Scheduler;

struct Fiber {
  StackPointer stack = nullptr;
  Context context; // of the runtime, while the fiber does not run
  State state = State::Ready;
  Scheduler *scheduler = nullptr;
  npcc_thread thread{};
  int64_t block = 0;
  int32_t number = 0; // in the block
  bool failed = false;
  // What it brings to where it waits, and what it gets there.
  uint32_t mask = 0;
  int64_t value = 0;
  int64_t *values = nullptr;
  int32_t answer = 0;

  int32_t lane() const { return number % warpSize; }
};

/// Runs some blocks side by side on this thread of the operating system.
class Scheduler {
public:
  explicit Scheduler(const Launch &launch) : launch(launch), shared(launch.grid), frame(context.frame) {}

  /// Runs `count` blocks from number `first` on; false if one fails, with `status` set.
  bool run(int64_t first, int64_t count, npcc_status &status) {
    Stacks stacks(static_cast<size_t>(count * launch.threads), launch.stack);
    if (!stacks.ok()) {
      Status(NPCC_MEMORY_ERROR, "no memory for the stacks of a block's threads", launch.grid.file, launch.grid.line)
          .write(status);
      return false;
    }
    failure = &status;
    shared.reserve(count);
    fibers.assign(static_cast<size_t>(count * launch.threads), Fiber());
    for (size_t k = 0; k < fibers.size(); ++k) {
      Fiber &fiber = fibers[k];
      fiber.block = static_cast<int64_t>(k) / launch.threads;
      fiber.number = static_cast<int32_t>(static_cast<int64_t>(k) % launch.threads);
      fiber.scheduler = this;
      fiber.context = context;
      fiber.thread = firstThread(launch.grid);
      fiber.thread.runtime = &fiber;
      place(fiber.number, launch.grid.block, fiber.thread.thread);
      place(first + fiber.block, launch.grid.grid, fiber.thread.block);
      shared.give(fiber.thread, fiber.block);
      fiber.stack = prepareStack(stacks.at(k), launch.stack, &Scheduler::begin);
    }
    int64_t left = static_cast<int64_t>(fibers.size());
    while (left > 0) {
      bool moved = false;
      for (Fiber &fiber : fibers) {
        if (fiber.state != State::Ready)
          continue;
        moved = true;
        resume(fiber);
        if (fiber.failed)
          return false;
        if (fiber.state == State::Done)
          --left;
        else if (fiber.state == State::InWarp)
          releaseWarp(fiber);
      }
      bool released = releaseBarriers(count);
      if (!moved && !released && !releaseAllWarps() && left > 0) {
        Status(
            NPCC_RUNTIME_ERROR,
            fmt::format("kernel '{}': the threads of a block wait at different places, none of which all of them reach",
                        launch.grid.name),
            launch.grid.file, launch.grid.line)
            .write(status);
        return false;
      }
    }
    return true;
  }

  /// Called on a fiber's stack: lets others run until what it waits for has happened.
  static void wait(Fiber &fiber, State state) {
    fiber.state = state;
    npcc_switch_stacks(&fiber.stack, fiber.scheduler->own);
  }

  int32_t activeLanes(const Fiber &fiber) const {
    uint32_t lanes = 0;
    forWarp(fiber, [&](const Fiber &other) {
      if (other.state != State::Done)
        lanes |= 1u << other.lane();
    });
    return static_cast<int32_t>(lanes);
  }

private:
  static inline thread_local Fiber *starting = nullptr;

  void resume(Fiber &fiber) {
    Context saved = context;
    context = fiber.context;
    starting = &fiber;
    npcc_switch_stacks(&own, fiber.stack);
    fiber.context = context;
    context = saved;
  }

  static void runBody(void *argument) {
    auto &fiber = *static_cast<Fiber *>(argument);
    const Launch &launch = fiber.scheduler->launch;
    launch.body(&fiber.thread, launch.context);
  }

  static void begin() {
    Fiber &fiber = *starting;
    fiber.failed = !catchFailure(fiber.scheduler->frame, *fiber.scheduler->failure, runBody, &fiber);
    wait(fiber, State::Done);
    __builtin_unreachable();
  }

  template <typename Each> void forWarp(const Fiber &fiber, Each each) const {
    int64_t start = fiber.block * launch.threads + fiber.number / warpSize * warpSize;
    int64_t end = std::min(start + warpSize, (fiber.block + 1) * launch.threads);
    for (int64_t k = start; k < end; ++k)
      each(const_cast<Fiber &>(fibers[static_cast<size_t>(k)]));
  }

  /// Lets the lanes of the fiber's mask go on if all that live have come.
  bool releaseWarp(Fiber &fiber) {
    bool complete = true;
    uint32_t lanes = 0;
    int64_t values[warpSize] = {};
    uint32_t mask = fiber.mask | 1u << fiber.lane();
    forWarp(fiber, [&](Fiber &other) {
      if (!(mask >> other.lane() & 1) || other.state == State::Done)
        return;
      if (other.state != State::InWarp || other.mask != fiber.mask) {
        complete = false;
        return;
      }
      lanes |= 1u << other.lane();
      values[other.lane()] = other.value;
    });
    if (!complete)
      return false;
    forWarp(fiber, [&](Fiber &other) {
      if (!(lanes >> other.lane() & 1))
        return;
      if (races)
        races->meetWarp(numberOf(other.thread.block, launch.grid.grid), other.number);
      std::copy_n(values, warpSize, other.values);
      other.answer = static_cast<int32_t>(lanes);
      other.state = State::Ready;
    });
    return true;
  }

  bool releaseAllWarps() {
    bool released = false;
    for (Fiber &fiber : fibers)
      if (fiber.state == State::InWarp)
        released |= releaseWarp(fiber);
    return released;
  }

  bool releaseBarriers(int64_t blocks) {
    bool released = false;
    for (int64_t block = 0; block < blocks; ++block)
      released |= releaseRange(block * launch.threads, (block + 1) * launch.threads, State::AtBarrier);
    return released || releaseRange(0, blocks * launch.threads, State::AtGridBarrier);
  }

  bool releaseRange(int64_t start, int64_t end, State barrier) {
    int32_t arrived = 0, answer = 0;
    for (int64_t k = start; k < end; ++k) {
      const Fiber &fiber = fibers[static_cast<size_t>(k)];
      if (fiber.state == State::Done)
        continue;
      if (fiber.state != barrier)
        return false;
      ++arrived;
      answer += fiber.value != 0;
    }
    for (int64_t k = start; k < end; ++k)
      if (Fiber &fiber = fibers[static_cast<size_t>(k)]; fiber.state == barrier) {
        if (races)
          races->passBarrier(numberOf(fiber.thread.block, launch.grid.grid), fiber.number,
                             barrier == State::AtGridBarrier);
        fiber.answer = answer;
        fiber.state = State::Ready;
      }
    return arrived > 0;
  }

  const Launch &launch;
  SharedMemory shared;
  Frame *frame;
  std::vector<Fiber> fibers;
  StackPointer own = nullptr;
  npcc_status *failure = nullptr;
};

Fiber &fiberOf(npcc_thread *thread) { return *static_cast<Fiber *>(thread->runtime); }

/// Blocks lo to hi - 1, one after the other.
bool runMeeting(const Launch &launch, int64_t lo, int64_t hi, npcc_status &status) {
  Scheduler scheduler(launch);
  for (int64_t block = lo; block < hi; ++block)
    if (!scheduler.run(block, 1, status))
      return false;
  return true;
}

void runBlocks(int64_t lo, int64_t hi, void *argument) {
  const auto &launch = *static_cast<const Launch *>(argument);
  if (launch.grid.flags & NPCC_THREADS_MEET) {
    npcc_status status;
    if (runMeeting(launch, lo, hi, status))
      return;
    if (context.status)
      *context.status = status;
    leaveFrame();
  }
  // A failure leaves from here by a jump, so the memory belongs to the thread.
  static thread_local std::vector<char> *memory = nullptr;
  if (!memory)
    memory = new std::vector<char>;
  int64_t fixed = (launch.grid.shared_bytes + 127) / 128 * 128;
  memory->resize(static_cast<size_t>(fixed + launch.grid.dynamic_bytes) + 128);
  npcc_thread thread = firstThread(launch.grid);
  thread.shared = reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(memory->data()) + 127) & ~uintptr_t(127));
  thread.dynamic_shared = thread.shared + fixed;
  for (int64_t block = lo; block < hi; ++block) {
    place(block, launch.grid.grid, thread.block);
    launch.body(&thread, launch.context);
  }
}

Status runCooperating(const Launch &launch, npcc_status &failure, bool &good) {
  if (launch.blocks * launch.threads > mostCooperating)
    return Status(NPCC_VALUE_ERROR,
                  fmt::format("kernel '{}': {} threads in all: at most {} run side by side", launch.grid.name,
                              launch.blocks * launch.threads, mostCooperating),
                  launch.grid.file, launch.grid.line);
  Scheduler scheduler(launch);
  good = scheduler.run(0, launch.blocks, failure);
  return {};
}

} // namespace
} // namespace npcc::rt

using namespace npcc::rt;

void npcc_rt_launch_threads(const npcc_grid *grid, void (*body)(npcc_thread *thread, void *context), void *argument) {
  NPCC_OR_FAIL(checkShape(*grid));
  int64_t threads = grid->block[0] * grid->block[1] * grid->block[2];
  size_t local = static_cast<size_t>(grid->flags >> NPCC_THREADS_LOCAL_SHIFT) << 10;
  Launch launch{*grid,
                body,
                argument,
                threads,
                grid->grid[0] * grid->grid[1] * grid->grid[2],
                stackBytes + (local + 4095) / 4096 * 4096};
  if (launch.blocks == 0)
    return;
  races.reset(grid->flags & NPCC_THREADS_CHECKED ? new ThreadRaces(*grid) : nullptr);
  if (grid->flags & NPCC_THREADS_COOPERATIVE) {
    npcc_status failure;
    bool good = true;
    NPCC_OR_FAIL(runCooperating(launch, failure, good));
    if (good)
      return;
    if (context.status)
      *context.status = failure;
    leaveFrame();
  }
  if (races || (context.frame && context.frame->shadow)) // what is heard of accesses is not for two threads at once
    return runBlocks(0, launch.blocks, &launch);
  npcc_rt_parallel_for(launch.blocks, std::max<int64_t>(1, 512 / threads), runBlocks, &launch);
}

void npcc_rt_thread_access(npcc_thread *thread, int64_t x, int64_t y, int64_t z, const void *address, int64_t bytes,
                           int32_t kind, const char *file, int32_t line) {
  if (!races)
    return;
  const int64_t position[] = {x, y, z};
  int64_t block = numberOf(thread->block, thread->grid_size);
  auto at = reinterpret_cast<uintptr_t>(address), shared = reinterpret_cast<uintptr_t>(thread->shared);
  if (at >= shared &&
      at < reinterpret_cast<uintptr_t>(thread->dynamic_shared) + static_cast<uintptr_t>(thread->dynamic_bytes))
    at = uintptr_t(1) << 63 | static_cast<uintptr_t>(block) << 20 | (at - shared); // blocks have it one after the other
  std::string found =
      races->access(block, numberOf(position, thread->block_size), at, bytes, static_cast<ThreadAccess>(kind), line);
  if (!found.empty())
    NPCC_OR_FAIL(Status(NPCC_RUNTIME_ERROR, std::move(found), file, line));
}

void npcc_rt_thread_fence(npcc_thread *thread, int64_t x, int64_t y, int64_t z) {
  const int64_t position[] = {x, y, z};
  if (races)
    races->fence(numberOf(thread->block, thread->grid_size), numberOf(position, thread->block_size));
}

void npcc_rt_check_grid(const npcc_grid *grid) { NPCC_OR_FAIL(checkShape(*grid)); }

int32_t npcc_rt_thread_barrier(npcc_thread *thread, int32_t grid, int32_t value) {
  Fiber &fiber = fiberOf(thread);
  fiber.value = value;
  Scheduler::wait(fiber, grid ? State::AtGridBarrier : State::AtBarrier);
  return fiber.answer;
}

int32_t npcc_rt_warp_meet(npcc_thread *thread, int32_t mask, int64_t value, int64_t result[32]) {
  Fiber &fiber = fiberOf(thread);
  fiber.mask = static_cast<uint32_t>(mask);
  fiber.value = value;
  fiber.values = result;
  Scheduler::wait(fiber, State::InWarp);
  return fiber.answer;
}

int32_t npcc_rt_warp_ballot(npcc_thread *thread, int32_t mask, int32_t value) {
  int64_t values[warpSize];
  uint32_t lanes = static_cast<uint32_t>(npcc_rt_warp_meet(thread, mask, value, values)), result = 0;
  for (int32_t lane = 0; lane < warpSize; ++lane)
    if (lanes >> lane & 1 && values[lane])
      result |= 1u << lane;
  return static_cast<int32_t>(result);
}

int32_t npcc_rt_warp_match(npcc_thread *thread, int32_t mask, int64_t value) {
  int64_t values[warpSize];
  uint32_t lanes = static_cast<uint32_t>(npcc_rt_warp_meet(thread, mask, value, values)), result = 0;
  for (int32_t lane = 0; lane < warpSize; ++lane)
    if (lanes >> lane & 1 && values[lane] == value)
      result |= 1u << lane;
  return static_cast<int32_t>(result);
}

int64_t npcc_rt_warp_shuffle(npcc_thread *thread, int32_t kind, int32_t mask, int64_t value, int32_t lane,
                             int32_t width, int8_t *inside) {
  int64_t values[warpSize];
  uint32_t lanes = static_cast<uint32_t>(npcc_rt_warp_meet(thread, mask, value, values));
  int32_t own = fiberOf(thread).lane(), first = own & ~(width - 1), last = first + width - 1;
  int32_t from = kind == 0   ? first + (lane & (width - 1))
                 : kind == 1 ? own - lane
                 : kind == 2 ? own + lane
                             : own ^ lane;
  *inside = kind == 1 ? from >= first : from <= last;
  if (!*inside || from < 0 || from >= warpSize || !(lanes >> from & 1))
    return value;
  return values[from];
}

int32_t npcc_rt_warp_active(npcc_thread *thread) {
  if (thread->runtime)
    return fiberOf(thread).scheduler->activeLanes(fiberOf(thread));
  return -1;
}
