#include "runtime/Buffer.h"
#include "runtime/Counters.h"
#include "runtime/Frame.h"
#include <memory>
#include <pthread.h>

namespace npcc::rt {

struct Buffer {
  void *base;
  int64_t bytes;
  int64_t references; // under the shard's lock
  Device *device;
  Pool::Block *block;
  uint32_t streams; // of the device, beside its one, that it is used on; under the shard's lock
  std::atomic<Ledger *> ledger; // written under the ledger's lock
  // Of a mirror: the array whose elements it holds, and the device that has it.
  Device *mirrored = nullptr;
  void *original = nullptr;
  Buffer *previous, *next;      // in the ledger
};

namespace {

/// Open addressing with linear probing; deletion shifts back, so that a miss stays one short probe.
class alignas(64) Shard {
public:
  SpinLock lock;

  Buffer *find(void *base) const {
    if (!capacity)
      return nullptr;
    for (size_t i = home(base);; i = (i + 1) & (capacity - 1)) {
      if (!entries[i] || entries[i]->base == base)
        return entries[i];
    }
  }

  /// The room is made first, because the buffer is not known before it is allocated.
  void insert(Buffer *buffer) {
    if (2 * (count + 1) > capacity)
      grow();
    place(buffer);
    ++count;
  }

  void erase(void *base) {
    size_t mask = capacity - 1, hole = home(base);
    while (entries[hole]->base != base)
      hole = (hole + 1) & mask;
    for (size_t i = (hole + 1) & mask; entries[i]; i = (i + 1) & mask) {
      // Entry i may fill the hole if its home is not between the hole and i.
      if (((i - home(entries[i]->base)) & mask) >= ((i - hole) & mask)) {
        entries[hole] = entries[i];
        hole = i;
      }
    }
    entries[hole] = nullptr;
    --count;
  }

  static uint64_t hash(void *base) { return (reinterpret_cast<uintptr_t>(base) >> 6) * 0x9e3779b97f4a7c15u; }

private:
  size_t home(void *base) const { return (hash(base) >> 20) & (capacity - 1); }
  void place(Buffer *buffer) {
    size_t i = home(buffer->base);
    while (entries[i])
      i = (i + 1) & (capacity - 1);
    entries[i] = buffer;
  }
  void grow() {
    size_t oldCapacity = capacity;
    std::unique_ptr<Buffer *[]> old = std::move(entries);
    capacity = oldCapacity ? 2 * oldCapacity : 64;
    entries.reset(new Buffer *[capacity]());
    for (size_t i = 0; i < oldCapacity; ++i)
      if (old[i])
        place(old[i]);
  }

  std::unique_ptr<Buffer *[]> entries;
  size_t capacity = 0, count = 0;
};

constexpr int shardCount = 64;

/// Never destroyed: buffers may be released by other static destructors.
struct Table {
  Shard shards[shardCount];
  SpinLock ledgerLock;
  Ledger *freeLedgers = nullptr;

  Table() {
    pthread_atfork([] { instance().lockAll(); }, [] { instance().unlockAll(); }, [] { instance().unlockAll(); });
  }
  static Table &instance() {
    static Table *const table = new Table;
    return *table;
  }
  Shard &shardOf(void *base) { return shards[Shard::hash(base) >> 58]; }

private:
  void lockAll() {
    ledgerLock.lock();
    for (Shard &shard : shards)
      shard.lock.lock();
  }
  void unlockAll() {
    for (Shard &shard : shards)
      shard.lock.unlock();
    ledgerLock.unlock();
  }
};

using Guard = std::lock_guard<SpinLock>;

void unlinkFromLedger(Buffer *buffer) {
  for (Ledger *ledger; (ledger = buffer->ledger.load(std::memory_order_acquire));) {
    Guard guard(ledger->lock);
    if (buffer->ledger.load(std::memory_order_relaxed) != ledger)
      continue; // the frame ended in between
    (buffer->previous ? buffer->previous->next : ledger->head) = buffer->next;
    if (buffer->next)
      buffer->next->previous = buffer->previous;
    buffer->ledger.store(nullptr, std::memory_order_relaxed);
    return;
  }
}

/// `buffer` is out of the table, so nobody else can find it.
void destroy(Buffer *buffer) {
  unlinkFromLedger(buffer);
  counters.bytesInUse.add(-buffer->bytes);
  counters.liveBuffers.add(-1);
  buffer->device->sendElements();
  if (buffer->streams)
    buffer->device->reuseAfter(buffer->streams);
  buffer->device->pool.release(buffer->base, buffer->bytes, buffer->block);
  delete buffer;
}

void noteTaken(Ledger *ledger, void *base, int64_t change) {
  Guard guard(ledger->lock);
  for (Ledger::Taken &taken : ledger->taken)
    if (taken.base == base) {
      taken.references += change;
      return;
    }
  ledger->taken.push_back({base, change});
}

/// Returns false if there is no such buffer.
bool changeReferences(void *base, int64_t change, Ledger *ledger) {
  Table &table = Table::instance();
  Shard &shard = table.shardOf(base);
  Buffer *dead = nullptr;
  bool foreign = false;
  {
    Guard guard(shard.lock);
    Buffer *buffer = shard.find(base);
    if (!buffer)
      return false;
    foreign = ledger && buffer->ledger.load(std::memory_order_relaxed) != ledger;
    if ((buffer->references += change) <= 0) {
      shard.erase(base);
      dead = buffer;
    }
  }
  if (foreign)
    noteTaken(ledger, base, change);
  if (dead)
    destroy(dead);
  return true;
}

} // namespace

Ledger *acquireLedger() {
  Table &table = Table::instance();
  {
    Guard guard(table.ledgerLock);
    if (Ledger *ledger = table.freeLedgers) {
      table.freeLedgers = ledger->nextFree;
      return ledger;
    }
  }
  return new Ledger;
}

static void recycle(Ledger *ledger) {
  ledger->taken.clear();
  Table &table = Table::instance();
  Guard guard(table.ledgerLock);
  ledger->nextFree = table.freeLedgers;
  table.freeLedgers = ledger;
}

void settleLedger(Ledger *ledger, Ledger *parent) {
  Buffer *tail = nullptr;
  {
    Guard guard(ledger->lock);
    // A nested frame's ledger is locked before its parent's, never the other way round.
    if (parent)
      parent->lock.lock();
    for (Buffer *buffer = ledger->head; buffer; buffer = buffer->next) {
      buffer->ledger.store(parent, std::memory_order_release);
      tail = buffer;
    }
    if (parent) {
      if (tail) {
        tail->next = parent->head;
        if (parent->head)
          parent->head->previous = tail;
        parent->head = ledger->head;
      }
      parent->lock.unlock();
    }
    ledger->head = nullptr;
  }
  recycle(ledger);
}

void rollBackLedger(Ledger *ledger) {
  Table &table = Table::instance();
  for (;;) {
    void *base;
    {
      Guard guard(ledger->lock);
      if (!ledger->head)
        break;
      base = ledger->head->base;
    }
    Shard &shard = table.shardOf(base);
    Buffer *dead = nullptr;
    {
      Guard guard(shard.lock);
      dead = shard.find(base);
      // Another thread may have released it for good since the list was read.
      if (dead && dead->ledger.load(std::memory_order_relaxed) == ledger)
        shard.erase(base);
      else
        dead = nullptr;
    }
    if (dead) {
      // What fails here fails again at the next use of the device.
      if (dead->mirrored)
        (void)dead->mirrored->copyIn(dead->original, dead->base, dead->bytes).ok();
      destroy(dead);
    } else {
      cpuRelax();
    }
  }
  std::vector<Ledger::Taken> taken;
  taken.swap(ledger->taken);
  for (const Ledger::Taken &entry : taken)
    if (entry.references != 0)
      changeReferences(entry.base, -entry.references, nullptr);
  recycle(ledger);
}

Status newBuffer(Device &device, int64_t bytes, Ledger *ledger, void *&base) {
  std::unique_ptr<Buffer> buffer(new Buffer);
  Status status = device.pool.allocate(bytes, &buffer->base, buffer->block);
  if (status.code() == NPCC_MEMORY_ERROR && device.dropPassages())
    status = device.pool.allocate(bytes, &buffer->base, buffer->block);
  NPCC_TRY(std::move(status));
  base = buffer->base;
  buffer->bytes = bytes;
  buffer->references = 1;
  buffer->device = &device;
  buffer->streams = device.streamBit();
  buffer->ledger.store(ledger, std::memory_order_relaxed);
  buffer->previous = buffer->next = nullptr;
  Buffer *added = buffer.release();
  if (ledger) {
    Guard guard(ledger->lock);
    added->next = ledger->head;
    if (ledger->head)
      ledger->head->previous = added;
    ledger->head = added;
  }
  {
    Shard &shard = Table::instance().shardOf(base);
    Guard guard(shard.lock);
    shard.insert(added);
  }
  counters.allocations.add(1);
  counters.bytesAllocated.add(bytes);
  counters.bytesInUse.add(bytes);
  counters.liveBuffers.add(1);
  counters.notePeak();
  return {};
}

Status newMirror(Device &host, Device &device, void *array, int64_t bytes, Ledger *ledger, void *&base) {
  NPCC_TRY(newBuffer(host, bytes, ledger, base));
  NPCC_TRY(device.copyOut(base, array, bytes));
  Shard &shard = Table::instance().shardOf(base);
  Guard guard(shard.lock);
  Buffer *buffer = shard.find(base);
  buffer->mirrored = &device;
  buffer->original = array;
  return {};
}

void releaseBuffer(void *base, Ledger *ledger) { changeReferences(base, -1, ledger); }
void retainBuffer(void *base, Ledger *ledger) { changeReferences(base, 1, ledger); }

uint32_t noteStreams(void *base, uint32_t streams) {
  Shard &shard = Table::instance().shardOf(base);
  Guard guard(shard.lock);
  Buffer *buffer = shard.find(base);
  if (!buffer)
    return 0;
  uint32_t others = buffer->streams & ~streams;
  buffer->streams |= streams;
  return others;
}

} // namespace npcc::rt

using namespace npcc::rt;

npcc_status npcc_rt_buffer_new(int32_t id, int64_t bytes, void **base) {
  return toC([&]() -> Status {
    Device *device;
    NPCC_TRY(findDevice(id, device));
    DeviceScope scope(*device);
    return newBuffer(*device, bytes, nullptr, *base);
  });
}

void npcc_rt_retain(void *base) {
  if (base)
    retainBuffer(withoutMark(base), currentLedger());
}

void npcc_rt_release(void *base) {
  if (base)
    releaseBuffer(withoutMark(base), currentLedger());
}

int64_t npcc_rt_refcount(void *base) {
  Shard &shard = Table::instance().shardOf(base);
  std::lock_guard<SpinLock> guard(shard.lock);
  Buffer *buffer = shard.find(base);
  return buffer ? buffer->references : 0;
}
