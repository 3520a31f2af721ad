// numpy.reshape of any array: a view where its strides allow.
#include "runtime/Copy.h"
#include "runtime/Frame.h"
#include "runtime/abi/routines.h"
#include <algorithm>

namespace npcc::rt {
namespace {

/// The strides of a view of `from` with the shape of `to`: false if there is none. Axes of both are taken in groups of equal size; a group of axes of
/// `from` must be one axis in memory, which the group of `to` divides.
bool findStrides(const View &from, View &to) {
  int32_t axis = 0, next = 0;
  auto skipOnes = [&] {
    while (axis < from.rank && from.shape[axis] == 1)
      ++axis;
  };
  for (skipOnes(); axis < from.rank && next < to.rank; skipOnes()) {
    int32_t first = axis, start = next;
    int64_t have = from.shape[axis++], want = to.shape[next++];
    while (have != want) {
      if (have < want) {
        skipOnes();
        if (axis == from.rank)
          return false;
        have *= from.shape[axis++];
      } else {
        if (next == to.rank)
          return false;
        want *= to.shape[next++];
      }
    }
    int32_t last = axis - 1;
    for (int32_t k = first, inner; k < last; k = inner) {
      for (inner = k + 1; inner < last && from.shape[inner] == 1;)
        ++inner;
      if (from.strides[k] != from.shape[inner] * from.strides[inner])
        return false;
    }
    int64_t stride = from.strides[last];
    for (int32_t k = next - 1; k >= start; --k) {
      to.strides[k] = stride;
      stride *= to.shape[k];
    }
  }
  // Axes of one element at the end.
  for (; next < to.rank; ++next) {
    if (to.shape[next] != 1)
      return false;
    to.strides[next] = next ? to.strides[next - 1] : 1;
  }
  return axis == from.rank;
}

/// A contiguous array as it lies where the axes are in reverse in memory.
View transposedInMemory(View array) {
  int64_t stride = 1;
  for (int32_t axis = 0; axis < array.rank; ++axis) {
    array.strides[axis] = stride;
    stride *= array.shape[axis];
  }
  return array;
}

Status reshape(const npcc_array &from, npcc_array &to, int32_t flags) {
  Frame *frame;
  NPCC_TRY(requireFrame(frame));
  to.device = from.device;
  to.flags = from.flags;
  View source = viewOf(from), target = source;
  target.rank = to.rank;
  std::copy_n(to.shape, to.rank, target.shape);
  View asked = flags & NPCC_RESHAPE_TRANSPOSED ? transposedInMemory(source) : source;
  bool isView = elementCount(source) != 0 && (!(flags & NPCC_RESHAPE_RAVEL) || isContiguous(asked)) &&
                findStrides(asked, target) && findStrides(source, target);
  if (isView) {
    to.base = from.base;
    to.data = from.data;
    retainBuffer(withoutMark(from.base), frame->ledger);
  } else {
    NPCC_TRY(newBuffer(*frame->device, elementCount(source) * source.elementSize, frame->ledger, to.base));
    to.data = to.base;
    View copy = contiguousLike(source, to.data);
    target = contiguousLike(target, to.data);
    if (elementCount(source))
      NPCC_TRY(copyOnDevice(*frame->device, copy, source));
  }
  std::copy_n(target.strides, to.rank, to.strides);
  return {};
}

} // namespace
} // namespace npcc::rt

void npcc_rt_reshape(const npcc_array *from, npcc_array *to, int32_t flags) {
  NPCC_OR_FAIL(npcc::rt::reshape(*from, *to, flags));
}
