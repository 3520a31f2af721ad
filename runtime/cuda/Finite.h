#ifndef NPCC_RUNTIME_CUDA_FINITE_H
#define NPCC_RUNTIME_CUDA_FINITE_H

#include "runtime/Buffer.h"
#include "runtime/abi/arrays.h"
#include "runtime/cuda/kernels/FiniteParams.h"

namespace npcc::rt::cuda {

class CudaDevice;

/// Matrices with infinities or NaN. LAPACK has no error for them where it factors, solves, or divides a matrix for its
/// eigenvectors, but NaN; and an error of most where it looks for eigenvalues alone. A library for GPUs says of many
/// that they are singular, not positive definite, or do not converge. So their elements are looked at before a routine
/// overwrites them, and what the library says of them is corrected behind it. The host waits for neither.
class FiniteTest {
public:
  explicit FiniteTest(CudaDevice &device) : device(device) {}
  /// Before the routine: column-major n x n matrices of a dtype.
  Status look(int32_t dtype, const void *matrices, int64_t n, int64_t count, MatrixPart part);
  /// Behind it. `infos` of the routine, on the device; its results, whether there may be none, and whether a NaN of the
  /// matrix is in all of them, though the routine had nothing to say.
  Status settle(int32_t dtype, int32_t *infos, bool mayHaveNone, bool spreadsNan, const npcc_array *results[2]);
  bool hasLooked() const { return parts > 0; }

private:
  CudaDevice &device;
  OwnedBuffer found;
  int64_t count = 0;
  int32_t parts = 0;
};

} // namespace npcc::rt::cuda

#endif
