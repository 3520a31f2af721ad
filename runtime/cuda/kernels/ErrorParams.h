#ifndef NPCC_RUNTIME_CUDA_KERNELS_ERROR_PARAMS_H
#define NPCC_RUNTIME_CUDA_KERNELS_ERROR_PARAMS_H
#include <cstdint>

// An error that a kernel of the runtime leaves in the record of kernels' errors (npcc_rt_error_record).
struct ErrorParams {
  int64_t *record; // null: there is none to leave
  uint64_t launch; // its number, where it stands in a place
  int64_t error, line;
  const char *file, *message; // the host's
};

// What becomes of the first matrix of a stack that has no result: an error in the record, or, where there is none to
// leave, its number from 1 in `failed` (the largest int64 before).
struct FailureParams {
  ErrorParams error;
  unsigned long long *failed;
};

// Fields of the record.
constexpr int recordedError = 0, recordedLine = 1, recordedFile = 5, recordedMessage = 6, recordedPlace = 7,
              bitsInLaunch = 46;

#endif
