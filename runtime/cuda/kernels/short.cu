// Sorting of short lines, each in the registers of one thread, by a network of exchanges. Compiled offline to short.ptx (make-kernels.sh).
#include "../../SortNetwork.h"
#include "RadixKeys.h"
#include <cuda/std/utility>

// A key of 64 bits with its place in the line; shorter ones hold both in one number.
struct Placed {
  uint64_t key;
  uint32_t place;
};
__device__ bool isBefore(uint32_t a, uint32_t b) { return a < b; }
__device__ bool isBefore(uint64_t a, uint64_t b) { return a < b; }
__device__ bool isBefore(const Placed &a, const Placed &b) { return a.key < b.key || (a.key == b.key && a.place < b.place); }

template <typename Item> __device__ __forceinline__ void exchange(Item &low, Item &high) {
  bool isSwapped = isBefore(high, low);
  Item small = isSwapped ? high : low;
  high = isSwapped ? low : high;
  low = small;
}
template <int size, typename Item, size_t... k> __device__ __forceinline__ void sortItems(Item (&items)[size], cuda::std::index_sequence<k...>) {
  (exchange(items[SortNetworkOf<size>::value.low[k]], items[SortNetworkOf<size>::value.high[k]]), ...);
}

template <typename Item> struct Form; // how a key and its place are an item
template <> struct Form<uint32_t> {
  __device__ static uint32_t make(uint64_t key, int) { return uint32_t(key); }
  __device__ static uint64_t key(uint32_t item) { return item; }
  __device__ static int64_t place(uint32_t) { return 0; }
};
struct Packed {
  uint64_t item;
};
__device__ bool isBefore(const Packed &a, const Packed &b) { return a.item < b.item; }
template <> struct Form<Packed> {
  __device__ static Packed make(uint64_t key, int place) { return {key << 32 | uint32_t(place)}; }
  __device__ static uint64_t key(Packed packed) { return packed.item >> 32; }
  __device__ static int64_t place(Packed packed) { return int64_t(packed.item & 0xffffffff); }
};
template <> struct Form<uint64_t> {
  __device__ static uint64_t make(uint64_t key, int) { return key; }
  __device__ static uint64_t key(uint64_t item) { return item; }
  __device__ static int64_t place(uint64_t) { return 0; }
};
template <> struct Form<Placed> {
  __device__ static Placed make(uint64_t key, int place) { return {key, uint32_t(place)}; }
  __device__ static uint64_t key(const Placed &item) { return item.key; }
  __device__ static int64_t place(const Placed &item) { return item.place; }
};

// A block sorts neighbouring lines: all its threads read them, each sorts one, all write them.
template <typename Item, int size> __device__ void sortShort(const RadixParams &p, bool isPositions) {
  __shared__ uint64_t held[shortLinesPerBlock * (size + 1)];
  __shared__ uint8_t places[shortLinesPerBlock * (size + 1)];
  int length = int(p.length);
  for (int64_t base = int64_t(blockIdx.x) * shortLinesPerBlock; base < p.lines; base += int64_t(gridDim.x) * shortLinesPerBlock) {
    int lines = int(p.lines - base < shortLinesPerBlock ? p.lines - base : shortLinesPerBlock);
    for (int i = threadIdx.x; i < lines * length; i += blockDim.x)
      held[i / length * (size + 1) + i % length] = elementKey(p.in, base * length + i, p.dtype, p.isExact);
    __syncthreads();
    if (threadIdx.x < lines) {
      Item items[size];
      uint64_t *own = held + threadIdx.x * (size + 1);
#pragma unroll
      for (int k = 0; k < size; ++k)
        items[k] = Form<Item>::make(k < length ? own[k] : ~uint64_t(0), k);
      sortItems<size>(items, cuda::std::make_index_sequence<SortNetworkOf<size>::value.count>());
#pragma unroll
      for (int k = 0; k < size; ++k) {
        if (k < length) {
          own[k] = Form<Item>::key(items[k]);
          places[threadIdx.x * (size + 1) + k] = uint8_t(Form<Item>::place(items[k]));
        }
      }
    }
    __syncthreads();
    int bytes = bytesOfKey(p.dtype);
    for (int i = threadIdx.x; i < lines * length; i += blockDim.x) {
      int at = i / length * (size + 1) + i % length;
      if (isPositions)
        static_cast<int64_t *>(p.out)[base * length + i] = places[at];
      else
        setBits(p.out, base * length + i, bytes, elementOfKey(held[at], p.dtype));
    }
    __syncthreads();
  }
}
#define SHORT(size)                                                                                                                                               \
  extern "C" __global__ void __launch_bounds__(shortLinesPerBlock) npcc_short_##size##_4(RadixParams p) { sortShort<uint32_t, size>(p, false); }                  \
  extern "C" __global__ void __launch_bounds__(shortLinesPerBlock) npcc_short_##size##_8(RadixParams p) { sortShort<uint64_t, size>(p, false); }                  \
  extern "C" __global__ void __launch_bounds__(shortLinesPerBlock) npcc_short_##size##_4_positions(RadixParams p) { sortShort<Packed, size>(p, true); }           \
  extern "C" __global__ void __launch_bounds__(shortLinesPerBlock) npcc_short_##size##_8_positions(RadixParams p) { sortShort<Placed, size>(p, true); }
SHORT(4)
SHORT(8)
SHORT(16)
SHORT(32)
