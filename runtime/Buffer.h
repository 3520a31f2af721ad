// Reference-counted memory, found by its base pointer in a sharded hash table: generated code retains and releases
// whatever base an array has, and the caller's own arrays are simply not in the table.
#ifndef NPCC_RUNTIME_BUFFER_H
#define NPCC_RUNTIME_BUFFER_H

#include "runtime/Device.h"
#include "runtime/SpinLock.h"
#include <vector>

namespace npcc::rt {

/// Generated code sees a read-only argument's base with its highest bit set, so that views of it are known for what they are.
inline constexpr uint64_t readOnlyBit = uint64_t(1) << 63;
inline void *withoutMark(void *base) { return reinterpret_cast<void *>(reinterpret_cast<uint64_t>(base) & ~readOnlyBit); }

struct Buffer;

/// What a frame would have to undo if it failed: the buffers it allocated and the references it took to others.
/// Ledgers are recycled, never freed, so that a buffer's pointer to one can always be locked and then checked.
struct Ledger {
  SpinLock lock;
  Buffer *head = nullptr;
  struct Taken {
    void *base;
    int64_t references;
  };
  std::vector<Taken> taken;
  Ledger *nextFree = nullptr;
};

Ledger *acquireLedger();
/// The frame succeeded: its buffers become `parent`'s (or nobody's, if that is null).
void settleLedger(Ledger *ledger, Ledger *parent);
/// The frame failed: frees its buffers whatever their counts, those of mirrors when the arrays have what they held, and
/// drops the references it took.
void rollBackLedger(Ledger *ledger);

/// A buffer with one reference. `ledger`: the frame that allocates, or null.
Status newBuffer(Device &device, int64_t bytes, Ledger *ledger, void *&base);
/// A buffer of the host's with what an array of the device holds. If the frame fails while there is such a buffer, the
/// array gets what the buffer holds.
Status newMirror(Device &host, Device &device, void *array, int64_t bytes, Ledger *ledger, void *&base);
void releaseBuffer(void *base, Ledger *ledger);
void retainBuffer(void *base, Ledger *ledger);
/// Adds to the streams that work with the buffer (Device::streamBit), and returns the others of them; 0 if it is no buffer.
uint32_t noteStreams(void *base, uint32_t streams);

/// Holds one reference for a scope.
class OwnedBuffer {
public:
  OwnedBuffer() = default;
  OwnedBuffer(const OwnedBuffer &) = delete;
  OwnedBuffer &operator=(const OwnedBuffer &) = delete;
  ~OwnedBuffer() {
    if (base)
      releaseBuffer(base, nullptr);
  }
  Status allocate(Device &device, int64_t bytes) { return newBuffer(device, bytes, nullptr, base); }
  char *get() const { return static_cast<char *>(base); }
  void *take() {
    void *result = base;
    base = nullptr;
    return result;
  }

private:
  void *base = nullptr;
};

} // namespace npcc::rt

#endif
