// QR factors of matrices up to 32 by 32 by reflections (A. S. Householder, 1958), as LAPACK's geqrf and orgqr give
// them. A matrix lies in shared memory, column by column, and has at least as many lanes of a warp as it has columns:
// each lane reflects its own column, so that no lane waits for a sum over others.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_REFLECTORS_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_REFLECTORS_CUH
#include "MatrixScales.cuh"

/// One matrix and its lanes. All lanes of a warp come to every barrier; those without a matrix have no factors.
template <typename T> struct Reflectors {
  using N = Number<T>;
  using Real = typename N::Real;
  const int m, lane, lanes, step; // rows; the lane's number; of how many; from column to column
  T *columns, *factors;           // in shared memory; of the reflections

  __device__ Reflectors(int rows, int lanes, T *columns, T *factors)
      : m(rows), lane(threadIdx.x % lanes), lanes(lanes), step(rows | 1), columns(columns), factors(factors) {}
  __device__ T &at(int i, int j) { return columns[j * step + i]; }

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
      for (int i = k + 1 + lane; i < m; i += lanes)
        at(i, k) = times(at(i, k), down) * scale;
      if (lane == 0)
        at(k, k) = N::of(scalbn(length, exponent));
    }
    if (factors && lane == 0)
      factors[k] = factor;
    __syncwarp();
    return factor;
  }

  /// The columns become R, and below it the vectors of the reflections.
  __device__ void factorise(int count, int reflections) {
    for (int k = 0; k < reflections; ++k) {
      T factor = eliminate(k);
      if (lane > k && lane < count)
        reflect(&at(0, lane), &at(0, k), k, N::conjugate(factor));
      __syncwarp();
    }
  }

  /// The product of the reflections, the last of which comes first to a column of the unit matrix.
  __device__ void multiply(T *products, int count, int reflections) {
    T *column = products + lane * step;
    if (lane < count) {
      for (int i = 0; i < m; ++i)
        column[i] = N::of(i == lane);
      for (int k = reflections - 1; factors && k >= 0; --k)
        reflect(column, &at(0, k), k, factors[k]);
    }
    __syncwarp();
  }
};

#endif
