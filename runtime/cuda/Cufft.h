// cuFFT, opened at the first Fourier transform on a GPU.
#ifndef NPCC_RUNTIME_CUDA_CUFFT_H
#define NPCC_RUNTIME_CUDA_CUFFT_H

#include "runtime/Fourier.h"
#include "runtime/cuda/Driver.h"
#include <list>
#include <mutex>

namespace npcc::rt::cuda {

class CudaDevice;

/// The plans of one device.
class Cufft {
public:
  /// NotImplementedError if there is no cuFFT here. The device's context is current.
  Status transform(CudaDevice &device, const FourierShape &shape, const View &in, const View &out);

private:
  /// Lines at equal distances, in elements: what one plan is made for.
  struct Layout {
    int kind, axes; // cufftType, and how many lengths there are
    long long lengths[3], batch, inStride, inDistance, outStride, outDistance;
    bool operator==(const Layout &) const = default;
  };
  struct Plan {
    Layout layout;
    int handle;
    size_t workBytes;
  };
  Status findPlan(CudaDevice &device, const Layout &layout, Plan &plan);
  Status run(CudaDevice &device, const FourierShape &shape, const View &in, const View &out);
  /// In and out are copied where their lines are at no equal distances.
  Status runContiguous(CudaDevice &device, const FourierShape &shape, const View &in, const View &out);

  std::mutex mutex;
  std::list<Plan> plans; // the last used one first
};

/// The file that serves, for npcc-info; "" if there is none.
const char *cufftLibrary();

} // namespace npcc::rt::cuda

#endif
