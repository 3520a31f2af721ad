#include "runtime/cpu/Fourier.h"
#include "runtime/abi/dtypes.h"
#include "runtime/cpu/ThreadPool.h"
#include <algorithm>

// The threads are the runtime's; plans of the last lengths are kept.
#define POCKETFFT_NO_MULTITHREADING
#define POCKETFFT_CACHE_SIZE 16
#include NPCC_POCKETFFT

namespace npcc::rt {
namespace {

/// What one task of a thread transforms, in points.
constexpr int64_t grainPoints = 1 << 14;

template <typename T> void transform(const FourierShape &shape, const View &in, const View &out) {
  pocketfft::shape_t extents(in.shape, in.shape + in.rank);
  extents.back() = shape.length;
  pocketfft::stride_t inStrides, outStrides;
  for (int32_t axis = 0; axis < in.rank; ++axis) {
    inStrides.push_back(in.strides[axis] * in.elementSize);
    outStrides.push_back(out.strides[axis] * out.elementSize);
  }
  using Complex = std::complex<T>;
  size_t last = in.rank - 1;
  if (!shape.isReal)
    pocketfft::c2c(extents, inStrides, outStrides, {last}, shape.forward, reinterpret_cast<const Complex *>(in.data),
                   reinterpret_cast<Complex *>(out.data), T(1));
  else if (shape.forward)
    pocketfft::r2c(extents, inStrides, outStrides, last, true, reinterpret_cast<const T *>(in.data),
                   reinterpret_cast<Complex *>(out.data), T(1));
  else
    pocketfft::c2r(extents, inStrides, outStrides, last, false, reinterpret_cast<const Complex *>(in.data),
                   reinterpret_cast<T *>(out.data), T(1));
}

} // namespace

void fourierOnHost(const FourierShape &shape, const View &in, const View &out) {
  // The longest of the other axes is cut.
  int32_t axis = 0;
  for (int32_t k = 1; k + 1 < in.rank; ++k)
    if (in.shape[k] > in.shape[axis])
      axis = k;
  auto run = shape.dtype == NPCC_COMPLEX64 ? transform<float> : transform<double>;
  if (in.rank == 1)
    return run(shape, in, out);
  int64_t points = shape.length;
  for (int32_t k = 0; k + 1 < in.rank; ++k)
    if (k != axis)
      points *= in.shape[k];
  parallelLoop(in.shape[axis], std::max<int64_t>(1, grainPoints / points), [&](int64_t low, int64_t high) {
    View from = in, to = out;
    from.shape[axis] = to.shape[axis] = high - low;
    from.data += low * from.strides[axis] * from.elementSize;
    to.data += low * to.strides[axis] * to.elementSize;
    run(shape, from, to);
  });
}

} // namespace npcc::rt
