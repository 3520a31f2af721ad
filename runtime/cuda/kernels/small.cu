// Factors and solutions of small matrices, up to 32 by 32: a few lanes of a warp for each, with a row each, and the matrix in shared memory. Compiled offline
// to small.ptx (make-kernels.sh).
#include "ErrorRecord.cuh"
#include "MatrixElements.cuh"
#include "SmallParams.h"

extern __shared__ __align__(16) char sharedMemory[];

/// One matrix and its lanes. Every lane of a warp runs every line: groups beyond the last matrix work on nothing.
template <typename T> struct Group {
  using N = Number<T>;
  using Real = typename N::Real;
  const SmallParams &p;
  int n, lanes, lane, step;
  int64_t number;
  bool isRow; // this lane has one
  T *shared;
  int row; // where the row of this lane came from
  bool isOdd = false, isSingular = false;

  __device__ Group(const SmallParams &p, int64_t first) : p(p), n(p.n), lanes(p.lanes), lane(threadIdx.x % p.lanes), step(p.n | 1) {
    int group = threadIdx.x / lanes;
    number = first + group;
    isRow = lane < n && number < p.count;
    shared = reinterpret_cast<T *>(sharedMemory) + group * n * step;
    row = lane;
  }
  __device__ T &at(int i, int j) { return shared[i * step + j]; }
  __device__ T *matrix() const { return static_cast<T *>(p.matrices) + number * n * n; }

  __device__ void load() {
    for (int j = 0; isRow && j < n; ++j)
      (p.isOfRows ? at(j, lane) : at(lane, j)) = matrix()[j * n + lane];
    __syncwarp();
  }
  __device__ void store() {
    for (int j = 0; isRow && j < n; ++j)
      matrix()[j * n + lane] = at(lane, j);
  }
  __device__ void reportFailure() {
    if (isRow && lane == 0)
      recordFailure(p.failure, number);
  }

  /// P A = L U by columns; L has ones on its diagonal.
  __device__ void factorise() {
    for (int k = 0; k < n; ++k) {
      Real best = isRow && lane >= k ? N::size(at(lane, k)) : Real(-1);
      int pivot = lane;
      for (int by = lanes / 2; by; by /= 2) {
        Real other = __shfl_xor_sync(~0u, best, by, lanes);
        int place = __shfl_xor_sync(~0u, pivot, by, lanes);
        if (other > best || (other == best && place < pivot)) {
          best = other;
          pivot = place;
        }
      }
      pivot = __shfl_sync(~0u, pivot, 0, lanes); // where NaN makes the lanes disagree
      pivot = pivot < k || pivot >= n ? k : pivot;
      int ofPivot = __shfl_sync(~0u, row, pivot, lanes), ofK = __shfl_sync(~0u, row, k, lanes);
      if (pivot != k) {
        isOdd = !isOdd;
        row = lane == k ? ofPivot : lane == pivot ? ofK : row;
        if (isRow) {
          T kept = at(k, lane);
          at(k, lane) = at(pivot, lane);
          at(pivot, lane) = kept;
        }
      }
      __syncwarp();
      bool isZero = number < p.count && N::size(at(k, k)) == 0;
      isSingular |= isZero;
      if (isRow && lane > k && !isZero) {
        T factor = at(lane, k) = at(lane, k) / at(k, k);
        for (int j = k + 1; j < n; ++j)
          at(lane, j) = at(lane, j) - factor * at(k, j);
      }
      __syncwarp();
    }
  }

  /// Many right sides: a lane has a column of them, behind the matrix in shared memory.
  __device__ void solveColumns() {
    T *known = reinterpret_cast<T *>(sharedMemory) + (smallThreads / lanes + threadIdx.x / lanes) * n * step;
    for (int64_t from = int64_t(blockIdx.y) * n; from < p.columns; from += int64_t(gridDim.y) * n) {
      int columns = int(p.columns - from < n ? p.columns - from : n);
      T *sides = static_cast<T *>(p.sides) + (number * p.columns + from) * n;
      for (int c = 0; isRow && c < columns; ++c)
        known[lane * step + c] = sides[c * n + row];
      __syncwarp();
      if (number < p.count && lane < columns) {
        T *x = known + lane;
        for (int k = 0; k < n; ++k)
          for (int i = k + 1; i < n; ++i)
            x[i * step] = x[i * step] - at(i, k) * x[k * step];
        for (int k = n - 1; k >= 0; --k) {
          x[k * step] = x[k * step] / at(k, k);
          for (int i = 0; i < k; ++i)
            x[i * step] = x[i * step] - at(i, k) * x[k * step];
        }
      }
      __syncwarp();
      for (int c = 0; isRow && c < columns; ++c)
        sides[c * n + lane] = isSingular ? N::of(nan("")) : known[lane * step + c];
      __syncwarp();
    }
  }

  __device__ void solve() {
    for (int64_t column = blockIdx.y; column < p.columns; column += gridDim.y) {
      T *side = static_cast<T *>(p.sides) + (number * p.columns + column) * n;
      T x = isRow ? side[row] : N::of(0);
      __syncwarp();
      for (int k = 0; k < n; ++k) {
        T known = N::shuffle(x, k, lanes);
        if (isRow && lane > k)
          x = x - at(lane, k) * known;
      }
      for (int k = n - 1; k >= 0; --k) {
        if (isRow && lane == k)
          x = x / at(k, k);
        T known = N::shuffle(x, k, lanes);
        if (isRow && lane < k)
          x = x - at(lane, k) * known;
      }
      if (isRow)
        side[lane] = isSingular ? N::of(nan("")) : x;
    }
  }

  /// Of the lower triangle alone, in its place.
  __device__ void cholesky() {
    for (int k = 0; k < n; ++k) {
      Real square = number < p.count ? N::realOf(at(k, k)) : Real(1);
      isSingular |= square <= 0; // NaN is no error, as in LAPACK
      __syncwarp();
      Real root = sqrt(square);
      if (isRow && lane == k)
        at(k, k) = N::of(root);
      if (isRow && lane > k)
        at(lane, k) = at(lane, k) / N::of(root);
      __syncwarp();
      if (isRow)
        for (int j = k + 1; j <= lane; ++j)
          at(lane, j) = at(lane, j) - at(lane, k) * N::conjugate(at(j, k));
      __syncwarp();
    }
  }
};

template <typename T, typename Body> __device__ void forGroups(const SmallParams &p, Body &&body) {
  int64_t groups = smallThreads / p.lanes;
  for (int64_t first = blockIdx.x * groups; first < p.count; first += gridDim.x * groups) {
    Group<T> group(p, first);
    group.load();
    body(group);
    __syncwarp();
  }
}
template <typename T> __device__ void runLu(const SmallParams &p) {
  forGroups<T>(p, [&](Group<T> &group) {
    group.factorise();
    group.store();
    if (group.isRow && group.lane == 0)
      static_cast<T *>(p.parities)[group.number] = Number<T>::of(group.isOdd ? -1 : 1);
  });
}
// Blocks along y have the factors each for itself, and solve for their share of the right sides.
template <typename T> __device__ void runSolve(const SmallParams &p) {
  forGroups<T>(p, [&](Group<T> &group) {
    group.factorise();
    if (group.isSingular)
      group.reportFailure();
    if (p.hasRoom)
      group.solveColumns();
    else
      group.solve();
  });
}
template <typename T> __device__ void runCholesky(const SmallParams &p) {
  forGroups<T>(p, [&](Group<T> &group) {
    group.cholesky();
    if (group.isSingular)
      group.reportFailure();
    for (int j = 0; group.isRow && j < group.n; ++j)
      if (j <= group.lane || group.isSingular)
        group.matrix()[j * group.n + group.lane] = group.isSingular ? Number<T>::of(nan("")) : group.at(group.lane, j);
  });
}

// The first matrix without a result, of those that a library has computed.
extern "C" __global__ void npcc_small_report(ReportParams p) {
  for (int64_t k = threadIdx.x; k < p.count; k += blockDim.x)
    if (p.infos[k] != 0)
      recordError(p.error, k);
}

#define SMALL(name, T)                                                                                                 \
  extern "C" __global__ void __launch_bounds__(smallThreads) npcc_small_lu_##name(SmallParams p) { runLu<T>(p); }      \
  extern "C" __global__ void __launch_bounds__(smallThreads) npcc_small_solve_##name(SmallParams p) { runSolve<T>(p); } \
  extern "C" __global__ void __launch_bounds__(smallThreads) npcc_small_cholesky_##name(SmallParams p) { runCholesky<T>(p); }
SMALL(float32, float)
SMALL(float64, double)
SMALL(complex64, Complex<float>)
SMALL(complex128, Complex<double>)
