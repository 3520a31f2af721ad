#include "runtime/cuda/Staging.h"
#include "runtime/Counters.h"
#include "runtime/cpu/ThreadPool.h"
#include "runtime/cuda/CudaDevice.h"
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <pthread.h>

namespace npcc::rt::cuda {

/// Eight threads copy faster than any bus of today; each has four slots of page-locked memory.
static int wantedThreads() {
  if (const char *text = getenv("NPCC_STAGING_THREADS"))
    return std::clamp(atoi(text), 1, 64);
  return std::clamp(ThreadPool::get().threads() - 1, 1, 8);
}

bool Staging::isPageLocked(const ByteRange &host) {
  constexpr int memoryType = 2;
  // A view may reach beyond memory that was registered.
  for (const char *address : {host.low, host.high - 1}) {
    unsigned type = 0;
    if (driver().pointerGetAttribute(&type, memoryType, reinterpret_cast<Address>(address)) != success || type == 0)
      return false;
  }
  return true;
}

Status Staging::makeEvent(Event &event) {
  {
    std::lock_guard<std::mutex> guard(mutex);
    if (!freeEvents.empty()) {
      event = freeEvents.back();
      freeEvents.pop_back();
      return {};
    }
  }
  NPCC_CUDA_TRY(eventCreate(&event, withoutTiming));
  return {};
}

void Staging::recycle(Event event) {
  if (!event)
    return;
  std::lock_guard<std::mutex> guard(mutex);
  freeEvents.push_back(event); // a stream that waits for it took it as it was recorded
}

Status Staging::takeRing(StagingRing *&ring) {
  {
    std::lock_guard<std::mutex> guard(mutex);
    if (!freeRings.empty()) {
      ring = freeRings.back();
      freeRings.pop_back();
      return {};
    }
  }
  auto made = std::make_unique<StagingRing>();
  NPCC_TRY(made->make());
  ring = made.release();
  return {};
}

void Staging::giveRing(StagingRing *ring) {
  std::lock_guard<std::mutex> guard(mutex);
  freeRings.push_back(ring);
}

void Staging::startThreads() {
  if (started)
    return;
  started = true;
  // Signals belong to the application's threads.
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  for (int k = 0, count = wantedThreads(); k < count; ++k) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, threadMain, this) != 0)
      break;
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

void *Staging::threadMain(void *argument) {
  auto *staging = static_cast<Staging *>(argument);
  DeviceScope scope(staging->device);
  bool toDeviceFirst;
  {
    std::lock_guard<std::mutex> guard(staging->mutex);
    toDeviceFirst = ++staging->threadNumber % 2;
  }
  // Half of the threads look for copies in either direction first, so that neither waits for all of the other.
  staging->work(toDeviceFirst);
  return nullptr;
}

/// The oldest copy with pieces left. One thread is enough to wait for work that makes what is copied; the others have
/// the copies to the device meanwhile, which that work may be waiting for. The mutex is held, so copies without pieces
/// go to `over`.
std::shared_ptr<StagedCopy> Staging::nextCopy(bool toDeviceFirst, std::vector<std::shared_ptr<StagedCopy>> &over) {
  std::shared_ptr<StagedCopy> notReady;
  for (bool toDevice : {toDeviceFirst, !toDeviceFirst}) {
    auto &queue = queues[toDevice];
    for (; !queue.empty() && !queue.front()->hasPieces(); queue.pop_front())
      over.push_back(std::move(queue.front()));
    if (queue.empty())
      continue;
    if (queue.front()->isReady())
      return queue.front();
    if (!queue.front()->hasWaiter)
      notReady = queue.front();
  }
  if (notReady)
    notReady->hasWaiter = true;
  return notReady;
}

void Staging::wakeThreads() {
  {
    std::lock_guard<std::mutex> guard(mutex);
  } // not between a thread's look and its sleep
  wake.notify_all();
}

void Staging::work(bool toDeviceFirst) {
  for (;;) {
    std::vector<std::shared_ptr<StagedCopy>> over; // their ends need the mutex
    std::shared_ptr<StagedCopy> copy;
    {
      std::unique_lock<std::mutex> lock(mutex);
      wake.wait(lock, [&] { return (copy = nextCopy(toDeviceFirst, over)) != nullptr || !over.empty(); });
    }
    if (copy)
      help(*copy);
  }
}

void Staging::help(StagedCopy &copy) {
  if (!copy.hasPieces())
    return;
  StagingRing *ring;
  if (Status status = takeRing(ring); !status.ok()) {
    copy.giveUp(std::move(status));
    return;
  }
  copy.bringPieces(*ring);
  giveRing(ring);
}

Status Staging::start(bool toDevice, const ByteRange &host, void *onDevice, Stream stream,
                      std::shared_ptr<StagedCopy> &copy, Event ready, std::shared_ptr<void> holdsHost,
                      std::shared_ptr<void> holdsDevice) {
  copy = std::make_shared<StagedCopy>(*this, device, toDevice, host, static_cast<char *>(onDevice), stream);
  copy->ready = ready;
  copy->holds[0] = std::move(holdsHost);
  copy->holds[1] = std::move(holdsDevice);
  (toDevice ? counters.bytesHostToDevice : counters.bytesDeviceToHost).add(host.bytes());
  if (isPageLocked(host))
    return copy->sendDirectly();
  std::lock_guard<std::mutex> guard(mutex);
  startThreads();
  queues[toDevice].push_back(copy);
  wake.notify_all();
  return {};
}

Status Staging::copy(bool toDevice, const ByteRange &host, void *onDevice, Stream stream) {
  std::shared_ptr<StagedCopy> copy;
  NPCC_TRY(start(toDevice, host, onDevice, stream, copy));
  help(*copy);
  return copy->waitForThreads();
}

} // namespace npcc::rt::cuda
