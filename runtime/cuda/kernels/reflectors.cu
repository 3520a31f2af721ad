// QR factors of matrices up to 32 by 32 by reflections (A. S. Householder, 1958), as LAPACK's geqrf and orgqr give
// them. Each matrix lies in shared memory and has as many lanes of a warp as it has columns (rounded up to a power of
// two): each lane reflects its own column, so that no lane waits for a sum over others. Compiled offline to
// reflectors.ptx (make-kernels.sh).
#include "MatrixScales.cuh"
#include "ReflectorParams.h"

extern __shared__ __align__(16) char sharedMemory[];

/// One matrix and its lanes. All lanes of a warp come to every barrier.
template <typename T> struct Reflectors {
  using N = Number<T>;
  using Real = typename N::Real;
  const ReflectorParams &p;
  const int m, lane, step; // rows; the lane's number; from column to column in shared memory
  const int64_t number;
  const bool isMatrix;
  T *columns;

  __device__ Reflectors(const ReflectorParams &p, int64_t first)
      : p(p), m(p.rows), lane(threadIdx.x % p.lanes), step(p.rows | 1), number(first + threadIdx.x / p.lanes),
        isMatrix(number < p.count),
        columns(reinterpret_cast<T *>(sharedMemory + threadIdx.x / p.lanes * p.sharedBytes)) {}
  __device__ T &at(int i, int j) { return columns[j * step + i]; }
  __device__ T *matrix() const { return static_cast<T *>(p.matrices) + number * m * p.columns; }
  __device__ T *factors() const { return static_cast<T *>(p.factors) + number * p.reflections; }

  __device__ void load(int count) {
    for (int k = lane; isMatrix && k < m * count; k += p.lanes)
      at(k % m, k / m) = matrix()[k];
    __syncwarp();
  }
  __device__ void store(T *to, T *from, int count) {
    __syncwarp();
    for (int k = lane; isMatrix && k < m * count; k += p.lanes)
      to[k] = from[k / m * step + k % m];
    __syncwarp();
  }

  /// Takes what `vector`, which begins with 1 in row k, has of a column, times the factor, from the column.
  __device__ void reflect(T *column, const T *vector, int k, T factor) {
    T along = column[k];
    for (int i = k + 1; i < m; ++i)
      along = along + N::conjugate(vector[i]) * column[i];
    along = along * factor;
    column[k] = column[k] - along;
    for (int i = k + 1; i < m; ++i)
      column[i] = column[i] - along * vector[i];
  }

  /// The reflection that makes what is below row k of column k zero. All lanes find it, lane k writes it.
  __device__ T eliminate(int k) {
    Real largest = 0, squares = 0;
    for (int i = k; i < m; ++i)
      largest = fmax(largest, largestPart(at(i, k)));
    // By a power of two that makes the squares neither zero nor infinite; its inverse is a number as well.
    constexpr int most = sizeof(Real) == 8 ? 1000 : 120;
    bool isScaled = largest > 0 && isfinite(largest);
    int exponent = isScaled ? max(-most, min(most, ilogb(largest))) : 0;
    Real down = scalbn(Real(1), -exponent);
    T first = times(at(k, k), down);
    for (int i = k + 1; i < m; ++i)
      squares += square(times(at(i, k), down));
    bool isReflected = squares != 0 || !isReal(first);
    Real length = -copysign(sqrt(square(first) + squares), N::realOf(first));
    T scale = isReflected ? N::of(1) / (first - N::of(length)) : N::of(0);
    T factor = isReflected ? times(N::of(length) - first, 1 / length) : N::of(0);
    __syncwarp();
    if (isReflected) {
      for (int i = k + 1 + lane; i < m; i += p.lanes)
        at(i, k) = times(at(i, k), down) * scale;
      if (lane == 0)
        at(k, k) = N::of(scalbn(length, exponent));
    }
    if (isMatrix && lane == 0)
      factors()[k] = factor;
    __syncwarp();
    return factor;
  }

  __device__ void factorise() {
    load(p.columns);
    for (int k = 0; k < p.reflections; ++k) {
      T factor = eliminate(k);
      if (lane > k && lane < p.columns)
        reflect(&at(0, lane), &at(0, k), k, N::conjugate(factor));
      __syncwarp();
    }
    store(matrix(), columns, p.columns);
  }

  /// The product of the reflections, the last of which comes first to a column of the unit matrix.
  __device__ void multiply() {
    load(p.reflections);
    T *products = columns + p.reflections * step, *column = products + lane * step;
    if (lane < p.productColumns) {
      for (int i = 0; i < m; ++i)
        column[i] = N::of(i == lane);
      for (int k = p.reflections - 1; isMatrix && k >= 0; --k)
        reflect(column, &at(0, k), k, factors()[k]);
    }
    store(static_cast<T *>(p.products) + number * m * p.productColumns, products, p.productColumns);
  }
};

template <typename T, typename Body> __device__ void forMatrices(const ReflectorParams &p, Body &&body) {
  int groups = 32 / p.lanes;
  for (int64_t first = int64_t(blockIdx.x) * groups; first < p.count; first += int64_t(gridDim.x) * groups) {
    Reflectors<T> matrix(p, first);
    body(matrix);
  }
}
#define REFLECTORS(name, T)                                                                                            \
  extern "C" __global__ void __launch_bounds__(32) npcc_qr_raw_##name(ReflectorParams p) {                             \
    forMatrices<T>(p, [](Reflectors<T> &matrix) { matrix.factorise(); });                                              \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(32) npcc_qr_##name(ReflectorParams p) {                                 \
    forMatrices<T>(p, [](Reflectors<T> &matrix) { matrix.multiply(); });                                               \
  }
REFLECTORS(float32, float)
REFLECTORS(float64, double)
REFLECTORS(complex64, Complex<float>)
REFLECTORS(complex128, Complex<double>)
