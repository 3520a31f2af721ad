// The words of a tile of a stream, made where they are used (reject.cu, numbers.cu).
#ifndef NPCC_RUNTIME_CUDA_KERNELS_TILE_WORDS_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_TILE_WORDS_CUH
#include "BitStreams.cuh"

/// The words of a tile, and those around it that an attempt may need. All threads.
__device__ inline void makeWords(const RejectParams &p, uint64_t *held, int64_t tile, int count, bool isWhole) {
  int64_t first = tile * p.wordsOfTile - p.wordsBefore;
  int skipped = first < 0
                    ? int(-first)
                    : 0; // before the stream's beginning: of 32-bit units, there is the half that is left of a word
  if (int(threadIdx.x) < skipped)
    held[threadIdx.x] = int(threadIdx.x) == skipped - 1 ? uint64_t(p.source.half) << 32 : 0;
  first += skipped;
  count -= skipped;
  held += skipped;
  if (p.from == UnitSource::Memory) {
    for (int k = threadIdx.x; k < count; k += tileThreads) {
      uint64_t a = p.words[2 * (first + k)], b = p.words[2 * (first + k) + 1];
      held[k] = isWhole ? a << 32 | b : b << 32 | a;
    }
  } else if (p.from == UnitSource::Philox) {
    int64_t left = 4 - p.source.used; // of the block that the state has
    for (int k = threadIdx.x; k < count && first + k < left; k += tileThreads)
      held[k] = p.source.block[p.source.used + first + k];
    for (int64_t block = (first > left ? first - left : 0) / 4 + threadIdx.x; left + 4 * block < first + count;
         block += tileThreads) {
      uint64_t made[4];
      Philox::makeBlock(p.source, uint64_t(block) + 1, made);
      for (int k = 0; k < 4; ++k)
        if (int64_t at = left + 4 * block + k - first; at >= 0 && at < count)
          held[at] = made[k];
    }
  } else {
    Wide state = apply(p.threadJumps[threadIdx.x], p.origins[tile]);
    for (int k = threadIdx.x; k < count; k += tileThreads) {
      held[k] = p.from == UnitSource::Pcg64 ? Pcg64::word(state) : Pcg64Dxsm::word(state);
      state = apply(p.source.jumps[tileThreadsPower], state);
    }
  }
}

#endif
