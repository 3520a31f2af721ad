// Sorting of numbers by the CPU's vectors: Highway's vqsort (github.com/google/highway), of which the headers are compiled in.
#ifndef NPCC_RUNTIME_CPU_VECTORSORT_H
#define NPCC_RUNTIME_CPU_VECTORSORT_H

#include <cstdint>
#include <vector>

namespace npcc::rt {

/// A number of 128 bits: ordered by the high half, then by the low one. (The low one comes first in memory.)
struct Wide {
  uint64_t low, high;
  bool operator<(const Wide &other) const { return high < other.high || (high == other.high && low < other.low); }
};

/// In place, ascending, in no order of equal ones.
struct VectorSort {
  void (*sort16)(uint16_t *, int64_t);
  void (*sortSigned16)(int16_t *, int64_t);
  void (*sort32)(uint32_t *, int64_t);
  void (*sortSigned32)(int32_t *, int64_t);
  void (*sort64)(uint64_t *, int64_t);
  void (*sortSigned64)(int64_t *, int64_t);
  void (*sortWide)(Wide *, int64_t);

  /// Brings the elements of some places, ascending ones, there; lesser ones before, greater ones behind.
  void (*select32)(uint32_t *, int64_t, const std::vector<int64_t> &places);
  void (*selectSigned32)(int32_t *, int64_t, const std::vector<int64_t> &places);
  void (*select64)(uint64_t *, int64_t, const std::vector<int64_t> &places);
  void (*selectSigned64)(int64_t *, int64_t, const std::vector<int64_t> &places);
  void (*selectWide)(Wide *, int64_t, const std::vector<int64_t> &places);
};

/// For the widest vectors that this CPU has; null where it has none that are worth it, or the library was built without Highway.
const VectorSort *vectorSort();

} // namespace npcc::rt

#endif
