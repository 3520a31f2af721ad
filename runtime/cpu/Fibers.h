// Fibers: stacks that one thread of the operating system switches between. The threads of a block are fibers where they
// wait for each other.
#ifndef NPCC_RUNTIME_CPU_FIBERS_H
#define NPCC_RUNTIME_CPU_FIBERS_H

#include <cstddef>

namespace npcc::rt {

/// Where a stack goes on: its pointer, with the registers that a call keeps lying on it.
using StackPointer = void *;

/// Leaves this stack, whose place is stored in `from`, for another one. Returns when somebody switches back.
extern "C" void npcc_switch_stacks(StackPointer *from, StackPointer to) __attribute__((visibility("hidden")));

/// A stack that calls `entry`, which must not return, when it is first switched to.
StackPointer prepareStack(void *memory, size_t bytes, void (*entry)());

/// `count` stacks of `bytes` each, in one piece of memory that pages come to as they are touched. Small ones are kept
/// for this thread's next use.
class Stacks {
public:
  Stacks(size_t count, size_t bytes);
  ~Stacks();
  Stacks(const Stacks &) = delete;
  Stacks &operator=(const Stacks &) = delete;
  bool ok() const { return memory; }
  void *at(size_t k) const { return memory + k * bytes; }

private:
  char *memory;
  size_t size, bytes;
};

} // namespace npcc::rt
#endif
