// Sorting of one line of numbers by digits, from the array itself: no keys are made. Compiled offline to flat.ptx (make-kernels.sh).
#include "RadixKeys.h"
#include "RadixPasses.cuh"

#define FLAT(name, Key, items, tile)                                                                                                                              \
  HISTOGRAM(npcc_flat_histogram_##name, Key)                                                                                                                      \
  SWEEP(npcc_flat_sweep_##name, Key, cub::NullType, items, tile)
FLAT(int32, int32_t, 20, radixTile4)
FLAT(int64, int64_t, 24, radixTile8)
FLAT(uint32, uint32_t, 20, radixTile4)
FLAT(uint64, uint64_t, 24, radixTile8)
FLAT(float32, float, 20, radixTile4)
FLAT(float64, double, 24, radixTile8)

// NaN with the sign come first, but belong behind the numbers: where there are any, everything is turned by so many. One thread counts them.
extern "C" __global__ void npcc_flat_nans(RadixParams p) { *p.bins = uint32_t(nansBefore(p.out, p.count, bytesOfKey(p.dtype))); }
extern "C" __global__ void npcc_flat_turn(RadixParams p) {
  int64_t before = *p.bins;
  int bytes = bytesOfKey(p.dtype);
  if (before)
    for (int64_t i = first(); i < p.count; i += step())
      setBits(p.keys, i, bytes, bitsAt(p.out, i + before < p.count ? i + before : i + before - p.count, bytes));
}
extern "C" __global__ void npcc_flat_return(RadixParams p) {
  int bytes = bytesOfKey(p.dtype);
  if (*p.bins)
    for (int64_t i = first(); i < p.count; i += step())
      setBits(p.out, i, bytes, bitsAt(p.keys, i, bytes));
}
