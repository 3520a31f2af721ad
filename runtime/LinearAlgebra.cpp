#include "runtime/LinearAlgebra.h"
#include "runtime/Element.h"
#include "runtime/cpu/Blas.h"
#include "runtime/cpu/Lapack.h"
#include "runtime/cpu/ThreadPool.h"
#include <algorithm>
#include <atomic>
#include <complex>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace npcc::rt {
namespace {

constexpr std::string_view hostPrefix = "host.";
// Rows of a matrix that one thread is enough for, and multiplications that are worth handing over to another thread.
constexpr int64_t rowsOfOneThread = 256, elementsOfPart = 1 << 15;

/// What NumPy has for a matrix without a result.
void fillWithNan(int32_t dtype, const Matrix &matrix) {
  int64_t count = matrix.rows * matrix.columns;
  if (dtype == NPCC_FLOAT32 || dtype == NPCC_COMPLEX64)
    std::fill_n(static_cast<float *>(matrix.data), dtype == NPCC_FLOAT32 ? count : 2 * count,
                std::numeric_limits<float>::quiet_NaN());
  if (dtype == NPCC_FLOAT64 || dtype == NPCC_COMPLEX128)
    std::fill_n(static_cast<double *>(matrix.data), dtype == NPCC_FLOAT64 ? count : 2 * count,
                std::numeric_limits<double>::quiet_NaN());
}

/// Whether a library that counts in 32 bits can have these matrices.
bool areNarrow(int32_t count, const npcc_array *operands) {
  return std::all_of(operands, operands + count, [](const npcc_array &stack) {
    return std::all_of(stack.shape + 1, stack.shape + stack.rank, [](int64_t extent) { return extent <= INT32_MAX; });
  });
}

/// Column-major what is row-major, of square matrices.
template <typename Bits> void transpose(const void *from, void *to, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      static_cast<Bits *>(to)[j * n + i] = static_cast<const Bits *>(from)[i * n + j];
}

/// The matrix in `columns`, for LAPACK to overwrite.
Matrix asColumns(const Matrix &rows, int32_t dtype, std::vector<char> &columns) {
  int64_t n = rows.rows, size = elementSize(dtype);
  columns.resize(n * n * size);
  if (size == 4)
    transpose<uint32_t>(rows.data, columns.data(), n);
  else if (size == 8)
    transpose<uint64_t>(rows.data, columns.data(), n);
  else
    transpose<std::complex<double>>(rows.data, columns.data(), n);
  return {columns.data(), n, n};
}

/// A matrix of a stack is work for one thread.
bool isSharedOut(int64_t matrices, int64_t rows) {
  return matrices > 1 && (rows <= rowsOfOneThread || matrices >= 2 * ThreadPool::get().threads());
}

Status onHost(const char *routine, int32_t inputs, int32_t count, const npcc_array *operands, int64_t &failed) {
  bool isOfRows = std::string_view(routine) == "solve_rows";
  LapackRoutine found = findLapackRoutine(isOfRows ? "solve" : routine, operands[inputs].dtype);
  if (!found)
    return makeError(
        NPCC_NOT_IMPLEMENTED_ERROR,
        "there is no LAPACK for {}: no OpenBLAS is found (it comes with NumPy's package and with libopenblas0-pthread)",
        routine);
  const Blas *blas = Blas::get();
  if (blas && !blas->isWide() && !areNarrow(count, operands))
    return makeError(
        NPCC_NOT_IMPLEMENTED_ERROR,
        "{} of a matrix with an axis of more than 2147483647 elements: the OpenBLAS at hand ({}) counts them "
        "in 32 bits, NumPy's own in 64",
        routine, blas->description());
  std::atomic<int64_t> first = INT64_MAX; // that has no result
  auto run = [&](int64_t lo, int64_t hi) {
    std::vector<char> columns;
    for (int64_t k = lo; k < hi; ++k) {
      Matrices matrices{};
      for (int32_t operand = 0; operand < count; ++operand) {
        const npcc_array &stack = operands[operand];
        matrices.of[operand] = {static_cast<char *>(stack.data) + k * matrixBytes(stack), stack.shape[stack.rank - 1],
                                stack.rank > 2 ? stack.shape[1] : 1};
      }
      if (isOfRows)
        matrices.of[0] = asColumns(matrices.of[0], operands[0].dtype, columns);
      if (found(matrices))
        continue;
      for (int32_t operand = inputs; operand < count; ++operand)
        fillWithNan(operands[operand].dtype, matrices.of[operand]);
      int64_t before = first;
      while (k < before && !first.compare_exchange_weak(before, k))
        ;
    }
  };
  // A library with threads of its own would wake them beside the pool's for work that is over before they are there.
  int64_t matrices = operands[0].shape[0], rows = operands[0].shape[operands[0].rank - 1];
  bool isSmall = rows <= rowsOfOneThread, isShared = isSharedOut(matrices, rows);
  std::optional<Blas::OneThread> alone;
  if (blas && blas->hasThreads() && (isSmall || isShared))
    alone.emplace(*blas);
  if (isShared && (!blas || alone))
    parallelLoop(matrices, std::max<int64_t>(1, elementsOfPart / std::max<int64_t>(rows * rows * rows, 1)), run);
  else
    run(0, matrices);
  if (first != INT64_MAX && !failed)
    failed = first + 1;
  return {};
}

} // namespace

int64_t countMatricesAtOnce(int64_t matrices, int64_t rows) {
  return isSharedOut(matrices, rows) ? std::min<int64_t>(matrices, ThreadPool::get().threads()) : 1;
}

Status callLinearAlgebra(Device &device, const char *routine, int32_t inputs, int32_t count, const npcc_array *operands,
                         const RoutineError *error, int64_t &failed) {
  if (count > Matrices::most)
    return makeError(NPCC_VALUE_ERROR, "too many operands of {}", routine);
  bool isOfHost = std::string_view(routine).starts_with(hostPrefix);
  if (isOfHost)
    routine += hostPrefix.size();
  if (device.onHost())
    return onHost(routine, inputs, count, operands, failed);
  bool done = false, isEmpty = std::any_of(operands, operands + count, [](const npcc_array &stack) {
                       return stack.shape[0] * matrixBytes(stack) == 0;
                     });
  if (!isOfHost && !isEmpty && areNarrow(count, operands)) // some of cuSOLVER's functions count in 32 bits
    NPCC_TRY(device.linearAlgebra(routine, inputs, count, operands, error, failed, done));
  if (done)
    return {};
  // By way of the host.
  std::vector<std::vector<char>> copies(count);
  std::vector<npcc_array> local(operands, operands + count);
  for (int32_t k = 0; k < count; ++k) {
    copies[k].resize(matrixBytes(operands[k]) * operands[k].shape[0]);
    if (!copies[k].empty())
      NPCC_TRY(device.copyOut(copies[k].data(), operands[k].data, copies[k].size()));
    local[k].data = copies[k].data();
  }
  NPCC_TRY(onHost(routine, inputs, count, local.data(), failed));
  for (int32_t k = inputs; k < count; ++k)
    if (!copies[k].empty())
      NPCC_TRY(device.copyIn(operands[k].data, copies[k].data(), copies[k].size()));
  return {};
}

} // namespace npcc::rt
