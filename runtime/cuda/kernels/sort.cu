// Stable sorting of lines by 64-bit keys. Compiled offline to sort.ptx (make-kernels.sh).
//
// Elements become keys whose order as unsigned integers is NumPy's; chunks are merged in shared memory, then runs in global memory, each element
// finding its place among the other run's by bisection. What moves are keys and positions; the elements follow at the end.
#include "SortKeys.h"

constexpr int chunk = 512;

__device__ int64_t first() { return int64_t(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ int64_t step() { return int64_t(gridDim.x) * blockDim.x; }

// The keys of the elements in the order of `positions`; the elements' own order if there is none.
extern "C" __global__ void npcc_sort_keys(SortParams p) {
  for (int64_t i = first(); i < p.lines * p.length; i += step()) {
    int64_t line = i / p.length, position = p.part == 0 ? i - line * p.length : p.positions[i];
    p.keys[i] = keyOf(p.in, line * p.length + position, p.dtype, p.part);
    if (p.part == 0)
      p.positions[i] = position;
  }
}

// Sorts chunks of each line in shared memory.
extern "C" __global__ void npcc_sort_chunks(SortParams p) {
  __shared__ uint64_t keys[2][chunk];
  __shared__ int64_t positions[2][chunk];
  int64_t chunks = (p.length + chunk - 1) / chunk;
  for (int64_t k = blockIdx.x; k < p.lines * chunks; k += gridDim.x) {
    int64_t base = k / chunks * p.length + k % chunks * chunk, rest = p.length - k % chunks * chunk;
    int count = int(rest < chunk ? rest : chunk), side = 0, at = threadIdx.x;
    if (at < count) {
      keys[0][at] = p.keys[base + at];
      positions[0][at] = p.positions[base + at];
    }
    __syncthreads();
    for (int width = 1; width < count; width *= 2, side ^= 1) {
      if (at < count) {
        int run = at / (2 * width) * (2 * width), middle = min(run + width, count), end = min(run + 2 * width, count);
        bool isLeft = at < middle;
        uint64_t key = keys[side][at];
        int64_t other = isLeft ? placeAmong(keys[side] + middle, end - middle, key, true) : placeAmong(keys[side] + run, middle - run, key, false);
        int64_t place = run + (isLeft ? at - run : at - middle) + other;
        keys[side ^ 1][place] = key;
        positions[side ^ 1][place] = positions[side][at];
      }
      __syncthreads();
    }
    if (at < count) {
      p.keys[base + at] = keys[side][at];
      p.positions[base + at] = positions[side][at];
    }
    __syncthreads();
  }
}

// Merges pairs of runs of `width`.
extern "C" __global__ void npcc_sort_merge(SortParams p) {
  for (int64_t i = first(); i < p.lines * p.length; i += step()) {
    int64_t line = i / p.length, at = i - line * p.length;
    const uint64_t *keys = p.keys + line * p.length;
    int64_t run = at / (2 * p.width) * (2 * p.width), middle = min(run + p.width, p.length), end = min(run + 2 * p.width, p.length);
    bool isLeft = at < middle;
    uint64_t key = keys[at];
    int64_t other = isLeft ? placeAmong(keys + middle, end - middle, key, true) : placeAmong(keys + run, middle - run, key, false);
    int64_t place = line * p.length + run + (isLeft ? at - run : at - middle) + other;
    p.newKeys[place] = key;
    p.newPositions[place] = p.positions[i];
  }
}

template <typename T>
__device__ void gather(const SortParams &p) {
  for (int64_t i = first(); i < p.lines * p.length; i += step())
    static_cast<T *>(p.out)[i] = static_cast<const T *>(p.in)[i / p.length * p.length + p.positions[i]];
}
struct alignas(8) Pair {
  double re, im;
};
extern "C" __global__ void npcc_sort_gather_1(SortParams p) { gather<uint8_t>(p); }
extern "C" __global__ void npcc_sort_gather_2(SortParams p) { gather<uint16_t>(p); }
extern "C" __global__ void npcc_sort_gather_4(SortParams p) { gather<uint32_t>(p); }
extern "C" __global__ void npcc_sort_gather_8(SortParams p) { gather<uint64_t>(p); }
extern "C" __global__ void npcc_sort_gather_16(SortParams p) { gather<Pair>(p); }
