// Sizes of the numbers of small matrices (MatrixElements.cuh), and products with real numbers.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_MATRIX_SCALES_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_MATRIX_SCALES_CUH
#include "MatrixElements.cuh"

template <typename Real> struct Limits;
template <> struct Limits<double> {
  static constexpr double epsilon = 0x1p-52, smallest = 0x1p-485; // a column of that length still has an exact square
};
template <> struct Limits<float> {
  static constexpr float epsilon = 0x1p-23f, smallest = 0x1p-51f;
};

template <typename Real> __device__ Real square(Real x) { return x * x; }
template <typename Real> __device__ Real square(Complex<Real> x) { return x.re * x.re + x.im * x.im; }
template <typename Real> __device__ Real times(Real x, Real y) { return x * y; }
template <typename Real> __device__ Complex<Real> times(Complex<Real> x, Real y) { return {x.re * y, x.im * y}; }
template <typename Real> __device__ bool isReal(Real) { return true; }
template <typename Real> __device__ bool isReal(Complex<Real> x) { return x.im == 0; }
template <typename Real> __device__ bool isFiniteNumber(Real x) { return isfinite(x); }
template <typename Real> __device__ bool isFiniteNumber(Complex<Real> x) { return isfinite(x.re) && isfinite(x.im); }
template <typename Real> __device__ bool isNanNumber(Real x) { return isnan(x); }
template <typename Real> __device__ bool isNanNumber(Complex<Real> x) { return isnan(x.re) || isnan(x.im); }
template <typename Real> __device__ Real largestPart(Real x) { return fabs(x); }
template <typename Real> __device__ Real largestPart(Complex<Real> x) { return fmax(fabs(x.re), fabs(x.im)); }

#endif
