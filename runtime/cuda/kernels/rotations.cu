// Eigenvalues and eigenvectors of a few Hermitian matrices up to 32 by 32: so few that a GPU could hold all of them at
// once, and what counts is how many operations of one matrix wait for each other. A block has one matrix, and turns as
// many pairs of its rows and columns at a time as it has: each row is in one pair (C. G. J. Jacobi, 1846; who meets
// whom is the plan of a tournament). A sweep, in which each two rows meet once, is done by n - 1 such turns, and about
// seven sweeps are enough. The method of hermitian.cu takes a tenth of the arithmetic, but five times as many steps
// that wait for each other. Compiled offline to rotations.ptx (make-kernels.sh).
#include "ErrorRecord.cuh"
#include "HermitianMatrix.cuh"

extern __shared__ __align__(16) char sharedMemory[];

// Many more than any matrix takes.
constexpr int mostSweeps = 30;

template <typename T> struct Rotated : HermitianMatrix<T> {
  using Base = HermitianMatrix<T>;
  using Base::at, Base::isFinite, Base::matrix, Base::n, Base::number, Base::p;
  using typename Base::N;
  using typename Base::Real;
  /// The pair of columns (u, v) becomes (u cosine - v conj(sine), u sine + v cosine).
  struct Rotation {
    Real cosine;
    T sine;
  };
  struct Pair {
    int first, second; // the lower number is the first
  };
  /// What all threads need of the matrix that the first warp has read.
  struct alignas(16) Shared {
    int isFinite, exponent, places[largestHermitian];
  };
  const int players, pairs; // an odd matrix has one more row, of zeros, that somebody meets
  const int matrixThreads;  // turn the matrix, and the others the vectors
  Shared &shared;
  T *elements; // above the diagonal
  Rotation *rotations;
  Real *values; // on the diagonal

  __device__ Rotated(const HermitianParams &p, int64_t number)
      : Base(p, number, sharedMemory + sizeof(Shared)), players(n + n % 2), pairs(players / 2),
        matrixThreads(max(32, (pairs * (pairs - 1) / 2 + 31) / 32 * 32)),
        shared(*reinterpret_cast<Shared *>(sharedMemory)) {
    elements = this->columns + players * p.stride;
    rotations = reinterpret_cast<Rotation *>(elements + players * p.stride);
    values = reinterpret_cast<Real *>(rotations + pairs);
  }

  /// The last row stays where it is, the others go round.
  __device__ Pair pairOf(int k, int round) const {
    int around = players - 1, i = round + k, j = round - k;
    i = k == 0 ? around : i >= around ? i - around : i;
    j = j < 0 ? j + around : j;
    return i < j ? Pair{i, j} : Pair{j, i};
  }
  __device__ T &above(int i, int j) { return elements[j * p.stride + i]; }
  __device__ T element(int i, int j) { return i < j ? above(i, j) : N::conjugate(above(j, i)); }
  __device__ void set(int i, int j, T x) {
    if (i < j)
      above(i, j) = x;
    else
      above(j, i) = N::conjugate(x);
  }
  /// Elements were below 1.
  static __device__ bool isZero(T x) { return largestPart(x) <= Limits<Real>::epsilon / 8; }

  __device__ void load() {
    if (threadIdx.x < 32) {
      Base::load();
      int row = threadIdx.x;
      for (int j = 0; j < players; ++j) {
        bool isElement = row < n && j < n && isFinite;
        T x = isElement ? this->scaled(j) : N::of(0);
        if (row < j)
          above(row, j) = x;
        if (row == j)
          values[row] = N::realOf(x);
      }
      __syncwarp();
      if (row == 0) {
        shared.isFinite = isFinite;
        shared.exponent = this->exponent;
        if (this->hasNone)
          recordFailure(p.failure, number);
      }
    }
    __syncthreads(); // the matrix is read, and becomes the vectors
    isFinite = shared.isFinite;
    if (p.hasVectors)
      for (int j = threadIdx.x / 32; j < players; j += blockDim.x / 32)
        if (threadIdx.x % 32 < players)
          at(threadIdx.x % 32, j) = N::of(threadIdx.x % 32 == j);
    __syncthreads();
  }

  __device__ bool isDiagonal() {
    int row = threadIdx.x % 32;
    bool isCoupled = false;
    for (int j = threadIdx.x / 32; j < players; j += blockDim.x / 32)
      isCoupled |= row < j && !isZero(above(row, j));
    return !__syncthreads_or(isCoupled);
  }

  /// The rotation by at most an eighth of a turn that makes the element of a pair zero.
  __device__ void choose(int k, int round) {
    Pair pair = pairOf(k, round);
    T &coupling = above(pair.first, pair.second);
    Rotation rotation = {1, N::of(0)};
    if (!isZero(coupling)) {
      Real &first = values[pair.first], &second = values[pair.second];
      Real apart = second - first, squared = square(coupling);
      Real inverse = inverseRoot(apart * apart + 4 * squared);
      Real cosineSquared = (fabs(apart) * inverse + 1) / 2, inverseCosine = inverseRoot(cosineSquared);
      Real by = copysign(inverse * inverseCosine, apart), shift = squared * by * inverseCosine;
      rotation = {cosineSquared * inverseCosine, times(coupling, by)};
      first -= shift;
      second += shift;
    }
    coupling = N::of(0);
    rotations[k] = rotation;
  }

  /// The four elements that the rows of one pair and the columns of another have in common.
  __device__ void turn(int k, int l, int round) {
    Pair rows = pairOf(k, round), columns = pairOf(l, round);
    Rotation left = rotations[k], right = rotations[l];
    T a = element(rows.first, columns.first), b = element(rows.first, columns.second),
      c = element(rows.second, columns.first), d = element(rows.second, columns.second);
    T top = times(a, left.cosine) - left.sine * c, bottom = N::conjugate(left.sine) * a + times(c, left.cosine);
    T topOther = times(b, left.cosine) - left.sine * d, other = N::conjugate(left.sine) * b + times(d, left.cosine);
    turnPair(right, top, topOther);
    turnPair(right, bottom, other);
    set(rows.first, columns.first, top);
    set(rows.first, columns.second, topOther);
    set(rows.second, columns.first, bottom);
    set(rows.second, columns.second, other);
  }
  static __device__ void turnPair(const Rotation &by, T &u, T &v) {
    T turned = times(u, by.cosine) - v * N::conjugate(by.sine);
    v = u * by.sine + times(v, by.cosine);
    u = turned;
  }

  /// Each thread has a row of a few pairs of vectors: all of them are loaded before the first is stored.
  __device__ void turnVectors(int thread, int round) {
    int lanes = 32 - __clz(n - 1 | 1), row = thread & (1 << lanes) - 1, first = thread >> lanes;
    int apart = (blockDim.x - matrixThreads) >> lanes;
    Pair pair[pairsOfThread];
    T u[pairsOfThread], v[pairsOfThread];
#pragma unroll
    for (int k = 0; k < pairsOfThread; ++k) {
      int number = first + k * apart;
      if (number >= pairs || row >= n)
        continue;
      pair[k] = pairOf(number, round);
      u[k] = at(row, pair[k].first);
      v[k] = at(row, pair[k].second);
      turnPair(rotations[number], u[k], v[k]);
    }
#pragma unroll
    for (int k = 0; k < pairsOfThread; ++k) {
      if (first + k * apart >= pairs || row >= n)
        continue;
      at(row, pair[k].first) = u[k];
      at(row, pair[k].second) = v[k];
    }
  }

  __device__ void diagonalise() {
    // Thread's number -> two pairs, k < l.
    int l = 1, k = threadIdx.x;
    while (k >= l)
      k -= l++;
    for (int sweep = 0; sweep < mostSweeps && !isDiagonal(); ++sweep)
      for (int round = 0; round + 1 < players; ++round) {
        if (threadIdx.x < pairs)
          choose(threadIdx.x, round);
        __syncthreads();
        if (threadIdx.x >= matrixThreads)
          turnVectors(threadIdx.x - matrixThreads, round);
        else if (l < pairs)
          turn(k, l, round);
        __syncthreads();
      }
  }

  /// The values in ascending order, and the vectors in theirs.
  __device__ void store() {
    if (threadIdx.x < n) {
      Real value = values[threadIdx.x];
      int place = 0;
      for (int other = 0; other < n; ++other)
        place += values[other] < value || (values[other] == value && other < threadIdx.x);
      shared.places[threadIdx.x] = place;
      static_cast<Real *>(p.values)[number * n + place] = isFinite ? scalbn(value, shared.exponent) : Real(nan(""));
    }
    __syncthreads();
    int row = threadIdx.x % 32;
    for (int j = threadIdx.x / 32; p.hasVectors && j < n; j += blockDim.x / 32)
      if (row < n)
        matrix()[shared.places[j] * p.step + row] = isFinite ? at(row, j) : N::of(nan(""));
    __syncthreads();
  }

  __device__ void run() {
    load();
    diagonalise();
    store();
  }
};

// `blocks`: how many of the largest a multiprocessor can have at a time.
#define ROTATIONS(name, T, blocks)                                                                                     \
  extern "C" __global__ void __launch_bounds__(mostRotating, blocks) npcc_rotations_##name(HermitianParams p) {        \
    for (int64_t number = blockIdx.x; number < p.count; number += gridDim.x)                                           \
      Rotated<T>(p, number).run();                                                                                     \
  }
ROTATIONS(float32, float, 2)
ROTATIONS(float64, double, 2)
ROTATIONS(complex64, Complex<float>, 2)
ROTATIONS(complex128, Complex<double>, 2)
