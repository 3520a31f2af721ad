// Where kernels leave errors (npcc_rt_error_record): a record for each thread of the host and each stream that it sends
// work to.
//
// A record is in memory of the host that the device can address, so that to look at it after a wait costs no copy.
// Beside it is a flag in the device's own memory: kernels that stand behind a check read it before they begin, and do
// nothing where the check has failed. What another thread launches has a flag of its own, so it goes on.
#ifndef NPCC_RUNTIME_CUDA_ERRORRECORDS_H
#define NPCC_RUNTIME_CUDA_ERRORRECORDS_H

#include "runtime/Status.h"
#include "runtime/abi/kernels.h"
#include "runtime/cuda/Driver.h"
#include <atomic>
#include <mutex>
#include <vector>

namespace npcc::rt::cuda {

class Streams;

struct ErrorRecord {
  static constexpr int64_t elementBytes = 16;
  int64_t *onHost = nullptr, *onDevice = nullptr; // the same memory
  Address flag = 0;
  /// Memory of the host that is never paged, of elementBytes, for an element that the thread reads: the driver takes
  /// longer to bring it anywhere else. Null for a record that threads may share.
  void *element = nullptr;
  bool isTaken = false;
  /// Launches that may fail were sent, and nobody has waited for them.
  bool isOpen = false;

  bool hasError() const { return __atomic_load_n(onHost, __ATOMIC_ACQUIRE) != 0; }
};

class ErrorRecords {
public:
  explicit ErrorRecords(Streams &streams) : streams(streams) { records.reserve(most); }
  Status initialise() { return addChunk(); }

  /// The record for what this thread sends now.
  ErrorRecord &ofThread();
  /// Takes the error that a record has, this thread's first. `stream` has been waited for.
  Status takeError(Stream stream);

  /// A thread ends that had the record.
  void giveBack(ErrorRecord &record);

private:
  static constexpr int chunk = 64, most = 16 * chunk;

  Status addChunk();
  ErrorRecord &take();
  Status takeError(ErrorRecord &record, Stream stream);

  Streams &streams;
  std::mutex mutex;                 // of what follows
  std::vector<ErrorRecord> records; // never moved
  std::atomic<int> count{0};        // those that were ever taken are the first ones
};

} // namespace npcc::rt::cuda

#endif
