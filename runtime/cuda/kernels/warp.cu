// Sorting of lines by one warp each, in registers: lanes sort what they hold by a network of exchanges, then runs of
// neighbouring lanes are merged (K. E. Batcher, "Sorting Networks and their Applications", 1968). Compiled offline to
// warp.ptx (make-kernels.sh).
#include "PlacedKeys.cuh"

constexpr unsigned allLanes = 0xffffffff;

__device__ uint32_t ofLane(uint32_t item, int mask) { return __shfl_xor_sync(allLanes, item, mask); }
__device__ uint64_t ofLane(uint64_t item, int mask) {
  return __shfl_xor_sync(allLanes, static_cast<unsigned long long>(item), mask);
}
__device__ Packed ofLane(const Packed &item, int mask) { return {ofLane(item.item, mask)}; }
__device__ Placed ofLane(const Placed &item, int mask) { return {ofLane(item.key, mask), ofLane(item.place, mask)}; }

// Of its item and one of another lane, the lower lane keeps the smaller one.
template <typename Item> __device__ Item keep(const Item &own, const Item &other, bool isLower) {
  return isBefore(other, own) == isLower ? other : own;
}

// Lane l holds items l * size to (l + 1) * size - 1 of the line.
template <typename Item, int size> __device__ void sortLanes(Item (&own)[size]) {
  int lane = threadIdx.x % 32;
  sortItems(own);
#pragma unroll 1
  for (int run = 1; run < 32; run *= 2) {
    // The second one of two sorted runs is taken from its end, so that all exchanges have one direction.
#pragma unroll
    for (int k = 0; k < size / 2; ++k) {
      Item last = ofLane(own[size - 1 - k], 2 * run - 1), first = ofLane(own[k], 2 * run - 1);
      own[k] = keep(own[k], last, !(lane & run));
      own[size - 1 - k] = keep(own[size - 1 - k], first, !(lane & run));
    }
#pragma unroll 1
    for (int distance = run / 2; distance; distance /= 2)
#pragma unroll
      for (int k = 0; k < size; ++k)
        own[k] = keep(own[k], ofLane(own[k], distance), !(lane & distance));
#pragma unroll
    for (int distance = size / 2; distance; distance /= 2)
#pragma unroll
      for (int k = 0; k < size; ++k)
        if (!(k & distance))
          exchange(own[k], own[k + distance]);
  }
}

// Memory is read and written by neighbouring lanes. Between that and the lanes' own items is shared memory, with an
// element left free behind each lane's, as lanes would meet in the same banks.
template <typename Item, typename Held, int size> __device__ void sortLines(const RadixParams &p, bool isPositions) {
  __shared__ Held shared[warpLinesPerBlock][32 * (size + 1)];
  Held *held = shared[threadIdx.x / 32];
  int lane = threadIdx.x % 32, length = int(p.length), bytes = bytesOfKey(p.dtype);
  for (int64_t line = int64_t(blockIdx.x) * warpLinesPerBlock + threadIdx.x / 32; line < p.lines;
       line += int64_t(gridDim.x) * warpLinesPerBlock) {
#pragma unroll 4
    for (int at = lane; at < length; at += 32)
      held[at + at / size] = Held(elementKey(p.in, line * length + at, p.dtype, p.isExact));
    __syncwarp();
    Item own[size];
#pragma unroll
    for (int k = 0; k < size; ++k) {
      int at = lane * size + k;
      own[k] = Form<Item>::make(at < length ? uint64_t(held[at + lane]) : ~uint64_t(0), at);
    }
    sortLanes(own);
    __syncwarp();
#pragma unroll
    for (int k = 0; k < size; ++k)
      held[lane * (size + 1) + k] = Held(isPositions ? Form<Item>::place(own[k]) : Form<Item>::key(own[k]));
    __syncwarp();
#pragma unroll 4
    for (int at = lane; at < length; at += 32) {
      if (isPositions)
        static_cast<int64_t *>(p.out)[line * length + at] = int64_t(held[at + at / size]);
      else
        setBits(p.out, line * length + at, bytes, elementOfKey(held[at + at / size], p.dtype));
    }
    __syncwarp();
  }
}

// Lines of up to 32 * size elements.
#define LINES(length, form, size, Item, Held, isPositions)                                                             \
  extern "C" __global__ void __launch_bounds__(32 * warpLinesPerBlock) npcc_warp_##length##_##form(RadixParams p) {    \
    sortLines<Item, Held, size>(p, isPositions);                                                                       \
  }
#define WARP(length, size)                                                                                             \
  LINES(length, 4, size, uint32_t, uint32_t, false)                                                                    \
  LINES(length, 8, size, uint64_t, uint64_t, false)                                                                    \
  LINES(length, 4_positions, size, Packed, uint32_t, true)                                                             \
  LINES(length, 8_positions, size, Placed, uint64_t, true)
WARP(64, 2)
WARP(128, 4)
WARP(256, 8)
WARP(512, 16)
WARP(1024, 32)
