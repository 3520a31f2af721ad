// Sorting of short lines, each in the registers of one thread, by a network of exchanges. Compiled offline to short.ptx (make-kernels.sh).
#include "PlacedKeys.cuh"

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
      sortItems(items);
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
