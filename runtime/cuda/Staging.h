// The threads that bring copies between pageable memory of the host and a GPU, and their page-locked memory
// (StagedCopy.h).
#ifndef NPCC_RUNTIME_CUDA_STAGING_H
#define NPCC_RUNTIME_CUDA_STAGING_H

#include "runtime/cuda/StagedCopy.h"
#include <deque>
#include <vector>

namespace npcc::rt::cuda {

class Staging {
public:
  explicit Staging(CudaDevice &device) : device(device) {}

  /// Smaller copies are the driver's: waking threads would cost more.
  static constexpr int64_t smallest = 1 << 20;
  /// Whether the driver knows the memory: page-locked, or of its own.
  static bool isPageLocked(const ByteRange &host);

  /// Begins a copy on `stream`. Page-locked memory is sent at once, other memory by the threads. `ready`: see
  /// StagedCopy. `holds`: what lives until it is over.
  Status start(bool toDevice, const ByteRange &host, void *onDevice, Stream stream, std::shared_ptr<StagedCopy> &copy,
               Event ready = nullptr, std::shared_ptr<void> holdsHost = {}, std::shared_ptr<void> holdsDevice = {});
  /// A copy of pageable memory on the stream, with this thread's help: the host's memory may be changed, or has the
  /// bytes.
  Status copy(bool toDevice, const ByteRange &host, void *onDevice, Stream stream);

  void help(StagedCopy &copy);
  /// There is more to do than there was.
  void wakeThreads();
  Status makeEvent(Event &event);
  void recycle(Event event);

private:
  Status takeRing(StagingRing *&ring);
  void giveRing(StagingRing *ring);
  void startThreads();
  static void *threadMain(void *staging);
  void work(bool toDeviceFirst);
  std::shared_ptr<StagedCopy> nextCopy(bool toDeviceFirst, std::vector<std::shared_ptr<StagedCopy>> &over);

  CudaDevice &device;
  std::mutex mutex; // of what follows
  std::condition_variable wake;
  std::deque<std::shared_ptr<StagedCopy>> queues[2]; // to the host, to the device
  std::vector<StagingRing *> freeRings;
  std::vector<Event> freeEvents;
  bool started = false;
  int threadNumber = 0;
};

} // namespace npcc::rt::cuda

#endif
