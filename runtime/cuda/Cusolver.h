// cuSOLVER, opened at the first routine of linear algebra on a GPU.
#ifndef NPCC_RUNTIME_CUDA_CUSOLVER_H
#define NPCC_RUNTIME_CUDA_CUSOLVER_H

#include "runtime/Device.h"
#include "runtime/abi/arrays.h"
#include "runtime/cuda/Driver.h"
#include <mutex>

namespace npcc::rt::cuda {

class CudaDevice;

/// The handle of one device.
class Cusolver {
public:
  /// Whether the routine runs here, for matrices of some elements (LinearAlgebra.h). The device's context is current.
  bool has(const char *routine);
  /// As callLinearAlgebra; waits for the results where there is no error to raise.
  Status run(CudaDevice &device, const char *routine, int32_t inputs, int32_t count, const npcc_array *operands,
             const RoutineError *error, int64_t &failed);

private:
  std::mutex mutex; // a handle serves one thread at a time
  void *handle = nullptr, *parameters = nullptr, *jacobi = nullptr;
  bool tried = false;
};

/// The file that serves, for npcc-info; "" if there is none.
const char *cusolverLibrary();

} // namespace npcc::rt::cuda

#endif
