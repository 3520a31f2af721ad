// Numbers of which each takes a varying number of a stream's units: the ziggurat method's, and bounded integers. Compiled offline to reject.ptx
// (make-kernels.sh).
//
// Where an attempt begins depends on all attempts before it. But nearly all of them take one unit, so that attempts which began at different places soon
// meet: each tile is counted as if its first unit began an attempt (count), then the few tiles where that is wrong are put right up to where both ways meet
// (resolve), and the numbers are written to their places (emit).
//
// Every product and sum is rounded by itself (-fmad=false), as on the host.
#include "RejectMethods.cuh"

constexpr int wordsOfTile = tileUnits / 32;

struct Attempts {
  uint32_t emits[wordsOfTile]; // which units begin an attempt that gives a number
  uint32_t slow[wordsOfTile];  // which units' attempts take more than them, or give none
  uint32_t before[wordsOfTile];
  uint16_t slowUnits[tileUnits]; // in any order
  uint8_t info[tileUnits];       // of slow ones: units taken; with 128 where no number comes of it
  int slowCount, exit, mostTaken;

  __device__ bool isSlow(int i) const { return slow[i / 32] >> i % 32 & 1; }
  /// The nearest slow unit before i whose attempt may take i; -1 if there is none.
  __device__ int slowBefore(int i) const {
    for (int at = i - 1; at >= 0 && at > i - mostTaken; --at)
      if (isSlow(at))
        return at;
    return -1;
  }
  /// Whether slow unit i begins an attempt where the first `entry` units do not: goes on from the last unit that no attempt before it can have taken.
  __device__ bool isBeginning(int i, int entry) const {
    int from = i;
    for (int earlier = slowBefore(from); earlier >= 0; earlier = slowBefore(from))
      from = earlier;
    int next = entry;
    for (; from < i; ++from)
      if (from >= next && isSlow(from))
        next = from + (info[from] & 127);
    return i >= next;
  }
  __device__ void clear(int i) { atomicAnd(&emits[i / 32], ~(1u << i % 32)); }
};

/// The attempts of a tile that begins at `base`, from unit `entry` on. All threads.
template <typename Method> __device__ void findAttempts(const Method &method, Attempts &found, int64_t base, int entry) {
  int lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    found.slowCount = found.exit = found.mostTaken = 0;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < tileUnits / tileThreads; ++k) {
    int i = k * tileThreads + threadIdx.x;
    bool isSlow = !method.isFast(method.unit(base + i));
    uint32_t slow = __ballot_sync(~0u, isSlow);
    if (lane == 0) {
      found.slow[i / 32] = slow;
      found.emits[i / 32] = Method::takesOne ? ~slow : ~0u;
    }
    if (!Method::takesOne && isSlow)
      found.slowUnits[atomicAdd(&found.slowCount, 1)] = uint16_t(i);
  }
  __syncthreads();
  if constexpr (!Method::takesOne) {
#pragma unroll 1
    for (int k = threadIdx.x; k < found.slowCount; k += tileThreads) {
      int i = found.slowUnits[k], info = method.attempt(base + i, method.unit(base + i));
      found.info[i] = uint8_t(info);
      atomicMax(&found.mostTaken, info & 127);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < entry; i += tileThreads)
      found.clear(i);
#pragma unroll 1
    for (int k = threadIdx.x; k < found.slowCount; k += tileThreads) {
      int i = found.slowUnits[k], info = found.info[i], next = i + (info & 127);
      if (!found.isBeginning(i, entry))
        continue;
      for (int used = i + (info < 128); used < next && used < tileUnits; ++used)
        found.clear(used);
      if (next > tileUnits)
        found.exit = next - tileUnits;
    }
    __syncthreads();
  }
}

/// How many numbers the tile gives, and before each 32 of its units. All threads.
__device__ int countNumbers(Attempts &found, int *warps) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int count = threadIdx.x < wordsOfTile ? __popc(found.emits[threadIdx.x]) : 0, sum = count;
  for (int by = 1; by < 32; by *= 2) {
    int other = __shfl_up_sync(~0u, sum, by);
    sum += lane >= by ? other : 0;
  }
  if (lane == 31)
    warps[warp] = sum;
  __syncthreads();
  int all = 0, earlier = 0;
  for (int k = 0; k < wordsOfTile / 32; ++k) {
    earlier += k < warp ? warps[k] : 0;
    all += warps[k];
  }
  if (threadIdx.x < wordsOfTile)
    found.before[threadIdx.x] = earlier + sum - count;
  __syncthreads();
  return all;
}

template <typename Method> __device__ void countTiles(const RejectParams &p) {
  __shared__ Attempts found;
  __shared__ typename Method::Tables tables;
  __shared__ int warps[tileThreads / 32];
  Method method(p, tables);
  for (int64_t tile = blockIdx.x; tile < p.tiles; tile += gridDim.x) {
    findAttempts(method, found, tile * tileUnits, 0);
    int count = countNumbers(found, warps);
    if (threadIdx.x == 0)
      p.tile[tile] = {found.exit, count, 0, found.exit, count, 0, 0};
    if (threadIdx.x < wordsOfTile)
      p.masks[tile * wordsOfTile + threadIdx.x] = found.emits[threadIdx.x];
    __syncthreads();
  }
}

template <typename Method> __device__ void emitTiles(const RejectParams &p) {
  __shared__ Attempts found;
  __shared__ typename Method::Tables tables;
  __shared__ int warps[tileThreads / 32];
  Method method(p, tables);
  auto *out = static_cast<typename Method::Number *>(p.out);
  for (int64_t tile = blockIdx.x; tile < p.tiles; tile += gridDim.x) {
    int64_t base = tile * tileUnits, before = p.tile ? p.tile[tile].before : base;
    if (before >= p.wanted)
      return;
    if (!p.tile) { // every unit gives a number
      for (int64_t i = base + threadIdx.x; i < base + tileUnits && i < p.wanted; i += tileThreads)
        out[i] = method.number(method.unit(i));
      continue;
    }
    if (int entry = p.tile[tile].entry) {
      findAttempts(method, found, base, entry);
    } else { // as it was counted
      if (threadIdx.x < wordsOfTile)
        found.emits[threadIdx.x] = p.masks[tile * wordsOfTile + threadIdx.x];
      __syncthreads();
    }
    if (threadIdx.x == 0)
      found.slowCount = 0;
    countNumbers(found, warps);
    // Where in the result the number of unit i goes; -1: it gives none that is wanted.
    auto indexOf = [&](int i) -> int64_t {
      uint32_t emits = found.emits[i / 32], bit = 1u << i % 32;
      int64_t index = before + found.before[i / 32] + __popc(emits & (bit - 1));
      return emits & bit && index < p.wanted ? index : -1;
    };
    constexpr int atOnce = 4; // units that are loaded before the first number is stored, which might change them for
                              // all the compiler knows
#pragma unroll 1
    for (int from = threadIdx.x; from < tileUnits; from += atOnce * tileThreads) {
      typename Method::Unit units[atOnce];
#pragma unroll
      for (int k = 0; k < atOnce; ++k)
        units[k] = method.unit(base + from + k * tileThreads);
#pragma unroll
      for (int k = 0; k < atOnce; ++k) {
        int i = from + k * tileThreads;
        int64_t index = indexOf(i);
        if (index < 0)
          continue;
        out[index] = method.number(units[k]);
        bool isLast = index == p.wanted - 1;
        if constexpr (!Method::takesOne) {
          if (isLast || method.isTail(units[k])) // what it takes is asked below, where that is code once
            found.slowUnits[atomicAdd(&found.slowCount, 1)] = uint16_t(i);
        } else if (isLast) {
          p.result->end = base + i + 1;
        }
      }
    }
    __syncthreads();
    if constexpr (!Method::takesOne)
#pragma unroll 1
      for (int k = threadIdx.x; k < found.slowCount; k += tileThreads) {
        int i = found.slowUnits[k];
        int64_t index = indexOf(i);
        auto unit = method.unit(base + i);
        bool isFast = method.isFast(unit);
        int taken = isFast ? 1 : method.attempt(base + i, unit) & 127;
        if (index == p.wanted - 1)
          p.result->end = base + i + taken;
        if (!isFast && method.isTail(unit))
          method.keepTail(index, base + i, taken);
      }
    __syncthreads();
  }
}

/// A tile of which the first `entry` units belong to the tile before: both ways go on until they meet.
template <typename Method> __device__ void putRight(const Method &method, Tile &tile, int64_t base, int entry) {
  int first = 0, now = entry, firstCount = 0, count = 0;
#pragma unroll 1
  while (first != now && (first < tileUnits || now < tileUnits)) {
    bool isFirst = first < now;
    int place = isFirst ? first : now;
    auto unit = method.unit(base + place);
    int info = method.isFast(unit) ? 1 : method.attempt(base + place, unit);
    (isFirst ? firstCount : count) += info < 128;
    (isFirst ? first : now) += info & 127;
  }
  tile.exit = first == now ? tile.firstExit : now - tileUnits;
  tile.count = tile.firstCount - firstCount + count;
  tile.entry = entry;
}

/// One block: what each tile leaves to the next, and how many numbers come before it.
template <typename Method> __device__ void resolveTiles(const RejectParams &p) {
  __shared__ typename Method::Tables tables;
  __shared__ int64_t sums[2][resolveThreads];
  Method method(p, tables);
  if constexpr (!Method::takesOne)
    for (;;) {
      bool changed = false;
      for (int64_t b = 1 + threadIdx.x; b < p.tiles; b += resolveThreads) {
        int entry = static_cast<volatile Tile *>(p.tile)[b - 1].exit;
        if (entry == p.tile[b].entry)
          continue;
        putRight(method, p.tile[b], b * tileUnits, entry);
        changed = true;
      }
      if (!__syncthreads_or(changed))
        break;
    }
  int64_t each = (p.tiles + resolveThreads - 1) / resolveThreads, from = each * threadIdx.x;
  int64_t to = from + each < p.tiles ? from + each : p.tiles, count = 0;
  for (int64_t b = from; b < to; ++b)
    count += p.tile[b].count;
  int side = 0;
  sums[0][threadIdx.x] = count;
  __syncthreads();
  for (int by = 1; by < resolveThreads; by *= 2, side ^= 1) {
    int64_t other = int(threadIdx.x) >= by ? sums[side][threadIdx.x - by] : 0;
    sums[side ^ 1][threadIdx.x] = sums[side][threadIdx.x] + other;
    __syncthreads();
  }
  int64_t before = sums[side][threadIdx.x] - count;
  for (int64_t b = from; b < to; ++b) {
    p.tile[b].before = before;
    before += p.tile[b].count;
  }
  if (threadIdx.x == resolveThreads - 1) {
    p.result->count = sums[side][resolveThreads - 1];
    p.result->exit = p.tile[p.tiles - 1].exit;
  }
}

#define METHOD(name, ...)                                                                                              \
  extern "C" __global__ void __launch_bounds__(tileThreads) npcc_reject_count_##name(RejectParams p) { countTiles<__VA_ARGS__>(p); } \
  extern "C" __global__ void __launch_bounds__(resolveThreads) npcc_reject_resolve_##name(RejectParams p) { resolveTiles<__VA_ARGS__>(p); } \
  extern "C" __global__ void __launch_bounds__(tileThreads) npcc_reject_emit_##name(RejectParams p) { emitTiles<__VA_ARGS__>(p); }
METHOD(normal64, Normal<double>)
METHOD(normal32, Normal<float>)
METHOD(exponential64, Exponential<double>)
METHOD(exponential32, Exponential<float>)
METHOD(bits64_int64, Bounded<uint64_t, uint64_t>)
METHOD(bits32_int64, Bounded<uint32_t, uint64_t>)
METHOD(bits32_int32, Bounded<uint32_t, uint32_t>)
METHOD(bits16_int16, Bounded<uint16_t, uint16_t>)
METHOD(bits8_int8, Bounded<uint8_t, uint8_t>)
METHOD(bits1_int8, Bounded<Bit, uint8_t>)

// Numbers that the host made, to their places.
extern "C" __global__ void npcc_reject_patch(PatchParams p) {
  for (int64_t k = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < p.count; k += int64_t(gridDim.x) * blockDim.x)
    if (p.isFloat32)
      static_cast<float *>(p.out)[p.indices[k]] = float(p.values[k]);
    else
      static_cast<double *>(p.out)[p.indices[k]] = p.values[k];
}
