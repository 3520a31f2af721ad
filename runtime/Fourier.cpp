#include "runtime/Fourier.h"
#include "runtime/Buffer.h"
#include "runtime/Copy.h"
#include "runtime/abi/dtypes.h"
#include <algorithm>
#include <cstring>
#include <string_view>

namespace npcc::rt {
namespace {

/// The positions [low, high) of an axis.
View slice(View view, int32_t axis, int64_t low, int64_t high) {
  view.data += low * view.strides[axis] * view.elementSize;
  view.shape[axis] = high - low;
  return view;
}

/// `in` at the beginning of each axis of `to`, which is longer along some of the last `axes`, and zeros behind.
Status pad(Device &device, const View &to, const View &in, int32_t axes) {
  View corner = to;
  for (int32_t axis = in.rank - axes; axis < in.rank; ++axis) {
    if (in.shape[axis] == to.shape[axis])
      continue;
    NPCC_TRY(fillWithZeros(device, slice(corner, axis, in.shape[axis], to.shape[axis])));
    corner = slice(corner, axis, 0, in.shape[axis]);
  }
  return to.data != in.data ? copyOnDevice(device, corner, in) : Status();
}

} // namespace

Status fillWithZeros(Device &device, const View &view) {
  if (elementCount(view) == 0)
    return {};
  OwnedBuffer zero;
  static const char nothing[16] = {};
  NPCC_TRY(zero.allocate(device, view.elementSize));
  NPCC_TRY(device.copyIn(zero.get(), nothing, view.elementSize));
  View from = view;
  from.data = zero.get();
  std::fill_n(from.strides, from.rank, 0);
  return copyOnDevice(device, view, from);
}

Status fourierByAxes(Device &device, const FourierShape &shape, const View &in, const View &out) {
  FourierShape one = shape;
  one.axes = 1;
  for (int32_t k = 0; k < shape.axes; ++k) {
    View from = k == 0 ? in : out, to = out;
    int32_t last = in.rank - 1, axis = last - k;
    for (View *view : {&from, &to}) {
      std::swap(view->shape[axis], view->shape[last]);
      std::swap(view->strides[axis], view->strides[last]);
    }
    one.length = to.shape[last];
    NPCC_TRY(device.fourier(one, from, to));
  }
  return {};
}

/// What a routine does to the lines of its output.
static FourierShape shapeOf(std::string_view routine, const npcc_array &output) {
  bool isSingle = output.dtype == NPCC_COMPLEX64 || output.dtype == NPCC_FLOAT32;
  int64_t length = output.shape[output.rank - 1];
  if (routine.starts_with("rfft"))
    length = routine == "rfft_even" ? 2 * (length - 1) : 2 * length - 1;
  bool isReal = routine.find("rfft") != routine.npos;
  int32_t axes = routine.ends_with('2') ? 2 : routine.ends_with('3') ? 3 : 1;
  return {isSingle ? NPCC_COMPLEX64 : NPCC_COMPLEX128, length, !routine.starts_with('i'), isReal, axes};
}

Status callFourier(Device &device, const char *routine, const npcc_array &input, const npcc_array &output) {
  FourierShape shape = shapeOf(routine, output);
  View in = viewOf(input), out = viewOf(output);
  if (elementCount(out) == 0)
    return {};
  View padded = in;
  bool isShort = false;
  for (int32_t axis = in.rank - shape.axes; axis < in.rank; ++axis) {
    int64_t want = axis == in.rank - 1 ? shape.inputs() : out.shape[axis];
    isShort |= in.shape[axis] < want;
    if (in.shape[axis] > want)
      in = slice(in, axis, 0, want);
    padded.shape[axis] = want;
  }
  if (!isShort)
    return device.fourier(shape, in, out);
  if (!shape.isReal) { // in the result's own memory
    NPCC_TRY(pad(device, out, in, shape.axes));
    return device.fourier(shape, out, out);
  }
  OwnedBuffer buffer;
  NPCC_TRY(buffer.allocate(device, elementCount(padded) * padded.elementSize));
  padded = contiguousLike(padded, buffer.get());
  NPCC_TRY(pad(device, padded, in, shape.axes));
  return device.fourier(shape, padded, out);
}

} // namespace npcc::rt
