// LAPACK's entry points in the library that serves (cpu/Blas.h): Fortran's, with all arguments by address.
#ifndef NPCC_RUNTIME_CPU_LAPACKCALLS_H
#define NPCC_RUNTIME_CPU_LAPACKCALLS_H

#include "runtime/abi/dtypes.h"
#include "runtime/cpu/Lapack.h"
#include <algorithm>
#include <complex>
#include <cstddef>
#include <vector>

namespace npcc::rt::lapack {

template <typename T> struct Real {
  using type = T;
  static constexpr bool isComplex = false;
};
template <typename R> struct Real<std::complex<R>> {
  using type = R;
  static constexpr bool isComplex = true;
};
template <typename T> using RealOf = typename Real<T>::type;

template <typename T>
constexpr int32_t dtypeOf = Real<T>::isComplex ? (sizeof(T) == 8 ? NPCC_COMPLEX64 : NPCC_COMPLEX128)
                                               : (sizeof(T) == 4 ? NPCC_FLOAT32 : NPCC_FLOAT64);

enum Entry { potrf, getrf, getrs, gesv, eigh, geev, geqrf, orgqr, gesdd, trtrs, entries };
/// Null where the library lacks it.
void *addressOf(Entry entry, int32_t dtype);

template <Entry entry, typename T, typename... Arguments> void call(Arguments... arguments) {
  reinterpret_cast<void (*)(Arguments...)>(addressOf(entry, dtypeOf<T>))(arguments...);
}

/// The length of a Fortran string of one letter, which comes after all arguments.
constexpr size_t letter = 1;

/// Leading dimensions are at least 1.
template <typename Int> Int leading(int64_t rows) { return Int(std::max<int64_t>(rows, 1)); }

/// Calls run(work, size) twice: with a size of -1 for the size that it wants, and with as much.
template <typename Int, typename T, typename Run> void withWork(Run &&run) {
  T wanted{};
  Int size = -1;
  run(&wanted, &size);
  size = std::max<Int>(1, Int(std::real(wanted)));
  std::vector<T> work(size);
  run(work.data(), &size);
}

/// qr_raw, qr, svd, svdvals, eig and eigvals; null for other names.
LapackRoutine findFactors(const char *routine, int32_t dtype, bool isWide);

} // namespace npcc::rt::lapack

#endif
