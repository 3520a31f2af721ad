// cuBLASLt, opened at the first product with an epilogue on a GPU: the products that do more than multiply.
#ifndef NPCC_RUNTIME_CUDA_CUBLASLT_H
#define NPCC_RUNTIME_CUDA_CUBLASLT_H

#include "runtime/Device.h"
#include "runtime/abi/products.h"
#include "runtime/cuda/Driver.h"
#include <array>
#include <map>
#include <mutex>
#include <vector>

namespace npcc::rt {
struct Gemm;
}

namespace npcc::rt::cuda {
class CudaDevice;

/// The handle of one device, and which algorithm serves which product.
class CublasLt {
public:
  /// C = activation(alpha A B + beta addend + bias). `done` stays false where there is no library, or none of its
  /// algorithms serves: for layouts that it does not take, too.
  Status multiply(CudaDevice &device, const MatmulShape &shape, const npcc_matrix matrices[3],
                  const npcc_epilogue &epilogue, bool &done);

private:
  struct Problem;
  struct Choice {
    std::array<uint64_t, 8> algorithm; // cublasLtMatmulAlgo_t
    size_t workBytes;
    bool serves = false;
  };
  bool available();
  Status choose(CudaDevice &device, Problem &problem, Choice &choice);
  Status keepsNan(CudaDevice &device, Problem &problem, const Choice &choice, bool &keeps);

  std::mutex mutex;
  void *handle = nullptr;
  bool tried = false;
  std::map<std::vector<int64_t>, Choice> choices; // by all that an algorithm depends on
};

/// The file that serves, for npcc-info; "" if there is none.
const char *cublasLtLibrary();

} // namespace npcc::rt::cuda

#endif
