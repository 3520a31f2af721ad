// Singular values of matrices up to 32 by 32, by Jacobi's rotations. Half of the columns make pairs
// with the other half, each pair has a few threads, and all pairs are rotated at once; after each step every column
// gets another partner (a tournament), so that a sweep has met all pairs. The columns lie in shared memory, each with
// its column of the product of all rotations below it. Compiled offline to jacobi.ptx (make-kernels.sh).
#include "ErrorRecord.cuh"
#include "JacobiParams.h"
#include "MatrixScales.cuh"

extern __shared__ __align__(16) char sharedMemory[];

constexpr int mostSweeps = 30, notFinite = 1 << 20;

template <typename Real> __device__ Real absolute(Real x) { return fabs(x); }
template <typename Real> __device__ Real absolute(Complex<Real> x) { return hypot(x.re, x.im); }
template <typename Real> __device__ Real scaled(Real x, int exponent) { return scalbn(x, exponent); }
template <typename Real> __device__ Complex<Real> scaled(Complex<Real> x, int exponent) {
  return {scalbn(x.re, exponent), scalbn(x.im, exponent)};
}
/// The factor of absolute value 1 that makes x its absolute value.
template <typename Real> __device__ Real phaseOf(Real x, Real) { return x < 0 ? Real(-1) : Real(1); }
template <typename Real> __device__ Complex<Real> phaseOf(Complex<Real> x, Real size) {
  return {x.re / size, -x.im / size};
}
template <typename Real> __device__ int exponentOf(Real x) {
  return !isfinite(x) ? notFinite : x == 0 ? -notFinite : ilogb(x) + 1;
}
template <typename Real> __device__ int exponentOf(Complex<Real> x) {
  int re = exponentOf(x.re), im = exponentOf(x.im);
  return re > im ? re : im;
}

/// The angle, as its cosine and sine, and the factor of absolute value 1 by which the second column is turned first.
template <typename T> struct Rotation {
  using Real = typename Number<T>::Real;
  Real cosine = 1, sine = 0, tangent = 0;
  T phase = Number<T>::of(1);

  /// Makes the element `between` of [[first, between], [conj(between), second]] zero, whose absolute value is `size`.
  __device__ void set(Real first, Real second, T between, Real size) {
    Real cotangent = (second - first) / (2 * size), large = fabs(cotangent);
    Real length = large < 1 / Limits<Real>::epsilon ? sqrt(1 + large * large) : large;
    tangent = (cotangent < 0 ? -1 : 1) / (large + length);
    cosine = 1 / sqrt(1 + tangent * tangent);
    sine = cosine * tangent;
    phase = phaseOf(between, size);
  }
  __device__ void turn(T &first, T &second, T factor) const {
    T x = first, y = second * factor;
    first = times(x, cosine) - times(y, sine);
    second = times(x, sine) + times(y, cosine);
  }
};

/// One matrix and its threads. Every thread of a block comes to every barrier: groups beyond the last matrix work on
/// nothing.
template <typename T> struct Group {
  using N = Number<T>;
  using Real = typename N::Real;
  const JacobiParams &p;
  int size, thread, pair, lane; // threads; this one's number, its pair, its number among the pair's
  int64_t number;
  bool isMatrix;
  T *columns, *coefficients;
  Real *lengths;
  int *places, *exponent;

  __device__ Group(const JacobiParams &p, int64_t first) : p(p), size(p.pairs * p.pairLanes) {
    int group = threadIdx.x / size;
    thread = threadIdx.x % size;
    pair = thread / p.pairLanes;
    lane = thread % p.pairLanes;
    number = first + group;
    isMatrix = group < p.groups && number < p.count;
    char *memory = sharedMemory + (group < p.groups ? group : 0) * p.sharedBytes;
    columns = reinterpret_cast<T *>(memory);
    coefficients = columns + p.sharedColumns * (p.sharedRows | 1);
    lengths = reinterpret_cast<Real *>(coefficients + largestJacobi);
    places = reinterpret_cast<int *>(lengths + largestJacobi);
    exponent = places + largestJacobi;
  }
  __device__ T &at(int i, int j) { return columns[j * (p.sharedRows | 1) + i]; }

  /// The elements that `load` has for (i, j), scaled so that the largest one is between 1/2 and 1, and the unit matrix
  /// below.
  template <typename Load> __device__ void fill(int rows, int count, Load &&load) {
    if (isMatrix && thread == 0)
      *exponent = -notFinite;
    __syncthreads();
    for (int k = thread; isMatrix && k < p.sharedColumns * p.sharedRows; k += size) {
      int i = k % p.sharedRows, j = k / p.sharedRows;
      T x = N::of(i - rows == j);
      if (i < rows && j < count) {
        x = load(i, j);
        atomicMax(exponent, exponentOf(x));
      }
      at(i, j) = x;
    }
    __syncthreads();
    for (int k = thread; isMatrix && isScaled() && k < rows * count; k += size)
      at(k % rows, k / rows) = scaled(at(k % rows, k / rows), -*exponent);
    __syncthreads();
  }
  __device__ bool isFinite() const { return *exponent != notFinite; }
  __device__ bool isScaled() const { return isFinite() && *exponent != -notFinite; }

  /// The columns that this thread's pair has in a step; false if there are none.
  __device__ bool findPair(int step, int count, int &first, int &second) const {
    int last = 2 * p.pairs - 1, left = (step + pair) % last, right = pair ? (step + last - pair) % last : last;
    first = left < right ? left : right;
    second = left < right ? right : left;
    return isMatrix && isFinite() && second < count;
  }
  /// A sum over the threads of each pair.
  __device__ Real sum(Real x) const {
    for (int by = p.pairLanes / 2; by; by /= 2)
      x += __shfl_xor_sync(~0u, x, by);
    return x;
  }
  __device__ T sumOf(Real x) const { return sum(x); }
  __device__ Complex<Real> sumOf(Complex<Real> x) const { return {sum(x.re), sum(x.im)}; }

  /// Where each value goes among the others.
  template <typename Before> __device__ void order(int count, Before &&isBefore) {
    for (int j = thread; isMatrix && j < count; j += size) {
      int place = 0;
      for (int other = 0; other < count; ++other)
        place += other != j &&
                 (isBefore(lengths[other], lengths[j]) || (!isBefore(lengths[j], lengths[other]) && other < j));
      places[j] = place;
    }
    __syncthreads();
  }
  __device__ Real valueOf(int j) const {
    return !isFinite() ? Real(nan("")) : isScaled() ? scaled(lengths[j], *exponent) : Real(0);
  }
};

/// M. R. Hestenes, 1958: rotations of columns until all are orthogonal; their lengths are the singular values. Where a
/// column is longer than its partner before it they change places (P. P. M. de Rijk, 1989). A matrix with fewer rows
/// than columns is taken as its conjugate transpose.
template <typename T> struct Singular : Group<T> {
  using Base = Group<T>;
  using N = typename Base::N;
  using Real = typename Base::Real;
  using Base::at;
  using Base::isMatrix;
  using Base::lane;
  using Base::lengths;
  using Base::p;
  using Base::places;
  using Base::size;
  using Base::thread;
  bool isWide;
  int many, few;

  __device__ Singular(const JacobiParams &p, int64_t first)
      : Base(p, first), isWide(p.rows < p.columns), many(isWide ? p.columns : p.rows),
        few(isWide ? p.rows : p.columns) {}

  __device__ bool rotate(int step) {
    int first = 0, second = 0;
    bool isPair = this->findPair(step, few, first, second);
    Real left = 0, right = 0;
    T between = N::of(0);
    for (int i = lane; isPair && i < many; i += p.pairLanes) {
      T x = at(i, first), y = at(i, second);
      left += square(x);
      right += square(y);
      between = between + N::conjugate(x) * y;
    }
    left = this->sum(left);
    right = this->sum(right);
    between = this->sumOf(between);
    if (!isPair)
      return false;
    Real across = absolute(between);
    bool isTurned = across > Limits<Real>::epsilon * sqrt(Real(many)) * (sqrt(left) * sqrt(right)),
         isSwapped = right > left;
    isTurned &= (isSwapped ? left : right) > Limits<Real>::smallest * Limits<Real>::smallest;
    if (!isTurned && !isSwapped)
      return false;
    Rotation<T> rotation;
    if (isTurned)
      rotation.set(left, right, between, across);
    for (int i = lane; i < p.sharedRows; i += p.pairLanes) {
      T x = at(i, first), y = at(i, second);
      rotation.turn(x, y, rotation.phase);
      at(i, first) = isSwapped ? y : x;
      at(i, second) = isSwapped ? x : y;
    }
    return isTurned;
  }

  /// A column that is zero, and one that the matrix does not have, becomes a unit vector less its parts along the
  /// others.
  __device__ void complete() {
    for (int place = 0; place < p.sharedColumns; ++place) {
      int column = place, first = 0;
      for (int j = 0; isMatrix && j < few; ++j)
        column = places[j] == place ? j : column;
      bool isMissing = isMatrix && lengths[column] == 0;
      if (!__syncthreads_or(isMissing))
        continue;
      for (int i = thread; isMissing && i < many; i += size) {
        Real taken = 0;
        for (int j = 0; j < p.sharedColumns; ++j)
          taken += lengths[j] == 0 ? Real(0) : square(at(i, j));
        this->coefficients[i] = N::of(taken);
      }
      __syncthreads();
      for (int i = 1; isMissing && i < many; ++i)
        first = N::realOf(this->coefficients[i]) < N::realOf(this->coefficients[first]) ? i : first;
      __syncthreads();
      for (int i = thread; isMissing && i < many; i += size)
        at(i, column) = N::of(i == first);
      for (int turn = 0; turn < 2; ++turn) { // what rounding has left of the others, too
        __syncthreads();
        for (int j = thread; isMissing && j < p.sharedColumns; j += size) {
          T product = N::of(0);
          for (int i = 0; lengths[j] != 0 && i < many; ++i)
            product = product + N::conjugate(at(i, j)) * at(i, column);
          this->coefficients[j] = product;
        }
        __syncthreads();
        for (int i = thread; isMissing && i < many; i += size) {
          T x = at(i, column);
          for (int j = 0; j < p.sharedColumns; ++j)
            x = lengths[j] == 0 ? x : x - at(i, j) * this->coefficients[j];
          at(i, column) = x;
        }
      }
      __syncthreads();
      Real length = 0;
      for (int i = 0; isMissing && i < many; ++i)
        length += square(at(i, column));
      __syncthreads();
      for (int i = thread; isMissing && i < many; i += size)
        at(i, column) = times(at(i, column), 1 / sqrt(length));
      if (isMissing && thread == 0)
        lengths[column] = 1;
      __syncthreads();
    }
  }

  /// Element (i, place) of the vectors of the longer side, and of the shorter one.
  __device__ void store() {
    T *left = static_cast<T *>(p.left) + this->number * p.rows * p.leftColumns;
    T *right = static_cast<T *>(p.right) + this->number * p.rightRows * p.columns;
    for (int k = thread; isMatrix && k < p.sharedColumns * p.sharedRows; k += size) {
      int i = k % p.sharedRows, j = k / p.sharedRows, place = j < few ? places[j] : j;
      bool isLong = i < many;
      if (!isLong && j >= few)
        continue;
      T x = this->isFinite() ? at(i, j) : N::of(nan(""));
      int row = isLong ? i : i - many;
      if (isLong != isWide)
        left[place * p.rows + row] = x;
      else
        right[row * p.rightRows + place] = N::conjugate(x);
    }
  }

  __device__ void run() {
    const T *matrix = static_cast<const T *>(p.matrices) + this->number * p.rows * p.columns;
    this->fill(many, few,
               [&](int i, int j) { return isWide ? N::conjugate(matrix[i * p.rows + j]) : matrix[j * p.rows + i]; });
    if (isMatrix && thread == 0 && !this->isFinite())
      recordFailure(p.failure, this->number);
    bool isTurned = true;
    for (int sweep = 0; isTurned && sweep < mostSweeps; ++sweep) {
      isTurned = false;
      for (int step = 0; step < 2 * p.pairs - 1; ++step) {
        isTurned |= rotate(step);
        __syncthreads();
      }
      isTurned = __syncthreads_or(isTurned);
    }
    for (int j = thread; isMatrix && j < p.sharedColumns; j += size) {
      Real length = 0;
      for (int i = 0; j < few && i < many; ++i)
        length += square(at(i, j));
      lengths[j] = this->isFinite() ? sqrt(length) : Real(0);
    }
    __syncthreads();
    this->order(few, [](Real x, Real y) { return x > y; });
    Real *values = static_cast<Real *>(p.values) + this->number * few;
    for (int j = thread; isMatrix && j < few; j += size)
      values[places[j]] = this->valueOf(j);
    if (!p.hasVectors)
      return;
    __syncthreads();
    for (int j = thread; isMatrix && j < few; j += size)
      lengths[j] = lengths[j] < Limits<Real>::smallest ? Real(0) : lengths[j];
    __syncthreads();
    for (int k = thread; isMatrix && k < many * few; k += size) {
      int i = k % many, j = k / many;
      at(i, j) = lengths[j] == 0 ? N::of(0) : times(at(i, j), 1 / lengths[j]);
    }
    __syncthreads();
    complete();
    store();
  }
};

#define JACOBI(name, T)                                                                                                \
  extern "C" __global__ void __launch_bounds__(jacobiThreads) npcc_jacobi_##name(JacobiParams p) {                     \
    for (int64_t first = int64_t(blockIdx.x) * p.groups; first < p.count; first += int64_t(gridDim.x) * p.groups) {    \
      Singular<T>(p, first).run();                                                                                     \
      __syncthreads();                                                                                                 \
    }                                                                                                                  \
  }
JACOBI(float32, float)
JACOBI(float64, double)
JACOBI(complex64, Complex<float>)
JACOBI(complex128, Complex<double>)
