// The way of an array of the host to a device for a call, and back. Both go in parts, so that compiled code may begin
// when the first ones are there (npcc_rt_await), and what it will not touch again may leave while it runs
// (npcc_rt_written).
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
  void *base = nullptr;   // a buffer (Buffer.h); the passage holds a reference
  bool mayDepart = false; // parts go back to the host before the call ends: it writes the array

  /// Begins the copy of the next part. The parts of a call's arrays begin in turns: `sent` says how much of this one
  /// has, from 0 to 1.
  virtual Status sendNext() = 0;
  virtual double sent() const = 0;
  /// This thread's later work on the device comes after the copy, and the host's memory has been read unless it is
  /// page-locked.
  virtual Status arrive() = 0;
  /// The same of the bytes [low, high) alone; there may be more of them than the array has.
  virtual Status arrive(int64_t low, int64_t high) = 0;
  /// This thread's next work on the device may write the bytes [low, high), and nothing else of the array. What was
  /// written before, elsewhere, leaves for the host now; should it be written again, it leaves once more at the end.
  virtual Status written(int64_t low, int64_t high) = 0;
  /// The call's work was sent: what did not leave yet leaves. Waits for it, unless the thread's calls overlap.
  virtual Status depart(bool overlaps) = 0;
};

} // namespace npcc::rt

#endif
