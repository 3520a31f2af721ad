// The streams of one device: its own, which orders everything by default, and those of the user that work is sent to.
//
// With one stream, memory that is released may be reused at once. With more, this table sees to the same:
//   - Work on a stream of the user's waits for what the device's own stream had to do when the work was sent.
//   - A buffer knows the streams it was used on (Buffer.cpp). Work on another stream, the device's own one included,
//   waits for
//     them, and so does all later work when the buffer is released and its memory reused.
//   - Work on two streams of the user's that share no buffer is not ordered; that is what they are for.
#ifndef NPCC_RUNTIME_CUDA_STREAMS_H
#define NPCC_RUNTIME_CUDA_STREAMS_H

#include "runtime/cuda/Driver.h"
#include "runtime/cuda/ElementWindows.h"
#include <atomic>
#include <mutex>
#include <vector>

namespace npcc::rt::cuda {

class CudaDevice;
class Streams;

inline constexpr unsigned streamNonBlocking = 1, withoutTiming = 2;

/// Where this thread's work on a device goes, if not to the device's own stream.
struct CurrentStream {
  Streams *streams = nullptr;
  int index = 0;
  bool isAwaited = false; // the own stream's later work waits for what was sent there
};
extern thread_local constinit CurrentStream currentStream __attribute__((tls_model("initial-exec")));

class Streams {
public:
  explicit Streams(CudaDevice &device) : device(device) {}
  Status initialise();

  /// The stream for work of this thread that is sent now.
  Stream use() {
    ElementWindows::flushAll();
    issueKept();
    if (currentStream.streams == this) [[unlikely]]
      return useOther(currentStream.index);
    if (toJoin.load(std::memory_order_acquire)) [[unlikely]]
      join(0);
    issued.fetch_add(1, std::memory_order_relaxed);
    return own;
  }
  /// The stream of this thread's work, to wait for it.
  Stream current() {
    ElementWindows::flushAll();
    issueKept();
    if (currentStream.streams == this)
      return entries[currentStream.index].stream;
    if (toJoin.load(std::memory_order_acquire)) [[unlikely]]
      join(0);
    return own;
  }
  /// How often work was sent to the own stream.
  uint64_t issuedCount() const { return issued.load(std::memory_order_relaxed); }
  bool isOwn() const { return currentStream.streams != this; }
  /// This thread's work goes to the device's own stream, which has nothing to wait for.
  bool isQuiet() const { return isOwn() && !toJoin.load(std::memory_order_acquire); }
  /// The own stream, for work that was kept until now (Replay.h).
  Stream begin() {
    issued.fetch_add(1, std::memory_order_relaxed);
    return own;
  }
  uint32_t currentBit() const { return currentStream.streams == this ? 1u << currentStream.index : 0; }
  /// Whether any stream but the device's own was ever used.
  bool any() const { return used.load(std::memory_order_relaxed); }

  /// For launches that do not depend on each other (Beside.h): marks where they begin, and gives a stream beside the own one that waits for the mark.
  /// All later work elsewhere waits for it.
  Status fork();
  Status beside(int number, Stream &stream);

  Status orderAfter(uint32_t others);
  /// Orders this thread's stream against one of another library: ours waits for theirs now, or theirs for ours.
  Status orderForeign(Stream theirs, bool oursWaits);
  void reuseAfter(uint32_t others) { toJoin.fetch_or(others, std::memory_order_release); }

  /// This thread's work goes to `stream` until leave(previous). Calls nest; the device's context is current. isAwaited:
  /// the own stream's later work waits for it.
  Status enter(Stream stream, CurrentStream &previous, bool isAwaited = false);
  static void leave(const CurrentStream &previous);
  /// The stream is one that forget() will be told of.
  void remember(Stream stream);
  /// The stream is about to be destroyed.
  void forget(Stream stream);

private:
  struct Entry {
    Stream stream = nullptr;          // null: none any longer
    Event last = nullptr;             // after the work that was sent to it
    uint64_t version = 0, joined = 0; // how often `last` was recorded, and what of it the own stream waited for
    uint64_t seen = 0;                // the own stream's work that it waited for, by `issued`
    int entered = 0;                  // threads whose work goes to it now: `last` may be out of date
    // It is there until forget(), so `last` need not be recorded before somebody waits for it; isAhead: it is to be.
    bool isLasting = false, isAhead = false;
  };
  static constexpr int capacity = 31, besideCount = 7;
  static constexpr uintptr_t lastDefault = 2; // CUDA's default streams have the handles 1 and 2

  void issueKept();
  Stream useOther(int index);
  void join(uint32_t except);
  Status indexOf(Stream stream, int &index);
  Status record(Entry &entry);
  Status wait(Stream waiter, Entry &entry);

  CudaDevice &device;
  Stream own = nullptr;
  Event ownEvent = nullptr, foreignEvent = nullptr, forkEvent = nullptr; // a wait takes an event as it was recorded last
  int besideEntries[besideCount] = {-1, -1, -1};
  std::atomic<bool> used{false};
  std::atomic<uint32_t> toJoin{0};
  std::atomic<uint64_t> issued{1};
  std::recursive_mutex mutex; // of what follows
  Entry entries[capacity];
  std::vector<Stream> lasting; // that were made for the user
  int next = 0; // to be taken for another stream
};

/// Sends this thread's work on a device to a stream for a scope.
class StreamScope {
public:
  StreamScope() = default;
  StreamScope(const StreamScope &) = delete;
  StreamScope &operator=(const StreamScope &) = delete;
  ~StreamScope() {
    if (entered)
      Streams::leave(previous);
  }
  Status enter(Streams &streams, Stream stream) {
    NPCC_TRY(streams.enter(stream, previous));
    entered = true;
    return {};
  }

private:
  CurrentStream previous;
  bool entered = false;
};

} // namespace npcc::rt::cuda

#endif
