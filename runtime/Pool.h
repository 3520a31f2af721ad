// A caching pool of device memory: best fit over free blocks, which are split on allocation and merged with their
// neighbours on release. A block released is at once free for the next allocation, because the work of a device is
// ordered by its one stream.
//
// Two kinds of segments, so that small blocks do not nail down large ones. Where the system's own allocator is fast (the
// CPU), requests below `systemBelow` bytes go to it.
#ifndef NPCC_RUNTIME_POOL_H
#define NPCC_RUNTIME_POOL_H

#include "runtime/Status.h"
#include <atomic>
#include <mutex>
#include <set>

namespace npcc::rt {

class Device;

struct PoolOptions {
  int64_t granularity;         // blocks are multiples of this, and so aligned
  int64_t systemBelow;         // smaller requests go to the C library; 0: none do
  int64_t cacheLimit;          // bytes kept in whole free segments; more are given back at once
};

class Pool {
public:
  struct Block;

  Pool(Device &device, const PoolOptions &options) : device(device), options(options) {}

  /// `block` is the handle for release. MemoryError names the sizes.
  Status allocate(int64_t bytes, void **base, Block *&block);
  void release(void *base, int64_t bytes, Block *block);

  void trim();
  void failAllocation(int64_t k) { failCountdown.store(k, std::memory_order_relaxed); }
  int64_t bytesInUse() const { return inUse.load(std::memory_order_relaxed); }
  int64_t bytesCached();

  void lockForFork() { mutex.lock(); }
  void unlockAfterFork() { mutex.unlock(); }

private:
  struct BySizeThenAddress {
    bool operator()(const Block *a, const Block *b) const;
  };
  using FreeList = std::set<Block *, BySizeThenAddress>;

  bool injectedFailure();
  Status outOfMemory(int64_t bytes);
  Block *takeFree(FreeList &free, int64_t size);
  Status addSegment(int64_t size, bool small, Block *&block);
  Block *splitAndUse(FreeList &free, Block *block, int64_t size);
  void giveBack(FreeList &free, Block *segment);
  void giveBackAll();
  FreeList &listOf(const Block &block);

  Device &device;
  const PoolOptions options;
  std::mutex mutex;
  FreeList smallFree, largeFree;
  int64_t cached = 0; // free bytes in segments
  std::atomic<int64_t> inUse{0};
  std::atomic<int64_t> failCountdown{0};
};

} // namespace npcc::rt

#endif
