#include "runtime/Fourier.h"
#include "runtime/Buffer.h"
#include "runtime/Copy.h"
#include <cstring>
#include <algorithm>

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

bool findFourier(const char *routine, const npcc_array &output, FourierShape &shape) {
  auto is = [&](const char *name) { return !strcmp(routine, name); };
  if (!is("fft") && !is("ifft") && !is("rfft_even") && !is("rfft_odd") && !is("irfft"))
    return false;
  bool isSingle = output.dtype == NPCC_COMPLEX64 || output.dtype == NPCC_FLOAT32;
  int64_t extent = output.shape[output.rank - 1];
  shape.dtype = isSingle ? NPCC_COMPLEX64 : NPCC_COMPLEX128;
  shape.forward = is("fft") || routine[0] == 'r';
  shape.isReal = !is("fft") && !is("ifft");
  shape.length = is("rfft_even") ? 2 * (extent - 1) : is("rfft_odd") ? 2 * extent - 1 : extent;
  return true;
}

Status callFourier(Device &device, const FourierShape &shape, const npcc_array &input, const npcc_array &output) {
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
