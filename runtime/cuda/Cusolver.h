// cuSOLVER, opened at the first routine of linear algebra on a GPU.
#ifndef NPCC_RUNTIME_CUDA_CUSOLVER_H
#define NPCC_RUNTIME_CUDA_CUSOLVER_H

#include "runtime/Device.h"
#include "runtime/abi/arrays.h"
#include "runtime/cuda/Driver.h"
#include <mutex>

namespace npcc::rt::cuda {

class CudaDevice;

/// The library's handles for one device. A handle serves one stream at a time.
struct SolverHandles {
  static constexpr int most = 8;

  /// Made at its first use; null where the library cannot make one.
  void *first();
  /// Another one, 0 < number < most. Returns the library's status.
  int make(int number, void *&handle);

  void *parameters = nullptr, *jacobi = nullptr;

private:
  void *each[most] = {};
  bool isTried = false;
};

/// cuSOLVER on one device.
class Cusolver {
public:
  /// Whether the routine runs here, for matrices of some elements (LinearAlgebra.h). The device's context is current.
  bool has(const char *routine);
  /// As callLinearAlgebra; waits for the results where there is no error to raise.
  Status run(CudaDevice &device, const char *routine, int32_t inputs, int32_t count, const npcc_array *operands,
             const RoutineError *error, int64_t &failed);

private:
  std::mutex mutex; // a handle serves one thread at a time
  SolverHandles handles;
};

/// The file that serves, for npcc-info; "" if there is none.
const char *cusolverLibrary();

} // namespace npcc::rt::cuda

#endif
