#include "runtime/cpu/Blas.h"
#include "runtime/SpinLock.h"
#include "runtime/abi/dtypes.h"
#include "runtime/cpu/ThreadPool.h"
#include <algorithm>
#include <atomic>
#include <climits>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <initializer_list>
#include <link.h>
#include <mutex>
#include <optional>
#include <vector>

namespace npcc::rt {
namespace {

constexpr int columnMajor = 102, noTranspose = 111, transposed = 112, lower = 122;

/// The real types take alpha and beta by value, the complex ones by address.
template <typename Int, typename T>
struct Real {
  using Gemm = void (*)(int, int, int, Int, Int, Int, T, const void *, Int, const void *, Int, T, void *, Int);
  using Gemv = void (*)(int, int, Int, Int, T, const void *, Int, const void *, Int, T, void *, Int);
  using Syrk = void (*)(int, int, int, Int, Int, T, const void *, Int, T, void *, Int);
  using Element = T;
  static T factor(double value) { return static_cast<T>(value); }
};

template <typename Int, typename T>
struct Complex {
  using Gemm = void (*)(int, int, int, Int, Int, Int, const void *, const void *, Int, const void *, Int, const void *,
                        void *, Int);
  using Gemv = void (*)(int, int, Int, Int, const void *, const void *, Int, const void *, Int, const void *, void *,
                        Int);
  using Syrk = void (*)(int, int, int, Int, Int, const void *, const void *, Int, const void *, void *, Int);
  using Element = std::complex<T>;
  /// Products of complex numbers have no factors but 1 and 0.
  static const void *factor(double value) {
    static const T one[2] = {1, 0}, zero[2] = {0, 0};
    return value == 0 ? zero : one;
  }
};

/// x @ x.T: half of the sums, and the others are those. NumPy does the same.
bool isOfOneMatrix(const Gemm &g) { return g.a == g.b && g.lda == g.ldb && g.m == g.n && g.transposeA != g.transposeB; }

template <typename T>
void mirrorLower(T *c, int64_t n, int64_t ldc) {
  constexpr int64_t tile = 32;
  for (int64_t column = 0; column < n; column += tile)
    for (int64_t row = column; row < n; row += tile)
      for (int64_t j = column; j < std::min(column + tile, n); ++j)
        for (int64_t i = std::max(row, j + 1); i < std::min(row + tile, n); ++i)
          c[j + i * ldc] = c[i + j * ldc];
}

template <typename Int, typename Kind>
void call(void *gemm, void *gemv, void *syrk, const BlasProduct &plan) {
  auto alpha = Kind::factor(plan.alpha), beta = Kind::factor(plan.beta);
  if (plan.isVector) {
    const Gemv &v = plan.gemv;
    reinterpret_cast<typename Kind::Gemv>(gemv)(columnMajor, v.transpose ? transposed : noTranspose, Int(v.rows),
                                                Int(v.columns), alpha, v.a, Int(v.lda), v.x, Int(v.incX),
                                                beta, v.y, Int(v.incY));
    return;
  }
  const Gemm &g = plan.gemm;
  if (syrk && plan.beta == 0 && isOfOneMatrix(g)) { // what is added to need not be symmetric
    reinterpret_cast<typename Kind::Syrk>(syrk)(columnMajor, lower, g.transposeA ? transposed : noTranspose, Int(g.n), Int(g.k), alpha,
                                                g.a, Int(g.lda), beta, g.c, Int(g.ldc));
    mirrorLower(static_cast<typename Kind::Element *>(g.c), g.n, g.ldc);
    return;
  }
  reinterpret_cast<typename Kind::Gemm>(gemm)(columnMajor, g.transposeA ? transposed : noTranspose,
                                              g.transposeB ? transposed : noTranspose, Int(g.m), Int(g.n), Int(g.k),
                                              alpha, g.a, Int(g.lda), g.b, Int(g.ldb), beta, g.c,
                                              Int(g.ldc));
}

template <typename Int>
void callTyped(int32_t dtype, void *gemm, void *gemv, void *syrk, const BlasProduct &plan) {
  switch (dtype) {
  case NPCC_FLOAT32: return call<Int, Real<Int, float>>(gemm, gemv, syrk, plan);
  case NPCC_FLOAT64: return call<Int, Real<Int, double>>(gemm, gemv, syrk, plan);
  case NPCC_COMPLEX64: return call<Int, Complex<Int, float>>(gemm, gemv, syrk, plan);
  default: return call<Int, Complex<Int, double>>(gemm, gemv, syrk, plan);
  }
}

/// OpenBLAS gives smaller products to no other thread.
bool mayTakeThreads(const BlasProduct &plan) {
  constexpr double leastOfVector = 9216, least = 1 << 16; // multiplications
  const Gemm &g = plan.gemm;
  return plan.isVector ? double(plan.gemv.rows) * plan.gemv.columns > leastOfVector : double(g.m) * g.n * g.k > least;
}

bool fitsNarrow(const BlasProduct &plan) {
  auto fits = [](std::initializer_list<int64_t> values) {
    for (int64_t value : values)
      if (value > INT_MAX)
        return false;
    return true;
  };
  const Gemm &g = plan.gemm;
  const Gemv &v = plan.gemv;
  return plan.isVector ? fits({v.rows, v.columns, v.lda, v.incX, v.incY}) : fits({g.m, g.n, g.k, g.lda, g.ldb, g.ldc});
}

/// Files in this process whose name says OpenBLAS: NumPy's wheel calls it libscipy_openblas64_-<hash>.so.
std::vector<std::string> loadedOpenBlas() {
  std::vector<std::string> files;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *argument) {
        const char *name = strrchr(info->dlpi_name, '/');
        if (name && strstr(name, "openblas"))
          static_cast<std::vector<std::string> *>(argument)->push_back(info->dlpi_name);
        return 0;
      },
      &files);
  return files;
}

} // namespace

bool Blas::load(void *opened, const std::string &file) {
  library = opened;
  // OpenBLAS builds rename their symbols to tell the integer size; the wheels of SciPy and NumPy add a prefix too.
  struct Naming {
    const char *prefix, *suffix;
    bool wide;
  };
  static const Naming namings[] = {
      {"cblas_", "", false}, {"scipy_cblas_", "", false}, {"cblas_", "64_", true}, {"scipy_cblas_", "64_", true}};
  for (const Naming &naming : namings) {
    const char *letters = "sdcz";
    bool complete = true;
    for (int type = 0; type < 4; ++type) {
      std::string stem = std::string(naming.prefix) + letters[type];
      gemm[type] = dlsym(library, (stem + "gemm" + naming.suffix).c_str());
      gemv[type] = dlsym(library, (stem + "gemv" + naming.suffix).c_str());
      syrk[type] = dlsym(library, (stem + "syrk" + naming.suffix).c_str()); // not needed
      complete = complete && gemm[type] && gemv[type];
    }
    if (!complete)
      continue;
    wide = naming.wide;
    prefix = std::string(naming.prefix, strstr(naming.prefix, "cblas_"));
    suffix = naming.suffix;
    // Some distributions build 64-bit integers under the plain names; OpenBLAS then says so itself.
    if (auto config = reinterpret_cast<const char *(*)()>(dlsym(library, "openblas_get_config")); config && !wide)
      wide = strstr(config(), "USE64BITINT") != nullptr;
    auto find = [&](const char *name) { return dlsym(library, (prefix + name + suffix).c_str()); };
    setThreads = reinterpret_cast<void (*)(int)>(find("openblas_set_num_threads"));
    getThreads = reinterpret_cast<int (*)()>(find("openblas_get_num_threads"));
    text = fmt::format("{} ({}dgemm{}, {}-bit)", file, naming.prefix, naming.suffix, wide ? 64 : 32);
    return true;
  }
  return false;
}

const Blas *Blas::get() {
  static const Blas *const blas = []() -> const Blas * {
    auto *candidate = new Blas;
    auto open = [&](const std::string &file, int flags) {
      void *library = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL | flags);
      if (library && candidate->load(library, file))
        return true;
      if (library)
        dlclose(library);
      return false;
    };
    const char *wanted = getenv("NPCC_BLAS");
    if (wanted && *wanted) {
      if (open(wanted, 0))
        return candidate;
    } else {
      for (const std::string &file : loadedOpenBlas())
        if (open(file, RTLD_NOLOAD))
          return candidate;
      for (const char *file : {"libopenblas.so.0", "libblas.so.3"})
        if (open(file, 0))
          return candidate;
    }
    delete candidate;
    return nullptr;
  }();
  return blas;
}

void *Blas::findFortran(const char *name) const { return dlsym(library, (prefix + name + "_" + suffix).c_str()); }

bool Blas::isSymmetric(int32_t dtype, const Gemm &gemm) const { return syrk[dtype - NPCC_FLOAT32] && isOfOneMatrix(gemm); }

void Blas::mirror(int32_t dtype, const Gemm &g) const {
  switch (dtype) {
  case NPCC_FLOAT32: return mirrorLower(static_cast<float *>(g.c), g.n, g.ldc);
  case NPCC_FLOAT64: return mirrorLower(static_cast<double *>(g.c), g.n, g.ldc);
  case NPCC_COMPLEX64: return mirrorLower(static_cast<std::complex<float> *>(g.c), g.n, g.ldc);
  default: return mirrorLower(static_cast<std::complex<double> *>(g.c), g.n, g.ldc);
  }
}

// The number belongs to the library, not to a thread: the first one in sets it, the last one out sets it back.
static SpinLock threadsLock;
static std::atomic<int> callers = 0; // written under the lock
static int threadsBefore = 0;

Blas::OneThread::OneThread(const Blas &blas) : blas(blas) {
  std::lock_guard<SpinLock> guard(threadsLock);
  if (callers++)
    return;
  threadsBefore = blas.getThreads();
  if (threadsBefore != 1)
    blas.setThreads(1);
}

Blas::OneThread::~OneThread() {
  std::lock_guard<SpinLock> guard(threadsLock);
  if (--callers == 0 && threadsBefore != 1)
    blas.setThreads(threadsBefore);
}

bool Blas::multiply(int32_t dtype, const BlasProduct &plan) const {
  if (!wide && !fitsNarrow(plan))
    return false;
  int type = dtype - NPCC_FLOAT32;
  std::optional<ThreadPool::Rest> rest;
  // Where it may not use its own, the pool's threads are what computes.
  if (callers.load(std::memory_order_relaxed) == 0 && mayTakeThreads(plan))
    rest.emplace();
  if (wide)
    callTyped<int64_t>(dtype, gemm[type], gemv[type], syrk[type], plan);
  else
    callTyped<int32_t>(dtype, gemm[type], gemv[type], syrk[type], plan);
  return true;
}

} // namespace npcc::rt

const char *npcc_rt_blas_description(void) {
  const npcc::rt::Blas *blas = npcc::rt::Blas::get();
  return blas ? blas->description().c_str() : "";
}
