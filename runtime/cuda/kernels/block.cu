// Sorting of lines by one block each, in shared memory and registers: CUB's sort of a block. Compiled offline to block.ptx (make-kernels.sh).
#include "RadixKeys.h"
#include <cub/block/block_radix_sort.cuh>

// The elements of a line, in any order: the threads take neighbours.
template <typename Key, int threads, int items> __device__ void sortValues(const RadixParams &p) {
  using Sort = cub::BlockRadixSort<Key, threads, items>;
  __shared__ typename Sort::TempStorage storage;
  int bytes = bytesOfKey(p.dtype), length = int(p.length);
  for (int64_t line = blockIdx.x; line < p.lines; line += gridDim.x) {
    Key keys[items];
#pragma unroll
    for (int k = 0; k < items; ++k) {
      int at = k * threads + threadIdx.x;
      keys[k] = at < length ? Key(elementKey(p.in, line * length + at, p.dtype, p.isExact)) : Key(~Key(0));
    }
    __syncthreads();
    Sort(storage).SortBlockedToStriped(keys, 0, 8 * bytes);
#pragma unroll
    for (int k = 0; k < items; ++k) {
      int at = k * threads + threadIdx.x;
      if (at < length)
        setBits(p.out, line * length + at, bytes, elementOfKey(uint64_t(keys[k]) & lowest(8 * bytes), p.dtype));
    }
  }
}

// Where the elements of a line stood. Each thread takes elements that follow each other, so that equal ones stay in their order. A key of up to 32 bits
// is the upper half of a number that has its position below.
template <int threads, int items> __device__ void sortShortPositions(const RadixParams &p) {
  using Sort = cub::BlockRadixSort<uint64_t, threads, items>;
  __shared__ typename Sort::TempStorage storage;
  int bits = 8 * bytesOfKey(p.dtype), length = int(p.length);
  for (int64_t line = blockIdx.x; line < p.lines; line += gridDim.x) {
    uint64_t keys[items];
#pragma unroll
    for (int k = 0; k < items; ++k) {
      int at = threadIdx.x * items + k;
      keys[k] = at < length ? elementKey(p.in, line * length + at, p.dtype, false) << 32 | uint32_t(at) : ~uint64_t(0);
    }
    __syncthreads();
    Sort(storage).SortBlockedToStriped(keys, 32, 32 + bits);
#pragma unroll
    for (int k = 0; k < items; ++k) {
      int at = k * threads + threadIdx.x;
      if (at < length)
        static_cast<int64_t *>(p.out)[line * length + at] = int64_t(keys[k] & 0xffffffff);
    }
  }
}
template <int threads, int items> __device__ void sortPositions(const RadixParams &p) {
  using Sort = cub::BlockRadixSort<uint64_t, threads, items, uint16_t>;
  __shared__ typename Sort::TempStorage storage;
  int length = int(p.length);
  for (int64_t line = blockIdx.x; line < p.lines; line += gridDim.x) {
    uint64_t keys[items];
    uint16_t places[items];
#pragma unroll
    for (int k = 0; k < items; ++k) {
      int at = threadIdx.x * items + k;
      keys[k] = at < length ? elementKey(p.in, line * length + at, p.dtype, false) : ~uint64_t(0);
      places[k] = uint16_t(at);
    }
    __syncthreads();
    Sort(storage).SortBlockedToStriped(keys, places, 0, 64);
#pragma unroll
    for (int k = 0; k < items; ++k) {
      int at = k * threads + threadIdx.x;
      if (at < length)
        static_cast<int64_t *>(p.out)[line * length + at] = places[k];
    }
  }
}

#define BLOCK(size, threads)                                                                                           \
  extern "C" __global__ void __launch_bounds__(threads) npcc_block_##size##_4(RadixParams p) {                         \
    sortValues<uint32_t, threads, size / threads>(p);                                                                  \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(threads) npcc_block_##size##_8(RadixParams p) {                         \
    sortValues<uint64_t, threads, size / threads>(p);                                                                  \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(threads) npcc_block_##size##_4_positions(RadixParams p) {               \
    sortShortPositions<threads, size / threads>(p);                                                                    \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(threads) npcc_block_##size##_8_positions(RadixParams p) {               \
    sortPositions<threads, size / threads>(p);                                                                         \
  }
BLOCK(512, 128)
BLOCK(1024, 128)
BLOCK(2048, 256)
BLOCK(4096, 256)
