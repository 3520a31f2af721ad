#include "runtime/Trace.h"
#include "runtime/Nvtx.h"
#include "runtime/abi/devices.h"
#include "runtime/abi/trace.h"
#include <ctime>
#include <mutex>
#include <vector>

namespace npcc::rt {

std::atomic<bool> tracing{false};

namespace {
std::mutex mutex;
std::vector<TraceEvent> events;
TraceFlush flushDevices = nullptr;
std::atomic<int64_t> threads{0};

int64_t threadNumber() {
  static thread_local int64_t number = threads.fetch_add(1);
  return number;
}
} // namespace

int64_t traceClock() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
}

void addEvent(TraceEvent event) {
  std::lock_guard<std::mutex> guard(mutex);
  events.push_back(std::move(event));
}

void setTraceFlush(TraceFlush flush) {
  std::lock_guard<std::mutex> guard(mutex);
  flushDevices = flush;
}

void HostSpan::open(int32_t ofKind, const char *text) {
  isOpen = true;
  kind = ofKind;
  label = text ? text : "?";
  isRange = pushRange(label.c_str());
  begin = traceClock();
}

void HostSpan::close() {
  int64_t end = traceClock();
  if (isRange)
    popRange();
  addEvent({kind, NPCC_CPU, threadNumber(), std::move(label), begin, end, 0});
}

} // namespace npcc::rt

using namespace npcc::rt;

void npcc_rt_trace_start(void) {
  std::lock_guard<std::mutex> guard(mutex);
  events.clear();
  tracing.store(true);
}

int64_t npcc_rt_trace_stop(void (*take)(const npcc_trace_event *event, void *argument), void *argument) {
  tracing.store(false);
  TraceFlush flush;
  {
    std::lock_guard<std::mutex> guard(mutex);
    flush = flushDevices;
  }
  if (flush)
    flush();
  std::vector<TraceEvent> taken;
  {
    std::lock_guard<std::mutex> guard(mutex);
    taken.swap(events);
  }
  for (const TraceEvent &event : taken) {
    npcc_trace_event given{event.kind,  event.device, event.track, event.label.c_str(),
                           event.begin, event.end,    event.bytes};
    take(&given, argument);
  }
  return static_cast<int64_t>(taken.size());
}
