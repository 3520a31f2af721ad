#ifndef NPCC_RUNTIME_CUDA_SMALLMATRICES_H
#define NPCC_RUNTIME_CUDA_SMALLMATRICES_H

#include "runtime/Buffer.h"
#include "runtime/Device.h"
#include "runtime/abi/arrays.h"
#include "runtime/cuda/kernels/ErrorParams.h"

namespace npcc::rt::cuda {

class CudaDevice;

/// How a kernel says that a matrix has no result: by the error in the record of kernels' errors, or, where there is no
/// error, by the matrix's number, for which the host waits.
class FailureRecord {
public:
  FailureRecord(CudaDevice &device, const RoutineError *error) : device(device), error(error) {}
  /// What the kernel takes; before its launch.
  Status prepare(FailureParams &params);
  /// After its launch.
  Status findFailed(int64_t &failed);

private:
  CudaDevice &device;
  const RoutineError *error;
  OwnedBuffer number;
};

/// `solve`, of matrices that lie row by row and are only read.
bool isOfRows(const char *routine);
/// Whether the routine (LinearAlgebra.h) of matrices as small as these is one of the runtime's own.
bool isSmallRoutine(const char *routine, int32_t inputs, const npcc_array *operands);
/// As callLinearAlgebra.
Status runSmall(CudaDevice &device, const char *routine, const npcc_array *operands, const RoutineError *error,
                int64_t &failed);
/// Leaves the error in the record of kernels' errors if a library has said (`infos`, on the device) that one of the
/// matrices has no result.
Status recordFailures(CudaDevice &device, const int32_t *infos, int64_t matrices, const RoutineError &error);

} // namespace npcc::rt::cuda

#endif
