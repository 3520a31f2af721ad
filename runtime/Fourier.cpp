#include "runtime/Fourier.h"
#include "runtime/Buffer.h"
#include "runtime/Copy.h"
#include "runtime/abi/dtypes.h"
#include <algorithm>
#include <cstring>
#include <string_view>

namespace npcc::rt {
namespace {

/// The positions [low, high) of the last axis.
View slice(View view, int64_t low, int64_t high) {
  int32_t last = view.rank - 1;
  view.data += low * view.strides[last] * view.elementSize;
  view.shape[last] = high - low;
  return view;
}

/// The lines of `in` at the beginning of those of `to`, which are longer.
Status pad(Device &device, const View &to, const View &in) {
  int64_t have = in.shape[in.rank - 1];
  if (to.data != in.data)
    NPCC_TRY(copyOnDevice(device, slice(to, 0, have), in));
  return fillWithZeros(device, slice(to, have, to.shape[to.rank - 1]));
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
  int64_t have = in.shape[in.rank - 1], want = shape.inputs();
  if (have > want)
    in = slice(in, 0, want);
  if (have >= want)
    return device.fourier(shape, in, out);
  if (!shape.isReal) { // in the result's own memory
    NPCC_TRY(pad(device, out, in));
    return device.fourier(shape, out, out);
  }
  OwnedBuffer buffer;
  View padded = in;
  padded.shape[padded.rank - 1] = want;
  NPCC_TRY(buffer.allocate(device, elementCount(padded) * padded.elementSize));
  padded = contiguousLike(padded, buffer.get());
  NPCC_TRY(pad(device, padded, in));
  return device.fourier(shape, padded, out);
}

} // namespace npcc::rt
