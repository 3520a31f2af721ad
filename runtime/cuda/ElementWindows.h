// What the host reads and writes of a device, element by element. Each read waits for the stream and a copy, about
// 10 us, however small it is, and each write takes two. So where they follow each other and the device does nothing
// between them, what lies around an element comes to the host with it: a window. In a window, reads and writes cost the
// host nanoseconds. What was written goes back before anything else is sent to the device.
//
// A window is good until any other work is sent to the device (Streams::issuedCount), other libraries may have had the
// chance to, or the call ends.
#ifndef NPCC_RUNTIME_CUDA_ELEMENTWINDOWS_H
#define NPCC_RUNTIME_CUDA_ELEMENTWINDOWS_H

#include "runtime/Status.h"
#include <cstdint>
#include <memory>

namespace npcc::rt::cuda {

class CudaDevice;

/// One for each thread that needs them.
class ElementWindows {
public:
  ~ElementWindows() { current = nullptr; }
  static ElementWindows &ofThread() { return current ? *current : makeForThread(); }
  /// What the thread has, if anything: asked before all work for a device.
  static void flushAll() {
    if (current) [[unlikely]]
      current->flush();
  }
  static void forgetAll() {
    if (current) [[unlikely]]
      current->forget();
  }

  Status read(CudaDevice &device, void *to, const void *from, int64_t bytes);
  Status write(CudaDevice &device, void *to, const void *from, int64_t bytes);
  /// Sends what was written.
  void flush() {
    if (isWritten) [[unlikely]]
      sendWritten();
  }
  /// Sends what was written, and keeps no windows.
  void forget() {
    flush();
    device = nullptr;
  }

private:
  static ElementWindows &makeForThread();

  /// The first window is small, for a few numbers; more than the most would take longer than the wait.
  static constexpr int64_t leastBytes = 4 * 1024, mostBytes = 64 * 1024;
  /// Of the blocks of so many bytes that the device's memory has, each has one place for its window: 16 MiB at most.
  static constexpr int windowCount = 256;
  /// A window waits for the device, and a write by itself does not: so many come before one, unless something else has
  /// waited already.
  static constexpr int writesAlone = 8;

  struct Range {
    uint64_t low = 0, high = 0; // addresses of the device
    bool isEmpty() const { return low == high; }
  };
  struct Window : Range {
    uint64_t generation = 0;
    // What is newer here, byte for byte: others may write beside it.
    Range written[4];
    bool isWritten = false;
    std::unique_ptr<char[]> bytes;
    bool holds(uint64_t address, int64_t size) const {
      return low <= address && address + static_cast<uint64_t>(size) <= high;
    }
    char *at(uint64_t address) const { return bytes.get() + (address - low); }
    /// False if there is no place for one more.
    bool note(const Range &range);
  };

  /// Whether the windows hold what this device's memory holds; else there are none from now on.
  bool areGood(CudaDevice &of);
  void drop();
  Window &placeOf(uint64_t address) { return windows[address / mostBytes % windowCount]; }
  Window *find(uint64_t address, int64_t bytes) {
    Window &window = placeOf(address);
    return window.generation == generation && window.holds(address, bytes) ? &window : nullptr;
  }
  /// A window around the element; null if the memory around it is not known.
  Status makeWindow(CudaDevice &of, uint64_t address, int64_t bytes, Window *&made);
  void sendWritten();
  /// What was sent since `before` was so much work, and ours alone: then the windows are good still.
  void settle(CudaDevice &of, uint64_t before, uint64_t work);

  static thread_local constinit ElementWindows *current __attribute__((tls_model("initial-exec")));

  CudaDevice *device = nullptr; // null: there are no windows
  uint64_t seen = 0;            // the work sent to it when the windows were good last
  uint64_t generation = 1;      // those of earlier ones hold nothing
  int64_t nextBytes = leastBytes;
  int writes = 0;         // one after the other, without a window
  bool hasWaited = false; // since other work was sent
  bool isWritten = false; // some window
  Window windows[windowCount];
};

} // namespace npcc::rt::cuda

#endif
