// Singular values and eigenvalues of small matrices: what they give when they are put together again, of all dtypes.
#include "Fixture.h"
#include "runtime/abi/routines.h"
#include <cmath>
#include <random>

namespace {

struct Call {
  const char *name;
  int32_t count;
  npcc_array operands[4];
  int64_t failed;
};
Call call;
void entry(void **) { call.failed = npcc_rt_routine(call.name, 0, call.count, call.operands); }

int64_t run(int32_t device, const char *name, std::vector<npcc_array> operands) {
  call = {name, int32_t(operands.size()), {}, -1};
  std::copy(operands.begin(), operands.end(), call.operands);
  TestFunction function({}, {});
  CHECK_OK(function.variant(targetOf(device), entry).call(device, {}));
  return call.failed;
}

template <typename T> struct RealOf {
  using type = T;
};
template <typename R> struct RealOf<std::complex<R>> {
  using type = R;
};

template <typename T> T conjugate(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return x;
  else
    return std::conj(x);
}

template <typename T> std::vector<T> randomNumbers(int64_t count) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<T> values(count);
  for (T &value : values) {
    value = T(uniform(engine));
    if constexpr (!std::is_floating_point_v<T>)
      value += T(0, uniform(engine));
  }
  return values;
}

template <typename T> void testSingular(int32_t device, int64_t m, int64_t n) {
  using Real = typename RealOf<T>::type;
  constexpr int64_t count = 5;
  int64_t few = std::min(m, n);
  double bound = 50 * double(m + n) * (sizeof(Real) == 4 ? 6e-8 : 1.1e-16);
  std::vector<T> values = randomNumbers<T>(count * m * n);
  OwnedArray a(device, dtypeOf<T>(), {count, n, m}), u(device, dtypeOf<T>(), {count, few, m}),
      s(device, dtypeOf<Real>(), {count, few}), v(device, dtypeOf<T>(), {count, n, few});
  fill(a.array, values);
  CHECK(run(device, "svd", {a.array, u.array, s.array, v.array}) == 0);
  std::vector<T> left = fetch<T>(u.array), right = fetch<T>(v.array);
  std::vector<Real> lengths = fetch<Real>(s.array);
  double worst = 0;
  for (int64_t k = 0; k < count; ++k)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        T sum = 0;
        for (int64_t l = 0; l < few; ++l)
          sum += left[(k * few + l) * m + i] * lengths[k * few + l] * right[(k * n + j) * few + l];
        worst = std::max(worst, double(std::abs(sum - values[(k * n + j) * m + i])));
      }
  CHECK(worst <= bound);

  OwnedArray alone(device, dtypeOf<Real>(), {count, few});
  fill(a.array, values);
  CHECK(run(device, "svdvals", {a.array, alone.array}) == 0);
  std::vector<Real> others = fetch<Real>(alone.array);
  for (size_t k = 0; k < others.size(); ++k)
    CHECK(std::abs(double(others[k] - lengths[k])) <= bound);
}

template <typename T> void testHermitian(int32_t device, int64_t n, int64_t count) {
  using Real = typename RealOf<T>::type;
  double bound = 50 * double(n) * (sizeof(Real) == 4 ? 6e-8 : 1.1e-16);
  std::vector<T> values = randomNumbers<T>(count * n * n);
  OwnedArray a(device, dtypeOf<T>(), {count, n, n}), w(device, dtypeOf<Real>(), {count, n});
  for (bool isUpper : {false, true}) {
    fill(a.array, values);
    CHECK(run(device, isUpper ? "eigh_upper" : "eigh", {a.array, w.array}) == 0);
    std::vector<T> vectors = fetch<T>(a.array);
    std::vector<Real> lengths = fetch<Real>(w.array);
    double worst = 0;
    for (int64_t k = 0; k < count; ++k)
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j <= i; ++j) {
          T sum = 0;
          for (int64_t l = 0; l < n; ++l)
            sum += vectors[(k * n + l) * n + i] * lengths[k * n + l] * conjugate(vectors[(k * n + l) * n + j]);
          T read = isUpper ? conjugate(values[(k * n + i) * n + j]) : values[(k * n + j) * n + i];
          worst = std::max(worst, double(std::abs(sum - (i == j ? T(std::real(read)) : read))));
        }
    CHECK(worst <= bound);
  }
}

template <typename T> void test(int32_t device) {
  for (int64_t n : {1, 2, 3, 7, 12}) {
    testSingular<T>(device, n, n);
    testSingular<T>(device, n + 4, n);
    testSingular<T>(device, n, n + 1);
    testHermitian<T>(device, n, 5);
  }
  // Of a few matrices each has a block of its own; of more than four for a multiprocessor, of which the fake driver's
  // GPU has four, a part of a warp.
  testHermitian<T>(device, 19, 2); // several warps
  for (int64_t n : {4, 7})
    testHermitian<T>(device, n, 17);
}

} // namespace

DEVICE_TEST(smallSpectra) {
  test<float>(device);
  test<double>(device);
  test<std::complex<float>>(device);
  test<std::complex<double>>(device);
}
