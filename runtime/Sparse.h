// Products with sparse matrices as a routine that compiled code calls by its name (np.routine).
#ifndef NPCC_RUNTIME_SPARSE_H
#define NPCC_RUNTIME_SPARSE_H

#include "runtime/Device.h"
#include "runtime/abi/arrays.h"

namespace npcc::rt {

/// A matrix by its lines: the elements of line k are those from `ends[k]` to `ends[k + 1]` of `data`, at the places
/// that `places` says.
struct SparseLines {
  int32_t dtype;     // float32 to complex128, of data, factors and sums
  int32_t placeType; // int32 or int64, of ends and places
  int64_t lines, width, count;
  const void *ends, *places, *data;
};

/// What lines are multiplied by, and the sums: vectors, or tables in C order.
struct SparseFactors {
  bool isTable;
  int64_t columns; // of a table; else 1
  const void *factors;
  void *sums;
};

constexpr const char *sparseColumns = "sparse_columns", *sparseRows = "sparse_rows";

/// Of operands ends, places, data, factors and sums. "sparse_columns": each line times its factor is added to the sums
/// at the line's places. "sparse_rows": each line times the factors at its places has one sum. With tables a factor is
/// a row of them, and so is a sum. `failed` is 1 where nothing was done: the device has no library for that, or not for
/// such arrays; the host has columns only, as rows are a loop that compiled code has itself.
Status callSparse(Device &device, const char *routine, const npcc_array *operands, int64_t &failed);

} // namespace npcc::rt

#endif
