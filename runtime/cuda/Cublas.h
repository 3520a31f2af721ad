// cuBLAS, opened at the first product on a GPU.
#ifndef NPCC_RUNTIME_CUDA_CUBLAS_H
#define NPCC_RUNTIME_CUDA_CUBLAS_H

#include "runtime/cuda/Driver.h"
#include <mutex>

namespace npcc::rt {
struct BlasProduct;
struct Gemm;
struct MatmulShape;
}

namespace npcc::rt::cuda {

/// The handle of one device.
class Cublas {
public:
  /// Makes the handle at the first call; the device's context is current. False: no cuBLAS here.
  bool available();

  /// Products on these streams, whose work never runs at the same time, use memory that is the handle's own: where launches are captured, the library
  /// would take memory for each of them, and with more or less of it it would choose other algorithms.
  void setOwnStream(Stream stream) { own = stream; }
  void setCaptureStream(Stream stream) { capturing = stream; }

  /// The shape's dtype is a float or complex one.
  Status multiply(const MatmulShape &shape, const BlasProduct &product, Stream stream);

  /// `count` products whose operands are so many elements behind each other.
  Status multiply(const MatmulShape &shape, const Gemm &gemm, int64_t count, const int64_t strides[3], Stream stream);

  /// LU factors of `count` n x n matrices in place, and the solutions of their equations; `matrices` and `sides` are arrays of addresses on the device, as are
  /// the pivots (n of each matrix, from 1) and infos. The dtype is FLOAT32/64 or COMPLEX64/128. There are no 64-bit sizes of these.
  Status factorise(int32_t dtype, int n, void **matrices, int *pivots, int *infos, int count, Stream stream);
  Status solve(int32_t dtype, int n, int columns, void **matrices, const int *pivots, void **sides, int count, Stream stream);
  /// The solutions of the equations of one triangular n x n matrix, which is not changed, in the place of `columns` right sides.
  Status solveTriangle(int32_t dtype, bool isUpper, int64_t n, int64_t columns, const void *matrix, void *side, Stream stream);

private:
  Status useStream(Stream stream);
  std::mutex mutex; // a handle serves one thread at a time
  void *handle = nullptr;
  Stream stream = nullptr;                   // the handle's now
  Stream own = nullptr, capturing = nullptr; // those that `workspace` is for
  Address workspace = 0;
  bool tried = false;
};

/// The file that serves, for npcc-info; "" if there is none.
const char *cublasLibrary();

} // namespace npcc::rt::cuda

#endif
