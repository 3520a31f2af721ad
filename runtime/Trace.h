// Recording of what the runtime does and when, for `npcc profile`. Nothing is recorded, and nothing but one flag is
// read, unless somebody asked for it.
#ifndef NPCC_RUNTIME_TRACE_H
#define NPCC_RUNTIME_TRACE_H

#include <atomic>
#include <cstdint>
#include <string>

namespace npcc::rt {

extern std::atomic<bool> tracing;
inline bool isTracing() { return tracing.load(std::memory_order_relaxed); }

struct TraceEvent {
  int32_t kind, device; // npcc_trace_kind; NPCC_CPU for what the host does
  int64_t track;        // the thread's number, or the stream
  std::string label;
  int64_t begin, end, bytes; // nanoseconds of CLOCK_MONOTONIC
};
void addEvent(TraceEvent event);
int64_t traceClock();

/// What the host does while it lives: an event of this thread, and a range for NVIDIA's tools (Nvtx.h).
class HostSpan {
public:
  HostSpan(int32_t kind, const char *label) {
    if (isTracing())
      open(kind, label);
  }
  ~HostSpan() {
    if (isOpen)
      close();
  }
  HostSpan(const HostSpan &) = delete;
  HostSpan &operator=(const HostSpan &) = delete;

private:
  void open(int32_t kind, const char *label);
  void close();

  bool isOpen = false, isRange = false;
  int32_t kind = 0;
  std::string label;
  int64_t begin = 0;
};

/// Who has events of its own to give when recording ends: a device, whose clock is another. Called once, before the
/// events are given.
using TraceFlush = void (*)();
void setTraceFlush(TraceFlush flush);

} // namespace npcc::rt

#endif
