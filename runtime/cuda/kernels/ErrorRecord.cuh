// Leaves an error in the record of kernels' errors, as compiled kernels do (compiler/gpu/LowerDeviceChecks.cpp): the earliest one stays.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_ERROR_RECORD_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_ERROR_RECORD_CUH
#include "ErrorParams.h"

/// `position`: of several errors of the launch, the least one is the first.
__device__ inline void recordError(const ErrorParams &p, int64_t position) {
  constexpr unsigned long long isWriting = ~0ull;
  volatile int64_t *record = p.record;
  auto *slot = reinterpret_cast<unsigned long long *>(p.record + recordedPlace);
  unsigned long long place = p.launch << bitsInLaunch | (static_cast<unsigned long long>(position) + 1);
  for (;;) {
    unsigned long long known = *static_cast<volatile unsigned long long *>(slot);
    if (known == isWriting)
      continue;
    if (known != 0 && known <= place)
      return;
    if (atomicCAS(slot, known, isWriting) != known)
      continue;
    __threadfence();
    record[recordedLine] = p.line;
    record[recordedFile] = reinterpret_cast<int64_t>(p.file);
    record[recordedMessage] = reinterpret_cast<int64_t>(p.message);
    record[recordedError] = p.error;
    __threadfence();
    *static_cast<volatile unsigned long long *>(slot) = place;
    return;
  }
}

__device__ inline void recordFailure(const FailureParams &p, int64_t matrix) {
  if (p.error.record)
    recordError(p.error, matrix);
  else
    atomicMin(p.failed, static_cast<unsigned long long>(matrix + 1));
}

#endif
