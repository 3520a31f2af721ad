#include "runtime/cpu/Lapack.h"
#include "runtime/cpu/Blas.h"
#include <algorithm>
#include <complex>
#include <cstring>
#include <string>
#include <vector>

namespace npcc::rt {
namespace {

template <typename T>
struct Real {
  using type = T;
  static constexpr bool isComplex = false;
};
template <typename R>
struct Real<std::complex<R>> {
  using type = R;
  static constexpr bool isComplex = true;
};

/// Fortran's entry points of one dtype, found once; all arguments by address.
enum Entry { potrf, getrf, gesv, eigh, entries };
void *addressOf(Entry entry, int32_t dtype) {
  static void *const *const table = [] {
    static void *found[entries][4] = {};
    const Blas *blas = Blas::get();
    const char *const names[entries][4] = {{"spotrf", "dpotrf", "cpotrf", "zpotrf"},
                                           {"sgetrf", "dgetrf", "cgetrf", "zgetrf"},
                                           {"sgesv", "dgesv", "cgesv", "zgesv"},
                                           {"ssyevd", "dsyevd", "cheevd", "zheevd"}};
    for (int k = 0; k < entries; ++k)
      for (int type = 0; type < 4; ++type)
        found[k][type] = blas ? blas->findFortran(names[k][type]) : nullptr;
    return &found[0][0];
  }();
  return table[entry * 4 + dtype - NPCC_FLOAT32];
}

template <Entry entry, typename... Arguments>
void call(int32_t dtype, Arguments... arguments) {
  reinterpret_cast<void (*)(Arguments...)>(addressOf(entry, dtype))(arguments...);
}

template <typename T>
constexpr int32_t dtypeOf = Real<T>::isComplex ? (sizeof(T) == 8 ? NPCC_COMPLEX64 : NPCC_COMPLEX128)
                                               : (sizeof(T) == 4 ? NPCC_FLOAT32 : NPCC_FLOAT64);

template <typename Int, typename T>
bool cholesky(const MatrixOperands &matrices) {
  Int n = Int(matrices.n), info = 0;
  call<potrf>(dtypeOf<T>, "L", &n, matrices.data[0], &n, &info, size_t(1));
  return info == 0;
}

template <typename Int, typename T>
bool lu(const MatrixOperands &matrices) {
  Int n = Int(matrices.n), info = 0;
  std::vector<Int> pivots(n);
  call<getrf>(dtypeOf<T>, &n, &n, matrices.data[0], &n, pivots.data(), &info);
  bool odd = false;
  for (Int k = 0; k < n; ++k)
    odd ^= pivots[k] != k + 1;
  *static_cast<T *>(matrices.data[1]) = odd ? T(-1) : T(1);
  return info >= 0;
}

template <typename Int, typename T>
bool solve(const MatrixOperands &matrices) {
  Int n = Int(matrices.n), columns = Int(matrices.columns), info = 0;
  std::vector<Int> pivots(n);
  call<gesv>(dtypeOf<T>, &n, &columns, matrices.data[0], &n, pivots.data(), matrices.data[1], &n, &info);
  return info == 0;
}

template <typename Int, typename T, bool vectors>
bool eigen(const MatrixOperands &matrices) {
  using R = typename Real<T>::type;
  const char *job = vectors ? "V" : "N";
  Int n = Int(matrices.n), info = 0, size = -1, realSize = -1, integerSize = -1, wantedInteger = 0;
  T wanted{};
  R wantedReal{};
  std::vector<T> work;
  std::vector<R> realWork;
  std::vector<Int> integerWork;
  auto run = [&](T *w, R *r, Int *i) {
    if constexpr (Real<T>::isComplex)
      call<eigh>(dtypeOf<T>, job, "L", &n, matrices.data[0], &n, matrices.data[1], w, &size, r, &realSize, i, &integerSize, &info, size_t(1), size_t(1));
    else
      call<eigh>(dtypeOf<T>, job, "L", &n, matrices.data[0], &n, matrices.data[1], w, &size, i, &integerSize, &info, size_t(1), size_t(1));
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
    return eigen<Int, T, true>;
  if (is("eigvalsh", eigh))
    return eigen<Int, T, false>;
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
  if (const Blas *blas = Blas::get())
    if (LapackRoutine found = blas->isWide() ? find<int64_t>(routine, dtype) : find<int32_t>(routine, dtype))
      return found;
  return findOwnRoutine(routine, dtype);
}

} // namespace npcc::rt
