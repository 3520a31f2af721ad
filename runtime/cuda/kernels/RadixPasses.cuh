// The passes of a sort by digits, of any type of keys: CUB's code for blocks (Apache 2.0 licence with LLVM exceptions; part of the CUDA toolkit, whose
// headers are needed where this is compiled).
#ifndef NPCC_RUNTIME_CUDA_KERNELS_RADIX_PASSES_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_RADIX_PASSES_CUH
#include "RadixParams.h"
#include <cub/agent/agent_radix_sort_histogram.cuh>
#include <cub/agent/agent_radix_sort_onesweep.cuh>

__device__ inline int64_t first() { return int64_t(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ inline int64_t step() { return int64_t(gridDim.x) * blockDim.x; }

// How many keys have each digit, for all passes at once.
template <typename Key> __device__ void histogram(const RadixParams &p) {
  using Policy = cub::AgentRadixSortHistogramPolicy<128, 16, 1, Key, radixDigitBits>;
  using Agent = cub::detail::radix_sort::AgentRadixSortHistogram<Policy, false, Key, uint32_t>;
  __shared__ typename Agent::TempStorage storage;
  Agent(storage, p.bins, static_cast<const Key *>(p.keys), uint32_t(p.count), p.firstBit, p.endBit).Process();
}
#define HISTOGRAM(name, Key) extern "C" __global__ void __launch_bounds__(128) name(RadixParams p) { histogram<Key>(p); }

// One digit: each block takes the next tile of keys, learns from the tiles before it where its own go, and writes them.
template <typename Key, typename Position, int items, int tile> __device__ void sweep(const RadixParams &p) {
  using Policy = cub::AgentRadixSortOnesweepPolicy<radixThreads, items, Key, 1, cub::RADIX_RANK_MATCH_EARLY_COUNTS_ANY, cub::BLOCK_SCAN_RAKING_MEMOIZE,
                                                   cub::RADIX_SORT_STORE_DIRECT, radixDigitBits>;
  using Agent = cub::detail::radix_sort::AgentRadixSortOnesweep<Policy, false, Key, Position, uint32_t, int>;
  static_assert(int(Agent::TILE_ITEMS) == tile);
  __shared__ typename Agent::TempStorage storage;
  Agent(storage, p.lookback, p.counter, p.nextBins, p.bins, static_cast<Key *>(p.newKeys), static_cast<const Key *>(p.keys),
        reinterpret_cast<Position *>(p.newPositions), reinterpret_cast<const Position *>(p.positions), int(p.count), p.firstBit, p.bits)
      .Process();
}
#define SWEEP(name, Key, Position, items, tile)                                                                                                                   \
  extern "C" __global__ void __launch_bounds__(radixThreads) name(RadixParams p) { sweep<Key, Position, items, tile>(p); }

#endif
