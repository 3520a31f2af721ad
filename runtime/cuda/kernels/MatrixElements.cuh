// What the kernels of small matrices compute with: real and complex numbers under one set of names.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_MATRIX_ELEMENTS_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_MATRIX_ELEMENTS_CUH

template <typename Real> struct Complex {
  Real re, im;
};
template <typename Real> __device__ Complex<Real> operator+(Complex<Real> a, Complex<Real> b) { return {a.re + b.re, a.im + b.im}; }
template <typename Real> __device__ Complex<Real> operator-(Complex<Real> a, Complex<Real> b) { return {a.re - b.re, a.im - b.im}; }
template <typename Real> __device__ Complex<Real> operator*(Complex<Real> a, Complex<Real> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
/// R. L. Smith, 1962: the larger part of the divisor goes first.
template <typename Real> __device__ Complex<Real> operator/(Complex<Real> a, Complex<Real> b) {
  if (fabs(b.re) >= fabs(b.im)) {
    Real ratio = b.im / b.re, scale = b.re + b.im * ratio;
    return {(a.re + a.im * ratio) / scale, (a.im - a.re * ratio) / scale};
  }
  Real ratio = b.re / b.im, scale = b.re * ratio + b.im;
  return {(a.re * ratio + a.im) / scale, (a.im * ratio - a.re) / scale};
}

template <typename T> struct Number {
  using Real = T;
  static __device__ T of(Real x) { return x; }
  static __device__ Real realOf(T x) { return x; }
  static __device__ T conjugate(T x) { return x; }
  static __device__ Real size(T x) { return fabs(x); } // as LAPACK compares pivots
  static __device__ T shuffle(T x, int lane, int lanes) { return __shfl_sync(~0u, x, lane, lanes); }
};
template <typename T> struct Number<Complex<T>> {
  using Real = T;
  static __device__ Complex<T> of(Real x) { return {x, 0}; }
  static __device__ Real realOf(Complex<T> x) { return x.re; }
  static __device__ Complex<T> conjugate(Complex<T> x) { return {x.re, -x.im}; }
  static __device__ Real size(Complex<T> x) { return fabs(x.re) + fabs(x.im); }
  static __device__ Complex<T> shuffle(Complex<T> x, int lane, int lanes) {
    return {__shfl_sync(~0u, x.re, lane, lanes), __shfl_sync(~0u, x.im, lane, lanes)};
  }
};

#endif
