// The way of an array of the host to a device for a call, and back.
#ifndef NPCC_RUNTIME_PASSAGE_H
#define NPCC_RUNTIME_PASSAGE_H

#include "runtime/Overlap.h"

namespace npcc::rt {

/// Memory of a device for an array of the host, and the copy to it.
class Passage {
public:
  /// Waits for what must be over before the call ends: this thread's work on the device is done with the memory. Also
  /// without `arrive`.
  virtual ~Passage() = default;
  void *base = nullptr; // a buffer (Buffer.h); the passage holds a reference

  /// This thread's later work on the device comes after the copy, and the host's memory has been read unless it is
  /// page-locked.
  virtual Status arrive() = 0;
  /// Begins a copy of what this thread's work leaves at `from`, in this memory, to the host.
  virtual Status depart(const ByteRange &to, const void *from) = 0;
};

} // namespace npcc::rt

#endif
