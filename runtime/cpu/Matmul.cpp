#include "runtime/cpu/Matmul.h"
#include "runtime/Element.h"
#include "runtime/MatmulPlan.h"
#include "runtime/cpu/Blas.h"
#include "runtime/cpu/SharedProducts.h"
#include "runtime/cpu/ThreadPool.h"
#include <algorithm>
#include <atomic>
#include <climits>
#include <complex>
#include <cstring>
#include <optional>

namespace npcc::rt {
namespace {

/// How an element enters and leaves the sum.
template <typename T, typename Accumulator = T>
struct Number {
  using Element = T;
  using Sum = Accumulator;
  static Sum load(const T &value) { return static_cast<Sum>(value); }
  static T store(Sum sum) { return static_cast<T>(sum); }
  static void add(Sum &sum, Sum x, Sum y) { sum += x * y; }
  static void join(Sum &sum, Sum other) { sum += other; }
};

struct Bool {
  using Element = uint8_t;
  using Sum = uint8_t;
  static Sum load(uint8_t value) { return value != 0; }
  static uint8_t store(Sum sum) { return sum; }
  static void add(Sum &sum, Sum x, Sum y) { sum |= x & y; }
  static void join(Sum &sum, Sum other) { sum |= other; }
};

/// Without the checks for infinities that std::complex's product makes: NumPy's has none either.
template <typename R>
struct ComplexNumber {
  using Element = std::complex<R>;
  using Sum = std::complex<R>;
  static Sum load(const Element &value) { return value; }
  static Element store(Sum sum) { return sum; }
  static void add(Sum &sum, Sum x, Sum y) {
    sum = {sum.real() + (x.real() * y.real() - x.imag() * y.imag()),
           sum.imag() + (x.real() * y.imag() + x.imag() * y.real())};
  }
  static void join(Sum &sum, Sum other) { sum += other; }
};

constexpr int64_t rowsAtOnce = 4;     // of A against one pass over a panel of B
constexpr int64_t columnsAtOnce = 64; // of B: a panel's sums stay in the L1 cache

/// Rows [lo, hi) of C. B is packed: b[p * n + j].
template <typename Kind>
void multiplyRows(const MatmulShape &shape, const npcc_matrix &a, const typename Kind::Sum *b, const npcc_matrix &c,
                  int64_t lo, int64_t hi) {
  using T = typename Kind::Element;
  using Sum = typename Kind::Sum;
  auto *aData = static_cast<const T *>(a.data);
  auto *cData = static_cast<T *>(c.data);
  Sum sums[rowsAtOnce][columnsAtOnce];
  for (int64_t column = 0; column < shape.n; column += columnsAtOnce) {
    int64_t columns = std::min(columnsAtOnce, shape.n - column);
    for (int64_t row = lo; row < hi; row += rowsAtOnce) {
      int64_t rows = std::min(rowsAtOnce, hi - row);
      for (int64_t i = 0; i < rows; ++i)
        std::fill_n(sums[i], columns, Sum());
      for (int64_t p = 0; p < shape.k; ++p) {
        const Sum *bRow = b + p * shape.n + column;
        for (int64_t i = 0; i < rows; ++i) {
          Sum x = Kind::load(aData[(row + i) * a.row_stride + p * a.column_stride]);
          for (int64_t j = 0; j < columns; ++j)
            Kind::add(sums[i][j], x, bRow[j]);
        }
      }
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j)
          cData[(row + i) * c.row_stride + (column + j) * c.column_stride] = Kind::store(sums[i][j]);
    }
  }
}

constexpr int64_t lanes = 16, rowsOfBlock = 1024; // sums that do not wait for each other

/// Elements [lo, hi) of a matrix times a vector. The vector is packed.
template <typename Kind>
void multiplyVector(int64_t k, const npcc_matrix &a, const typename Kind::Sum *x, const npcc_matrix &c, int64_t lo,
                    int64_t hi) {
  using Sum = typename Kind::Sum;
  auto *aData = static_cast<const typename Kind::Element *>(a.data);
  auto *cData = static_cast<typename Kind::Element *>(c.data);
  if (a.column_stride == 1) {
    for (int64_t row = lo; row < hi; ++row) {
      auto *from = aData + row * a.row_stride;
      Sum sums[lanes] = {}, rest = Sum();
      int64_t p = 0;
      for (; p + lanes <= k; p += lanes)
        for (int64_t lane = 0; lane < lanes; ++lane)
          Kind::add(sums[lane], Kind::load(from[p + lane]), x[p + lane]);
      for (; p < k; ++p)
        Kind::add(rest, Kind::load(from[p]), x[p]);
      for (int64_t half = lanes / 2; half > 0; half /= 2) // few steps that wait for each other: rows may be short
        for (int64_t lane = 0; lane < half; ++lane)
          Kind::join(sums[lane], sums[lane + half]);
      Kind::join(rest, sums[0]);
      cData[row * c.row_stride] = Kind::store(rest);
    }
    return;
  }
  for (int64_t first = lo; first < hi; first += rowsOfBlock) {
    int64_t rows = std::min(rowsOfBlock, hi - first);
    Sum sums[rowsOfBlock] = {};
    for (int64_t p = 0; p < k; ++p)
      for (int64_t i = 0; i < rows; ++i)
        Kind::add(sums[i], Kind::load(aData[(first + i) * a.row_stride + p * a.column_stride]), x[p]);
    for (int64_t i = 0; i < rows; ++i)
      cData[(first + i) * c.row_stride] = Kind::store(sums[i]);
  }
}

template <typename Kind>
Status multiply(Device &device, const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b,
                const npcc_matrix &c) {
  using T = typename Kind::Element;
  using Sum = typename Kind::Sum;
  if (shape.m == 1 && shape.n > 1) { // c = a b is c.T = b.T a.T
    auto turned = [](const npcc_matrix &matrix) {
      return npcc_matrix{matrix.data, matrix.column_stride, matrix.row_stride};
    };
    return multiply<Kind>(device, {shape.dtype, shape.n, 1, shape.k}, turned(b), turned(a), turned(c));
  }
  OwnedBuffer packed;
  NPCC_TRY(packed.allocate(device, shape.k * shape.n * int64_t(sizeof(Sum))));
  auto *panel = reinterpret_cast<Sum *>(packed.get());
  auto *bData = static_cast<const T *>(b.data);
  parallelLoop(shape.k, std::max<int64_t>(1, (1 << 16) / shape.n), [&](int64_t lo, int64_t hi) {
    for (int64_t p = lo; p < hi; ++p)
      for (int64_t j = 0; j < shape.n; ++j)
        panel[p * shape.n + j] = Kind::load(bData[p * b.row_stride + j * b.column_stride]);
  });
  if (shape.n == 1) {
    parallelLoop(shape.m, std::max<int64_t>(rowsOfBlock, (1 << 18) / shape.k),
                 [&](int64_t lo, int64_t hi) { multiplyVector<Kind>(shape.k, a, panel, c, lo, hi); });
    return {};
  }
  int64_t grain = std::max<int64_t>(rowsAtOnce, (1 << 18) / (shape.n * shape.k));
  grain = (grain + rowsAtOnce - 1) / rowsAtOnce * rowsAtOnce;
  parallelLoop(shape.m, grain,
               [&](int64_t lo, int64_t hi) { multiplyRows<Kind>(shape, a, panel, c, lo, hi); });
  return {};
}

} // namespace

Status matmulByLoop(Device &device, const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b,
                    const npcc_matrix &c) {
  switch (shape.dtype) {
  case NPCC_BOOL: return multiply<Bool>(device, shape, a, b, c);
  // Signed and unsigned products agree in their low bits; unsigned ones wrap without undefined behaviour.
  case NPCC_INT8:
  case NPCC_UINT8: return multiply<Number<uint8_t, uint32_t>>(device, shape, a, b, c);
  case NPCC_INT16:
  case NPCC_UINT16: return multiply<Number<uint16_t, uint32_t>>(device, shape, a, b, c);
  case NPCC_INT32:
  case NPCC_UINT32: return multiply<Number<uint32_t>>(device, shape, a, b, c);
  case NPCC_INT64:
  case NPCC_UINT64: return multiply<Number<uint64_t>>(device, shape, a, b, c);
  case NPCC_FLOAT32: return multiply<Number<float>>(device, shape, a, b, c);
  case NPCC_FLOAT64: return multiply<Number<double>>(device, shape, a, b, c);
  case NPCC_COMPLEX64: return multiply<ComplexNumber<float>>(device, shape, a, b, c);
  case NPCC_COMPLEX128: return multiply<ComplexNumber<double>>(device, shape, a, b, c);
  default: return makeError(NPCC_TYPE_ERROR, "matmul of unknown dtype {}", shape.dtype);
  }
}

/// The same matrix in another element type, C-contiguous.
template <typename To, typename From, typename Convert>
void convertMatrix(To *to, const npcc_matrix &from, int64_t rows, int64_t columns, Convert convert) {
  auto *source = static_cast<const From *>(from.data);
  parallelLoop(rows, std::max<int64_t>(1, (1 << 16) / std::max<int64_t>(columns, 1)), [&](int64_t lo, int64_t hi) {
    for (int64_t row = lo; row < hi; ++row)
      for (int64_t column = 0; column < columns; ++column)
        to[row * columns + column] = convert(source[row * from.row_stride + column * from.column_stride]);
  });
}

/// C = A B of narrow floats: in float32, and rounded once where C is narrow too.
static Status multiplyNarrow(Device &device, const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b, const npcc_matrix &c) {
  auto widen = [&](const npcc_matrix &narrow, int64_t rows, int64_t columns, OwnedBuffer &buffer, npcc_matrix &wide) -> Status {
    NPCC_TRY(buffer.allocate(device, rows * columns * int64_t(sizeof(float))));
    wide = {buffer.get(), columns, 1};
    auto *to = reinterpret_cast<float *>(buffer.get());
    if (shape.dtype == NPCC_FLOAT16)
      convertMatrix<float, uint16_t>(to, narrow, rows, columns, [](uint16_t bits) { return static_cast<float>(halfToDouble(bits)); });
    else
      convertMatrix<float, uint16_t>(to, narrow, rows, columns, bfloatToFloat);
    return {};
  };
  OwnedBuffer bufferA, bufferB, bufferC;
  npcc_matrix wideA, wideB, wideC = c;
  NPCC_TRY(widen(a, shape.m, shape.k, bufferA, wideA));
  NPCC_TRY(widen(b, shape.k, shape.n, bufferB, wideB));
  bool isResultNarrow = isNarrowFloat(shape.resultDtype);
  if (isResultNarrow) {
    NPCC_TRY(bufferC.allocate(device, shape.m * shape.n * int64_t(sizeof(float))));
    wideC = {bufferC.get(), shape.n, 1};
  }
  NPCC_TRY(matmulOnHost(device, {NPCC_FLOAT32, shape.m, shape.n, shape.k}, wideA, wideB, wideC));
  if (!isResultNarrow)
    return {};
  auto *sums = reinterpret_cast<const float *>(bufferC.get());
  auto *to = static_cast<uint16_t *>(c.data);
  bool isHalf = shape.dtype == NPCC_FLOAT16;
  parallelLoop(shape.m, std::max<int64_t>(1, (1 << 16) / shape.n), [&](int64_t lo, int64_t hi) {
    for (int64_t row = lo; row < hi; ++row)
      for (int64_t column = 0; column < shape.n; ++column) {
        float sum = sums[row * shape.n + column];
        to[row * c.row_stride + column * c.column_stride] = isHalf ? halfFromDouble(sum) : bfloatFromFloat(sum);
      }
  });
  return {};
}

bool takesFactors(const MatmulShape &shape) {
  bool isReal = shape.dtype == NPCC_FLOAT32 || shape.dtype == NPCC_FLOAT64;
  const Blas *blas = isReal && shape.k > 0 ? Blas::get() : nullptr;
  return blas && (blas->isWide() || std::max({shape.m, shape.n, shape.k}) <= INT32_MAX / 2);
}

Status matmulOnHost(Device &device, const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b,
                    const npcc_matrix &c) {
  if (shape.k == 0)
    return zeroMatrix(device, shape, c);
  if (isNarrowFloat(shape.dtype))
    return multiplyNarrow(device, shape, a, b, c);
  if (shape.dtype >= NPCC_FLOAT32) {
    if (const Blas *blas = Blas::get()) {
      MatmulPlan plan;
      NPCC_TRY(plan.make(device, shape, a, b, c));
      if (multiplyShared(*blas, shape.dtype, plan))
        return plan.finish(device);
    }
  }
  return matmulByLoop(device, shape, a, b, c);
}

// Up to here a product is computed in the thread that calls, and a stack's products are shared out; so are larger ones, where there are several for
// each thread.
constexpr int64_t mostOfOneThread = 64 * 64 * 64;
constexpr int64_t multiplicationsOfAChunk = 1 << 16;

Status matmulStridedOnHost(Device &device, const MatmulShape &shape, const npcc_matrix matrices[3], int64_t count,
                           const int64_t strides[3]) {
  int64_t multiplications = shape.m * shape.n * shape.k, size = elementSize(shape.dtype);
  MatmulPlan plan;
  int operands[3];
  const Blas *blas = shape.dtype >= NPCC_FLOAT32 && shape.dtype <= NPCC_COMPLEX128 && shape.k > 0 ? Blas::get() : nullptr;
  bool isShared = multiplications <= mostOfOneThread || (blas && blas->hasThreads() && count >= 2 * ThreadPool::get().threads());
  // Only what needs no copies; the last matrices fit the library's integers if the first ones do.
  if (!blas || count < 2 || !isShared || !makeGemm(shape, matrices, plan.gemm, operands))
    return Device::matmulStridedOneByOne(device, shape, matrices, count, strides);
  int64_t grain = std::max<int64_t>(1, multiplicationsOfAChunk / std::max<int64_t>(multiplications, 1));
  std::optional<Blas::OneThread> alone;
  if (multiplications > mostOfOneThread)
    alone.emplace(*blas);
  std::atomic<bool> fits = true;
  parallelLoop(count, grain, [&](int64_t lo, int64_t hi) {
    MatmulPlan one;
    for (int64_t k = lo; k < hi && fits; ++k) {
      auto at = [&](const void *first, int operand) { return static_cast<const char *>(first) + k * strides[operands[operand]] * size; };
      one.gemm = plan.gemm;
      one.gemm.a = at(plan.gemm.a, 0);
      one.gemm.b = at(plan.gemm.b, 1);
      one.gemm.c = const_cast<char *>(at(plan.gemm.c, 2));
      if (!blas->multiply(shape.dtype, one))
        fits = false;
    }
  });
  return fits ? Status() : Device::matmulStridedOneByOne(device, shape, matrices, count, strides);
}

} // namespace npcc::rt
