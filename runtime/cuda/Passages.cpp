#include "runtime/cuda/Passages.h"
#include "runtime/Buffer.h"
#include "runtime/Counters.h"
#include "runtime/cuda/CudaDevice.h"
#include <algorithm>
#include <utility>

namespace npcc::rt::cuda {
namespace {

constexpr size_t mostFree = 8; // landings that are kept

/// Arrays go in parts, which are waited for one by one: short beside what is done with all of them, and long beside the
/// calls that send one.
int64_t partBytes(int64_t bytes) {
  constexpr int64_t slot = StagingRing::slotBytes, mostSlots = 8, wantedParts = 16;
  return slot * std::clamp<int64_t>(bytes / (slot * wantedParts), 1, mostSlots);
}

/// Less than this does not leave by itself before a call ends.
constexpr int64_t leastDeparture = StagingRing::slotBytes;

class CudaPassage final : public Passage {
public:
  CudaPassage(Passages &passages, const ByteRange &host, std::shared_ptr<Landing> taken)
      : passages(passages), host(host), landing(std::move(taken)), step(partBytes(host.bytes())) {
    base = landing->base;
  }
  ~CudaPassage() override {
    DeviceScope scope(passages.device);
    // What fails here fails again at the next use of the context.
    (void)arrive().ok();
    (void)waitForDepartures().ok();
    if (driver().eventRecord(landing->idle, passages.device.streams.use()) == success)
      landing->isUsed = true;
  }

  double sent() const override { return static_cast<double>(sentBytes()) / static_cast<double>(host.bytes()); }
  Status sendNext() override {
    int64_t low = sentBytes();
    Arrival part;
    NPCC_TRY(passages.send({host.low + low, std::min(host.low + low + step, host.high)}, at(low), part.copy));
    arrivals.push_back(std::move(part));
    return {};
  }

  Status arrive() override { return arrive(0, host.bytes()); }
  Status arrive(int64_t low, int64_t high) override {
    for (size_t k = 0; k < arrivals.size(); ++k) {
      Arrival &part = arrivals[k];
      int64_t begin = static_cast<int64_t>(k) * step;
      if (part.hasArrived || high <= begin || low >= begin + step)
        continue;
      part.hasArrived = true;
      // Those before it come first on the stream; this thread helps where the others are.
      for (size_t earlier = 0; earlier <= k; ++earlier)
        passages.staging.help(*arrivals[earlier].copy);
      NPCC_TRY(part.copy->waitForThreads());
      NPCC_CUDA_TRY(streamWaitEvent(passages.device.streams.use(), part.copy->arrival(), 0));
      if (isOverlapping())
        noteUnderWay(part.copy); // the device may still read page-locked memory
    }
    return {};
  }

  Status written(int64_t low, int64_t high) override {
    if (low >= high || isRevisited)
      return {};
    Bytes next{low, high};
    if (std::any_of(departed.begin(), departed.end(), [&](const Bytes &one) { return one.meets(next); })) {
      isRevisited = true;
      return {};
    }
    bool isSame = pending.meets(next) || pending.low == pending.high;
    if (isSame || (next.low == pending.high && pending.high - pending.low < leastDeparture)) {
      pending = pending.low == pending.high ? next : Bytes{std::min(low, pending.low), std::max(high, pending.high)};
      return {};
    }
    Bytes done = std::exchange(pending, next);
    return done.high - done.low < leastDeparture ? Status() : leave(done);
  }

  Status depart(bool overlaps) override {
    if (isRevisited) { // what left is not what is there now, and must not come to the host after it
      NPCC_TRY(waitForDepartures());
      departed.clear();
    }
    std::sort(departed.begin(), departed.end(), [](const Bytes &a, const Bytes &b) { return a.low < b.low; });
    std::vector<Bytes> rest;
    int64_t end = 0;
    for (const Bytes &one : departed) {
      if (one.low > end)
        rest.push_back({end, one.low});
      end = one.high;
    }
    if (end < host.bytes())
      rest.push_back({end, host.bytes()});
    for (const Bytes &one : rest)
      NPCC_TRY(leave(one));
    if (!overlaps)
      return waitForDepartures();
    for (std::shared_ptr<StagedCopy> &copy : departures)
      noteUnderWay(std::move(copy));
    departures.clear();
    return {};
  }

private:
  struct Arrival {
    std::shared_ptr<StagedCopy> copy;
    bool hasArrived = false;
  };
  struct Bytes {
    int64_t low = 0, high = 0;
    bool meets(const Bytes &other) const { return low < other.high && other.low < high; }
  };

  int64_t sentBytes() const { return std::min(static_cast<int64_t>(arrivals.size()) * step, host.bytes()); }
  char *at(int64_t offset) const { return static_cast<char *>(base) + offset; }

  Status leave(const Bytes &bytes) {
    std::shared_ptr<StagedCopy> copy;
    NPCC_TRY(passages.depart({host.low + bytes.low, host.low + bytes.high}, at(bytes.low), {}, landing, copy));
    departures.push_back(std::move(copy));
    departed.push_back(bytes);
    return {};
  }

  Status waitForDepartures() {
    Status first;
    for (std::shared_ptr<StagedCopy> &copy : std::exchange(departures, {})) {
      passages.staging.help(*copy);
      if (Status status = copy->wait(); first.ok() && !status.ok())
        first = std::move(status);
    }
    return first;
  }

  Passages &passages;
  const ByteRange host;
  std::shared_ptr<Landing> landing;
  const int64_t step;
  std::vector<Arrival> arrivals;
  // What left: copies under way, and the bytes of all of them.
  std::vector<std::shared_ptr<StagedCopy>> departures;
  std::vector<Bytes> departed;
  Bytes pending; // was written last
  bool isRevisited = false;
};

} // namespace

Status Passages::initialise() {
  if (mark)
    return {};
  NPCC_CUDA_TRY(streamCreate(&in, streamNonBlocking));
  NPCC_CUDA_TRY(streamCreate(&out, streamNonBlocking));
  NPCC_CUDA_TRY(eventCreate(&mark, withoutTiming));
  return {};
}

Status Passages::orderAfterThread(Stream stream) {
  NPCC_CUDA_TRY(eventRecord(mark, device.streams.use()));
  NPCC_CUDA_TRY(streamWaitEvent(stream, mark, 0));
  return {};
}

Status Passages::takeLanding(int64_t bytes, std::shared_ptr<Landing> &landing) {
  auto owned = [this](Landing *taken) {
    return std::shared_ptr<Landing>(taken, [this](Landing *done) { giveLanding(done); });
  };
  auto fits = [&](const Landing *one) {
    return one->bytes >= bytes && one->bytes <= 2 * std::max<int64_t>(bytes, 512);
  };
  std::lock_guard<std::recursive_mutex> guard(mutex);
  NPCC_TRY(initialise());
  Landing *oldest = nullptr, *chosen = nullptr;
  int count = 0;
  for (Landing *one : free)
    if (fits(one)) {
      ++count;
      oldest = oldest ? oldest : one;
      if (!chosen && (!one->isUsed || driver().eventQuery(one->idle) == success))
        chosen = one;
    }
  // Two that the device works with and one on its way keep all streams busy.
  if (!chosen && count >= 3)
    chosen = oldest;
  if (chosen) {
    free.erase(std::find(free.begin(), free.end(), chosen));
    counters.liveBuffers.add(1);
    counters.bytesInUse.add(chosen->bytes);
    landing = owned(chosen);
    if (chosen->isUsed)
      NPCC_CUDA_TRY(streamWaitEvent(in, chosen->idle, 0));
    return {};
  }
  auto made = std::make_unique<Landing>();
  made->bytes = bytes;
  NPCC_CUDA_TRY(eventCreate(&made->idle, withoutTiming));
  if (Status status = newBuffer(device, bytes, nullptr, made->base); !status.ok()) {
    driver().eventDestroy(made->idle);
    return status;
  }
  landing = owned(made.release());
  return orderAfterThread(in);
}

/// Its work was sent, and copies from it are over.
void Passages::giveLanding(Landing *landing) {
  std::lock_guard<std::recursive_mutex> guard(mutex);
  DeviceScope scope(device);
  // Somebody may hold the memory beyond the call: a result that shares it.
  if (npcc_rt_refcount(landing->base) > 1) {
    release(landing);
    return;
  }
  counters.liveBuffers.add(-1);
  counters.bytesInUse.add(-landing->bytes);
  free.push_back(landing);
  if (free.size() <= mostFree)
    return;
  Landing *first = free.front();
  free.erase(free.begin());
  counters.liveBuffers.add(1);
  counters.bytesInUse.add(first->bytes);
  release(first);
}

void Passages::release(Landing *landing) {
  releaseBuffer(landing->base, nullptr);
  driver().eventDestroy(landing->idle);
  delete landing;
}

bool Passages::drop() {
  std::lock_guard<std::recursive_mutex> guard(mutex);
  for (Landing *landing : free) {
    counters.liveBuffers.add(1);
    counters.bytesInUse.add(landing->bytes);
    release(landing);
  }
  bool any = !free.empty();
  free.clear();
  return any;
}

Status Passages::begin(const ByteRange &from, std::unique_ptr<Passage> &passage) {
  if (from.empty() || (from.bytes() < Staging::smallest && !isOverlapping()))
    return {};
  std::shared_ptr<Landing> landing;
  NPCC_TRY(takeLanding(from.bytes(), landing));
  passage = std::make_unique<CudaPassage>(*this, from, std::move(landing));
  return {};
}

Status Passages::send(const ByteRange &from, void *to, std::shared_ptr<StagedCopy> &copy) {
  return staging.start(true, from, to, in, copy);
}

Status Passages::depart(const ByteRange &to, const void *from, std::shared_ptr<void> holdsHost,
                        std::shared_ptr<void> holdsDevice, std::shared_ptr<StagedCopy> &copy) {
  Event ready = nullptr;
  NPCC_TRY(staging.makeEvent(ready));
  {
    std::lock_guard<std::recursive_mutex> guard(mutex);
    NPCC_TRY(initialise());
    NPCC_CUDA_TRY(eventRecord(ready, device.streams.use()));
  }
  return staging.start(false, to, const_cast<void *>(from), out, copy, ready, std::move(holdsHost),
                       std::move(holdsDevice));
}

} // namespace npcc::rt::cuda
