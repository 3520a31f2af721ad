// Matrix products of every dtype in every layout, against sums made element by element.
#include "Fixture.h"
#include "runtime/abi/products.h"
#include <cmath>
#include <random>

namespace {

struct Operands {
  int32_t dtype, resultDtype;
  int64_t m, n, k;
  npcc_matrix a, b, c;
};
Operands operands;
void multiply(void **) {
  npcc_rt_matmul(operands.dtype, operands.resultDtype, 0, operands.m, operands.n, operands.k, &operands.a, &operands.b, &operands.c);
}

/// A matrix in a buffer, in one of the layouts that NumPy's views can have.
struct Matrix {
  int64_t rows, columns, rowStride, columnStride, first, size;
  Matrix(int64_t rows, int64_t columns, int layout) : rows(rows), columns(columns), first(0) {
    int64_t r = std::max<int64_t>(rows, 1), c = std::max<int64_t>(columns, 1);
    switch (layout) {
    case 0: rowStride = c; columnStride = 1; break;          // C
    case 1: rowStride = 1; columnStride = r; break;          // transposed
    case 2: rowStride = c + 3; columnStride = 1; break;      // some columns of a larger one
    case 3: rowStride = 2 * c; columnStride = 2; break;      // every other column
    case 4: rowStride = -c; columnStride = 1; break;         // rows backwards
    default: rowStride = 1; columnStride = -(r + 1); break;  // transposed, backwards, with gaps
    }
    if (rowStride < 0)
      first -= (r - 1) * rowStride;
    if (columnStride < 0)
      first -= (c - 1) * columnStride;
    size = first + std::max<int64_t>((r - 1) * rowStride, 0) + std::max<int64_t>((c - 1) * columnStride, 0) + 1;
  }
  int64_t at(int64_t i, int64_t j) const { return first + i * rowStride + j * columnStride; }
};

template <typename T>
void checkClose(T got, T want, double bound) {
  if (std::abs(got - want) <= bound)
    check::passed();
  else
    check::equal(got, want, "matmul", __FILE__, __LINE__);
}

/// Small integers, so that every product is exact in any order; `exact` false: any floats.
template <typename T>
void testDtype(int32_t device, int32_t dtype, bool exact = true) {
  std::mt19937 random(9);
  TestFunction function({}, {});
  function.variant(targetOf(device), multiply);
  const int64_t shapes[][3] = {{1, 1, 1}, {2, 3, 4}, {5, 1, 7}, {1, 6, 3}, {17, 33, 65}, {70, 70, 5}, {3, 200, 40}};
  for (const auto &[m, n, k] : shapes)
    for (int layout = 0; layout < 36; ++layout) {
      Matrix a(m, k, layout % 6), b(k, n, layout / 6), c(m, n, (layout * 5 + layout / 6) % 6);
      auto number = [&]() -> T {
        if (!exact)
          return T(std::ldexp(double(random()), -31) - 1);
        return dtype == NPCC_BOOL ? T(random() % 4 == 0) : T(int(random() % 9) - (std::is_signed_v<T> ? 4 : 0));
      };
      std::vector<T> aData(a.size), bData(b.size), cData(c.size, T(77));
      for (T &x : aData)
        x = number();
      for (T &x : bData)
        x = number();
      OwnedArray aArray(device, dtype, {a.size}), bArray(device, dtype, {b.size}), cArray(device, dtype, {c.size});
      fill(aArray.array, aData);
      fill(bArray.array, bData);
      fill(cArray.array, cData);
      auto matrix = [](OwnedArray &array, const Matrix &m) {
        return npcc_matrix{static_cast<T *>(array.array.data) + m.first, m.rowStride, m.columnStride};
      };
      operands = {dtype, dtype, m, n, k, matrix(aArray, a), matrix(bArray, b), matrix(cArray, c)};
      CHECK_OK(function.call(device, {}));
      std::vector<T> got = fetch<T>(cArray.array), want = cData;
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          T sum = T(0);
          for (int64_t p = 0; p < k; ++p) {
            if (dtype == NPCC_BOOL)
              sum = T(sum != T(0) || (aData[a.at(i, p)] != T(0) && bData[b.at(p, j)] != T(0)));
            else
              sum = T(sum + aData[a.at(i, p)] * bData[b.at(p, j)]);
          }
          want[c.at(i, j)] = sum;
        }
      if constexpr (std::is_integral_v<T>) { // (there is no std::abs of unsigned types)
        CHECK(got == want);
      } else if (exact) {
        CHECK(got == want);
      } else {
        for (size_t i = 0; i < want.size(); ++i)
          checkClose(got[i], want[i], double(k) * (sizeof(T) == 4 || sizeof(T) == 8 ? 1e-6 : 1e-14));
      }
    }
}

} // namespace

DEVICE_TEST(matmulOfIntegersWraps) {
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

DEVICE_TEST(matmulOfFloats) {
  testDtype<float>(device, NPCC_FLOAT32);
  testDtype<double>(device, NPCC_FLOAT64);
  testDtype<float>(device, NPCC_FLOAT32, false);
  testDtype<double>(device, NPCC_FLOAT64, false);
}

DEVICE_TEST(matmulOfComplexNumbers) {
  testDtype<std::complex<float>>(device, NPCC_COMPLEX64, false);
  testDtype<std::complex<double>>(device, NPCC_COMPLEX128, false);
}

namespace {
struct Stacks {
  int64_t m, n, k, extents[3], strides[3][3]; // of A, B and C along each axis
  npcc_matrix matrices[3];
};
Stacks stacks;
void multiplyStacks(void **) {
  npcc_rt_matmul_stack(NPCC_FLOAT64, NPCC_FLOAT64, 0, stacks.m, stacks.n, stacks.k, 3, stacks.extents, &stacks.matrices[0],
                       stacks.strides[0], &stacks.matrices[1], stacks.strides[1], &stacks.matrices[2],
                       stacks.strides[2]);
}
} // namespace

// Axes that are one run in memory, that the operands do not move along, of one position, and of none.
DEVICE_TEST(matmulOfStacks) {
  constexpr int64_t m = 9, n = 8, k = 10;
  TestFunction function({}, {});
  function.variant(targetOf(device), multiplyStacks);
  const int64_t shapes[][3] = {{2, 3, 4}, {1, 5, 1}, {4, 1, 2}, {1, 1, 1}, {3, 0, 2}};
  for (const auto &extents : shapes)
    for (int moving = 0; moving < 64; ++moving) { // a bit for each axis of A, then of B
      int64_t counts[3] = {1, 1, extents[0] * extents[1] * extents[2]}, sizes[3] = {m * k, k * n, m * n};
      stacks = {m, n, k, {extents[0], extents[1], extents[2]}, {}, {}};
      for (int operand : {0, 1, 2}) {
        int64_t next = 1;
        for (int axis = 2; axis >= 0; --axis) {
          bool moves = operand == 2 || (moving >> (3 * operand + axis) & 1);
          stacks.strides[operand][axis] = moves ? next * sizes[operand] : 0;
          next *= moves ? extents[axis] : 1;
        }
        counts[operand] = next;
      }
      // A lies transposed in memory where it does not move along the last axis.
      bool isTransposed = !(moving >> 2 & 1);
      std::vector<double> data[3];
      for (int operand : {0, 1, 2})
        for (int64_t at = 0; at < std::max<int64_t>(counts[operand], 1) * sizes[operand]; ++at)
          data[operand].push_back(double((at * 7 + operand) % 11) - 5);
      OwnedArray a(device, NPCC_FLOAT64, {int64_t(data[0].size())}), b(device, NPCC_FLOAT64, {int64_t(data[1].size())}),
          c(device, NPCC_FLOAT64, {int64_t(data[2].size())});
      fill(a.array, data[0]);
      fill(b.array, data[1]);
      fill(c.array, data[2]);
      stacks.matrices[0] = {a.array.data, isTransposed ? 1 : k, isTransposed ? m : 1};
      stacks.matrices[1] = {b.array.data, n, 1};
      stacks.matrices[2] = {c.array.data, n, 1};
      CHECK_OK(function.call(device, {}));
      std::vector<double> want = data[2];
      for (int64_t x = 0; x < extents[0]; ++x)
        for (int64_t y = 0; y < extents[1]; ++y)
          for (int64_t z = 0; z < extents[2]; ++z) {
            int64_t first[3];
            for (int operand : {0, 1, 2})
              first[operand] = x * stacks.strides[operand][0] + y * stacks.strides[operand][1] + z * stacks.strides[operand][2];
            for (int64_t i = 0; i < m; ++i)
              for (int64_t j = 0; j < n; ++j) {
                double sum = 0;
                for (int64_t p = 0; p < k; ++p)
                  sum += data[0][first[0] + (isTransposed ? i + p * m : i * k + p)] * data[1][first[1] + p * n + j];
                want[first[2] + i * n + j] = sum;
              }
          }
      CHECK(fetch<double>(c.array) == want);
    }
}

DEVICE_TEST(matmulOfHalvesSumsInFloat32) {
  // 1 + 2048 * 2^-11: in float16 every addition of 2^-11 to 1 would be lost.
  constexpr int64_t k = 2049;
  std::vector<uint16_t> a(k, 0x1000 /* 2^-11 */), b(k, 0x3c00 /* 1 */);
  a[0] = 0x3c00;
  OwnedArray aArray(device, NPCC_FLOAT16, {k}), bArray(device, NPCC_FLOAT16, {k}), c(device, NPCC_FLOAT16, {1});
  fill(aArray.array, a);
  fill(bArray.array, b);
  operands = {NPCC_FLOAT16, NPCC_FLOAT16, 1, 1, k, {aArray.array.data, k, 1}, {bArray.array.data, 1, 1}, {c.array.data, 1, 1}};
  TestFunction function({}, {});
  CHECK_OK(function.variant(targetOf(device), multiply).call(device, {}));
  CHECK_EQ(fetch<uint16_t>(c.array)[0], 0x4000 /* 2 */);
}

DEVICE_TEST(matmulOfNarrowFloats) {
  // [[1, 2], [3, 4]] times its transpose, as float32 and as what it is made of.
  const uint16_t halves[] = {0x3c00, 0x4000, 0x4200, 0x4400}, bfloats[] = {0x3f80, 0x4000, 0x4040, 0x4080};
  const float want[] = {5, 11, 11, 25};
  TestFunction function({}, {});
  function.variant(targetOf(device), multiply);
  for (int32_t dtype : {NPCC_FLOAT16, NPCC_BFLOAT16}) {
    const uint16_t *bits = dtype == NPCC_FLOAT16 ? halves : bfloats;
    OwnedArray a(device, dtype, {4}), narrow(device, dtype, {4}), wide(device, NPCC_FLOAT32, {4});
    fill(a.array, std::vector<uint16_t>(bits, bits + 4));
    operands = {dtype, NPCC_FLOAT32, 2, 2, 2, {a.array.data, 2, 1}, {a.array.data, 1, 2}, {wide.array.data, 2, 1}};
    CHECK_OK(function.call(device, {}));
    CHECK(fetch<float>(wide.array) == std::vector<float>(want, want + 4));
    operands = {dtype, dtype, 2, 2, 2, {a.array.data, 2, 1}, {a.array.data, 1, 2}, {narrow.array.data, 1, 2}};
    CHECK_OK(function.call(device, {}));
    std::vector<uint16_t> expected = dtype == NPCC_FLOAT16 ? std::vector<uint16_t>{0x4500, 0x4980, 0x4980, 0x4e40}
                                                           : std::vector<uint16_t>{0x40a0, 0x4130, 0x4130, 0x41c8};
    CHECK(fetch<uint16_t>(narrow.array) == expected);
  }
}

DEVICE_TEST(matmulOfEmptyMatrices) {
  TestFunction function({}, {});
  function.variant(targetOf(device), multiply);
  OwnedArray c(device, NPCC_FLOAT64, {6});
  fill(c.array, iota<double>(6, 1));
  npcc_matrix nothing{nullptr, 1, 1};
  for (int32_t dtype : {NPCC_FLOAT64, NPCC_INT64}) {
    operands = {dtype, dtype, 0, 3, 2, nothing, nothing, {c.array.data, 3, 1}};
    CHECK_OK(function.call(device, {}));
    CHECK_EQ(fetch<double>(c.array)[0], dtype == NPCC_FLOAT64 ? 1.0 : 0.0);
    // The empty sum is 0; what lies beside C stays.
    operands = {dtype, dtype, 2, 2, 0, nothing, nothing, {c.array.data, 3, 1}};
    CHECK_OK(function.call(device, {}));
    std::vector<double> got = fetch<double>(c.array);
    CHECK(got == (std::vector<double>{0, 0, 3, 0, 0, 6}));
  }
}

DEVICE_TEST(matmulGivesTheSameBitsEveryTime) {
  constexpr int64_t n = 150;
  std::mt19937 random(1);
  std::vector<double> data(n * n);
  for (double &x : data)
    x = std::ldexp(double(random()), -31) - 1;
  OwnedArray a(device, NPCC_FLOAT64, {n * n}), c(device, NPCC_FLOAT64, {n * n});
  fill(a.array, data);
  npcc_matrix matrix{a.array.data, n, 1};
  operands = {NPCC_FLOAT64, NPCC_FLOAT64, n, n, n, matrix, matrix, {c.array.data, n, 1}};
  TestFunction function({}, {});
  function.variant(targetOf(device), multiply);
  CHECK_OK(function.call(device, {}));
  std::vector<double> first = fetch<double>(c.array);
  for (int round = 0; round < 5; ++round) {
    CHECK_OK(function.call(device, {}));
    CHECK(fetch<double>(c.array) == first);
  }
}

DEVICE_TEST(matmulOfLargeMatricesAndVectors) {
  // Small integers, so that every product is exact in any order: a short result is made of parts of its sums.
  const int64_t shapes[][2] = {{7, 20001}, {20001, 7}, {600, 500}, {513, 300}, {100, 1500}};
  TestFunction function({}, {});
  function.variant(targetOf(device), multiply);
  for (const auto &[m, k] : shapes)
    for (bool isTransposed : {false, true})
      for (int64_t step : {1, 3}) {
        std::vector<double> a(m * k), x(k), want(m * step, 77);
        for (int64_t i = 0; i < m * k; ++i)
          a[i] = double(i % 7 - 3);
        for (int64_t p = 0; p < k; ++p)
          x[p] = double(p % 5 - 2);
        npcc_matrix matrix{nullptr, isTransposed ? 1 : k, isTransposed ? m : 1};
        for (int64_t i = 0; i < m; ++i) {
          want[i * step] = 0;
          for (int64_t p = 0; p < k; ++p)
            want[i * step] += a[i * matrix.row_stride + p * matrix.column_stride] * x[p];
        }
        OwnedArray aArray(device, NPCC_FLOAT64, {m * k}), xArray(device, NPCC_FLOAT64, {k}),
            yArray(device, NPCC_FLOAT64, {m * step});
        fill(aArray.array, a);
        fill(xArray.array, x);
        fill(yArray.array, std::vector<double>(m * step, 77));
        matrix.data = aArray.array.data;
        operands = {
            NPCC_FLOAT64, NPCC_FLOAT64, m, 1, k, matrix, {xArray.array.data, 1, 1}, {yArray.array.data, step, 1}};
        CHECK_OK(function.call(device, {}));
        CHECK(fetch<double>(yArray.array) == want);
      }
}

TEST(whichBlasServes) {
  check::note(std::string("cpu: ") + npcc_rt_blas_description());
  if (npcc_rt_cuda_device_count() > 0)
    check::note(std::string("cuda: ") + npcc_rt_cublas_description());
  if (const char *wanted = getenv("NPCC_BLAS"))
    CHECK_EQ(strcmp(wanted, "none") == 0, strlen(npcc_rt_blas_description()) == 0);
}
