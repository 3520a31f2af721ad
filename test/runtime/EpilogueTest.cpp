// Products with an epilogue, in each layout that a library takes and that it does not, against sums made element by
// element.
#include "Fixture.h"
#include "runtime/Element.h"
#include "runtime/abi/products.h"
#include <bit>
#include <cmath>

namespace {

struct Case {
  int32_t dtype, resultDtype;
  int64_t m, n, k;
  npcc_matrix a, b, c;
  npcc_epilogue epilogue;
} now;
void multiply(void **) {
  npcc_rt_matmul_epilogue(now.dtype, now.resultDtype, 0, now.m, now.n, now.k, &now.a, &now.b, &now.c, &now.epilogue);
}

double load(const std::vector<char> &bytes, int64_t index, int32_t dtype) {
  const char *at = bytes.data() + index * npcc::rt::elementSize(dtype);
  uint32_t bits;
  switch (dtype) {
  case NPCC_FLOAT16:
    return double(*reinterpret_cast<const _Float16 *>(at));
  case NPCC_BFLOAT16:
    bits = uint32_t(*reinterpret_cast<const uint16_t *>(at)) << 16;
    return std::bit_cast<float>(bits);
  case NPCC_FLOAT32:
    return *reinterpret_cast<const float *>(at);
  default:
    return *reinterpret_cast<const double *>(at);
  }
}
/// Of small numbers, which every dtype has, and NaN.
void store(std::vector<char> &bytes, int64_t index, int32_t dtype, double value) {
  char *at = bytes.data() + index * npcc::rt::elementSize(dtype);
  switch (dtype) {
  case NPCC_FLOAT16:
    *reinterpret_cast<_Float16 *>(at) = _Float16(value);
    break;
  case NPCC_BFLOAT16:
    *reinterpret_cast<uint16_t *>(at) = uint16_t(std::bit_cast<uint32_t>(float(value)) >> 16);
    break;
  case NPCC_FLOAT32:
    *reinterpret_cast<float *>(at) = float(value);
    break;
  default:
    *reinterpret_cast<double *>(at) = value;
  }
}

/// Numbers on the device, and what they are on the host.
struct Numbers {
  int32_t dtype;
  std::vector<char> host;
  OwnedArray device;
  Numbers(int32_t device, int32_t dtype, int64_t count, int seed)
      : dtype(dtype), host(size_t(std::max<int64_t>(count, 1) * npcc::rt::elementSize(dtype))),
        device(device, dtype, {std::max<int64_t>(count, 1)}) {
    for (int64_t k = 0; k < count; ++k)
      store(host, k, dtype, double((k * 7 + seed) % 9 - 4)); // exact in every dtype, in any order
    send();
  }
  void send() { fill(device.array, host); }
  double at(int64_t k) const { return load(host, k, dtype); }
};

enum AddendLayout { NoAddend, RowMajor, RowsApart, Transposed, SameRow, SameElement, Itself };

void checkProduct(int32_t device, int32_t dtype, int32_t resultDtype, int64_t m, int64_t n, int64_t k,
                  AddendLayout layout, int64_t biasStride, bool relu, double alpha, double beta, bool hasNan = false) {
  Numbers a(device, dtype, m * k, 1), b(device, dtype, k * n, 5), c(device, resultDtype, m * n, 0),
      bias(device, resultDtype, n * std::max<int64_t>(biasStride, 1), 3);
  int64_t rowStride[] = {0, n, n + 3, 1, 0, 0, n}, columnStride[] = {0, 1, 1, m, 1, 0, 1};
  Numbers addend(device, resultDtype, (n + 3) * m, 2);
  if (hasNan && k > 0) {
    store(a.host, 0, dtype, std::nan(""));
    a.send();
  }
  now = {dtype,
         resultDtype,
         m,
         n,
         k,
         {a.device.array.data, k, 1},
         {b.device.array.data, n, 1},
         {c.device.array.data, n, 1},
         {alpha,
          beta,
          {layout == NoAddend ? nullptr
           : layout == Itself ? c.device.array.data
                              : addend.device.array.data,
           rowStride[layout], columnStride[layout]},
          biasStride < 0 ? nullptr : bias.device.array.data,
          biasStride,
          relu ? NPCC_ACTIVATION_RELU : NPCC_ACTIVATION_NONE}};
  TestFunction function({}, {});
  function.variant(targetOf(device), multiply);
  CHECK_OK(function.call(device, {}));
  OwnedArray copy(NPCC_CPU, resultDtype, {std::max<int64_t>(m * n, 1)});
  CHECK_OK(npcc_rt_copy(&copy.array, &c.device.array));
  const char *bytes = static_cast<const char *>(copy.array.data);
  std::vector<char> got(bytes, bytes + c.host.size());
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t p = 0; p < k; ++p)
        sum += a.at(i * k + p) * b.at(p * n + j);
      sum *= alpha;
      if (layout != NoAddend)
        sum += beta * (layout == Itself ? c : addend).at(i * rowStride[layout] + j * columnStride[layout]);
      if (biasStride >= 0)
        sum += bias.at(j * biasStride);
      if (relu && sum < 0)
        sum = 0;
      double value = load(got, i * n + j, resultDtype);
      if (std::isnan(sum))
        CHECK(std::isnan(value));
      else
        CHECK_EQ(value, sum);
    }
}

} // namespace

DEVICE_TEST(epilogueOfEveryLayout) {
  for (auto [dtype, result] : {std::pair(NPCC_FLOAT32, NPCC_FLOAT32),
                               {NPCC_FLOAT64, NPCC_FLOAT64},
                               {NPCC_FLOAT16, NPCC_FLOAT16},
                               {NPCC_BFLOAT16, NPCC_FLOAT32},
                               {NPCC_BFLOAT16, NPCC_BFLOAT16}})
    for (auto layout : {NoAddend, RowMajor, RowsApart, Transposed, SameRow, SameElement, Itself})
      for (int64_t biasStride : {-1, 0, 1, 2})
        for (bool relu : {false, true})
          checkProduct(device, dtype, result, 5, 6, 3, layout, biasStride, relu, relu ? 2 : -1,
                       layout == RowMajor ? 0.5 : 1);
}

DEVICE_TEST(epilogueOfEveryExtent) {
  const int64_t shapes[][3] = {{1, 1, 1}, {1, 7, 3}, {7, 1, 3}, {4, 300, 2}, {3, 4, 0}, {0, 3, 2}, {3, 0, 2}};
  for (auto [m, n, k] : shapes)
    for (auto layout : {NoAddend, RowMajor, Itself}) {
      checkProduct(device, NPCC_FLOAT32, NPCC_FLOAT32, m, n, k, layout, 1, true, 1, 1);
      checkProduct(device, NPCC_FLOAT64, NPCC_FLOAT64, m, n, k, layout, -1, false, -1, 2);
    }
}

DEVICE_TEST(epilogueKeepsNan) {
  for (int32_t dtype : {NPCC_FLOAT32, NPCC_FLOAT16})
    for (int round = 0; round < 2; ++round) // the first call asks the library's algorithms
      checkProduct(device, dtype, dtype, 4, 5, 6, NoAddend, round ? 1 : -1, true, 1, 1, /*hasNan=*/true);
}

DEVICE_TEST(epilogueOfOtherDtypesIsRefused) {
  now = {NPCC_INT32, NPCC_INT32, 1, 1, 1, {}, {}, {}, {1, 1, {}, nullptr, 0, 0}};
  TestFunction function({}, {});
  function.variant(targetOf(device), multiply);
  CHECK_ERROR(function.call(device, {}), NPCC_TYPE_ERROR, "a product of dtype 3 has no epilogue");
}
