// Lines of every dtype sorted, against std::stable_sort by an order written out.
#include "Fixture.h"
#include "runtime/abi/routines.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>

namespace {

struct Request {
  int32_t dtype, positions;
  int64_t lines, length;
  void *in, *out;
  int64_t bound = 0;
};
Request request;
void sortEntry(void **) {
  npcc_rt_sort(request.dtype, request.positions, request.lines, request.length, request.bound, request.in, request.out);
}

template <typename T>
bool isNaN(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isnan(x);
  else
    return false;
}
template <typename T>
bool before(T a, T b) {
  return a < b || (!isNaN(a) && isNaN(b));
}
template <typename T>
bool before(std::complex<T> a, std::complex<T> b) {
  int first = 2 * std::isnan(a.real()) + std::isnan(a.imag()), second = 2 * std::isnan(b.real()) + std::isnan(b.imag());
  if (first != second)
    return first < second;
  if (a.real() < b.real() || b.real() < a.real())
    return a.real() < b.real();
  return before(a.imag(), b.imag());
}

template <typename T>
T number(std::mt19937 &random) {
  if constexpr (std::is_integral_v<T>)
    return T(random() % 50) - T(std::is_signed_v<T> ? 25 : 0);
  else if constexpr (std::is_floating_point_v<T>)
    return random() % 8 == 0 ? T(random() % 2 ? NAN : -NAN) : random() % 9 == 0 ? T(-INFINITY) : random() % 9 == 0 ? T(INFINITY) : T(int(random() % 40) - 20) / 4;
  else
    return {number<typename T::value_type>(random), number<typename T::value_type>(random)};
}

template <typename T>
void testDtype(int32_t device, int32_t dtype) {
  std::mt19937 random(3);
  using Shapes = std::vector<std::pair<int64_t, int64_t>>;
  const Shapes all = {{1, 1},     {3, 2},     {1, 511},    {2, 513},  {5, 1100},  {1, 70000}, {3000, 40}, {5000, 3},
                      {300, 9},   {70, 32},   {33, 8},     {19, 17},  {2, 40000}, {60, 2000}, {900, 50},  {700, 128},
                      {600, 200}, {560, 300}, {540, 1000}, {3, 4096}, {40, 4097}, {0, 4},     {4, 0}};
  const Shapes few = {{3, 9},   {2, 30},  {3, 40},   {3, 100},  {2, 200}, {2, 300},
                      {9, 260}, {9, 513}, {1, 4000}, {1, 8000}, {2, 4200}}; // a CPU runs the kernels' PTX
  const Shapes &shapes = getenv("NPCC_FAKE_CUDA_INTERPRET") ? few : all;
  TestFunction function({}, {});
  function.variant(targetOf(device), sortEntry);
  for (const auto &[lines, length] : shapes) {
    std::vector<T> data(lines * length);
    for (T &x : data)
      x = number<T>(random);
    OwnedArray in(device, dtype, {lines, length}), values(device, dtype, {lines, length}), positions(device, NPCC_INT64, {lines, length});
    fill(in.array, data);
    request = {dtype, 0, lines, length, in.array.data, values.array.data};
    CHECK_OK(function.call(device, {}));
    request = {dtype, 1, lines, length, in.array.data, positions.array.data};
    CHECK_OK(function.call(device, {}));
    std::vector<int64_t> want(data.size());
    for (int64_t line = 0; line < lines; ++line) {
      auto first = want.begin() + line * length;
      for (int64_t k = 0; k < length; ++k)
        first[k] = k;
      const T *row = data.data() + line * length;
      std::stable_sort(first, first + length, [&](int64_t a, int64_t b) { return before(row[a], row[b]); });
    }
    CHECK(fetch<int64_t>(positions.array) == want);
    std::vector<T> got = fetch<T>(values.array);
    bool same = true;
    for (size_t k = 0; k < got.size(); ++k) {
      T wanted = data[k / length * length + want[k]];
      same = same && !before(got[k], wanted) && !before(wanted, got[k]);
    }
    CHECK(same);
  }
}

} // namespace

DEVICE_TEST(sortOfIntegers) {
  testDtype<uint8_t>(device, NPCC_BOOL);
  testDtype<int8_t>(device, NPCC_INT8);
  testDtype<int16_t>(device, NPCC_INT16);
  testDtype<int32_t>(device, NPCC_INT32);
  testDtype<int64_t>(device, NPCC_INT64);
  testDtype<uint8_t>(device, NPCC_UINT8);
  testDtype<uint16_t>(device, NPCC_UINT16);
  testDtype<uint32_t>(device, NPCC_UINT32);
  testDtype<uint64_t>(device, NPCC_UINT64);
}

DEVICE_TEST(sortOfFloats) {
  testDtype<float>(device, NPCC_FLOAT32);
  testDtype<double>(device, NPCC_FLOAT64);
}

DEVICE_TEST(sortOfComplexNumbers) {
  testDtype<std::complex<float>>(device, NPCC_COMPLEX64);
  testDtype<std::complex<double>>(device, NPCC_COMPLEX128);
}

DEVICE_TEST(sortOfHalves) {
  // -inf, -1, -2^-24, 0, 2^-24, 1, inf, NaN
  std::vector<uint16_t> order = {0xfc00, 0xbc00, 0x8001, 0x0000, 0x0001, 0x3c00, 0x7c00, 0x7e00}, data = order;
  std::reverse(data.begin(), data.end());
  OwnedArray in(device, NPCC_FLOAT16, {8}), out(device, NPCC_FLOAT16, {8});
  fill(in.array, data);
  request = {NPCC_FLOAT16, 0, 1, 8, in.array.data, out.array.data};
  TestFunction function({}, {});
  CHECK_OK(function.variant(targetOf(device), sortEntry).call(device, {}));
  CHECK(fetch<uint16_t>(out.array) == order);
}

// Of integers below a bound, digits above it are not looked at; positions of equal ones keep their order.
DEVICE_TEST(sortBelowBound) {
  std::mt19937 random(5);
  TestFunction function({}, {});
  function.variant(targetOf(device), sortEntry);
  bool isSlow = getenv("NPCC_FAKE_CUDA_INTERPRET");
  for (int64_t bound : {1, 2, 200, 256, 257, 70000})
    for (auto [lines, length] : {std::pair<int64_t, int64_t>{1, isSlow ? 8000 : 90000}, {3, 4200}}) {
      std::vector<int64_t> data(lines * length), want(lines * length);
      for (int64_t &x : data)
        x = random() % bound;
      OwnedArray in(device, NPCC_INT64, {lines, length}), out(device, NPCC_INT64, {lines, length});
      fill(in.array, data);
      request = {NPCC_INT64, 1, lines, length, in.array.data, out.array.data, bound};
      CHECK_OK(function.call(device, {}));
      for (int64_t line = 0; line < lines; ++line) {
        auto first = want.begin() + line * length;
        std::iota(first, first + length, int64_t(0));
        const int64_t *row = data.data() + line * length;
        std::stable_sort(first, first + length, [&](int64_t a, int64_t b) { return row[a] < row[b]; });
      }
      CHECK(fetch<int64_t>(out.array) == want);
    }
}
