// Discrete Fourier transforms of lines: the last axis of views of any strides, or the last ones.
#ifndef NPCC_RUNTIME_FOURIER_H
#define NPCC_RUNTIME_FOURIER_H

#include "runtime/Status.h"
#include "runtime/View.h"

namespace npcc::rt {

class Device;

/// Lines of `length` points, none of them scaled. Forward: the sum of x[k] exp(-2 pi i j k / length) for each j; a
/// forward transform of real numbers gives the first length / 2 + 1 of these, and a backward one takes them, of which
/// the first (and of an even length the last) counts without its imaginary part.
struct FourierShape {
  int32_t dtype; // of the complex side: COMPLEX64 or COMPLEX128
  int64_t length;
  bool forward;
  bool isReal;      // real numbers are transformed forward, or result from the backward transform
  int32_t axes = 1; // the last axes, one after the other, which are complex and of the same extents in input and
                    // output; `length` is the last one's

  int64_t inputs() const { return isReal && !forward ? length / 2 + 1 : length; }
  int64_t outputs() const { return isReal && forward ? length / 2 + 1 : length; }
};

/// Zeros everywhere in the view.
Status fillWithZeros(Device &device, const View &view);
/// One axis after the other, the last one first.
Status fourierByAxes(Device &device, const FourierShape &shape, const View &in, const View &out);
/// The routines "fft", "ifft", "rfft_even", "rfft_odd" and "irfft", and "fft2", "fft3", "ifft2" and "ifft3" of several
/// axes: one input, one output of the same axes but those, whose extents in the output say how long the lines are.
/// Longer lines of the input are cut, shorter ones filled with zeros. Input and output are one array or do not overlap.
Status callFourier(Device &device, const char *routine, const npcc_array &input, const npcc_array &output);

} // namespace npcc::rt

#endif
