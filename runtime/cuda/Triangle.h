// Triangular matrices of equations, which need no factors (kernels/triangle.cu).
#ifndef NPCC_RUNTIME_CUDA_TRIANGLE_H
#define NPCC_RUNTIME_CUDA_TRIANGLE_H

#include "runtime/Device.h"

namespace npcc::rt::cuda {

class CudaDevice;

enum class Triangle { none, lower, upper };

/// What all of `count` column-major n x n matrices of FLOAT32/64 or COMPLEX64/128 are, if no diagonal holds a zero;
/// waits for the answer. A diagonal matrix is a lower one.
Status findTriangle(CudaDevice &device, int32_t dtype, const void *matrices, int64_t n, int64_t count, Triangle &found);

} // namespace npcc::rt::cuda

#endif
