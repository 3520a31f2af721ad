#include "runtime/cuda/StagedCopy.h"
#include "runtime/abi/trace.h"
#include "runtime/cuda/CudaDevice.h"
#include <algorithm>
#include <cstring>

namespace npcc::rt::cuda {

constexpr unsigned hostAllocPortable = 1, blockingSync = 1;

Status StagingRing::make() {
  void *made = nullptr;
  NPCC_CUDA_TRY(memHostAlloc(&made, slotBytes * slotCount, hostAllocPortable));
  memory = static_cast<char *>(made);
  for (Event &event : events)
    NPCC_CUDA_TRY(
        eventCreate(&event, withoutTiming | blockingSync)); // threads that wait leave the processor to those that copy
  return {};
}

Status StagingRing::take(int &slot) {
  slot = next;
  next = (next + 1) % slotCount;
  if (isUsed[slot])
    NPCC_CUDA_TRY(eventSynchronize(events[slot]));
  isUsed[slot] = false;
  return {};
}

StagedCopy::~StagedCopy() {
  staging.recycle(event);
  staging.recycle(ready);
}

bool StagedCopy::isReady() {
  if (ready && !wasReady.load(std::memory_order_relaxed))
    wasReady.store(driver().eventQuery(ready) == success, std::memory_order_relaxed);
  return !ready || wasReady.load(std::memory_order_relaxed);
}

int64_t StagedCopy::bytesOf(int64_t piece) const {
  return std::min(StagingRing::slotBytes, host.bytes() - piece * StagingRing::slotBytes);
}

/// The first piece is about to be sent.
/// Before the first piece is sent. The wait for the work that makes what is copied stands here, and not where the copy
/// is asked for: copies of a stream that are ready must not come behind waits of those that are not.
Status StagedCopy::begin() {
  std::lock_guard<std::mutex> guard(mutex);
  if (hasBegun)
    return {};
  hasBegun = true;
  if (ready)
    NPCC_CUDA_TRY(streamWaitEvent(stream, ready, 0));
  if (isTracing())
    span.emplace(device, toDevice ? NPCC_TRACE_HOST_TO_DEVICE : NPCC_TRACE_DEVICE_TO_HOST,
                 toDevice ? "copy to the device" : "copy to the host", host.bytes(), stream);
  return {};
}

void StagedCopy::note(Status status) {
  if (status.ok())
    return;
  std::lock_guard<std::mutex> guard(mutex);
  if (failure.ok())
    failure = std::move(status);
}

/// Pieces are on the stream; behind the last one comes the event.
void StagedCopy::countSent(int64_t count) {
  if (sent.fetch_add(count, std::memory_order_acq_rel) + count != pieces)
    return;
  auto record = [&]() -> Status {
    NPCC_TRY(staging.makeEvent(event));
    NPCC_CUDA_TRY(eventRecord(event, stream));
    return {};
  };
  note(record());
  std::lock_guard<std::mutex> guard(mutex);
  span.reset();
}

/// The copy is over; whoever waits for it finds that what it held is free.
void StagedCopy::dropHolds() {
  std::shared_ptr<void> dropped[2]; // outside of the lock
  std::lock_guard<std::mutex> guard(mutex);
  std::swap(dropped, holds);
}

/// The host's memory of pieces is no longer used.
void StagedCopy::countFinished(int64_t count) {
  if (finished.fetch_add(count, std::memory_order_acq_rel) + count != pieces)
    return;
  if (!isDirect)
    dropHolds();
  std::lock_guard<std::mutex> guard(mutex);
  isDone = true;
  done.notify_all();
}

void StagedCopy::giveUp(Status status) {
  note(std::move(status));
  if (int64_t left = pieces - next.exchange(pieces, std::memory_order_relaxed); left > 0) {
    countSent(left);
    countFinished(left);
  }
}

Status StagedCopy::sendDirectly() {
  isDirect = true;
  note(begin());
  next.store(pieces, std::memory_order_relaxed);
  auto send = [&]() -> Status {
    auto address = reinterpret_cast<Address>(onDevice);
    auto bytes = static_cast<size_t>(host.bytes());
    if (toDevice)
      NPCC_CUDA_TRY(memcpyHtoD(address, host.low, bytes, stream));
    else
      NPCC_CUDA_TRY(memcpyDtoH(host.low, address, bytes, stream));
    return {};
  };
  note(send());
  countSent(pieces);
  countFinished(pieces);
  std::lock_guard<std::mutex> guard(mutex);
  return std::move(failure);
}

void StagedCopy::bringPieces(StagingRing &ring) { toDevice ? sendPieces(ring) : fetchPieces(ring); }

void StagedCopy::sendPieces(StagingRing &ring) {
  for (int64_t piece; (piece = next.fetch_add(1, std::memory_order_relaxed)) < pieces; countFinished(1)) {
    auto send = [&]() -> Status {
      int slot;
      NPCC_TRY(ring.take(slot));
      int64_t offset = piece * StagingRing::slotBytes, bytes = bytesOf(piece);
      memcpy(ring.at(slot), host.low + offset, static_cast<size_t>(bytes));
      NPCC_TRY(begin());
      NPCC_CUDA_TRY(
          memcpyHtoD(reinterpret_cast<Address>(onDevice + offset), ring.at(slot), static_cast<size_t>(bytes), stream));
      NPCC_CUDA_TRY(eventRecord(ring.events[slot], stream));
      ring.isUsed[slot] = true;
      return {};
    };
    note(send());
    countSent(1);
  }
}

void StagedCopy::fetchPieces(StagingRing &ring) {
  struct Flying {
    int64_t piece;
    int slot;
  } flying[StagingRing::slotCount];
  int count = 0, first = 0;
  for (;;) {
    for (int64_t piece;
         count < StagingRing::slotCount && (piece = next.fetch_add(1, std::memory_order_relaxed)) < pieces;) {
      Flying &one = flying[(first + count) % StagingRing::slotCount];
      auto fetch = [&]() -> Status {
        one.piece = piece;
        NPCC_TRY(ring.take(one.slot));
        NPCC_TRY(begin());
        NPCC_CUDA_TRY(memcpyDtoH(ring.at(one.slot),
                                 reinterpret_cast<Address>(onDevice + piece * StagingRing::slotBytes),
                                 static_cast<size_t>(bytesOf(piece)), stream));
        NPCC_CUDA_TRY(eventRecord(ring.events[one.slot], stream));
        ring.isUsed[one.slot] = true;
        return {};
      };
      if (Status status = fetch(); status.ok()) {
        ++count;
        countSent(1);
      } else {
        note(std::move(status));
        countSent(1);
        countFinished(1);
      }
    }
    if (count == 0)
      return;
    Flying &one = flying[first];
    first = (first + 1) % StagingRing::slotCount;
    --count;
    auto land = [&]() -> Status {
      NPCC_CUDA_TRY(eventSynchronize(ring.events[one.slot]));
      if (ready && !wasReady.exchange(true, std::memory_order_relaxed))
        staging.wakeThreads();
      ring.isUsed[one.slot] = false;
      memcpy(host.low + one.piece * StagingRing::slotBytes, ring.at(one.slot), static_cast<size_t>(bytesOf(one.piece)));
      return {};
    };
    note(land());
    countFinished(1);
  }
}

Status StagedCopy::waitForThreads() {
  std::unique_lock<std::mutex> lock(mutex);
  done.wait(lock, [&] { return isDone; });
  return failure.ok() ? Status() : Status(failure.code(), failure.message());
}

Status StagedCopy::wait() {
  DeviceScope scope(device);
  staging.help(*this);
  Status status = waitForThreads();
  // Of page-locked memory the device itself reads and writes.
  if (status.ok() && isDirect)
    NPCC_CUDA_TRY(eventSynchronize(event));
  dropHolds();
  return status;
}

} // namespace npcc::rt::cuda
