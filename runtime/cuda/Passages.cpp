#include "runtime/cuda/Passages.h"
#include "runtime/Buffer.h"
#include "runtime/Counters.h"
#include "runtime/cuda/CudaDevice.h"
#include <algorithm>

namespace npcc::rt::cuda {
namespace {

constexpr size_t mostFree = 8; // landings that are kept

class CudaPassage final : public Passage {
public:
  CudaPassage(Passages &passages, std::shared_ptr<Landing> taken) : passages(passages), landing(std::move(taken)) {
    base = landing->base;
  }
  ~CudaPassage() override {
    DeviceScope scope(passages.device);
    // What fails here fails again at the next use of the context.
    (void)arrive().ok();
    if (driver().eventRecord(landing->idle, passages.device.streams.use()) == success)
      landing->isUsed = true;
  }

  Status arrive() override {
    if (hasArrived || !copy)
      return {};
    hasArrived = true;
    staging().help(*copy);
    NPCC_TRY(copy->waitForThreads());
    NPCC_CUDA_TRY(streamWaitEvent(passages.device.streams.use(), copy->arrival(), 0));
    if (isOverlapping())
      noteUnderWay(copy); // the device may still read page-locked memory
    return {};
  }
  Status depart(const ByteRange &to, const void *from) override { return passages.depart(to, from, {}, landing); }

  std::shared_ptr<StagedCopy> copy;

private:
  Staging &staging() { return passages.device.staging; }

  Passages &passages;
  std::shared_ptr<Landing> landing;
  bool hasArrived = false;
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
  auto made = std::make_unique<CudaPassage>(*this, std::move(landing));
  NPCC_TRY(staging.start(true, from, made->base, in, made->copy));
  passage = std::move(made);
  return {};
}

Status Passages::depart(const ByteRange &to, const void *from, std::shared_ptr<void> holdsHost,
                        std::shared_ptr<void> holdsDevice) {
  std::shared_ptr<StagedCopy> copy;
  Event ready = nullptr;
  NPCC_TRY(staging.makeEvent(ready));
  {
    std::lock_guard<std::recursive_mutex> guard(mutex);
    NPCC_TRY(initialise());
    NPCC_CUDA_TRY(eventRecord(ready, device.streams.use()));
    NPCC_CUDA_TRY(streamWaitEvent(out, ready, 0));
  }
  NPCC_TRY(staging.start(false, to, const_cast<void *>(from), out, copy, ready, std::move(holdsHost),
                         std::move(holdsDevice)));
  noteUnderWay(std::move(copy));
  return {};
}

} // namespace npcc::rt::cuda
