// Calls whose copies go on when they have returned, so that the next call's arrays are on their way to the device
// meanwhile.
//
// A thread asks for it (npcc_rt_begin_overlap). Its calls then return when their arrays have been read; what they write
// into arrays of the host comes later, at the latest when the thread ends the overlap. A call that reads such an array
// waits for it.
#ifndef NPCC_RUNTIME_OVERLAP_H
#define NPCC_RUNTIME_OVERLAP_H

#include "runtime/Status.h"
#include "runtime/View.h"

namespace npcc::rt {

/// A copy between host and device that goes on by itself.
class UnderWay {
public:
  virtual ~UnderWay() = default;
  /// Waits until the host's memory is no longer used: what is written there is there.
  virtual Status wait() = 0;
  /// The bytes of the host.
  virtual ByteRange range() const = 0;
  virtual bool writesHost() const = 0;
};

/// Whether this thread's calls may return before their copies are over.
bool isOverlapping();
/// A call of this thread begins: waits for the oldest ones, so that never more than `mostCallsUnderWay` are.
Status beginOverlappedCall();
constexpr int mostCallsUnderWay = 4;
/// A copy of the call that this thread began last.
void noteUnderWay(std::shared_ptr<UnderWay> copy);
/// The host's memory is about to be read or written: waits for what is still to be written there.
Status waitForHost(const ByteRange &range);

} // namespace npcc::rt

#endif
