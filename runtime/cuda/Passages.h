// Arrays of the host that come to a GPU for a call and go back, on two streams of their own, so that the next call's
// arrays come while this call's kernels run and the last one's results go.
//
// Their memory on the device (a landing) is kept for later calls. A landing knows when the work with it was over, so a
// copy to it waits for that alone and not for what the device does meanwhile; memory of the pool is ordered by the
// device's own stream.
#ifndef NPCC_RUNTIME_CUDA_PASSAGES_H
#define NPCC_RUNTIME_CUDA_PASSAGES_H

#include "runtime/Passage.h"
#include "runtime/cuda/Staging.h"

namespace npcc::rt::cuda {

struct Landing {
  void *base;
  int64_t bytes;
  Event idle;          // after the last work with it
  bool isUsed = false; // `idle` was recorded
};

class Passages {
public:
  Passages(CudaDevice &device, Staging &staging) : device(device), staging(staging) {}

  Status begin(const ByteRange &from, std::unique_ptr<Passage> &passage);
  /// Begins to copy a part of an array of the host.
  Status send(const ByteRange &from, void *to, std::shared_ptr<StagedCopy> &copy);
  /// Begins to copy what this thread's work leaves at `from` to the host.
  Status depart(const ByteRange &to, const void *from, std::shared_ptr<void> holdsHost,
                std::shared_ptr<void> holdsDevice, std::shared_ptr<StagedCopy> &copy);
  /// Gives back the landings that nobody uses; whether there were any.
  bool drop();

  CudaDevice &device;
  Staging &staging;

private:
  Status initialise();
  Status takeLanding(int64_t bytes, std::shared_ptr<Landing> &landing);
  void giveLanding(Landing *landing);
  /// The mutex is held.
  Status orderAfterThread(Stream stream);
  void release(Landing *landing);

  std::recursive_mutex mutex; // of what follows; a landing that does not fit gives back the others
  Stream in = nullptr, out = nullptr;
  Event mark = nullptr; // a wait takes an event as it was recorded last
  std::vector<Landing *> free;
};

} // namespace npcc::rt::cuda

#endif
