// The routines of Lapack.h where no library has them: plain loops, column by column.
#include "runtime/abi/dtypes.h"
#include "runtime/cpu/Lapack.h"
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

namespace npcc::rt {
namespace {

template <typename T>
T conjugate(T x) { return x; }
template <typename R>
std::complex<R> conjugate(std::complex<R> x) { return std::conj(x); }
template <typename T>
using RealOf = decltype(std::abs(T()));

template <typename T>
bool cholesky(const Matrices &matrices) {
  int64_t n = matrices.rows(0);
  T *a = matrices.data<T>(0);
  for (int64_t j = 0; j < n; ++j) {
    T *column = a + j * n;
    for (int64_t k = 0; k < j; ++k) {
      T factor = conjugate(a[j + k * n]);
      for (int64_t i = j; i < n; ++i)
        column[i] -= a[i + k * n] * factor;
    }
    RealOf<T> pivot = std::real(column[j]);
    if (!(pivot > 0))
      return false;
    pivot = std::sqrt(pivot);
    column[j] = pivot;
    for (int64_t i = j + 1; i < n; ++i)
      column[i] /= pivot;
  }
  return true;
}

/// Partial pivoting; `b` has `columns` columns whose rows are exchanged and eliminated along. False: singular.
template <typename T>
bool eliminate(T *a, int64_t n, T *b, int64_t columns, bool &odd) {
  bool regular = true;
  auto size = [](T x) { return std::abs(std::real(x)) + std::abs(std::imag(x)); };
  for (int64_t j = 0; j < n; ++j) {
    int64_t pivot = j;
    for (int64_t i = j + 1; i < n; ++i)
      if (size(a[i + j * n]) > size(a[pivot + j * n]))
        pivot = i;
    if (a[pivot + j * n] == T(0)) {
      regular = false;
      continue;
    }
    if (pivot != j) {
      odd = !odd;
      for (int64_t k = 0; k < n; ++k)
        std::swap(a[j + k * n], a[pivot + k * n]);
      for (int64_t k = 0; k < columns; ++k)
        std::swap(b[j + k * n], b[pivot + k * n]);
    }
    for (int64_t i = j + 1; i < n; ++i)
      a[i + j * n] /= a[j + j * n];
    auto update = [&](T *column) {
      for (int64_t i = j + 1; i < n; ++i)
        column[i] -= a[i + j * n] * column[j];
    };
    for (int64_t k = j + 1; k < n; ++k)
      update(a + k * n);
    for (int64_t k = 0; k < columns; ++k)
      update(b + k * n);
  }
  return regular;
}

template <typename T>
bool lu(const Matrices &matrices) {
  bool odd = false;
  eliminate(matrices.data<T>(0), matrices.rows(0), static_cast<T *>(nullptr), 0, odd);
  *matrices.data<T>(1) = odd ? T(-1) : T(1);
  return true;
}

template <typename T>
bool solve(const Matrices &matrices) {
  int64_t n = matrices.rows(0);
  T *a = matrices.data<T>(0), *b = matrices.data<T>(1);
  bool odd = false;
  if (!eliminate(a, n, b, matrices.columns(1), odd))
    return false;
  for (int64_t k = 0; k < matrices.columns(1); ++k) {
    T *x = b + k * n;
    for (int64_t j = n; j-- > 0;) {
      x[j] /= a[j + j * n];
      for (int64_t i = 0; i < j; ++i)
        x[i] -= a[i + j * n] * x[j];
    }
  }
  return true;
}

/// Jacobi's method: rotations of two columns and rows until what is off the diagonal is gone (Golub and Van Loan, Matrix Computations, 8.5).
template <typename T, bool isUpper>
bool eigh(const Matrices &matrices) {
  using R = RealOf<T>;
  int64_t n = matrices.rows(0);
  T *stored = matrices.data<T>(0);
  R *values = matrices.data<R>(1);
  std::vector<T> a(n * n), v(n * n, T(0));
  for (int64_t j = 0; j < n; ++j) {
    v[j + j * n] = T(1);
    for (int64_t i = j; i < n; ++i) {
      a[i + j * n] = i == j ? T(std::real(stored[i + j * n])) : isUpper ? conjugate(stored[j + i * n]) : stored[i + j * n];
      a[j + i * n] = conjugate(a[i + j * n]);
    }
  }
  R total = 0;
  for (const T &x : a)
    total += std::norm(x);
  bool done = false;
  for (int sweep = 0; sweep < 60 && !done; ++sweep) {
    R off = 0;
    for (int64_t q = 0; q < n; ++q)
      for (int64_t p = 0; p < q; ++p) {
        T &apq = a[p + q * n];
        R size = std::abs(apq);
        off += size * size;
        if (size == 0)
          continue;
        T phase = apq / size;
        R theta = (std::real(a[q + q * n]) - std::real(a[p + p * n])) / (2 * size);
        R t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        R c = 1 / std::sqrt(t * t + 1), s = t * c;
        auto rotate = [&](T &x, T &y, T turn) {
          T before = x;
          x = c * before - s * conjugate(turn) * y;
          y = s * turn * before + c * y;
        };
        for (int64_t k = 0; k < n; ++k) {
          rotate(a[k + p * n], a[k + q * n], phase);
          rotate(v[k + p * n], v[k + q * n], phase);
        }
        for (int64_t k = 0; k < n; ++k)
          rotate(a[p + k * n], a[q + k * n], conjugate(phase));
      }
    done = off <= total * std::numeric_limits<R>::epsilon() * std::numeric_limits<R>::epsilon();
  }
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t i, int64_t j) { return std::real(a[i + i * n]) < std::real(a[j + j * n]); });
  for (int64_t j = 0; j < n; ++j) {
    values[j] = std::real(a[order[j] * (n + 1)]);
    std::copy_n(v.begin() + order[j] * n, n, stored + j * n);
  }
  return done;
}

template <typename T>
LapackRoutine find(const char *routine) {
  if (!strcmp(routine, "cholesky"))
    return cholesky<T>;
  if (!strcmp(routine, "lu"))
    return lu<T>;
  if (!strcmp(routine, "solve"))
    return solve<T>;
  if (!strcmp(routine, "eigh_upper") || !strcmp(routine, "eigvalsh_upper"))
    return eigh<T, true>;
  return !strcmp(routine, "eigh") || !strcmp(routine, "eigvalsh") ? eigh<T, false> : nullptr;
}

} // namespace

LapackRoutine findOwnRoutine(const char *routine, int32_t dtype) {
  switch (dtype) {
  case NPCC_FLOAT32: return find<float>(routine);
  case NPCC_FLOAT64: return find<double>(routine);
  case NPCC_COMPLEX64: return find<std::complex<float>>(routine);
  case NPCC_COMPLEX128: return find<std::complex<double>>(routine);
  default: return nullptr;
  }
}

} // namespace npcc::rt
