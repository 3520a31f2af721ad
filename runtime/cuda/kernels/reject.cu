// Numbers of which each takes a varying number of a stream's units: the ziggurat method's, and bounded integers.
// Compiled offline to reject.ptx (make-kernels.sh).
//
// Where an attempt begins depends on all attempts before it. But nearly all of them take one unit, so that attempts
// which began at different places soon meet: a block makes the units of a tile and a few before them, and takes the
// first of these to begin an attempt. Where that leads to is where the tile's first attempt begins; the tile before it
// says whether it was right. How many numbers come before the tile's own is asked of the tiles before it, while they
// are still at work (D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016). So
// units are never in memory.
//
// Every product and sum is rounded by itself (-fmad=false), as on the host.
#include "RejectMethods.cuh"

/// What a block knows of a tile. Places are numbered from the first unit that is looked at.
template <int before> struct Attempts {
  static constexpr int places = before + tileUnits, words = places / 32, mostSlow = 1024;
  uint32_t emits[words]; // which places begin an attempt that gives a number
  uint32_t slow[words];  // which places' attempts take more than them, or give none
  uint32_t earlier[words];
  uint16_t slowPlaces[mostSlow]; // in any order
  uint8_t info[places];          // of slow ones: units taken; with 128 where no number comes of it
  int warps[tileThreads / 32];
  int slowCount, entry, exit, mostTaken;

  __device__ bool isSlow(int i) const { return slow[i / 32] >> i % 32 & 1; }
  /// The nearest slow place before i whose attempt may take i; -1 if there is none.
  __device__ int slowBefore(int i) const {
    for (int at = i - 1; at >= 0 && at > i - mostTaken; --at)
      if (isSlow(at))
        return at;
    return -1;
  }
  /// Whether slow place i begins an attempt: goes on from the last place that no attempt before it can have taken.
  __device__ bool isBeginning(int i) const {
    int from = i;
    for (int nearest = slowBefore(from); nearest >= 0; nearest = slowBefore(from))
      from = nearest;
    int next = 0;
    for (; from < i; ++from)
      if (from >= next && isSlow(from))
        next = from + (info[from] & 127);
    return i >= next;
  }
};

/// Finds the attempts of a tile. All threads.
template <typename Method, int before>
__device__ void findAttempts(const Method &method, Attempts<before> &found, int64_t tile) {
  using Found = Attempts<before>;
  int lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    found.slowCount = found.entry = found.exit = found.mostTaken = 0;
  __syncthreads();
#pragma unroll
  for (int from = 0; from < Found::places; from += tileThreads) {
    int i = from + threadIdx.x;
    if (i >= Found::places)
      break;
    bool isSlow = !method.isFast(method.units[i - before]) && (tile > 0 || i >= before);
    uint32_t slow = __ballot_sync(~0u, isSlow);
    if (lane == 0) {
      found.slow[i / 32] = slow;
      found.emits[i / 32] = i < before ? 0 : Method::takesOne ? ~slow : ~0u;
    }
    if (!Method::takesOne && isSlow)
      if (int at = atomicAdd(&found.slowCount, 1); at < Found::mostSlow)
        found.slowPlaces[at] = uint16_t(i);
  }
  __syncthreads();
  if constexpr (!Method::takesOne) {
    if (threadIdx.x == 0 && found.slowCount > Found::mostSlow) { // no stream of random numbers
      found.slowCount = 0;
      method.markUncertain();
    }
    __syncthreads();
#pragma unroll 1
    for (int k = threadIdx.x; k < found.slowCount; k += tileThreads) {
      int i = found.slowPlaces[k], info = method.attempt(i - before, method.units[i - before]);
      found.info[i] = uint8_t(info);
      atomicMax(&found.mostTaken, info & 127);
    }
    __syncthreads();
#pragma unroll 1
    for (int k = threadIdx.x; k < found.slowCount; k += tileThreads) {
      int i = found.slowPlaces[k], info = found.info[i], next = i + (info & 127);
      if (!found.isBeginning(i))
        continue;
      for (int used = i + (info < 128); used < next && used < Found::places; ++used)
        atomicAnd(&found.emits[used / 32], ~(1u << used % 32));
      if (i < before && next > before)
        found.entry = next - before;
      if (next > Found::places)
        found.exit = next - Found::places;
    }
    __syncthreads();
  }
}

/// How many numbers the tile gives, and before each 32 of its places. All threads.
template <int before> __device__ int countNumbers(Attempts<before> &found) {
  constexpr int words = Attempts<before>::words;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int count = threadIdx.x < words ? __popc(found.emits[threadIdx.x]) : 0, sum = count;
  for (int by = 1; by < 32; by *= 2) {
    int other = __shfl_up_sync(~0u, sum, by);
    sum += lane >= by ? other : 0;
  }
  if (lane == 31)
    found.warps[warp] = sum;
  __syncthreads();
  int all = 0, earlier = 0;
  for (int k = 0; k < (words + 31) / 32; ++k) {
    earlier += k < warp ? found.warps[k] : 0;
    all += found.warps[k];
  }
  if (threadIdx.x < words)
    found.earlier[threadIdx.x] = earlier + sum - count;
  return all;
}

/// Says how many numbers the tile gives, and asks how many come before them. One warp.
__device__ int64_t countBefore(const RejectParams &p, int64_t tile, int count, int entry, int exit) {
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

/// The words of a tile, and those around it that an attempt may need. All threads.
__device__ void makeWords(const RejectParams &p, uint64_t *held, int64_t tile, int count, bool isWhole) {
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

template <typename Method> __device__ void reject(const RejectParams &p) {
  using Unit = typename Method::Unit;
  constexpr int before = Method::takesOne ? 0 : unitsBefore, behind = Method::takesOne ? 0 : unitsBehind;
  constexpr int wordsHeld =
      ((before + tileUnits + behind) * Method::unitBits + 63) / 64 + (Method::unitBits < 64 && Method::takesOne);
  __shared__ uint64_t held[wordsHeld];
  __shared__ typename Method::Tables tables;
  __shared__ Attempts<before> found;
  __shared__ int64_t taken, numbersBefore;
  // Behind a half that is left, units begin in the middle of a word.
  const uint32_t *units = reinterpret_cast<const uint32_t *>(held) + before * Method::unitBits / 32 + p.source.hasHalf;
  Method method(p, tables, Held<Unit>{units});
  auto *out = static_cast<typename Method::Number *>(p.out);
  int lane = threadIdx.x % 32;
  for (int64_t tile = blockIdx.x;; tile += gridDim.x) {
    if (p.result) { // tiles are begun in their order, so that none waits for one that no block has
      if (threadIdx.x == 0)
        taken = atomicAdd(reinterpret_cast<unsigned long long *>(&p.result->nextTile), 1ull);
      __syncthreads();
      tile = taken;
    }
    if (tile >= p.tiles)
      return;
    makeWords(p, held, tile, wordsHeld, Method::unitBits == 64);
    __syncthreads();
    findAttempts(method, found, tile);
    int count = countNumbers(found);
    if (threadIdx.x < 32) {
      int64_t counted = p.result ? countBefore(p, tile, count, found.entry, found.exit) : tile * tileUnits;
      if (lane == 0)
        numbersBefore = counted;
    }
    __syncthreads();
    int64_t first = numbersBefore, left = p.wanted - first;
    int wanted = left > count ? count : left > 0 ? int(left) : 0; // of this tile's
    int last = left <= count ? wanted - 1 : -1;                   // the last one of all
    auto numberOf = [&](int i) {                                  // place i's, -1: it gives none that is wanted
      uint32_t emits = found.emits[i / 32], bit = 1u << i % 32;
      int number = int(found.earlier[i / 32]) + __popc(emits & (bit - 1));
      return emits & bit && number < wanted ? number : -1;
    };
#pragma unroll 4
    for (int i = before + threadIdx.x; i < before + tileUnits; i += tileThreads) {
      int number = numberOf(i);
      if (number < 0)
        continue;
      out[first + number] = method.number(method.units[i - before]);
      if (number == last && p.result && (Method::takesOne || !found.isSlow(i)))
        p.result->end = tile * tileUnits + i - before + 1;
    }
    if constexpr (!Method::takesOne)
#pragma unroll 1
      for (int k = threadIdx.x; k < found.slowCount; k += tileThreads) {
        int i = found.slowPlaces[k], number = numberOf(i), units = found.info[i] & 127;
        if (number < 0)
          continue;
        if (number == last)
          p.result->end = tile * tileUnits + i - before + units;
        if (method.isTail(method.units[i - before]))
          method.keepTail(first + number, i - before, units);
      }
    __syncthreads();
  }
}

/// What all blocks of the method need.
extern "C" __global__ void __launch_bounds__(tileThreads) npcc_reject_begin(RejectParams p) {
  int64_t first = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  bool isCongruence = p.from == UnitSource::Pcg64 || p.from == UnitSource::Pcg64Dxsm;
  if (p.result && first == 0)
    *p.result = {};
  if (isCongruence && blockIdx.x == 0) { // the images of 0 and 1 say what a jump is
    Wide add = jumpBy<tileThreadsPower>(p.source, threadIdx.x, {0, 0}),
         one = jumpBy<tileThreadsPower>(p.source, threadIdx.x, {1, 0});
    one.high -= add.high + (one.low < add.low);
    one.low -= add.low;
    p.threadJumps[threadIdx.x] = {one, add};
  }
  for (int64_t tile = first; tile < p.tiles; tile += int64_t(gridDim.x) * blockDim.x) {
    if (p.result)
      p.status[tile] = TileUnknown;
    if (isCongruence) {
      int64_t word = tile * p.wordsOfTile - p.wordsBefore,
              steps = p.from == UnitSource::Pcg64 ? Pcg64::stepsBefore : Pcg64Dxsm::stepsBefore;
      p.origins[tile] = jumpBy(p.source, uint64_t(word > 0 ? word : 0) + steps, p.source.state);
    }
  }
}

#define METHOD(name, ...)                                                                                              \
  extern "C" __global__ void __launch_bounds__(tileThreads, __VA_ARGS__::blocksAtOnce)                                 \
      npcc_reject_##name(RejectParams p) {                                                                             \
    reject<__VA_ARGS__>(p);                                                                                            \
  }
using Bits64 = Bounded<uint64_t, uint64_t>;
using Bits32Int64 = Bounded<uint32_t, uint64_t>;
using Bits32 = Bounded<uint32_t, uint32_t>;
using Bits16 = Bounded<uint16_t, uint16_t>;
using Bits8 = Bounded<uint8_t, uint8_t>;
using Bits1 = Bounded<Bit, uint8_t>;
METHOD(normal64, Normal<double>)
METHOD(normal32, Normal<float>)
METHOD(exponential64, Exponential<double>)
METHOD(exponential32, Exponential<float>)
METHOD(bits64_int64, Bits64)
METHOD(bits32_int64, Bits32Int64)
METHOD(bits32_int32, Bits32)
METHOD(bits16_int16, Bits16)
METHOD(bits8_int8, Bits8)
METHOD(bits1_int8, Bits1)

// Numbers that the host made, to their places.
extern "C" __global__ void npcc_reject_patch(PatchParams p) {
  for (int64_t k = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < p.count; k += int64_t(gridDim.x) * blockDim.x)
    if (p.isFloat32)
      static_cast<float *>(p.out)[p.indices[k]] = float(p.values[k]);
    else
      static_cast<double *>(p.out)[p.indices[k]] = p.values[k];
}
