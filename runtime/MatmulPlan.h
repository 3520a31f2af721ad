// A matrix product as a BLAS wants it: column-major operands with one unit stride. What has none, or overlaps itself,
// is packed first. The same plan serves cblas and cuBLAS.
#ifndef NPCC_RUNTIME_MATMULPLAN_H
#define NPCC_RUNTIME_MATMULPLAN_H

#include "runtime/Buffer.h"
#include "runtime/abi/products.h"

namespace npcc::rt {

/// C[m, n] = op(A)[m, k] op(B)[k, n], column-major.
struct Gemm {
  bool transposeA, transposeB;
  int64_t m, n, k;
  const void *a, *b;
  void *c;
  int64_t lda, ldb, ldc;
};

/// y = op(A) x with A[rows, columns] column-major.
struct Gemv {
  bool transpose;
  int64_t rows, columns;
  const void *a;
  int64_t lda;
  const void *x;
  int64_t incX;
  void *y;
  int64_t incY;
};

/// One call of a BLAS.
struct BlasProduct {
  bool isVector = false; // gemv, not gemm
  double alpha = 1, beta = 0;
  Gemm gemm{};
  Gemv gemv{};
};

class MatmulPlan : public BlasProduct {
public:
  /// m, n, k > 0. Packing copies are issued on the device.
  Status make(Device &device, const MatmulShape &shape, npcc_matrix a, npcc_matrix b, npcc_matrix c);
  /// After the product: brings a packed C where it belongs.
  Status finish(Device &device);

private:
  OwnedBuffer packedA, packedB, packedC;
  View wantedC;
};

/// The product as it is, without packing, where each operand has one unit stride: false elsewhere. `operands` is which
/// of A, B and C the product's own three are.
bool makeGemm(const MatmulShape &shape, const npcc_matrix matrices[3], Gemm &gemm, int operands[3]);

/// An epilogue whose addend is not C: one that is C is copied.
Status separateAddend(Device &device, const MatmulShape &shape, const npcc_matrix &c, npcc_epilogue &epilogue,
                      OwnedBuffer &copy);
/// Whether the addend is C itself.
bool addsToResult(const MatmulShape &shape, const npcc_matrix &c, const npcc_epilogue &epilogue);

/// Sets C[m, n] to zero: the product over k = 0.
Status zeroMatrix(Device &device, const MatmulShape &shape, const npcc_matrix &c);

} // namespace npcc::rt

#endif
