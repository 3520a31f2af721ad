// cuSPARSE, opened at the first product with a sparse matrix on a GPU.
#ifndef NPCC_RUNTIME_CUDA_CUSPARSE_H
#define NPCC_RUNTIME_CUDA_CUSPARSE_H

#include "runtime/Sparse.h"
#include <mutex>

namespace npcc::rt::cuda {

class CudaDevice;

/// The handle of one device.
class Cusparse {
public:
  /// Whether there is a library. The device's context is current.
  bool available();
  /// The lines are rows of the matrix, or its columns.
  Status multiply(CudaDevice &device, const SparseLines &matrix, bool areRows, const SparseFactors &by);

private:
  std::mutex mutex; // a handle serves one thread at a time
  void *handle = nullptr;
  bool tried = false;
};

/// The file that serves, for npcc-info; "" if there is none.
const char *cusparseLibrary();

} // namespace npcc::rt::cuda

#endif
