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
#include "TileCounts.cuh"
#include "TileWords.cuh"

/// What a block knows of a tile. Places are numbered from the first unit that is looked at.
template <int before> struct Attempts : TileCounts<before + tileUnits> {
  static constexpr int places = before + tileUnits, words = places / 32, mostSlow = 1024;
  uint32_t slow[words];          // which places' attempts take more than them, or give none
  uint16_t slowPlaces[mostSlow]; // in any order
  uint8_t info[places];          // of slow ones: units taken; with 128 where no number comes of it
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
    int count = found.count();
    if (threadIdx.x < 32) {
      int64_t counted = p.result ? countBefore(p, tile, count, found.entry, found.exit) : tile * tileUnits;
      if (lane == 0)
        numbersBefore = counted;
    }
    __syncthreads();
    int64_t first = numbersBefore, left = p.wanted - first;
    int wanted = left > count ? count : left > 0 ? int(left) : 0; // of this tile's
    int last = left <= count ? wanted - 1 : -1;                   // the last one of all
#pragma unroll 4
    for (int i = before + threadIdx.x; i < before + tileUnits; i += tileThreads) {
      int number = found.numberOf(i, wanted);
      if (number < 0)
        continue;
      out[first + number] = method.number(method.units[i - before]);
      if (number == last && p.result && (Method::takesOne || !found.isSlow(i)))
        p.result->end = tile * tileUnits + i - before + 1;
    }
    if constexpr (!Method::takesOne)
#pragma unroll 1
      for (int k = threadIdx.x; k < found.slowCount; k += tileThreads) {
        int i = found.slowPlaces[k], number = found.numberOf(i, wanted), units = found.info[i] & 127;
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

extern "C" __global__ void npcc_reject_quotients(QuotientParams p) {
  for (int64_t k = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < p.count; k += int64_t(gridDim.x) * blockDim.x) {
    double2 pair = reinterpret_cast<const double2 *>(p.pairs)[k];
    p.out[k] = pair.x / pair.y;
  }
}
