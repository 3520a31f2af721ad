// A strided view of elements, for copies: what is left of an npcc_array when dtype and owner do not matter.
#ifndef NPCC_RUNTIME_VIEW_H
#define NPCC_RUNTIME_VIEW_H
#include "runtime/abi/arrays.h"


namespace npcc::rt {

struct View {
  char *data;
  int64_t elementSize;
  int32_t rank;
  int64_t shape[NPCC_MAX_RANK];
  int64_t strides[NPCC_MAX_RANK]; // in elements
};

View viewOf(const npcc_array &array);
/// The C-contiguous view of this shape at `data`.
View contiguousLike(const View &view, void *data);

int64_t elementCount(const View &view);
bool isContiguous(const View &view);

/// The bytes a view touches: [low, high); empty views touch none.
struct ByteRange {
  char *low;
  char *high;
  bool empty() const { return low == high; }
  int64_t bytes() const { return high - low; }
  bool overlaps(const ByteRange &other) const { return low < other.high && other.low < high; }
};
ByteRange rangeOf(const View &view);
/// Whether two views whose ranges overlap have no byte in common, as fields of one array of records: elements of either lie in blocks
/// that follow each other at one distance, and the blocks are apart. False where that does not show.
bool areInterleaved(const View &left, const View &right);

/// Brings a copy into the simplest equal one: drops axes of extent 1, makes the strides of `to` positive and descending,
/// and joins axes that are one axis in both views.
void normalise(View &to, View &from);

} // namespace npcc::rt

#endif
