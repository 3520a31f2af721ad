// Which places of a tile give a number, how many come before each of them, and how many in the tiles before (reject.cu, numbers.cu).
#ifndef NPCC_RUNTIME_CUDA_KERNELS_TILE_COUNTS_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_TILE_COUNTS_CUH
#include "RandomParams.h"

template <int places> struct TileCounts {
  static constexpr int words = places / 32;
  uint32_t emits[words]; // which places give a number
  uint32_t earlier[words];
  int warps[tileThreads / 32];

  /// How many numbers the tile gives, and before each 32 of its places. All threads.
  __device__ int count() {
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int count = threadIdx.x < words ? __popc(emits[threadIdx.x]) : 0, sum = count;
    for (int by = 1; by < 32; by *= 2) {
      int other = __shfl_up_sync(~0u, sum, by);
      sum += lane >= by ? other : 0;
    }
    if (lane == 31)
      warps[warp] = sum;
    __syncthreads();
    int all = 0, before = 0;
    for (int k = 0; k < (words + 31) / 32; ++k) {
      before += k < warp ? warps[k] : 0;
      all += warps[k];
    }
    if (threadIdx.x < words)
      earlier[threadIdx.x] = before + sum - count;
    return all;
  }
  /// Place i's number among those of the tile; -1: it gives none, or none of the first `wanted`.
  __device__ int numberOf(int i, int wanted) const {
    uint32_t emitting = emits[i / 32], bit = 1u << i % 32;
    int number = int(earlier[i / 32]) + __popc(emitting & (bit - 1));
    return emitting & bit && number < wanted ? number : -1;
  }
};

/// Says how many numbers the tile gives, and asks how many come before them. One warp.
__device__ inline int64_t countBefore(const RejectParams &p, int64_t tile, int count, int entry, int exit) {
  auto *status = static_cast<volatile uint64_t *>(p.status);
  int lane = threadIdx.x % 32;
  auto say = [&](TileStatus what, int64_t counted) {
    if (lane == 0)
      status[tile] = what | uint64_t(exit) << tileExitShift | uint64_t(counted) << tileCountShift;
  };
  int64_t before = 0;
  if (tile > 0)
    say(TileAlone, count);
  for (int64_t from = tile - 1; from >= 0; from -= 32) {
    int64_t at = from - lane;
    uint64_t told;
    do
      told = at >= 0 ? status[at] : uint64_t(TileUpToHere);
    while (__any_sync(~0u, (told & 3) == TileUnknown));
    if (lane == 0 && at == tile - 1 && int(told >> tileExitShift & 255) != entry)
      p.result->isUncertain = 1;
    uint32_t known = __ballot_sync(~0u, (told & 3) == TileUpToHere);
    int last = known ? __ffs(known) - 1 : 31;
    int64_t sum = lane <= last ? int64_t(told >> tileCountShift) : 0;
    for (int by = 16; by > 0; by /= 2)
      sum += __shfl_xor_sync(~0u, sum, by);
    before += sum;
    if (known)
      break;
  }
  say(TileUpToHere, before + count);
  if (lane == 0 && tile == p.tiles - 1)
    p.result->count = before + count;
  return before;
}

#endif
