// What kernels sort that have a line's elements in registers: keys, alone or with their places in the line, which keep
// equal ones in order.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_PLACED_KEYS_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_PLACED_KEYS_CUH
#include "../../SortNetwork.h"
#include "RadixKeys.h"
#include <cuda/std/utility>

// A key of 64 bits with its place in the line.
struct Placed {
  uint64_t key;
  uint32_t place;
};
// A shorter key and its place in one number.
struct Packed {
  uint64_t item;
};
__device__ bool isBefore(uint32_t a, uint32_t b) { return a < b; }
__device__ bool isBefore(uint64_t a, uint64_t b) { return a < b; }
__device__ bool isBefore(const Placed &a, const Placed &b) {
  return a.key < b.key || (a.key == b.key && a.place < b.place);
}
__device__ bool isBefore(const Packed &a, const Packed &b) { return a.item < b.item; }

template <typename Item> __device__ __forceinline__ void exchange(Item &low, Item &high) {
  bool isSwapped = isBefore(high, low);
  Item small = isSwapped ? high : low;
  high = isSwapped ? low : high;
  low = small;
}
template <int size, typename Item, size_t... k>
__device__ __forceinline__ void sortItems(Item (&items)[size], cuda::std::index_sequence<k...>) {
  (exchange(items[SortNetworkOf<size>::value.low[k]], items[SortNetworkOf<size>::value.high[k]]), ...);
}
template <int size, typename Item> __device__ __forceinline__ void sortItems(Item (&items)[size]) {
  sortItems<size>(items, cuda::std::make_index_sequence<SortNetworkOf<size>::value.count>());
}

template <typename Item> struct Form; // how a key and its place are an item
template <> struct Form<uint32_t> {
  __device__ static uint32_t make(uint64_t key, int) { return uint32_t(key); }
  __device__ static uint64_t key(uint32_t item) { return item; }
  __device__ static int64_t place(uint32_t) { return 0; }
};
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

#endif
