// libcusolver for the fake driver: factors, solutions and eigenvalues of float64 (of general matrices, FakeGeneral.h,
// of complex128, too), on the stream and in the stream's order. It is for what a program sees of matrices without a
// result, so it says of matrices that are not finite what cuSOLVER says of many: that they are not positive definite,
// singular, or do not converge. All else it refuses.
#include "FakeCuda.h"
#include "FakeGeneral.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

constexpr int success = 0, failed = 6, refused = 7, float64 = 1, complex128 = 5;
void *stream = nullptr;

struct Matrix {
  double *data;
  int64_t n;
  double &operator()(int64_t i, int64_t j) const { return data[j * n + i]; }
};

int factor(Matrix a) {
  for (int64_t j = 0; j < a.n; ++j) {
    double pivot = a(j, j);
    for (int64_t k = 0; k < j; ++k)
      pivot -= a(j, k) * a(j, k);
    if (!(pivot > 0) || std::isinf(pivot))
      return int(j + 1);
    a(j, j) = std::sqrt(pivot);
    for (int64_t i = j + 1; i < a.n; ++i) {
      for (int64_t k = 0; k < j; ++k)
        a(i, j) -= a(i, k) * a(j, k);
      a(i, j) /= a(j, j);
    }
  }
  return 0;
}

int factorLu(Matrix a, int64_t *pivots) {
  int info = 0;
  for (int64_t j = 0; j < a.n; ++j) {
    int64_t pivot = j;
    for (int64_t i = j + 1; i < a.n; ++i)
      if (std::abs(a(i, j)) > std::abs(a(pivot, j)))
        pivot = i;
    pivots[j] = pivot + 1;
    for (int64_t k = 0; k < a.n; ++k)
      std::swap(a(j, k), a(pivot, k));
    if (!info && (a(j, j) == 0 || std::isnan(a(j, j))))
      info = int(j + 1);
    for (int64_t i = j + 1; i < a.n && a(j, j) != 0; ++i) {
      a(i, j) /= a(j, j);
      for (int64_t k = j + 1; k < a.n; ++k)
        a(i, k) -= a(i, j) * a(j, k);
    }
  }
  return info;
}

void solve(Matrix a, const int64_t *pivots, double *x) {
  for (int64_t j = 0; j < a.n; ++j)
    std::swap(x[j], x[pivots[j] - 1]);
  for (int64_t j = 0; j < a.n; ++j)
    for (int64_t i = j + 1; i < a.n; ++i)
      x[i] -= a(i, j) * x[j];
  for (int64_t j = a.n - 1; j >= 0; --j) {
    x[j] /= a(j, j);
    for (int64_t i = 0; i < j; ++i)
      x[i] -= a(i, j) * x[j];
  }
}

/// Jacobi's method.
int diagonalise(Matrix a, bool isUpper, double *values) {
  int64_t n = a.n;
  std::vector<double> all(n * n), vectors(n * n);
  Matrix s{all.data(), n}, v{vectors.data(), n};
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      s(i, j) = (i >= j) != isUpper || i == j ? a(i, j) : a(j, i);
      v(i, j) = i == j;
      if (!std::isfinite(s(i, j)))
        return 1;
    }
  for (int sweep = 0; sweep < 30; ++sweep)
    for (int64_t p = 0; p < n; ++p)
      for (int64_t q = p + 1; q < n; ++q) {
        if (std::abs(s(p, q)) < 1e-300)
          continue;
        double angle = std::atan2(2 * s(p, q), s(q, q) - s(p, p)) / 2, c = std::cos(angle), t = std::sin(angle);
        auto turn = [&](double &x, double &y) { std::tie(x, y) = std::pair(c * x - t * y, t * x + c * y); };
        for (int64_t k = 0; k < n; ++k)
          turn(s(k, p), s(k, q));
        for (int64_t k = 0; k < n; ++k)
          turn(s(p, k), s(q, k));
        for (int64_t k = 0; k < n; ++k)
          turn(v(k, p), v(k, q));
      }
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t i, int64_t j) { return s(i, i) < s(j, j); });
  for (int64_t j = 0; j < n; ++j) {
    values[j] = s(order[j], order[j]);
    for (int64_t i = 0; i < n; ++i)
      a(i, j) = v(i, order[j]);
  }
  return 0;
}

template <typename T> T *at(T *address, int device) {
  return static_cast<T *>(fake::reach(const_cast<std::remove_const_t<T> *>(address), device));
}

int run(int type, std::function<void(int)> work) {
  if (type != float64)
    return refused;
  return fake::enqueue(stream, std::move(work)) ? success : failed;
}

int noWork(size_t *device, size_t *host) {
  *device = *host = 0;
  return success;
}

} // namespace

#define REFUSED(name)                                                                                                  \
  int name() { return refused; }

extern "C" {

int cusolverDnCreate(void **handle) { return *handle = &stream, success; }
int cusolverDnSetStream(void *, void *given) { return stream = given, success; }
int cusolverDnCreateParams(void **parameters) { return *parameters = &stream, success; }
int cusolverDnCreateGesvdjInfo(void **settings) { return *settings = &stream, success; }

int cusolverDnXpotrf_bufferSize(void *, void *, int, int64_t, int, const void *, int64_t, int, size_t *device,
                                size_t *host) {
  return noWork(device, host);
}
int cusolverDnXpotrf(void *, void *, int, int64_t n, int type, double *a, int64_t, int, void *, size_t, void *, size_t,
                     int *info) {
  return run(type, [=](int device) { *at(info, device) = factor({at(a, device), n}); });
}
int cusolverDnDpotrfBatched(void *, int, int n, double **matrices, int, int *infos, int count) {
  return run(float64, [=](int device) {
    for (int k = 0; k < count; ++k)
      at(infos, device)[k] = factor({at(at(matrices, device)[k], device), n});
  });
}
int cusolverDnXgetrf_bufferSize(void *, void *, int64_t, int64_t, int, const void *, int64_t, int, size_t *device,
                                size_t *host) {
  return noWork(device, host);
}
int cusolverDnXgetrf(void *, void *, int64_t, int64_t n, int type, double *a, int64_t, int64_t *pivots, int, void *,
                     size_t, void *, size_t, int *info) {
  return run(type, [=](int device) { *at(info, device) = factorLu({at(a, device), n}, at(pivots, device)); });
}
int cusolverDnXgetrs(void *, void *, int, int64_t n, int64_t columns, int type, double *a, int64_t,
                     const int64_t *pivots, int, double *b, int64_t, int *) {
  return run(type, [=](int device) {
    for (int64_t k = 0; k < columns; ++k)
      solve({at(a, device), n}, at(pivots, device), at(b, device) + k * n);
  });
}
int cusolverDnXsyevd_bufferSize(void *, void *, int, int, int64_t, int, const void *, int64_t, int, const void *, int,
                                size_t *device, size_t *host) {
  return noWork(device, host);
}
int cusolverDnXsyevd(void *, void *, int, int uplo, int64_t n, int type, double *a, int64_t, int, double *values, int,
                     void *, size_t, void *, size_t, int *info) {
  return run(type,
             [=](int device) { *at(info, device) = diagonalise({at(a, device), n}, uplo == 1, at(values, device)); });
}
int cusolverDnXgeev_bufferSize(void *, void *, int, int, int64_t, int, const void *, int64_t, int, const void *, int,
                               const void *, int64_t, int, const void *, int64_t, int, size_t *device, size_t *host) {
  return noWork(device, host);
}
/// Eigenvalues are complex, vectors on the right alone, and of the matrix's type: of real matrices two columns for a
/// pair.
int cusolverDnXgeev(void *, void *, int left, int right, int64_t n, int type, void *a, int64_t, int valueType,
                    std::complex<double> *values, int, void *, int64_t, int vectorType, void *vectors, int64_t, int,
                    void *, size_t, void *, size_t, int *info) {
  if ((type != float64 && type != complex128) || valueType != complex128 || vectorType != type || left)
    return refused;
  return run(float64, [=](int device) {
    char *columns = right ? at(static_cast<char *>(vectors), device) : nullptr;
    *at(info, device) =
        fake::findGeneral(at(static_cast<char *>(a), device), type == float64, n, at(values, device), columns);
  });
}

REFUSED(cusolverDnXgeqrf_bufferSize)
REFUSED(cusolverDnXgeqrf)
REFUSED(cusolverDnXgesvd_bufferSize)
REFUSED(cusolverDnXgesvd)
REFUSED(cusolverDnSorgqr_bufferSize)
REFUSED(cusolverDnSorgqr)
REFUSED(cusolverDnDorgqr_bufferSize)
REFUSED(cusolverDnDorgqr)
REFUSED(cusolverDnCungqr_bufferSize)
REFUSED(cusolverDnCungqr)
REFUSED(cusolverDnZungqr_bufferSize)
REFUSED(cusolverDnZungqr)
REFUSED(cusolverDnSpotrfBatched)
REFUSED(cusolverDnCpotrfBatched)
REFUSED(cusolverDnZpotrfBatched)
REFUSED(cusolverDnSgesvdjBatched_bufferSize)
REFUSED(cusolverDnDgesvdjBatched_bufferSize)
REFUSED(cusolverDnSgesvdjBatched)
REFUSED(cusolverDnDgesvdjBatched)
}
