// Sorting by digits of eight bits. Compiled offline to radix.ptx (make-kernels.sh).
//
// Keys are integers of 32 or 64 bits whatever the dtype, alone or with positions: four sweeps, not one for each dtype.
#include "RadixKeys.h"
#include "RadixPasses.cuh"
#include <cub/block/block_scan.cuh>

//===---- Keys, and what becomes of them ---------------------------------------------------------------------------------------------------------===//

// The keys of the elements, in the order of the positions where there are any yet: the first part begins with their own order.
template <typename Key> __device__ void makeKeys(const RadixParams &p) {
  bool isFirst = p.part == imaginaryPart || p.part == wholeElement;
  for (int64_t i = first(); i < p.lines * p.length; i += step()) {
    static_cast<Key *>(p.keys)[i] = Key(radixKey(p, isFirst ? i : int64_t(p.positions[i])));
    if (isFirst && p.positions)
      p.positions[i] = uint32_t(i);
  }
}
template <typename Key> __device__ void makeValues(const RadixParams &p) {
  int bytes = bytesOfKey(p.dtype);
  for (int64_t i = first(); i < p.lines * p.length; i += step())
    setBits(p.out, i, bytes, elementOfKey(static_cast<const Key *>(p.keys)[i] & lowest(8 * bytes), p.dtype));
}
template <typename T> __device__ void gather(const RadixParams &p) {
  for (int64_t i = first(); i < p.lines * p.length; i += step())
    static_cast<T *>(p.out)[i] = static_cast<const T *>(p.in)[p.positions[i]];
}
struct alignas(8) Pair {
  double re, im;
};

extern "C" __global__ void npcc_radix_keys_4(RadixParams p) { makeKeys<uint32_t>(p); }
extern "C" __global__ void npcc_radix_keys_8(RadixParams p) { makeKeys<uint64_t>(p); }
extern "C" __global__ void npcc_radix_values_4(RadixParams p) { makeValues<uint32_t>(p); }
extern "C" __global__ void npcc_radix_values_8(RadixParams p) { makeValues<uint64_t>(p); }
extern "C" __global__ void npcc_radix_positions(RadixParams p) {
  for (int64_t i = first(); i < p.lines * p.length; i += step())
    static_cast<int64_t *>(p.out)[i] = int64_t(p.positions[i]) - i / p.length * p.length;
}
extern "C" __global__ void npcc_radix_gather_1(RadixParams p) { gather<uint8_t>(p); }
extern "C" __global__ void npcc_radix_gather_2(RadixParams p) { gather<uint16_t>(p); }
extern "C" __global__ void npcc_radix_gather_4(RadixParams p) { gather<uint32_t>(p); }
extern "C" __global__ void npcc_radix_gather_8(RadixParams p) { gather<uint64_t>(p); }
extern "C" __global__ void npcc_radix_gather_16(RadixParams p) { gather<Pair>(p); }

//===---- Passes ---------------------------------------------------------------------------------------------------------------------------------===//

extern "C" __global__ void npcc_radix_clear(RadixParams p) {
  for (int64_t i = first(); i < p.count; i += step())
    static_cast<uint32_t *>(p.out)[i] = 0;
}

HISTOGRAM(npcc_radix_histogram_4, uint32_t)
HISTOGRAM(npcc_radix_histogram_8, uint64_t)

// Of each pass, a block: where the keys of each digit begin.
extern "C" __global__ void __launch_bounds__(radixDigits) npcc_radix_sums(RadixParams p) {
  using Scan = cub::BlockScan<uint32_t, radixDigits>;
  __shared__ typename Scan::TempStorage storage;
  uint32_t *bin = p.bins + blockIdx.x * radixDigits + threadIdx.x, count = *bin;
  Scan(storage).ExclusiveSum(count, count);
  *bin = count;
}

SWEEP(npcc_radix_sweep_4, uint32_t, cub::NullType, 20, radixTile4)
SWEEP(npcc_radix_sweep_4_positions, uint32_t, uint32_t, 21, radixTile4Positions)
SWEEP(npcc_radix_sweep_8, uint64_t, cub::NullType, 24, radixTile8)
SWEEP(npcc_radix_sweep_8_positions, uint64_t, uint32_t, 24, radixTile8)
