#include "runtime/cpu/Lapack.h"
#include "runtime/cpu/Blas.h"
#include "runtime/cpu/LapackCalls.h"
#include "runtime/cpu/ThreadPool.h"
#include <cstring>
#include <optional>

namespace npcc::rt {

void *lapack::addressOf(Entry entry, int32_t dtype) {
  static void *const *const table = [] {
    static void *found[entries][4] = {};
    const Blas *blas = Blas::get();
    const char *const names[entries][4] = {{"spotrf", "dpotrf", "cpotrf", "zpotrf"}, {"sgetrf", "dgetrf", "cgetrf", "zgetrf"},
                                           {"sgetrs", "dgetrs", "cgetrs", "zgetrs"},
                                           {"sgesv", "dgesv", "cgesv", "zgesv"},     {"ssyevd", "dsyevd", "cheevd", "zheevd"},
                                           {"sgeev", "dgeev", "cgeev", "zgeev"},     {"sgeqrf", "dgeqrf", "cgeqrf", "zgeqrf"},
                                           {"sorgqr", "dorgqr", "cungqr", "zungqr"}, {"sgesdd", "dgesdd", "cgesdd", "zgesdd"},
                                           {"strtrs", "dtrtrs", "ctrtrs", "ztrtrs"}};
    for (int k = 0; k < entries; ++k)
      for (int type = 0; type < 4; ++type)
        found[k][type] = blas ? blas->findFortran(names[k][type]) : nullptr;
    return &found[0][0];
  }();
  return table[entry * 4 + dtype - NPCC_FLOAT32];
}

namespace {
using namespace lapack;

template <typename Int, typename T>
bool cholesky(const Matrices &matrices) {
  Int n = Int(matrices.rows(0)), info = 0;
  if (n == 0)
    return true;
  call<potrf, T>("L", &n, matrices.of[0].data, &n, &info, letter);
  return info == 0;
}

template <typename Int, typename T>
bool lu(const Matrices &matrices) {
  Int n = Int(matrices.rows(0)), info = 0;
  if (n == 0)
    return true;
  std::vector<Int> pivots(n);
  call<getrf, T>(&n, &n, matrices.of[0].data, &n, pivots.data(), &info);
  bool odd = false;
  for (Int k = 0; k < n; ++k)
    odd ^= pivots[k] != k + 1;
  *static_cast<T *>(matrices.of[1].data) = odd ? T(-1) : T(1);
  // Singular, whatever else the matrix holds: the determinant is 0 although NaN may stand on the diagonal.
  for (Int k = 0; info > 0 && k < n; ++k)
    matrices.data<T>(0)[k * (n + 1)] = T(0);
  return info >= 0;
}

/// From so many rows on, LAPACK's factors take many times as long as a look at whether the matrix is triangular.
constexpr int64_t leastTriangle = 128;

/// 'L' or 'U' of a triangular matrix whose diagonal holds no zero, else 0. Most others are left after a few elements.
template <typename T>
char findTriangle(const T *a, int64_t n) {
  bool isLower = true, isUpper = true;
  for (int64_t column = 0; column < n; ++column) {
    const T *at = a + column * n;
    auto isZero = [](T x) { return x == T(0); };
    isLower = isLower && std::all_of(at, at + column, isZero);
    isUpper = isUpper && std::all_of(at + column + 1, at + n, isZero);
    if (at[column] == T(0) || !(isLower || isUpper))
      return 0;
  }
  return isLower ? 'L' : 'U';
}

// Columns of a part of a result, multiplications that are worth a part, and rows of a matrix that one thread
// factorises.
constexpr int64_t leastColumns = 16, leastPart = 1 << 18, mostOfOneThread = 512;

template <typename Int, typename T>
bool solve(const Matrices &matrices) {
  Int n = Int(matrices.rows(0)), columns = Int(matrices.columns(1)), info = 0;
  if (n == 0)
    return true;
  char triangle = n >= leastTriangle && addressOf(trtrs, dtypeOf<T>) ? findTriangle(matrices.data<T>(0), n) : 0;
  if (triangle) {
    call<trtrs, T>(&triangle, "N", "N", &n, &columns, matrices.of[0].data, &n, matrices.of[1].data, &n, &info, letter, letter, letter);
    return info == 0;
  }
  std::vector<Int> pivots(n);
  if (columns < 2 * leastColumns || !addressOf(getrs, dtypeOf<T>) || !Blas::get()->hasThreads()) {
    call<gesv, T>(&n, &columns, matrices.of[0].data, &n, pivots.data(), matrices.of[1].data, &n, &info);
    return info == 0;
  }
  // Factors as there, and the pool's threads take columns of the result.
  std::optional<Blas::OneThread> alone;
  if (n <= mostOfOneThread)
    alone.emplace(*Blas::get());
  call<getrf, T>(&n, &n, matrices.of[0].data, &n, pivots.data(), &info);
  if (info != 0)
    return false;
  if (!alone)
    alone.emplace(*Blas::get());
  int64_t grain = std::max<int64_t>(leastColumns, leastPart / (int64_t(n) * n));
  parallelLoop(columns, grain, [&](int64_t lo, int64_t hi) {
    Int count = Int(hi - lo), wrong = 0;
    T *right = matrices.data<T>(1) + lo * n;
    call<getrs, T>("N", &n, &count, matrices.of[0].data, &n, pivots.data(), right, &n, &wrong, letter);
  });
  return true;
}

template <typename Int, typename T, bool vectors, bool isUpper>
bool eigen(const Matrices &matrices) {
  using R = RealOf<T>;
  const char *job = vectors ? "V" : "N", *triangle = isUpper ? "U" : "L";
  Int n = Int(matrices.rows(0)), info = 0, size = -1, realSize = -1, integerSize = -1, wantedInteger = 0;
  if (n == 0)
    return true;
  T wanted{};
  R wantedReal{};
  std::vector<T> work;
  std::vector<R> realWork;
  std::vector<Int> integerWork;
  auto run = [&](T *w, R *r, Int *i) {
    if constexpr (Real<T>::isComplex)
      call<eigh, T>(job, triangle, &n, matrices.of[0].data, &n, matrices.of[1].data, w, &size, r, &realSize, i, &integerSize, &info, letter, letter);
    else
      call<eigh, T>(job, triangle, &n, matrices.of[0].data, &n, matrices.of[1].data, w, &size, i, &integerSize, &info, letter, letter);
  };
  run(&wanted, &wantedReal, &wantedInteger);
  size = std::max<Int>(1, Int(std::real(wanted)));
  realSize = std::max<Int>(1, Int(wantedReal));
  integerSize = std::max<Int>(1, wantedInteger);
  work.resize(size);
  realWork.resize(realSize);
  integerWork.resize(integerSize);
  run(work.data(), realWork.data(), integerWork.data());
  return info == 0;
}

template <typename T> struct Wide {
  using type = double;
};
template <> struct Wide<std::complex<float>> {
  using type = std::complex<double>;
};

/// Eigenvectors as NumPy has them: of single precision they are computed in double precision, whose signs may be others.
template <typename Int, typename T, bool isUpper> bool eigenvectors(const Matrices &matrices) {
  if constexpr (sizeof(RealOf<T>) == sizeof(double)) {
    return eigen<Int, T, true, isUpper>(matrices);
  } else {
    using W = typename Wide<T>::type;
    int64_t n = matrices.rows(0);
    T *a = matrices.data<T>(0);
    std::vector<W> vectors(a, a + n * n);
    std::vector<double> values(n);
    Matrices wide = matrices;
    wide.of[0].data = vectors.data();
    wide.of[1].data = values.data();
    if (!eigen<Int, W, true, isUpper>(wide))
      return false;
    std::transform(vectors.begin(), vectors.end(), a, [](W x) { return T(x); });
    std::transform(values.begin(), values.end(), matrices.data<RealOf<T>>(1), [](double x) { return RealOf<T>(x); });
    return true;
  }
}

template <typename Int, typename T>
LapackRoutine find(const char *routine) {
  auto is = [&](const char *name, Entry entry) { return !strcmp(routine, name) && addressOf(entry, dtypeOf<T>); };
  if (is("cholesky", potrf))
    return cholesky<Int, T>;
  if (is("lu", getrf))
    return lu<Int, T>;
  if (is("solve", gesv))
    return solve<Int, T>;
  if (is("eigh", eigh))
    return eigenvectors<Int, T, false>;
  if (is("eigh_upper", eigh))
    return eigenvectors<Int, T, true>;
  if (is("eigvalsh", eigh))
    return eigen<Int, T, false, false>;
  if (is("eigvalsh_upper", eigh))
    return eigen<Int, T, false, true>;
  return nullptr;
}

template <typename Int>
LapackRoutine find(const char *routine, int32_t dtype) {
  switch (dtype) {
  case NPCC_FLOAT32: return find<Int, float>(routine);
  case NPCC_FLOAT64: return find<Int, double>(routine);
  case NPCC_COMPLEX64: return find<Int, std::complex<float>>(routine);
  case NPCC_COMPLEX128: return find<Int, std::complex<double>>(routine);
  default: return nullptr;
  }
}

} // namespace

LapackRoutine findLapackRoutine(const char *routine, int32_t dtype) {
  if (const Blas *blas = Blas::get()) {
    if (LapackRoutine found = blas->isWide() ? find<int64_t>(routine, dtype) : find<int32_t>(routine, dtype))
      return found;
    if (LapackRoutine found = findFactors(routine, dtype, blas->isWide()))
      return found;
  }
  return findOwnRoutine(routine, dtype);
}

} // namespace npcc::rt
