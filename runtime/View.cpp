#include "runtime/View.h"
#include "runtime/Element.h"
#include <algorithm>
#include <cstdlib>

namespace npcc::rt {

View viewOf(const npcc_array &array) {
  View view;
  view.data = static_cast<char *>(array.data);
  view.elementSize = elementSize(array.dtype);
  view.rank = array.rank;
  std::copy_n(array.shape, array.rank, view.shape);
  std::copy_n(array.strides, array.rank, view.strides);
  return view;
}

View contiguousLike(const View &view, void *data) {
  View result;
  result.data = static_cast<char *>(data);
  result.elementSize = view.elementSize;
  result.rank = view.rank;
  int64_t stride = 1;
  for (int32_t axis = view.rank - 1; axis >= 0; --axis) {
    result.shape[axis] = view.shape[axis];
    result.strides[axis] = stride;
    stride *= std::max<int64_t>(view.shape[axis], 1);
  }
  return result;
}

int64_t elementCount(const View &view) {
  int64_t count = 1;
  for (int32_t axis = 0; axis < view.rank; ++axis)
    count *= view.shape[axis];
  return count;
}

bool isContiguous(const View &view) {
  int64_t expected = 1;
  bool contiguous = true;
  for (int32_t axis = view.rank - 1; axis >= 0; --axis) {
    if (view.shape[axis] == 0)
      return true;
    if (view.shape[axis] != 1 && view.strides[axis] != expected)
      contiguous = false;
    expected *= view.shape[axis];
  }
  return contiguous;
}

ByteRange rangeOf(const View &view) {
  int64_t low = 0, high = 0;
  for (int32_t axis = 0; axis < view.rank; ++axis) {
    if (view.shape[axis] == 0)
      return {view.data, view.data};
    int64_t reach = (view.shape[axis] - 1) * view.strides[axis];
    (reach < 0 ? low : high) += reach;
  }
  return {view.data + low * view.elementSize, view.data + (high + 1) * view.elementSize};
}

/// Where the blocks of a view begin, up to multiples of `period`, and how many bytes each has: axes whose strides are multiples of
/// `period` lead from block to block, the others lie in one.
static ByteRange blockOf(const View &view, int64_t period) {
  char *low = view.data, *high = view.data + view.elementSize;
  for (int32_t axis = 0; axis < view.rank; ++axis) {
    int64_t bytes = view.strides[axis] * view.elementSize;
    if (bytes % period == 0)
      continue;
    int64_t reach = bytes * (view.shape[axis] - 1);
    (reach < 0 ? low : high) += reach;
  }
  return {low, high};
}

bool areInterleaved(const View &left, const View &right) {
  auto areApart = [&](int64_t period) {
    ByteRange mine = blockOf(left, period), other = blockOf(right, period);
    int64_t distance = (other.low - mine.low) % period;
    distance += distance < 0 ? period : 0;
    return mine.bytes() <= distance && distance + other.bytes() <= period;
  };
  for (const View *view : {&left, &right})
    for (int32_t axis = 0; axis < view->rank; ++axis)
      if (int64_t bytes = std::abs(view->strides[axis] * view->elementSize); view->shape[axis] > 1 && bytes && areApart(bytes))
        return true;
  return false;
}

void normalise(View &to, View &from) {
  struct Axis {
    int64_t extent, toStride, fromStride;
  };
  Axis axes[NPCC_MAX_RANK];
  int32_t count = 0;
  for (int32_t axis = 0; axis < to.rank; ++axis) {
    Axis current{to.shape[axis], to.strides[axis], from.strides[axis]};
    if (current.extent == 1)
      continue;
    if (current.toStride < 0 && current.extent > 0) {
      to.data += (current.extent - 1) * current.toStride * to.elementSize;
      from.data += (current.extent - 1) * current.fromStride * from.elementSize;
      current.toStride = -current.toStride;
      current.fromStride = -current.fromStride;
    }
    axes[count++] = current;
  }
  std::stable_sort(axes, axes + count, [](const Axis &a, const Axis &b) { return a.toStride > b.toStride; });
  int32_t joined = 0;
  for (int32_t axis = 0; axis < count; ++axis) {
    const Axis &current = axes[axis];
    if (joined > 0) {
      Axis &outer = axes[joined - 1];
      if (outer.toStride == current.toStride * current.extent &&
          outer.fromStride == current.fromStride * current.extent) {
        outer = {outer.extent * current.extent, current.toStride, current.fromStride};
        continue;
      }
    }
    axes[joined++] = current;
  }
  to.rank = from.rank = joined;
  for (int32_t axis = 0; axis < joined; ++axis) {
    to.shape[axis] = from.shape[axis] = axes[axis].extent;
    to.strides[axis] = axes[axis].toStride;
    from.strides[axis] = axes[axis].fromStride;
  }
}

} // namespace npcc::rt
