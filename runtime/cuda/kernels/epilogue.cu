// What is done to the elements of a product, where cuBLASLt does not do it with the product. Compiled offline to epilogue.ptx (make-kernels.sh).
#include "EpilogueParams.h"
#include "MatmulNumbers.cuh"

template <typename Kind> __device__ void apply(const EpilogueParams &p) {
  using T = typename Kind::Element;
  using Sum = typename Kind::Sum;
  Sum alpha = Sum(p.alpha), beta = Sum(p.beta);
  for (int64_t row = blockIdx.y; row < p.m; row += gridDim.y)
    for (int64_t column = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; column < p.n; column += int64_t(gridDim.x) * blockDim.x) {
      T &element = static_cast<T *>(p.c)[row * p.cRow + column * p.cColumn];
      Sum value = alpha * Kind::load(element);
      if (p.addend)
        value += beta * Kind::load(static_cast<const T *>(p.addend)[row * p.addendRow + column * p.addendColumn]);
      if (p.bias)
        value += Kind::load(static_cast<const T *>(p.bias)[column * p.biasColumn]);
      if (p.hasRelu && value < 0) // NaN stays
        value = 0;
      element = Kind::store(value);
    }
}

#define EPILOGUE(name, Kind)                                                                                           \
  extern "C" __global__ void __launch_bounds__(256) npcc_epilogue_##name(EpilogueParams p) { apply<Kind>(p); }
using Float32 = Number<float, float>;
using Float64 = Number<double, double>;
EPILOGUE(float16, Half)
EPILOGUE(float32, Float32)
EPILOGUE(float64, Float64)
EPILOGUE(bfloat16, Bfloat)
