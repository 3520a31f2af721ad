// Products that are large, cut into parts that the pool's threads take; a BLAS computes each part in the thread that
// has it.
//
// A BLAS with threads of its own would wake them beside the pool's. Both kinds wait for work by spinning for a while,
// so that each would take the cores from the other: a program of products and loops in turn took up to twice as long.
#include "runtime/cpu/SharedProducts.h"
#include "runtime/Element.h"
#include "runtime/abi/dtypes.h"
#include "runtime/cpu/ThreadPool.h"
#include <algorithm>
#include <atomic>
#include <vector>

namespace npcc::rt {
namespace {

constexpr int64_t leastPart = 1 << 18;   // multiplications that are worth a part
constexpr int64_t leastSecond = 1 << 26; // that are worth two parts a thread: a BLAS packs the factors for each part
constexpr int64_t leastSide = 48;        // rows or columns of a part: what a BLAS packs is used as often
constexpr int64_t leastVectorPart = 1 << 18; // bytes of the matrix, of a product with a vector
constexpr int64_t shortVector = 512;         // elements of a vector that may be summed up from parts of the sums
constexpr int64_t smallResult = 1 << 14;     // elements of a result that may be summed up from parts of the sums
constexpr int64_t longSum = 1 << 12, mostSums = 32;

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

const void *at(const void *from, int64_t elements, int64_t size) {
  return static_cast<const char *>(from) + elements * size;
}

/// Rows from `row` on, columns from `column` on, terms from `term` on; as many as `m`, `n` and `k` say.
Gemm partOf(const Gemm &g, int64_t row, int64_t column, int64_t term, int64_t m, int64_t n, int64_t k, int64_t size) {
  Gemm part = g;
  part.m = m;
  part.n = n;
  part.k = k;
  part.a = at(g.a, g.transposeA ? row * g.lda + term : row + term * g.lda, size);
  part.b = at(g.b, g.transposeB ? column + term * g.ldb : column * g.ldb + term, size);
  part.c = const_cast<void *>(at(g.c, row + column * g.ldc, size));
  return part;
}

/// How many parts each side has: of about `parts`, those that read the least.
std::pair<int64_t, int64_t> chooseGrid(const Gemm &g, int64_t parts) {
  std::pair<int64_t, int64_t> best{1, 1};
  int64_t least = INT64_MAX;
  for (int64_t rows = 1; rows <= parts; ++rows) {
    int64_t columns = parts / rows;
    bool isThin = (rows > 1 && g.m / rows < leastSide) || (columns > 1 && g.n / columns < leastSide);
    int64_t read = g.m * columns + g.n * rows;
    if (isThin || rows * columns <= best.first * best.second / 2 ||
        (rows * columns <= best.first * best.second && read >= least))
      continue;
    best = {rows, columns};
    least = read;
  }
  return best;
}

std::vector<BlasProduct> cutGrid(const BlasProduct &product, int64_t parts, int64_t size) {
  const Gemm &g = product.gemm;
  auto [rows, columns] = chooseGrid(g, parts);
  // Whole lines of the cache, but for the last part.
  int64_t height = ceilDiv(ceilDiv(g.m, rows), 16) * 16, width = ceilDiv(g.n, columns);
  std::vector<BlasProduct> cut;
  for (int64_t row = 0; row < g.m; row += height)
    for (int64_t column = 0; column < g.n; column += width) {
      cut.push_back(product);
      cut.back().gemm =
          partOf(g, row, column, 0, std::min(height, g.m - row), std::min(width, g.n - column), g.k, size);
    }
  return cut;
}

/// The blocks on and below the diagonal of x @ x.T.
std::vector<BlasProduct> cutTriangle(const BlasProduct &product, int64_t blocks, int64_t size) {
  const Gemm &g = product.gemm;
  int64_t width = ceilDiv(ceilDiv(g.n, blocks), 16) * 16;
  std::vector<BlasProduct> cut;
  for (int64_t column = 0; column < g.n; column += width)
    for (int64_t row = column; row < g.n; row += width) {
      cut.push_back(product);
      cut.back().gemm = partOf(g, row, column, 0, std::min(width, g.n - row), std::min(width, g.n - column), g.k, size);
    }
  return cut;
}

std::vector<BlasProduct> cutVector(const BlasProduct &product, int64_t parts, int64_t size) {
  const Gemv &v = product.gemv;
  int64_t count = v.transpose ? v.columns : v.rows, length = ceilDiv(ceilDiv(count, parts), 16) * 16;
  std::vector<BlasProduct> cut;
  for (int64_t first = 0; first < count; first += length) {
    cut.push_back(product);
    Gemv &part = cut.back().gemv;
    (v.transpose ? part.columns : part.rows) = std::min(length, count - first);
    part.a = at(v.a, v.transpose ? first * v.lda : first, size);
    part.y = const_cast<void *>(at(v.y, first * v.incY, size));
  }
  return cut;
}

/// Where sums go whose parts lie one behind the other, `room` elements each. A vector is a matrix of one row, whose
/// columns need not lie side by side.
struct Sums {
  void *to;
  int64_t rows, columns, step, room;
};

template <typename T> void addParts(const std::vector<char> &sums, int64_t parts, const Sums &result, int64_t scalars) {
  auto *from = reinterpret_cast<const T *>(sums.data());
  auto *to = static_cast<T *>(result.to);
  int64_t height = result.rows * scalars, step = result.step * scalars;
  for (int64_t part = 0; part < parts; ++part, from += result.room * scalars)
    for (int64_t column = 0; column < result.columns; ++column)
      for (int64_t row = 0; row < height; ++row)
        to[column * step + row] += from[column * height + row];
}

class Shared {
public:
  Shared(const Blas &blas, int32_t dtype)
      : blas(blas), dtype(dtype), size(elementSize(dtype)), threads(ThreadPool::get().threads()) {}

  bool multiply(const BlasProduct &product) const {
    if (!blas.hasThreads())
      return blas.multiply(dtype, product);
    Blas::OneThread alone(blas);
    if (threads == 1)
      return blas.multiply(dtype, product);
    if (product.isVector) {
      const Gemv &v = product.gemv;
      int64_t parts = v.rows * v.columns * size / leastVectorPart, length = v.transpose ? v.columns : v.rows;
      if (length <= shortVector && parts >= 2)
        return multiplyVectorBySums(product, std::min(parts, mostSums));
      // Two for each thread even out unequal speeds, where they are large.
      return run(cutVector(product, std::clamp<int64_t>(parts, 1, parts >= 4 * threads ? 2 * threads : threads), size));
    }
    const Gemm &g = product.gemm;
    // How a sum is cut does not depend on the threads, as its rounding errors do.
    if (g.m * g.n <= smallResult && g.k >= 2 * longSum)
      return multiplyBySums(product, std::min(g.k / longSum, mostSums));
    double multiplications = double(g.m) * double(g.n) * double(g.k);
    auto parts = static_cast<int64_t>(std::clamp<double>(multiplications / leastPart, 1, 2 * threads));
    if (product.beta == 0 && blas.isSymmetric(dtype, g)) {
      int64_t blocks = std::clamp<int64_t>(g.n / (2 * leastSide), 1, parts);
      if (!run(cutTriangle(product, blocks, size)))
        return false;
      if (blocks > 1)
        blas.mirror(dtype, g);
      return true;
    }
    bool isLarge = multiplications >= double(leastSecond) * 2 * threads;
    return run(cutGrid(product, isLarge ? parts : std::min(parts, threads), size));
  }

private:
  bool run(const std::vector<BlasProduct> &parts) const {
    std::atomic<bool> fits = true;
    parallelLoop(int64_t(parts.size()), 1, [&](int64_t lo, int64_t hi) {
      for (int64_t part = lo; part < hi; ++part)
        if (!blas.multiply(dtype, parts[part]))
          fits = false;
    });
    return fits;
  }

  /// The first part of the sums goes into the result, the others beside it.
  bool multiplyBySums(const BlasProduct &product, int64_t count) const {
    const Gemm &g = product.gemm;
    std::vector<char> sums((count - 1) * g.m * g.n * size);
    std::vector<BlasProduct> parts(count, product);
    for (int64_t part = 0; part < count; ++part) {
      int64_t first = g.k * part / count, end = g.k * (part + 1) / count;
      parts[part].gemm = partOf(g, 0, 0, first, g.m, g.n, end - first, size);
      if (part) {
        parts[part].gemm.c = sums.data() + (part - 1) * g.m * g.n * size;
        parts[part].gemm.ldc = g.m;
        parts[part].beta = 0;
      }
    }
    return runSums(parts, sums, {g.c, g.m, g.n, g.ldc, g.m * g.n});
  }

  bool multiplyVectorBySums(const BlasProduct &product, int64_t count) const {
    const Gemv &v = product.gemv;
    int64_t terms = v.transpose ? v.rows : v.columns, length = v.transpose ? v.columns : v.rows;
    // Whole lines of the cache, but for the last part.
    int64_t each = ceilDiv(ceilDiv(terms, count), 16) * 16, room = ceilDiv(length, 16) * 16;
    count = ceilDiv(terms, each);
    std::vector<char> sums((count - 1) * room * size);
    std::vector<BlasProduct> parts(count, product);
    for (int64_t part = 0; part < count; ++part) {
      Gemv &cut = parts[part].gemv;
      int64_t first = part * each;
      (v.transpose ? cut.rows : cut.columns) = std::min(each, terms - first);
      cut.a = at(v.a, v.transpose ? first : first * v.lda, size);
      cut.x = at(v.x, first * v.incX, size);
      if (part) {
        cut.y = sums.data() + (part - 1) * room * size;
        cut.incY = 1;
        parts[part].beta = 0;
      }
    }
    return runSums(parts, sums, {v.y, 1, length, v.incY, room});
  }

  bool runSums(const std::vector<BlasProduct> &parts, const std::vector<char> &sums, const Sums &result) const {
    if (!run(parts))
      return false;
    bool isDouble = dtype == NPCC_FLOAT64 || dtype == NPCC_COMPLEX128;
    int64_t scalars = dtype == NPCC_COMPLEX64 || dtype == NPCC_COMPLEX128 ? 2 : 1;
    (isDouble ? addParts<double> : addParts<float>)(sums, int64_t(parts.size()) - 1, result, scalars);
    return true;
  }

  const Blas &blas;
  int32_t dtype;
  int64_t size;
  int64_t threads;
};

} // namespace

bool multiplyShared(const Blas &blas, int32_t dtype, const BlasProduct &product) {
  return Shared(blas, dtype).multiply(product);
}

} // namespace npcc::rt
