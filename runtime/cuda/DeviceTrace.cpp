#include "runtime/cuda/DeviceTrace.h"
#include "runtime/Nvtx.h"
#include "runtime/cuda/CudaDevice.h"
#include <map>
#include <mutex>
#include <vector>

namespace npcc::rt::cuda {
namespace {

constexpr unsigned withTiming = 0;

struct Pending {
  CudaDevice *device;
  int32_t kind;
  std::string label;
  int64_t bytes;
  Stream stream;
  Event begin, end;
};

/// An event, and the host's time when it had happened.
struct Origin {
  Event event = nullptr;
  int64_t time = 0;
};

std::mutex mutex;
std::vector<Pending> pending;
std::map<CudaDevice *, Origin> origins;

Event recorded(Stream stream) {
  Event event = nullptr;
  if (driver().eventCreate(&event, withTiming) != success)
    return nullptr;
  if (driver().eventRecord(event, stream) == success)
    return event;
  driver().eventDestroy(event);
  return nullptr;
}

int64_t timeOf(const Origin &origin, Event event) {
  float milliseconds = 0;
  driver().eventElapsedTime(&milliseconds, origin.event, event);
  return origin.time + static_cast<int64_t>(1e6 * static_cast<double>(milliseconds));
}

/// Waits for the work that was recorded and gives its events.
void flush() {
  std::lock_guard<std::mutex> guard(mutex);
  for (Pending &work : pending) {
    DeviceScope scope(*work.device);
    const Origin &origin = origins[work.device];
    if (driver().eventSynchronize(work.end) == success)
      addEvent({work.kind, work.device->id, static_cast<int64_t>(reinterpret_cast<uintptr_t>(work.stream)),
                std::move(work.label), timeOf(origin, work.begin), timeOf(origin, work.end), work.bytes});
    driver().eventDestroy(work.begin);
    driver().eventDestroy(work.end);
  }
  pending.clear();
  for (auto &[device, origin] : origins) {
    DeviceScope scope(*device);
    driver().eventDestroy(origin.event);
  }
  origins.clear();
}

} // namespace

void DeviceSpan::open(CudaDevice &on, int32_t ofKind, const char *text, int64_t ofBytes, Stream given) {
  Stream current = given ? given : on.streams.use();
  {
    std::lock_guard<std::mutex> guard(mutex);
    setTraceFlush(flush);
    if (!origins.count(&on)) {
      Event event = recorded(current);
      if (!event)
        return;
      driver().eventSynchronize(event);
      origins[&on] = {event, traceClock()};
    }
  }
  begin = recorded(current);
  if (!begin)
    return;
  device = &on;
  kind = ofKind;
  label = text ? text : "?";
  bytes = ofBytes;
  stream = current;
  range = startRange(label.c_str());
}

void DeviceSpan::close() {
  if (range)
    endRange(*range);
  Event end = recorded(stream);
  if (!end) {
    driver().eventDestroy(begin);
    return;
  }
  std::lock_guard<std::mutex> guard(mutex);
  pending.push_back({device, kind, std::move(label), bytes, stream, begin, end});
}

} // namespace npcc::rt::cuda
