#include "runtime/Overlap.h"
#include "runtime/Device.h"
#include "runtime/abi/calls.h"
#include "runtime/cuda/Driver.h"
#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <vector>

namespace npcc::rt {
namespace {

/// What all threads have under way to memory of the host.
std::mutex mutex;
std::vector<std::shared_ptr<UnderWay>> writes;
std::atomic<int> writeCount{0};

struct Call {
  std::vector<std::shared_ptr<UnderWay>> copies;
};
struct Calls {
  int depth = 0;
  std::deque<Call> underWay; // the oldest first
};
thread_local Calls calls;

void forget(const std::shared_ptr<UnderWay> &copy) {
  std::lock_guard<std::mutex> guard(mutex);
  auto found = std::find(writes.begin(), writes.end(), copy);
  if (found == writes.end())
    return;
  writes.erase(found);
  writeCount.store(static_cast<int>(writes.size()), std::memory_order_release);
}

Status finishOldest() {
  Call call = std::move(calls.underWay.front());
  calls.underWay.pop_front();
  Status first;
  for (std::shared_ptr<UnderWay> &copy : call.copies) {
    Status status = copy->wait();
    forget(copy);
    if (first.ok() && !status.ok())
      first = std::move(status);
  }
  return first;
}

} // namespace

bool isOverlapping() { return calls.depth > 0; }

Status beginOverlappedCall() {
  while (static_cast<int>(calls.underWay.size()) >= mostCallsUnderWay)
    NPCC_TRY(finishOldest());
  calls.underWay.emplace_back();
  return {};
}

void noteUnderWay(std::shared_ptr<UnderWay> copy) {
  if (copy->writesHost()) {
    std::lock_guard<std::mutex> guard(mutex);
    writes.push_back(copy);
    writeCount.store(static_cast<int>(writes.size()), std::memory_order_release);
  }
  if (calls.underWay.empty())
    calls.underWay.emplace_back();
  calls.underWay.back().copies.push_back(std::move(copy));
}

Status waitForHost(const ByteRange &range) {
  if (writeCount.load(std::memory_order_acquire) == 0 || cuda::forkedAfterInit())
    return {};
  std::vector<std::shared_ptr<UnderWay>> meeting;
  {
    std::lock_guard<std::mutex> guard(mutex);
    for (const std::shared_ptr<UnderWay> &copy : writes)
      if (copy->range().overlaps(range))
        meeting.push_back(copy);
  }
  // Those that other threads began are theirs to forget.
  for (const std::shared_ptr<UnderWay> &copy : meeting)
    NPCC_TRY(copy->wait());
  return {};
}

} // namespace npcc::rt

using namespace npcc::rt;

void npcc_rt_begin_overlap(void) { ++calls.depth; }

int32_t npcc_rt_is_overlapping(void) { return isOverlapping(); }

npcc_status npcc_rt_end_overlap(void) {
  return toC([]() -> Status {
    if (calls.depth == 0 || --calls.depth > 0)
      return {};
    Status first;
    while (!calls.underWay.empty())
      if (Status status = finishOldest(); first.ok() && !status.ok())
        first = std::move(status);
    // Errors that kernels recorded meanwhile.
    static thread_local Status late;
    late = {};
    forEachDevice([](Device &device) {
      if (device.onHost() || cuda::forkedAfterInit())
        return;
      DeviceScope scope(device);
      if (Status status = device.synchronize(); late.ok() && !status.ok())
        late = std::move(status);
    });
    if (!late.ok())
      return std::move(late);
    return first;
  });
}
