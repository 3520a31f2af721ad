// A copy between memory of the host and a GPU, in pieces that several threads bring.
//
// A GPU's copy engine reads and writes page-locked memory of the host only. Of other memory the driver makes such
// copies itself, in one thread, which is several times slower than the bus. Here each thread has a few pieces of
// page-locked memory (a ring of slots). To the device it copies a piece there and sends the slot off on the copy's
// stream, then fills the next slot; to the host it has slots filled, and copies a piece out as soon as its slot is.
#ifndef NPCC_RUNTIME_CUDA_STAGEDCOPY_H
#define NPCC_RUNTIME_CUDA_STAGEDCOPY_H

#include "runtime/Overlap.h"
#include "runtime/cuda/DeviceTrace.h"
#include <condition_variable>
#include <mutex>
#include <optional>

namespace npcc::rt::cuda {

class Staging;

/// A thread's page-locked memory. Slots are used in turn.
struct StagingRing {
  static constexpr int64_t slotBytes = 2 << 20;
  static constexpr int slotCount = 2;
  char *memory = nullptr;
  Event events[slotCount] = {}; // after the last copy from or to the slot
  bool isUsed[slotCount] = {};
  int next = 0;

  Status make();
  /// The next slot, when the device is done with what it last held.
  Status take(int &slot);
  char *at(int slot) { return memory + slot * slotBytes; }
};

class StagedCopy final : public UnderWay {
public:
  StagedCopy(Staging &staging, CudaDevice &device, bool toDevice, const ByteRange &host, char *onDevice, Stream stream)
      : toDevice(toDevice), staging(staging), device(device), host(host), onDevice(onDevice), stream(stream),
        pieces((host.bytes() + StagingRing::slotBytes - 1) / StagingRing::slotBytes) {}
  ~StagedCopy() override;

  Status wait() override;
  ByteRange range() const override { return host; }
  bool writesHost() const override { return !toDevice; }

  /// Sends all of it at once: for page-locked memory.
  Status sendDirectly();
  /// Brings pieces until there are none left for this thread.
  void bringPieces(StagingRing &ring);
  bool hasPieces() const { return next.load(std::memory_order_relaxed) < pieces; }
  /// The pieces that are left fail.
  void giveUp(Status failure);
  /// Waits until nothing of it is left to the threads: `arrival` is recorded, or the host has its bytes. Its first
  /// failure.
  Status waitForThreads();
  /// On the stream, after all of the copy; null before waitForThreads.
  Event arrival() const { return event; }

  const bool toDevice;
  /// On another stream: after the work that makes what is copied to the host; or null. Set before it begins; the copy
  /// gives it back.
  Event ready = nullptr;
  /// Whether the device has come as far. Until then a thread that takes a piece only waits.
  bool isReady();
  /// A thread waits for it already. Of Staging, under its mutex.
  bool hasWaiter = false;
  /// What must live until the copy is over; set before it begins.
  std::shared_ptr<void> holds[2];

private:
  void sendPieces(StagingRing &ring);
  void fetchPieces(StagingRing &ring);
  int64_t bytesOf(int64_t piece) const;
  Status begin();
  void note(Status failure);
  void dropHolds();
  void countSent(int64_t count);
  void countFinished(int64_t count);

  Staging &staging;
  CudaDevice &device;
  const ByteRange host;
  char *const onDevice;
  const Stream stream;
  const int64_t pieces;
  std::atomic<int64_t> next{0}, sent{0}, finished{0};
  Event event = nullptr;
  bool isDirect = false;
  std::atomic<bool> wasReady{false};

  std::mutex mutex; // of what follows
  std::condition_variable done;
  std::optional<DeviceSpan> span;
  bool hasBegun = false, isDone = false;
  Status failure;
};

} // namespace npcc::rt::cuda

#endif
