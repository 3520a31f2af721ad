// A BLAS under the names and with the integers of NumPy's bundled OpenBLAS: the trap in finding one is there, not in the
// arithmetic.
#include <complex>
#include <cstdint>

namespace {

template <typename T>
T element(const T *matrix, int64_t leading, bool transposed, int64_t i, int64_t j) {
  return transposed ? matrix[i * leading + j] : matrix[j * leading + i];
}

template <typename T>
void gemm(int order, int transA, int transB, int64_t m, int64_t n, int64_t k, const T *a, int64_t lda, const T *b,
          int64_t ldb, T *c, int64_t ldc) {
  if (order != 102)
    __builtin_trap();
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      T sum = 0;
      for (int64_t p = 0; p < k; ++p)
        sum += element(a, lda, transA == 112, i, p) * element(b, ldb, transB == 112, p, j);
      c[j * ldc + i] = sum;
    }
}

template <typename T>
void gemv(int order, int trans, int64_t rows, int64_t columns, const T *a, int64_t lda, const T *x, int64_t incX, T *y,
          int64_t incY) {
  if (order != 102)
    __builtin_trap();
  bool transposed = trans == 112;
  for (int64_t i = 0; i < (transposed ? columns : rows); ++i) {
    T sum = 0;
    for (int64_t p = 0; p < (transposed ? rows : columns); ++p)
      sum += (transposed ? a[i * lda + p] : a[p * lda + i]) * x[p * incX];
    y[i * incY] = sum;
  }
}

} // namespace

#define REAL(letter, T)                                                                                                \
  extern "C" void scipy_cblas_##letter##gemm64_(int order, int ta, int tb, int64_t m, int64_t n, int64_t k, T,         \
                                                const T *a, int64_t lda, const T *b, int64_t ldb, T, T *c,             \
                                                int64_t ldc) {                                                         \
    gemm<T>(order, ta, tb, m, n, k, a, lda, b, ldb, c, ldc);                                                           \
  }                                                                                                                    \
  extern "C" void scipy_cblas_##letter##gemv64_(int order, int ta, int64_t m, int64_t n, T, const T *a, int64_t lda,   \
                                                const T *x, int64_t incX, T, T *y, int64_t incY) {                     \
    gemv<T>(order, ta, m, n, a, lda, x, incX, y, incY);                                                                \
  }
#define COMPLEX(letter, T)                                                                                             \
  extern "C" void scipy_cblas_##letter##gemm64_(int order, int ta, int tb, int64_t m, int64_t n, int64_t k,            \
                                                const void *, const T *a, int64_t lda, const T *b, int64_t ldb,        \
                                                const void *, T *c, int64_t ldc) {                                     \
    gemm<T>(order, ta, tb, m, n, k, a, lda, b, ldb, c, ldc);                                                           \
  }                                                                                                                    \
  extern "C" void scipy_cblas_##letter##gemv64_(int order, int ta, int64_t m, int64_t n, const void *, const T *a,     \
                                                int64_t lda, const T *x, int64_t incX, const void *, T *y,             \
                                                int64_t incY) {                                                        \
    gemv<T>(order, ta, m, n, a, lda, x, incX, y, incY);                                                                \
  }
REAL(s, float)
REAL(d, double)
COMPLEX(c, std::complex<float>)
COMPLEX(z, std::complex<double>)
