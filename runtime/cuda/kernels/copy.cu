// Strided copies. Compiled offline to copy.ptx, which is checked in (make-kernels.sh), so that building the runtime needs
// no CUDA.
#include <cstdint>

// Mirrors of the struct in Kernels.h.
constexpr int maxRank = 33;
struct CopyParams {
  char *to;
  const char *from;
  int64_t count; // elements; for transposing copies: tiles
  int32_t rank, inner; // inner: the axis along which `from` has unit stride
  int64_t shape[maxRank], toStrides[maxRank], fromStrides[maxRank];
};

struct alignas(16) Bytes16 {
  uint64_t low, high;
};

// One element a thread and step; Index is 32 bits wide where that holds all elements, because division is what costs.
template <typename T, typename Index>
__device__ void copyElements(const CopyParams &p) {
  int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < p.count; i += step) {
    Index rest = Index(i);
    int64_t to = 0, from = 0;
#pragma unroll 1
    for (int axis = p.rank - 1; axis > 0; --axis) {
      Index extent = Index(p.shape[axis]);
      Index next = rest / extent;
      int64_t at = rest - next * extent;
      to += at * p.toStrides[axis];
      from += at * p.fromStrides[axis];
      rest = next;
    }
    to += int64_t(rest) * p.toStrides[0];
    from += int64_t(rest) * p.fromStrides[0];
    reinterpret_cast<T *>(p.to)[to] = reinterpret_cast<const T *>(p.from)[from];
  }
}

// 32 x 32 tiles of the axes (inner, last) through shared memory, so that both sides are read and written in lines.
template <typename T>
__device__ void copyTransposing(const CopyParams &p) {
  __shared__ T tile[32][33];
  int last = p.rank - 1;
  int64_t rows = p.shape[p.inner], columns = p.shape[last];
  int64_t tileColumns = (columns + 31) / 32, tileRows = (rows + 31) / 32;
  for (int64_t k = blockIdx.x; k < p.count; k += gridDim.x) {
    int64_t column = k % tileColumns * 32, rest = k / tileColumns;
    int64_t row = rest % tileRows * 32;
    rest /= tileRows;
    int64_t to = 0, from = 0;
#pragma unroll 1
    for (int axis = last - 1; axis >= 0; --axis) {
      if (axis == p.inner)
        continue;
      int64_t at = rest % p.shape[axis];
      rest /= p.shape[axis];
      to += at * p.toStrides[axis];
      from += at * p.fromStrides[axis];
    }
    const T *source = reinterpret_cast<const T *>(p.from) + from;
    T *target = reinterpret_cast<T *>(p.to) + to;
    for (int j = threadIdx.y; j < 32; j += 8)
      if (row + threadIdx.x < rows && column + j < columns)
        tile[j][threadIdx.x] =
            source[(row + threadIdx.x) * p.fromStrides[p.inner] + (column + j) * p.fromStrides[last]];
    __syncthreads();
    for (int i = threadIdx.y; i < 32; i += 8)
      if (row + i < rows && column + threadIdx.x < columns)
        target[(row + i) * p.toStrides[p.inner] + (column + threadIdx.x) * p.toStrides[last]] = tile[threadIdx.x][i];
    __syncthreads();
  }
}

#define COPY(bytes, T)                                                                                                 \
  extern "C" __global__ void npcc_copy_##bytes##_i32(CopyParams p) { copyElements<T, uint32_t>(p); }                   \
  extern "C" __global__ void npcc_copy_##bytes##_i64(CopyParams p) { copyElements<T, uint64_t>(p); }                   \
  extern "C" __global__ void npcc_copy_##bytes##_transposing(CopyParams p) { copyTransposing<T>(p); }
COPY(1, uint8_t)
COPY(2, uint16_t)
COPY(4, uint32_t)
COPY(8, uint64_t)
COPY(16, Bytes16)

