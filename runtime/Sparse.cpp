#include "runtime/Sparse.h"
#include "runtime/View.h"
#include "runtime/abi/dtypes.h"
#include <complex>
#include <string_view>

namespace npcc::rt {
namespace {

/// Of each line and place `columns` numbers.
template <typename Number, typename Place>
void addLines(const SparseLines &matrix, int64_t columns, const Number *factors, Number *sums) {
  auto *ends = static_cast<const Place *>(matrix.ends), *places = static_cast<const Place *>(matrix.places);
  auto *data = static_cast<const Number *>(matrix.data);
  for (int64_t line = 0; line < matrix.lines; ++line, factors += columns)
    for (Place at = ends[line]; at < ends[line + 1]; ++at) {
      Number *sum = sums + places[at] * columns;
      for (int64_t column = 0; column < columns; ++column)
        sum[column] += data[at] * factors[column];
    }
}

template <typename Number> void addLines(const SparseLines &matrix, int64_t columns, const void *factors, void *sums) {
  auto add = matrix.placeType == NPCC_INT32 ? addLines<Number, int32_t> : addLines<Number, int64_t>;
  add(matrix, columns, static_cast<const Number *>(factors), static_cast<Number *>(sums));
}

void addLinesOnHost(const SparseLines &matrix, int64_t columns, const void *factors, void *sums) {
  switch (matrix.dtype) {
  case NPCC_FLOAT32:
    return addLines<float>(matrix, columns, factors, sums);
  case NPCC_FLOAT64:
    return addLines<double>(matrix, columns, factors, sums);
  case NPCC_COMPLEX64:
    return addLines<std::complex<float>>(matrix, columns, factors, sums);
  default:
    return addLines<std::complex<double>>(matrix, columns, factors, sums);
  }
}

} // namespace

Status callSparse(Device &device, const char *routine, const npcc_array *operands, int64_t &failed) {
  const npcc_array &ends = operands[0], &places = operands[1], &data = operands[2], &factors = operands[3],
                   &sums = operands[4];
  failed = 1;
  bool isTable = sums.rank == 2, areRows = std::string_view(routine) == sparseRows;
  for (int32_t k = 0; k < 5; ++k)
    if (operands[k].rank != (k < 3 || !isTable ? 1 : 2) || !isContiguous(viewOf(operands[k])))
      return {};
  if (areRows && device.onHost())
    return {};
  int32_t dtype = data.dtype;
  bool isKnown = dtype == NPCC_FLOAT32 || dtype == NPCC_FLOAT64 || dtype == NPCC_COMPLEX64 || dtype == NPCC_COMPLEX128;
  if (!isKnown || factors.dtype != dtype || sums.dtype != dtype || ends.dtype != places.dtype ||
      (ends.dtype != NPCC_INT32 && ends.dtype != NPCC_INT64))
    return {};
  SparseLines matrix{dtype,         ends.dtype, ends.shape[0] - 1, (areRows ? factors : sums).shape[0],
                     data.shape[0], ends.data,  places.data,       data.data};
  failed = 0;
  SparseFactors by{isTable, isTable ? sums.shape[1] : 1, factors.data, sums.data};
  if (matrix.count == 0 || by.columns == 0)
    return {};
  if (device.onHost()) {
    addLinesOnHost(matrix, by.columns, factors.data, sums.data);
    return {};
  }
  bool done = false;
  NPCC_TRY(device.multiplySparse(matrix, areRows, by, done));
  failed = !done;
  return {};
}

} // namespace npcc::rt
