#include "runtime/Pool.h"
#include "runtime/Counters.h"
#include "runtime/Device.h"
#include <cstdlib>
#include <limits>

namespace npcc::rt {

struct Pool::Block {
  char *address;
  int64_t size;
  bool small;
  bool free;
  Block *previous; // neighbours in the segment, by address
  Block *next;
};

static constexpr int64_t MiB = 1 << 20;
static constexpr int64_t smallLimit = MiB;        // requests up to here come from small segments
static constexpr int64_t smallSegment = 2 * MiB;
static constexpr int64_t largeGranularity = 2 * MiB; // what a driver's page is
static constexpr int64_t mediumLimit = 10 * MiB;  // requests up to here share segments of mediumSegment
static constexpr int64_t mediumSegment = 20 * MiB;

static int64_t roundUp(int64_t value, int64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

bool Pool::BySizeThenAddress::operator()(const Block *a, const Block *b) const {
  return a->size != b->size ? a->size < b->size : a->address < b->address;
}

Pool::FreeList &Pool::listOf(const Block &block) { return block.small ? smallFree : largeFree; }

bool Pool::injectedFailure() {
  return failCountdown.load(std::memory_order_relaxed) > 0 &&
         failCountdown.fetch_sub(1, std::memory_order_relaxed) == 1;
}

Status Pool::outOfMemory(int64_t bytes) {
  return makeError(NPCC_MEMORY_ERROR, "out of memory on {}: requested {}, in use {}, cached {}, total {}",
                   device.name(), formatBytes(bytes), formatBytes(bytesInUse()), formatBytes(bytesCached()),
                   formatBytes(device.totalMemory()));
}

int64_t Pool::bytesCached() {
  std::lock_guard<std::mutex> lock(mutex);
  return cached;
}

Pool::Block *Pool::takeFree(FreeList &free, int64_t size) {
  Block key{nullptr, size, false, false, nullptr, nullptr};
  auto found = free.lower_bound(&key);
  if (found == free.end())
    return nullptr;
  Block *block = *found;
  free.erase(found);
  return block;
}

/// `block` is out of the free list; what is over of it goes back there.
Pool::Block *Pool::splitAndUse(FreeList &free, Block *block, int64_t size) {
  int64_t rest = block->size - size;
  // A large block is split only where the rest can serve a large request.
  if (rest >= (block->small ? options.granularity : smallLimit)) {
    Block *tail = new Block{block->address + size, rest, block->small, true, block, block->next};
    if (tail->next)
      tail->next->previous = tail;
    block->next = tail;
    block->size = size;
    free.insert(tail);
  }
  block->free = false;
  cached -= block->size;
  counters.bytesCached.add(-block->size);
  return block;
}

Status Pool::addSegment(int64_t size, bool small, Block *&block) {
  int64_t bytes = small ? smallSegment : size <= mediumLimit ? mediumSegment : roundUp(size, largeGranularity);
  void *base = nullptr;
  Status status = device.allocateRaw(bytes, &base);
  if (status.code() == NPCC_MEMORY_ERROR) {
    giveBackAll();
    status = device.allocateRaw(bytes, &base);
    // With little left, the segment need not be roomier than the request.
    if (status.code() == NPCC_MEMORY_ERROR && bytes > size) {
      bytes = size;
      status = device.allocateRaw(bytes, &base);
    }
  }
  NPCC_TRY(std::move(status));
  block = new Block{static_cast<char *>(base), bytes, small, true, nullptr, nullptr};
  cached += bytes;
  counters.bytesCached.add(bytes);
  return {};
}

Status Pool::allocate(int64_t bytes, void **base, Block *&block) {
  if (bytes < 0)
    return makeError(NPCC_VALUE_ERROR, "negative dimensions are not allowed");
  if (bytes == std::numeric_limits<int64_t>::max()) // what compiled code says of more than that
    return makeError(NPCC_VALUE_ERROR,
                     "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.");
  if (injectedFailure() || bytes > std::numeric_limits<int64_t>::max() - mediumSegment)
    return outOfMemory(bytes);
  block = nullptr;
  if (bytes < options.systemBelow) {
    if (posix_memalign(base, options.granularity, bytes ? bytes : 1) != 0)
      return outOfMemory(bytes);
    inUse.fetch_add(bytes, std::memory_order_relaxed);
    return {};
  }
  int64_t size = roundUp(bytes ? bytes : 1, options.granularity);
  bool small = size <= smallLimit;
  Status status;
  {
    std::lock_guard<std::mutex> lock(mutex);
    FreeList &free = small ? smallFree : largeFree;
    Block *found = takeFree(free, size);
    if (!found)
      status = addSegment(size, small, found);
    if (found) {
      block = splitAndUse(free, found, size);
      *base = block->address;
      inUse.fetch_add(block->size, std::memory_order_relaxed);
      return {};
    }
  }
  return status.code() == NPCC_MEMORY_ERROR ? outOfMemory(bytes) : std::move(status);
}

/// A whole free segment that is in no list goes back to the device.
void Pool::giveBack(FreeList &free, Block *segment) {
  free.erase(segment);
  cached -= segment->size;
  counters.bytesCached.add(-segment->size);
  device.freeRaw(segment->address, segment->size);
  delete segment;
}

void Pool::giveBackAll() {
  for (FreeList *free : {&smallFree, &largeFree})
    for (auto it = free->begin(); it != free->end();) {
      Block *block = *it++;
      if (!block->previous && !block->next)
        giveBack(*free, block);
    }
}

void Pool::trim() {
  std::lock_guard<std::mutex> lock(mutex);
  giveBackAll();
}

void Pool::release(void *base, int64_t bytes, Block *block) {
  if (!block) {
    inUse.fetch_sub(bytes, std::memory_order_relaxed);
    free(base);
    return;
  }
  std::lock_guard<std::mutex> lock(mutex);
  FreeList &list = listOf(*block);
  inUse.fetch_sub(block->size, std::memory_order_relaxed);
  cached += block->size;
  counters.bytesCached.add(block->size);
  block->free = true;
  if (Block *next = block->next; next && next->free) {
    list.erase(next);
    block->size += next->size;
    block->next = next->next;
    if (block->next)
      block->next->previous = block;
    delete next;
  }
  if (Block *previous = block->previous; previous && previous->free) {
    list.erase(previous);
    previous->size += block->size;
    previous->next = block->next;
    if (previous->next)
      previous->next->previous = previous;
    delete block;
    block = previous;
  }
  list.insert(block);
  if (cached > options.cacheLimit && !block->previous && !block->next)
    giveBack(list, block);
}

} // namespace npcc::rt
