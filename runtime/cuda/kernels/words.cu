// The words of NumPy's bit generators, and uniform numbers of them. Compiled offline to words.ptx (make-kernels.sh).
//
// A linear congruence jumps: each thread finds its first word's state by jumps of powers of two, then steps over what the others do. Philox makes four
// words of a counter. MT19937 is made by one block: of its 624 words, 227 follow from earlier ones alone.
#include "BitStreams.cuh"

// Each of them calls use(i, word i).
template <typename Output> struct Congruence {
  template <typename Use> static __device__ void run(const WordsParams &p, int64_t words, Use &&use) {
    int64_t first = int64_t(blockIdx.x) * blockDim.x + threadIdx.x, step = int64_t(gridDim.x) * blockDim.x;
    Wide state = jumpBy(p.source, uint64_t(first + Output::stepsBefore), p.source.state);
    for (int64_t i = first; i < words; i += step) {
      use(i, Output::word(state));
      state = apply(p.stride, state);
    }
  }
};

struct Counted {
  template <typename Use> static __device__ void run(const WordsParams &p, int64_t words, Use &&use) {
    __shared__ uint64_t made[4 * randomThreads];
    const StreamSource &source = p.source;
    int64_t left = 4 - source.used; // of the block that the state has
    if (blockIdx.x == 0 && threadIdx.x < left && threadIdx.x < words)
      use(int64_t(threadIdx.x), source.block[source.used + threadIdx.x]);
    int64_t blocks = words > left ? (words - left + 3) / 4 : 0;
    for (int64_t from = int64_t(blockIdx.x) * randomThreads; from < blocks; from += int64_t(gridDim.x) * randomThreads) {
      uint64_t x[4];
      Philox::makeBlock(source, uint64_t(from + threadIdx.x) + 1, x);
      for (int k = 0; k < 4; ++k)
        made[4 * threadIdx.x + k] = x[k];
      __syncthreads();
      for (int k = 0; k < 4; ++k) {
        int place = k * randomThreads + threadIdx.x;
        int64_t i = left + 4 * from + place;
        if (i < words)
          use(i, made[place]);
      }
      __syncthreads();
    }
  }
};

__device__ double float64Of(uint64_t word) { return double(word >> 11) * (1.0 / 9007199254740992.0); }
__device__ float float32Of(uint32_t word) { return float(word >> 8) * (1.0f / 16777216.0f); }

template <typename Source> __device__ void makeFloat64(const WordsParams &p) {
  Source::run(p, p.count, [&](int64_t i, uint64_t word) { static_cast<double *>(p.out)[i] = p.shift + p.scale * float64Of(word); });
}
template <typename Source> __device__ void makeFloat32(const WordsParams &p) {
  auto *out = static_cast<float *>(p.out);
  if (p.source.hasHalf && blockIdx.x == 0 && threadIdx.x == 0)
    out[0] = float32Of(p.source.half);
  out += p.source.hasHalf;
  int64_t count = p.count - p.source.hasHalf;
  Source::run(p, (count + 1) / 2, [&](int64_t i, uint64_t word) {
    float low = float32Of(uint32_t(word)), high = float32Of(uint32_t(word >> 32));
    if (!p.source.hasHalf && 2 * i + 1 < count) {
      reinterpret_cast<float2 *>(out)[i] = {low, high};
      return;
    }
    out[2 * i] = low;
    if (2 * i + 1 < count)
      out[2 * i + 1] = high;
  });
}
#define SOURCE(name, Source)                                                                                           \
  extern "C" __global__ void __launch_bounds__(randomThreads) npcc_words_float64_##name(WordsParams p) {               \
    makeFloat64<Source>(p);                                                                                            \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(randomThreads) npcc_words_float32_##name(WordsParams p) {               \
    makeFloat32<Source>(p);                                                                                            \
  }
SOURCE(pcg64, Congruence<Pcg64>)
SOURCE(pcg64dxsm, Congruence<Pcg64Dxsm>)
SOURCE(philox, Counted)

//===---- MT19937 --------------------------------------------------------------------------------------------------------------------------------===//

__device__ uint32_t temper(uint32_t word) {
  word ^= word >> 11;
  word ^= word << 7 & 0x9d2c5680u;
  word ^= word << 15 & 0xefc60000u;
  return word ^ word >> 18;
}
__device__ uint32_t mersenne(uint32_t word, uint32_t next, uint32_t far) {
  uint32_t joined = (word & 0x80000000u) | (next & 0x7fffffffu);
  return far ^ joined >> 1 ^ (joined & 1 ? 0x9908b0dfu : 0);
}

/// The next 624 words of a state, by one block of threads: `put(k, word)` for each.
template <typename Put> __device__ void advance(const uint32_t *old, uint32_t *now, Put &&put) {
  constexpr int middle = 397, atOnce = mersenneWords - middle;
  for (int from = 0; from < mersenneWords; from += atOnce) {
    int k = from + int(threadIdx.x);
    if (int(threadIdx.x) < atOnce && k < mersenneWords) {
      uint32_t next = k + 1 < mersenneWords ? old[k + 1] : now[0];
      uint32_t word = mersenne(old[k], next, k < atOnce ? old[k + middle] : now[k - atOnce]);
      now[k] = word;
      put(k, word);
    }
    __syncthreads();
  }
}

// `words` has the state's words; behind them, and in their place, go `blocks` times 624 tempered ones: by one block of threads, or by one for each part,
// whose first words are a state.
extern "C" __global__ void __launch_bounds__(randomThreads) npcc_words_mersenne(WordsParams p) {
  __shared__ uint32_t sides[2][mersenneWords];
  int64_t block = p.states ? 1 + blockIdx.x * p.partBlocks : 0, end = p.blocks;
  if (p.states && block + p.partBlocks < end)
    end = block + p.partBlocks;
  const uint32_t *state = p.states ? p.states + int64_t(blockIdx.x) * mersenneWords : p.words;
  for (int k = int(threadIdx.x); k < mersenneWords; k += randomThreads) {
    if (p.states && blockIdx.x == 0)
      p.words[k] = temper(p.words[k]);
    uint32_t word = state[k];
    sides[0][k] = word;
    p.words[block * mersenneWords + k] = temper(word);
  }
  __syncthreads();
  int side = 0;
  for (++block; block < end; ++block, side ^= 1) {
    uint32_t *out = p.words + block * mersenneWords;
    advance(sides[side], sides[side ^ 1], [&](int k, uint32_t word) { out[k] = temper(word); });
  }
}
// A block of threads for each base: the words that a jump from it adds up. The states that the jump makes are cleared.
extern "C" __global__ void __launch_bounds__(randomThreads) npcc_words_mersenne_spans(JumpParams p) {
  __shared__ uint32_t sides[2][mersenneWords];
  uint32_t *state = p.states + int64_t(blockIdx.x) * mersenneWords, *span = p.spans + int64_t(blockIdx.x) * mersenneSpan;
  int64_t made = p.bases + blockIdx.x;
  for (int k = int(threadIdx.x); k < mersenneWords; k += randomThreads) {
    sides[0][k] = p.words ? p.words[k] : state[k];
    if (!p.words)
      span[k] = sides[0][k];
    if (made < p.parts)
      p.states[made * mersenneWords + k] = 0;
  }
  __syncthreads();
  int side = 0;
  for (int turn = p.words ? 0 : 1; turn < mersenneSpan / mersenneWords; ++turn, side ^= 1)
    advance(sides[side], sides[side ^ 1], [&](int k, uint32_t word) {
      span[turn * mersenneWords + k] = word;
      if (p.words && turn == 0)
        state[k] = word;
    });
}
// Blocks along y add up what some words of the polynomial say, for the base that they have along x: each team of threads what a few of them say. A thread has
// some of the sums that are side by side, and goes over the span with as many of its words in registers, so that it loads one for each bit.
extern "C" __global__ void __launch_bounds__(jumpTeam * jumpTeams) npcc_words_mersenne_jump(JumpParams p) {
  constexpr int held = 64 * wordsOfPiece + mersenneWords + jumpWindow;
  __shared__ uint32_t span[held], total[mersenneWords];
  int firstWord = int(blockIdx.y) * wordsOfPiece, firstBit = 64 * firstWord;
  const uint32_t *from = p.spans + int64_t(blockIdx.x) * mersenneSpan + firstBit;
  for (int k = int(threadIdx.x); k < held; k += int(blockDim.x))
    span[k] = firstBit + k < mersenneSpan ? from[k] : 0;
  for (int k = int(threadIdx.x); k < mersenneWords; k += int(blockDim.x))
    total[k] = 0;
  __syncthreads();
  int team = int(threadIdx.x) / jumpTeam, place = int(threadIdx.x) % jumpTeam * jumpWindow;
  const uint32_t *own = span + 64 * team * wordsOfTeam + place;
  uint32_t sums[jumpWindow] = {}, window[jumpWindow];
  for (int k = 0; k < jumpWindow; ++k)
    window[k] = own[k];
  for (int word = 0; word < wordsOfTeam; ++word) {
    int number = firstWord + team * wordsOfTeam + word;
    uint64_t bits = number < polynomialWords ? p.polynomial[number] : 0;
#pragma unroll
    for (int bit = 0; bit < 64; ++bit) {
      uint32_t mask = 0u - uint32_t(bits >> bit & 1);
#pragma unroll
      for (int k = 0; k < jumpWindow; ++k)
        sums[k] ^= window[k] & mask;
#pragma unroll
      for (int k = 0; k + 1 < jumpWindow; ++k)
        window[k] = window[k + 1];
      window[jumpWindow - 1] = own[64 * word + bit + jumpWindow];
    }
  }
  for (int k = 0; k < jumpWindow; ++k)
    atomicXor(total + place + k, sums[k]);
  __syncthreads();
  uint32_t *to = p.states + (p.bases + int64_t(blockIdx.x)) * mersenneWords;
  for (int k = int(threadIdx.x); k < mersenneWords; k += int(blockDim.x))
    atomicXor(to + k, total[k]);
}
extern "C" __global__ void __launch_bounds__(randomThreads) npcc_words_float64_mersenne(WordsParams p) {
  const uint32_t *words = p.words;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < p.count; i += int64_t(gridDim.x) * blockDim.x) {
    double number = ((words[2 * i] >> 5) * 67108864.0 + (words[2 * i + 1] >> 6)) / 9007199254740992.0;
    static_cast<double *>(p.out)[i] = p.shift + p.scale * number;
  }
}
extern "C" __global__ void __launch_bounds__(randomThreads) npcc_words_float32_mersenne(WordsParams p) {
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < p.count; i += int64_t(gridDim.x) * blockDim.x)
    static_cast<float *>(p.out)[i] = float32Of(p.words[i]);
}
