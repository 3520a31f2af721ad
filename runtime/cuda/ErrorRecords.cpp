#include "runtime/cuda/ErrorRecords.h"
#include "runtime/Frame.h"
#include "runtime/cuda/Streams.h"
#include <algorithm>

namespace npcc::rt::cuda {
namespace {

constexpr unsigned hostAllocPortable = 1, hostAllocDeviceMap = 2;
constexpr int64_t none = 0;

/// The records of a thread, which it gives back when it ends.
struct Leases {
  struct Lease {
    ErrorRecords *records;
    int stream;
    ErrorRecord *record;
  };
  std::vector<Lease> all;

  ~Leases() {
    for (Lease &lease : all)
      lease.records->giveBack(*lease.record);
  }
};
thread_local Leases leases;

} // namespace

Status ErrorRecords::addChunk() {
  void *host = nullptr;
  constexpr size_t recordBytes = chunk * NPCC_RECORD_WORDS * sizeof(int64_t);
  NPCC_CUDA_TRY(
      memHostAlloc(&host, recordBytes + chunk * ErrorRecord::elementBytes, hostAllocPortable | hostAllocDeviceMap));
  Address mapped = 0, flags = 0;
  NPCC_CUDA_TRY(memHostGetDevicePointer(&mapped, host, 0));
  NPCC_CUDA_TRY(memAlloc(&flags, chunk * sizeof(int64_t)));
  const int64_t zeros[chunk] = {};
  NPCC_CUDA_TRY(memcpyHtoD(flags, zeros, sizeof zeros, streams.begin()));
  NPCC_CUDA_TRY(streamSynchronize(streams.begin())); // other streams read them too
  for (int k = 0; k < chunk; ++k) {
    ErrorRecord record;
    record.onHost = static_cast<int64_t *>(host) + k * NPCC_RECORD_WORDS;
    record.onDevice = reinterpret_cast<int64_t *>(mapped) + k * NPCC_RECORD_WORDS;
    record.flag = flags + k * sizeof(int64_t);
    if (k + 1 < chunk)
      record.element = static_cast<char *>(host) + recordBytes + k * ErrorRecord::elementBytes;
    std::fill_n(record.onHost, NPCC_RECORD_WORDS, 0);
    record.onHost[NPCC_RECORD_FLAG] = static_cast<int64_t>(record.flag);
    records.push_back(record);
  }
  return {};
}

ErrorRecord &ErrorRecords::ofThread() {
  int stream = streams.isOwn() ? -1 : currentStream.index;
  for (Leases::Lease &lease : leases.all)
    if (lease.records == this && lease.stream == stream)
      return *lease.record;
  ErrorRecord &record = take();
  leases.all.push_back({this, stream, &record});
  return record;
}

ErrorRecord &ErrorRecords::take() {
  std::lock_guard<std::mutex> lock(mutex);
  // A thread that has ended may have left an error that nobody has seen.
  auto isFree = [](ErrorRecord &record) { return !record.isTaken && !record.hasError(); };
  auto found = std::find_if(records.begin(), records.end(), isFree);
  if (found == records.end()) {
    size_t before = records.size();
    if (before == most || !addChunk().ok()) // with so many threads, or no memory left, they share the last one
      return records.back();
    found = records.begin() + before;
  }
  found->isTaken = true;
  count.store(std::max<int>(count.load(std::memory_order_relaxed), found - records.begin() + 1),
              std::memory_order_release);
  return *found;
}

void ErrorRecords::giveBack(ErrorRecord &record) {
  std::lock_guard<std::mutex> lock(mutex);
  record.isTaken = record.isOpen = false;
}

Status ErrorRecords::takeError(ErrorRecord &record, Stream stream) {
  if (!record.hasError())
    return {};
  Status error = takeRecordedError(record.onHost);
  NPCC_CUDA_TRY(memcpyHtoD(record.flag, &none, sizeof none, stream));
  return error;
}

Status ErrorRecords::takeError(Stream stream) {
  ErrorRecord &own = ofThread();
  own.isOpen = false;
  // An array may be read by another thread than the one whose kernel was to make it.
  bool hasError = own.hasError();
  for (int k = 0, all = count.load(std::memory_order_acquire); k < all && !hasError; ++k)
    hasError = records[k].hasError();
  if (!hasError)
    return {};
  std::lock_guard<std::mutex> lock(mutex);
  NPCC_TRY(takeError(own, stream));
  for (ErrorRecord &record : records)
    NPCC_TRY(takeError(record, stream));
  return {};
}

} // namespace npcc::rt::cuda
