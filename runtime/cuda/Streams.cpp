#include "runtime/cuda/Streams.h"
#include "runtime/cuda/CudaDevice.h"
#include <algorithm>

namespace npcc::rt::cuda {

thread_local constinit CurrentStream currentStream;

using Guard = std::lock_guard<std::recursive_mutex>;

void Streams::issueKept() { device.replay.flush(); }

Status Streams::initialise() {
  NPCC_CUDA_TRY(streamCreate(&own, streamNonBlocking));
  NPCC_CUDA_TRY(eventCreate(&ownEvent, withoutTiming));
  NPCC_CUDA_TRY(eventCreate(&foreignEvent, withoutTiming));
  return {};
}

Status Streams::record(Entry &entry) {
  NPCC_CUDA_TRY(eventRecord(entry.last, entry.stream));
  ++entry.version;
  entry.isAhead = false;
  return {};
}

/// `waiter` waits for what was sent to the entry's stream.
Status Streams::wait(Stream waiter, Entry &entry) {
  if ((entry.entered || entry.isAhead) && entry.stream)
    NPCC_TRY(record(entry));
  if (!entry.version || (waiter == own && entry.joined == entry.version))
    return {};
  NPCC_CUDA_TRY(streamWaitEvent(waiter, entry.last, 0));
  if (waiter == own)
    entry.joined = entry.version;
  return {};
}

/// The own stream waits for the streams whose memory was released, but for those in `except`. What fails here fails
/// again in the work that follows.
void Streams::join(uint32_t except) {
  Guard guard(mutex);
  DeviceScope scope(device);
  uint32_t bits = toJoin.load(std::memory_order_acquire) & ~except;
  for (int index = 0; index < capacity; ++index)
    if (bits >> index & 1)
      (void)wait(own, entries[index]).ok();
  toJoin.fetch_and(~bits, std::memory_order_relaxed);
  issued.fetch_add(1, std::memory_order_relaxed);
}

Stream Streams::useOther(int index) {
  Guard guard(mutex);
  Entry &entry = entries[index];
  if (toJoin.load(std::memory_order_acquire) & ~(1u << index))
    join(1u << index);
  if (uint64_t now = issued.load(std::memory_order_relaxed); entry.seen != now) {
    DeviceScope scope(device);
    if (driver().eventRecord(ownEvent, own) == success &&
        driver().streamWaitEvent(entry.stream, ownEvent, 0) == success)
      entry.seen = now;
  }
  return entry.stream;
}

Status Streams::fork() {
  Stream from = use();
  Guard guard(mutex);
  if (!forkEvent)
    NPCC_CUDA_TRY(eventCreate(&forkEvent, withoutTiming));
  NPCC_CUDA_TRY(eventRecord(forkEvent, from));
  return {};
}

Status Streams::beside(int number, Stream &stream) {
  Guard guard(mutex);
  int &index = besideEntries[number % besideCount];
  if (index < 0) {
    Stream made = nullptr;
    NPCC_CUDA_TRY(streamCreate(&made, streamNonBlocking));
    NPCC_TRY(indexOf(made, index));
    entries[index].entered = 1; // for ever: what waits for it records its event then
  }
  stream = entries[index].stream;
  NPCC_CUDA_TRY(streamWaitEvent(stream, forkEvent, 0));
  toJoin.fetch_or(1u << index, std::memory_order_release);
  return {};
}

Status Streams::orderAfter(uint32_t others) {
  if (!any())
    return {};
  others &= ~currentBit();
  Guard guard(mutex);
  DeviceScope scope(device);
  Stream waiter = current();
  for (int index = 0; index < capacity; ++index)
    if (others >> index & 1)
      NPCC_TRY(wait(waiter, entries[index]));
  if (waiter == own)
    issued.fetch_add(1, std::memory_order_relaxed);
  return {};
}

Status Streams::orderForeign(Stream theirs, bool oursWaits) {
  DeviceScope scope(device);
  Stream ours = use();
  if (ours == theirs)
    return {};
  Guard guard(mutex);
  NPCC_CUDA_TRY(eventRecord(foreignEvent, oursWaits ? theirs : ours));
  NPCC_CUDA_TRY(streamWaitEvent(oursWaits ? ours : theirs, foreignEvent, 0));
  return {};
}

Status Streams::indexOf(Stream stream, int &index) {
  for (index = 0; index < capacity; ++index)
    if (entries[index].stream == stream)
      return {};
  // Buffers may name the entry that is taken by its number: what they would wait for is over then.
  for (int tried = 0; tried < capacity; ++tried) {
    index = next;
    next = (next + 1) % capacity;
    if (!entries[index].entered)
      break;
  }
  Entry &entry = entries[index];
  if (entry.entered)
    return makeError(NPCC_RUNTIME_ERROR, "work goes to {} streams of {} at the same time, at most {} are possible",
                     capacity + 1, device.name(), capacity);
  if (entry.isAhead && entry.stream)
    NPCC_TRY(record(entry));
  if (entry.version)
    NPCC_CUDA_TRY(eventSynchronize(entry.last));
  if (!entry.last)
    NPCC_CUDA_TRY(eventCreate(&entry.last, withoutTiming));
  entry = Entry{stream, entry.last};
  entry.isLasting =
      reinterpret_cast<uintptr_t>(stream) <= lastDefault || std::ranges::find(lasting, stream) != lasting.end();
  return {};
}

Status Streams::enter(Stream stream, CurrentStream &previous, bool isAwaited) {
  CurrentStream now;
  ElementWindows::forgetAll();
  if (stream != own) {
    Guard guard(mutex);
    NPCC_TRY(indexOf(stream, now.index));
    now.streams = this;
    now.isAwaited = isAwaited;
    ++entries[now.index].entered;
    used.store(true, std::memory_order_relaxed);
  }
  previous = currentStream;
  currentStream = now;
  return {};
}

void Streams::leave(const CurrentStream &previous) {
  if (Streams *streams = currentStream.streams) {
    Guard guard(streams->mutex);
    Entry &entry = streams->entries[currentStream.index];
    if (entry.isLasting) {
      entry.isAhead = true;
    } else if (entry.stream) {
      DeviceScope scope(streams->device);
      // What fails here fails again at the next use of the context.
      (void)streams->record(entry).ok();
    }
    entry.entered -= entry.entered > 0;
    if (currentStream.isAwaited)
      streams->reuseAfter(1u << currentStream.index);
  }
  currentStream = previous;
}

void Streams::remember(Stream stream) {
  Guard guard(mutex);
  lasting.push_back(stream);
}

void Streams::forget(Stream stream) {
  Guard guard(mutex);
  std::erase(lasting, stream);
  for (int index = 0; index < capacity; ++index)
    if (Entry &entry = entries[index]; entry.stream == stream) {
      (void)record(entry).ok();
      entry.stream = nullptr;
      entry.entered = 0;
      entry.isLasting = false;
    }
}

} // namespace npcc::rt::cuda
