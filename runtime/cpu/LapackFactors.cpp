// Orthogonal factors, singular values and eigenvalues of general matrices: the routines that NumPy calls, with its
// arguments, so that signs and phases are the same where the library is.
#include "runtime/cpu/LapackCalls.h"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace npcc::rt::lapack {
namespace {

template <typename Int, typename T> bool reflectors(const Matrices &matrices) {
  Int m = Int(matrices.rows(0)), n = Int(matrices.columns(0)), lda = leading<Int>(m), info = 0;
  withWork<Int, T>([&](T *work, Int *size) {
    call<geqrf, T>(&m, &n, matrices.of[0].data, &lda, matrices.of[1].data, work, size, &info);
  });
  return info == 0;
}

/// Operands a, tau, q.
template <typename Int, typename T> bool orthogonal(const Matrices &matrices) {
  Int m = Int(matrices.rows(2)), columns = Int(matrices.columns(2)), count = Int(matrices.rows(1)),
      lda = leading<Int>(m), info = 0;
  if (m == 0 || columns == 0)
    return true;
  std::copy_n(matrices.data<T>(0), m * std::min(matrices.columns(0), matrices.columns(2)), matrices.data<T>(2));
  withWork<Int, T>([&](T *work, Int *size) {
    call<orgqr, T>(&m, &columns, &count, matrices.of[2].data, &lda, matrices.of[1].data, work, size, &info);
  });
  return info == 0;
}

template <typename T> void setIdentity(const Matrix &matrix) {
  T *data = static_cast<T *>(matrix.data);
  std::fill_n(data, matrix.rows * matrix.columns, T(0));
  for (int64_t k = 0; k < std::min(matrix.rows, matrix.columns); ++k)
    data[k * (matrix.rows + 1)] = T(1);
}

/// LAPACK says of NaN that it does not converge, and looks for the singular values of infinities for ever.
template <typename T> bool isFinite(const T *elements, int64_t count) {
  auto *numbers = reinterpret_cast<const RealOf<T> *>(elements);
  return std::all_of(numbers, numbers + count * int64_t(sizeof(T) / sizeof(RealOf<T>)),
                     [](RealOf<T> x) { return std::isfinite(x); });
}

template <typename Int, typename T, bool vectors> bool singular(const Matrices &matrices) {
  using R = RealOf<T>;
  Int m = Int(matrices.rows(0)), n = Int(matrices.columns(0)), lda = leading<Int>(m), info = 0;
  const Matrix &values = matrices.of[vectors ? 2 : 1];
  if (!isFinite(matrices.data<T>(0), int64_t(m) * n))
    return false;
  T none{};
  void *u = &none, *v = &none;
  Int ldu = 1, ldv = 1;
  const char *job = "N";
  int64_t few = std::min(m, n), many = std::max(m, n);
  if constexpr (vectors) {
    if (few == 0) {
      setIdentity<T>(matrices.of[1]);
      setIdentity<T>(matrices.of[3]);
      return true;
    }
    job = matrices.columns(1) == m && matrices.rows(3) == n ? "A" : "S";
    u = matrices.of[1].data;
    v = matrices.of[3].data;
    ldu = leading<Int>(matrices.rows(1));
    ldv = leading<Int>(matrices.rows(3));
  } else if (few == 0) {
    return true;
  }
  std::vector<Int> integers(8 * few);
  std::vector<R> reals(
      Real<T>::isComplex ? std::max({7 * few, 5 * few * (few + 1), 2 * many * few + 2 * few * few + few}) : 0);
  withWork<Int, T>([&](T *work, Int *size) {
    if constexpr (Real<T>::isComplex)
      call<gesdd, T>(job, &m, &n, matrices.of[0].data, &lda, values.data, u, &ldu, v, &ldv, work, size, reals.data(),
                     integers.data(), &info, letter);
    else
      call<gesdd, T>(job, &m, &n, matrices.of[0].data, &lda, values.data, u, &ldu, v, &ldv, work, size, integers.data(),
                     &info, letter);
  });
  return info == 0;
}

/// Two columns for each pair of conjugate eigenvalues hold the real and the imaginary part of the first one's
/// eigenvector.
template <typename R>
void joinPairs(const R *columns, const std::vector<R> &imaginary, int64_t n, std::complex<R> *vectors) {
  for (int64_t j = 0; j < n; ++j) {
    const R *column = columns + j * n;
    std::complex<R> *out = vectors + j * n;
    bool isPair = imaginary[j] != 0 && j + 1 < n;
    for (int64_t i = 0; i < n; ++i) {
      out[i] = {column[i], isPair ? column[i + n] : R(0)};
      if (isPair)
        out[i + n] = std::conj(out[i]);
    }
    j += isPair;
  }
}

template <typename Int, typename T, bool vectors> bool general(const Matrices &matrices) {
  using R = RealOf<T>;
  Int n = Int(matrices.rows(0)), info = 0, one = 1;
  if (n == 0)
    return true;
  const char *job = vectors ? "V" : "N";
  auto *values = matrices.data<std::complex<R>>(1);
  if constexpr (Real<T>::isComplex) {
    std::vector<R> reals(2 * n);
    withWork<Int, T>([&](T *work, Int *size) {
      call<geev, T>("N", job, &n, matrices.of[0].data, &n, values, (T *)nullptr, &one, matrices.of[2].data, &n, work,
                    size, reals.data(), &info, letter, letter);
    });
  } else {
    std::vector<R> real(n), imaginary(n), columns(vectors ? n * n : 1);
    withWork<Int, T>([&](T *work, Int *size) {
      call<geev, T>("N", job, &n, matrices.of[0].data, &n, real.data(), imaginary.data(), (T *)nullptr, &one,
                    columns.data(), &n, work, size, &info, letter, letter);
    });
    for (Int k = 0; k < n; ++k)
      values[k] = {real[k], imaginary[k]};
    if constexpr (vectors)
      joinPairs(columns.data(), imaginary, n, matrices.data<std::complex<R>>(2));
  }
  return info == 0;
}

template <typename Int, typename T> LapackRoutine find(const char *routine) {
  auto is = [&](const char *name, Entry entry) { return !strcmp(routine, name) && addressOf(entry, dtypeOf<T>); };
  if (is("qr_raw", geqrf))
    return reflectors<Int, T>;
  if (is("qr", orgqr))
    return orthogonal<Int, T>;
  if (is("svd", gesdd))
    return singular<Int, T, true>;
  if (is("svdvals", gesdd))
    return singular<Int, T, false>;
  if (is("eig", geev))
    return general<Int, T, true>;
  if (is("eigvals", geev))
    return general<Int, T, false>;
  return nullptr;
}

template <typename Int> LapackRoutine find(const char *routine, int32_t dtype) {
  switch (dtype) {
  case NPCC_FLOAT32:
    return find<Int, float>(routine);
  case NPCC_FLOAT64:
    return find<Int, double>(routine);
  case NPCC_COMPLEX64:
    return find<Int, std::complex<float>>(routine);
  case NPCC_COMPLEX128:
    return find<Int, std::complex<double>>(routine);
  default:
    return nullptr;
  }
}

} // namespace

LapackRoutine findFactors(const char *routine, int32_t dtype, bool isWide) {
  return isWide ? find<int64_t>(routine, dtype) : find<int32_t>(routine, dtype);
}

} // namespace npcc::rt::lapack
