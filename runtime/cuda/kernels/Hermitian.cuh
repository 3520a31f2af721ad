// Eigenvalues and eigenvectors of a Hermitian matrix up to 32 by 32. It has as many lanes of a warp as it has rows
// (rounded up to a power of two), so that a warp has one matrix or several and nobody waits for another warp. A matrix A
// becomes Q T Q^H with a real tridiagonal T (A. S. Householder, 1958), for which each lane has its row in registers; T's
// eigenvalues are found by rotations of two neighbours at a time (the implicit QL method: A. Dubrulle, 1970), which all
// lanes of a matrix compute and each applies to its row of Q. That is a tenth of the arithmetic of Jacobi's rotations,
// and a complex matrix is rotated by real numbers.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_HERMITIAN_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_HERMITIAN_CUH
#include "HermitianMatrix.cuh"

// An eigenvalue takes two or three sweeps.
constexpr int sweepsPerValue = 30;

/// One matrix and its lanes.
template <typename T> struct Hermitian : HermitianMatrix<T> {
  using Base = HermitianMatrix<T>;
  using Base::at, Base::exponent, Base::isFinite, Base::isMatrix, Base::isRow, Base::lane, Base::lanes, Base::matrix,
      Base::n, Base::number, Base::p;
  using typename Base::N;
  using typename Base::Real;
  using Row = T[largestHermitian];
  struct Pair { // of vectors: a reflection's, and what it takes from the matrix
    T reflector, update;
  };
  struct Tridiagonal { // a row of it: what is on the diagonal, and what is below that
    Real value, below;
  };
  Pair *pairs;
  Tridiagonal *rows;

  __device__ Hermitian(const HermitianParams &p, int64_t number, char *memory) : Base(p, number, memory) {
    pairs = reinterpret_cast<Pair *>(this->columns + n * p.stride);
    rows = reinterpret_cast<Tridiagonal *>(pairs + p.stride + hermitianChunk);
  }

  __device__ Real sum(Real x) const {
    for (int by = lanes / 2; by; by /= 2)
      x += __shfl_xor_sync(~0u, x, by);
    return x;
  }
  __device__ T sumOf(Real x) const { return sum(x); }
  __device__ Complex<Real> sumOf(Complex<Real> x) const { return {sum(x.re), sum(x.im)}; }

  /// The lane's row of the whole matrix, and zeros where the loops over chunks of columns read more than there is.
  __device__ void load(Row &row) {
    for (int i = n + lane; i < p.stride; i += lanes)
      for (int j = 0; j < n; ++j)
        at(i, j) = N::of(0);
    for (int i = n + lane; i < p.stride + hermitianChunk; i += lanes)
      pairs[i] = {N::of(0), N::of(0)};
    Base::load();
#pragma unroll
    for (int j = 0; j < largestHermitian; ++j) {
      row[j] = N::of(0);
      if (j < n && isRow && isFinite)
        row[j] = this->scaled(j);
    }
    __syncwarp();
  }

  /// Reflections that make the elements below the subdiagonal zero, one column after the other. The columns that are
  /// done leave the registers: the first of `row` is always that of column k. Lane k gets T's elements `value` and
  /// `below`, and the factor of reflection k, whose vector goes to column k in shared memory.
  __device__ void tridiagonalise(Row &row, Real &value, Real &below, T &factor) {
    for (int k = 0; k + 1 < n; ++k) {
      T x = lane > k ? row[0] : N::of(0);
      Real rest = sum(lane > k + 1 ? square(x) : Real(0));
      T first = N::shuffle(x, k + 1, lanes), scale = N::of(0), by = N::of(0);
      Real whole = square(first) + rest, result = N::realOf(first);
      bool isReflected = whole >= Limits<Real>::smallest * Limits<Real>::smallest;
      if (!isReflected) {
        result = 0;
      } else if (rest != 0 || !isReal(first)) {
        result = -copysign(sqrt(whole), N::realOf(first));
        by = times(N::of(result) - first, 1 / result);
        scale = N::of(1) / (first - N::of(result));
      } else {
        isReflected = false;
      }
      T reflector = !isReflected || lane <= k ? N::of(0) : lane == k + 1 ? N::of(1) : x * scale;
      if (lane == k) {
        value = N::realOf(row[0]);
        below = result;
        factor = by;
      }
      if (isRow) {
        pairs[lane].reflector = reflector;
        at(lane, k) = reflector;
      }
      __syncwarp();
      T product = N::of(0);
#pragma unroll
      for (int j = 1; j < largestHermitian; ++j) {
        if (j % hermitianChunk == 1 && k + j >= n)
          break;
        product = product + row[j] * pairs[k + j].reflector;
      }
      product = lane > k ? product * by : N::of(0);
      T along = by * sumOf(N::conjugate(product) * reflector);
      T update = product - times(along, Real(0.5)) * reflector;
      if (isRow)
        pairs[lane].update = update;
      __syncwarp();
#pragma unroll
      for (int j = 1; j < largestHermitian; ++j) {
        if (j % hermitianChunk == 1 && k + j >= n)
          break;
        Pair other = pairs[k + j];
        row[j - 1] = row[j] - reflector * N::conjugate(other.update) - update * N::conjugate(other.reflector);
      }
      __syncwarp();
    }
    if (lane == n - 1)
      value = N::realOf(row[0]);
  }

  /// `body` with the number of each column that reflection k concerns, and of a few before it.
  template <typename Body> __device__ void forColumns(int k, Body &&body) const {
#pragma unroll
    for (int j = 0; j < largestHermitian; j += hermitianChunk) {
      if (j >= n)
        break;
      if (j + hermitianChunk > k + 1)
        for (int i = j; i < j + hermitianChunk; ++i)
          body(i);
    }
  }

  /// The product of all reflections, in the place of their vectors.
  __device__ void multiplyReflections(Row &row, T factor) {
#pragma unroll
    for (int j = 0; j < largestHermitian; ++j)
      row[j] = N::of(j == lane);
    for (int k = 0; k + 1 < n; ++k) {
      const T *reflector = &at(0, k);
      T product = N::of(0);
      forColumns(k, [&](int i) { product = product + row[i] * reflector[i]; });
      product = product * N::shuffle(factor, k, lanes);
      forColumns(k, [&](int i) { row[i] = row[i] - product * N::conjugate(reflector[i]); });
    }
    __syncwarp();
#pragma unroll
    for (int j = 0; j < largestHermitian; ++j)
      if (j < n && isRow)
        at(lane, j) = row[j];
  }

  /// A sweep of rotations from row `last` up to row `first` of a part of T that has no zero below its diagonal. What
  /// the rows were before lies in shared memory, what they become is kept by each row's lane.
  __device__ void sweep(int first, int last, Real &value, Real &below) {
    Tridiagonal top = rows[first];
    Real next = rows[last].value, ratio = (rows[first + 1].value - top.value) / (2 * top.below);
    Real bulge = next - top.value + top.below / (ratio + copysign(sqrt(ratio * ratio + 1), ratio));
    Real cosine = 1, sine = 1, shift = 0;
    bool isTurned = p.hasVectors && isRow;
    T right = isTurned ? at(lane, last) : N::of(0);
    for (int i = last - 1; i >= first; --i) {
      Tridiagonal row = rows[i];
      Real across = sine * row.below, along = cosine * row.below, length = 0;
      Real squared = across * across + bulge * bulge;
      sine = 0;
      cosine = 1;
      if (squared >= Limits<Real>::smallest * Limits<Real>::smallest) { // otherwise there is nothing to turn
        Real inverse = inverseRoot(squared);
        length = squared * inverse;
        sine = across * inverse;
        cosine = bulge * inverse;
      }
      Real under = next - shift, turned = (row.value - under) * sine + 2 * cosine * along;
      shift = sine * turned;
      bulge = cosine * turned - along;
      next = row.value;
      if (lane == i + 1) {
        value = under + shift;
        below = i + 1 == last ? Real(0) : length;
      }
      if (isTurned) {
        T left = at(lane, i);
        at(lane, i + 1) = times(left, sine) + times(right, cosine);
        right = times(left, cosine) - times(right, sine);
      }
    }
    if (lane == first) {
      value = next - shift;
      below = bulge;
    }
    if (isTurned)
      at(lane, first) = right;
  }

  __device__ void diagonalise(Real &value, Real &below) {
    int firstLane = threadIdx.x % 32 - lane; // in its warp, of which a block may have several
    for (int turn = 0; turn < sweepsPerValue * n; ++turn) {
      bool isCoupled = lane + 1 < n && fabs(below) > Limits<Real>::epsilon / 8; // elements were below 1
      unsigned coupled = __ballot_sync(~0u, isCoupled);
      if (!coupled)
        break;
      rows[lane] = {value, below};
      __syncwarp();
      coupled = coupled >> firstLane & ~0u >> (32 - lanes);
      if (coupled) {
        int first = __ffs(coupled) - 1, last = __ffs(~coupled & ~0u << first) - 1;
        sweep(first, last, value, below);
      }
      __syncwarp();
    }
  }

  __device__ void run() {
    Row row;
    Real value = 0, below = 0;
    T factor = N::of(0);
    load(row);
    tridiagonalise(row, value, below, factor);
    if (p.hasVectors)
      multiplyReflections(row, factor);
    __syncwarp();
    diagonalise(value, below);
    rows[lane].value = value;
    __syncwarp();
    int place = 0;
    for (int other = 0; other < n; ++other)
      place += rows[other].value < value || (rows[other].value == value && other < lane);
    if (isMatrix && isRow)
      static_cast<Real *>(p.values)[number * n + place] = isFinite ? scalbn(value, exponent) : Real(nan(""));
    for (int j = 0; p.hasVectors && j < n; ++j) {
      int column = __shfl_sync(~0u, place, j, lanes);
      if (isMatrix && isRow)
        matrix()[column * p.step + lane] = isFinite ? at(lane, j) : N::of(nan(""));
    }
    __syncwarp();
  }
};

#endif
