#include "runtime/comm/Group.h"
#include "runtime/SpinLock.h"

namespace npcc::rt {

// Kernels issue collectives back to back: most barriers are over before a thread would have slept.
static constexpr int spinsBeforeSleep = 4000;

Group::~Group() {
  for (size_t rank = 0; rank < posts.size(); ++rank) {
    DeviceScope scope(*devices[rank]);
    devices[rank]->destroyEvent(posts[rank].ready);
    devices[rank]->destroyEvent(posts[rank].done);
  }
}

/// Read in this order: a rank leaves only after the barriers it took part in are over.
bool Group::over(uint32_t seen, bool &passed) const {
  bool gone = broken.load() || left.load();
  passed = generation.load() != seen;
  return passed || gone;
}

bool Group::barrier() {
  uint32_t seen = generation.load();
  if (broken.load() || left.load())
    return false;
  if (arrived.fetch_add(1) + 1 == size()) {
    arrived.store(0);
    std::lock_guard<std::mutex> lock(mutex);
    generation.fetch_add(1);
    changed.notify_all();
    return true;
  }
  bool passed = false;
  for (int spins = 0; spins < spinsBeforeSleep; ++spins) {
    if (over(seen, passed))
      return passed;
    cpuRelax();
  }
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return over(seen, passed); });
  return passed;
}

void Group::breakUp(bool ofItself) {
  std::lock_guard<std::mutex> lock(mutex);
  if (ofItself)
    failed.store(true);
  broken.store(true);
  changed.notify_all();
}

void Group::leave() {
  std::lock_guard<std::mutex> lock(mutex);
  left.store(true);
  changed.notify_all();
}

} // namespace npcc::rt
