// A Hermitian matrix of up to 32 rows on its way into a kernel (hermitian.cu, rotations.cu): read by the lanes of a warp, one for each row, looked through
// for what is not finite, and scaled.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_HERMITIAN_MATRIX_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_HERMITIAN_MATRIX_CUH
#include "HermitianParams.h"
#include "MatrixScales.cuh"

// For eigenvectors of more rows than this, LAPACK divides the matrix (dstedc), and does not see what fails to converge.
constexpr int mostUndivided = 25;

/// 1 / sqrt(x), for x that is neither very small nor infinite.
__device__ inline double inverseRoot(double x) { return rsqrt(x); }
__device__ inline float inverseRoot(float x) {
  float root = rsqrtf(x), error = fmaf(-x * root, root, 1.0f);
  return fmaf(root * 0.5f, error, root); // what the hardware gives is not exact to the last bit
}

/// One matrix and its lanes. All lanes of a warp come to every shuffle: those beyond the last matrix work on zeros.
template <typename T> struct HermitianMatrix {
  using N = Number<T>;
  using Real = typename N::Real;
  const HermitianParams &p;
  const int n, lanes, lane; // rows; threads, and this one's number, which is that of its row
  const int64_t number;
  const bool isMatrix, isRow;
  T *columns; // in shared memory
  bool isFinite = true, hasNone = false; // whether there is no result
  int exponent = 0;
  Real half = 1, rest = 1; // the power of two that the elements are multiplied by, as two factors

  __device__ HermitianMatrix(const HermitianParams &p, int64_t number, char *memory)
      : p(p), n(p.size), lanes(p.lanes), lane(threadIdx.x % lanes), number(number), isMatrix(number < p.count),
        isRow(lane < n), columns(reinterpret_cast<T *>(memory)) {}
  __device__ T &at(int i, int j) { return columns[j * p.stride + i]; }
  __device__ T *matrix() const { return static_cast<T *>(p.matrices) + number * n * p.step; }
  __device__ bool anyRow(bool x) const { return __ballot_sync(~0u, x) >> (threadIdx.x % 32 - lane) & ~0u >> (32 - lanes); }

  /// The element of the whole matrix in the lane's row, from the triangle in shared memory that is read.
  __device__ T element(int j) {
    bool isRead = p.isUpper ? lane <= j : lane >= j;
    T x = at(isRead ? lane : j, isRead ? j : lane);
    return isRead ? x : N::conjugate(x);
  }
  /// The same, scaled so that the largest element is between 1/2 and 1.
  __device__ T scaled(int j) { return times(times(element(j), half), rest); }

  /// Whether LAPACK's iterations do not converge for this matrix, of which an element is not finite: that is an error
  /// of NumPy's. NaN comes to every row that is coupled with its own. A matrix of infinities without NaN is scaled by
  /// zero first: NaN is then where the infinities were, and all else is zero. And two rows that are coupled with no
  /// other one take no iterations.
  __device__ bool isUnsolved() {
    bool hasNan = false, isCoupled = false, isStopped = false;
    for (int j = 0; isRow && j < n; ++j) {
      hasNan |= isNanNumber(element(j));
      isCoupled |= j != lane && largestPart(element(j)) != 0;
    }
    hasNan = anyRow(hasNan);
    for (int j = 0; isRow && j <= lane; ++j) {
      bool isDiagonal = j == lane, isBetween = lane > 0 && lane + 1 < n;
      int before = p.isUpper ? n - 1 - lane : j; // rows whose couplings are made zero first
      if (hasNan)
        isStopped |= isNanNumber(element(j)) && (!isDiagonal || isCoupled);
      else if (!isFiniteNumber(element(j)))
        isStopped |= isDiagonal ? isBetween && !p.hasVectors : before + 2 < n;
    }
    return anyRow(isStopped);
  }

  /// The lane's row of the triangle that is read, to shared memory, and what there is to know of the whole matrix.
  __device__ void load() {
    Real largest = 0;
    for (int j = 0; j < n; ++j) {
      T x = isMatrix && isRow ? matrix()[j * p.step + lane] : N::of(0);
      x = lane == j ? N::of(N::realOf(x)) : x;
      if (p.isUpper ? lane <= j : lane >= j) {
        isFinite &= isFiniteNumber(x);
        largest = fmax(largest, largestPart(x));
      }
      if (isRow)
        at(lane, j) = x;
    }
    for (int by = lanes / 2; by; by /= 2)
      largest = fmax(largest, __shfl_xor_sync(~0u, largest, by));
    isFinite = !anyRow(!isFinite);
    exponent = isFinite && largest > 0 ? ilogb(largest) + 1 : 0;
    // The power of two in two halves: that of a very small matrix is too large for one number.
    half = scalbn(Real(1), -exponent / 2);
    rest = scalbn(Real(1), -exponent - -exponent / 2);
    __syncwarp();
    if (__any_sync(~0u, !isFinite) && n > 2 && (n <= mostUndivided || !p.hasVectors))
      hasNone = isUnsolved();
    isFinite |= n == 1; // the only element is the eigenvalue, whatever it is
  }
};

#endif
