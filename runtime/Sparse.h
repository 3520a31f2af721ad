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

constexpr const char *sparseRoutine = "sparse_columns";

/// "sparse_columns", of operands ends, places, data, factors and sums: each line times its factor is added to the sums
/// at the line's places. On the host, factors and sums may be tables: lines times rows. `failed` is 1 where nothing was
/// done: the device has no library for that, or not for such arrays.
Status callSparse(Device &device, const npcc_array *operands, int64_t &failed);

} // namespace npcc::rt

#endif
