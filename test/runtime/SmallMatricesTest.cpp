// Stacks of small matrices: what their factors and solutions give when they are put together again.
#include "Fixture.h"
#include "runtime/abi/routines.h"
#include <cmath>
#include <random>

namespace {

struct Call {
  const char *name;
  int32_t count;
  npcc_array operands[2];
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

template <typename T> T conjugate(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return x;
  else
    return std::conj(x);
}

template <typename T> std::vector<T> randomNumbers(int64_t count) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<T> values(count);
  for (T &value : values) {
    value = T(uniform(engine));
    if constexpr (!std::is_floating_point_v<T>)
      value += T(0, uniform(engine));
  }
  return values;
}

template <typename T> void test(int32_t device, int64_t n) {
  constexpr int64_t count = 37, columns = 3;
  double bound = 1e3 * double(n) * (sizeof(T) == 4 || std::is_same_v<T, std::complex<float>> ? 6e-8 : 1e-16);
  std::vector<T> values = randomNumbers<T>(count * n * n), right = randomNumbers<T>(count * columns * n);
  int32_t dtype = dtypeOf<T>();
  // Element (i, j) of matrix k.
  auto at = [n](std::vector<T> &all, int64_t k, int64_t i, int64_t j) -> T & { return all[(k * n + j) * n + i]; };

  OwnedArray a(device, dtype, {count, n, n}), b(device, dtype, {count, columns, n});
  fill(a.array, values);
  fill(b.array, right);
  CHECK(run(device, "solve", {a.array, b.array}) == 0);
  std::vector<T> solved = fetch<T>(b.array);
  double worst = 0, largest = 0;
  for (int64_t k = 0; k < count; ++k)
    for (int64_t column = 0; column < columns; ++column)
      for (int64_t i = 0; i < n; ++i) {
        T sum = 0;
        for (int64_t j = 0; j < n; ++j)
          sum += at(values, k, i, j) * solved[(k * columns + column) * n + j];
        for (int64_t j = 0; j < n; ++j)
          largest = std::max(largest, double(std::abs(solved[(k * columns + column) * n + j])));
        worst = std::max(worst, double(std::abs(sum - right[(k * columns + column) * n + i])));
      }
  CHECK(worst <= bound * std::max(largest, 1.0));

  // The determinant of L U, by the pivots, is that of the matrix, by expansion where that is short.
  OwnedArray parity(device, dtype, {count, 1});
  fill(a.array, values);
  CHECK(run(device, "lu", {a.array, parity.array}) == 0);
  std::vector<T> factors = fetch<T>(a.array), signs = fetch<T>(parity.array);
  for (int64_t k = 0; n <= 2 && k < count; ++k) {
    T product = signs[k];
    for (int64_t i = 0; i < n; ++i)
      product *= at(factors, k, i, i);
    T expected =
        n == 1 ? values[k] : at(values, k, 0, 0) * at(values, k, 1, 1) - at(values, k, 0, 1) * at(values, k, 1, 0);
    CHECK(double(std::abs(product - expected)) <= bound);
  }
  for (int64_t k = 0; k < count; ++k)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < i; ++j)
        CHECK(double(std::abs(at(factors, k, i, j))) <= 1.5); // 1 of the larger parts: pivots were exchanged

  // A A^H + n I is its factor's product; what is above the diagonal stays.
  std::vector<T> definite(values.size());
  for (int64_t k = 0; k < count; ++k)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        T sum = i == j ? T(float(n)) : T(0);
        for (int64_t l = 0; l < n; ++l)
          sum += at(values, k, i, l) * conjugate(at(values, k, j, l));
        at(definite, k, i, j) = sum;
      }
  fill(a.array, definite);
  CHECK(run(device, "cholesky", {a.array}) == 0);
  std::vector<T> lower = fetch<T>(a.array);
  worst = 0;
  for (int64_t k = 0; k < count; ++k)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j <= i; ++j) {
        T sum = 0;
        for (int64_t l = 0; l <= j; ++l)
          sum += at(lower, k, i, l) * conjugate(at(lower, k, j, l));
        worst = std::max(worst, double(std::abs(sum - at(definite, k, i, j))));
        CHECK(i == j || at(lower, k, j, i) == at(definite, k, j, i));
      }
  CHECK(worst <= bound * double(n));
}

} // namespace

DEVICE_TEST(smallMatrices) {
  for (int64_t n : {1, 2, 3, 8, 17, 32}) {
    test<double>(device, n);
    if (n < 10) {
      test<float>(device, n);
      test<std::complex<float>>(device, n);
      test<std::complex<double>>(device, n);
    }
  }
}

DEVICE_TEST(smallMatricesThatFail) {
  std::vector<double> values(9 * 4, 0.0);
  for (int64_t k = 0; k < 9; ++k)
    values[4 * k] = values[4 * k + 3] = k < 5 ? 2 : k == 6 ? NAN : 0;
  OwnedArray a(device, NPCC_FLOAT64, {9, 2, 2}), b(device, NPCC_FLOAT64, {9, 1, 2}),
      parity(device, NPCC_FLOAT64, {9, 1});
  fill(a.array, values);
  CHECK(run(device, "cholesky", {a.array}) == 6);
  fill(a.array, values);
  fill(b.array, iota<double>(18));
  CHECK(run(device, "solve", {a.array, b.array}) == 6);
  std::vector<double> solved = fetch<double>(b.array);
  CHECK(solved[8] == 4 && std::isnan(solved[10]));
  fill(a.array, values);
  CHECK(run(device, "lu", {a.array, parity.array}) == 0);
}

// A library whose integers have 32 bits is not asked for what they do not count.
TEST(linearAlgebraBeyond32Bits) {
  const char *blas = npcc_rt_blas_description();
  if (!strstr(blas, "32-bit"))
    return check::skipped("a BLAS with integers of 32 bits");
  OwnedArray small(NPCC_CPU, NPCC_FLOAT64, {1, 1, 1});
  npcc_array large = small.array; // nobody looks at what it has
  large.shape[1] = int64_t(1) << 31;
  call = {"cholesky", 1, {large}, -1};
  TestFunction function({}, {});
  CHECK_ERROR(function.variant(NPCC_TARGET_CPU, entry).call(NPCC_CPU, {}), NPCC_NOT_IMPLEMENTED_ERROR,
              "cholesky of a matrix with an axis of more than 2147483647 elements: the OpenBLAS at hand (");
}
