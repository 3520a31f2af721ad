// Numbers of which each takes a number of units that only its own units tell, a few or many: gamma, Poisson and
// binomial numbers and others. Compiled offline to numbers.ptx (make-kernels.sh).
//
// A block finds, for every place of a tile, the number that would begin there (Cursor.cuh), and how many places it
// takes. Those that do begin are on one way through the tile, from the place where the tile before it ends. Ways from
// different places soon meet, so that a tile nearly always ends at one place wherever it is entered, and says so at
// once; only where it does not, it waits for the tile before it. Then it knows its own way, and how many numbers are on
// it; how many come before, it learns as in reject.cu.
//
// Every product and sum is rounded by itself (-fmad=false), as on the host.
#include "RealNumbers.cuh"
#include "TileCounts.cuh"
#include "TileWords.cuh"
#include "WholeNumbers.cuh"

template <typename Method, typename = void> struct MostTaken {
  static constexpr int value = 0;
};
template <typename Method> struct MostTaken<Method, cuda::std::void_t<decltype(Method::mostTaken)>> {
  static constexpr int value = Method::mostTaken;
};

/// The way through the places of a tile.
template <int count> struct Way {
  static constexpr int chunk = 16, chunks = count / chunk, entries = unitsBehind;
  static constexpr uint16_t nowhere = 0xffff;
  uint8_t steps[count];     // how many places what begins there takes
  uint16_t leaves[count];   // where one who begins there comes out of the chunk
  uint16_t entered[chunks]; // where the way comes into the chunk
  int entry, least, most;

  /// How far behind the tile one ends who enters at `at`.
  __device__ int exitFrom(int at) const {
    while (at < count)
      at = leaves[at];
    return at - count;
  }
  /// Where the tile is entered, which the tile before it says, and what this one says to the next. All threads.
  __device__ void enter(const NumberParams &p, int64_t tile) {
    if (threadIdx.x == 0) {
      least = count;
      most = 0;
    }
    if (threadIdx.x < chunks) {
      int end = (threadIdx.x + 1) * chunk;
      for (int at = end - 1; at >= end - chunk; --at) {
        int next = at + steps[at];
        leaves[at] = uint16_t(next < end ? leaves[next] : next);
      }
      entered[threadIdx.x] = nowhere;
    }
    __syncthreads();
    if (threadIdx.x < entries) {
      int exit = exitFrom(threadIdx.x);
      atomicMin(&least, exit);
      atomicMax(&most, exit);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      auto *exits = static_cast<volatile uint64_t *>(p.exits);
      bool isOne = least == most; // wherever one enters
      if (isOne)
        exits[tile] = least + 1;
      uint64_t told = 1;
      while (tile > 0 && (told = exits[tile - 1]) == 0)
        ;
      entry = int(told) - 1;
      if (!isOne)
        exits[tile] = exitFrom(entry) + 1;
      for (int at = entry; at < count; at = leaves[at])
        entered[at / chunk] = uint16_t(at);
    }
    __syncthreads();
  }
  /// Which places of the thread's chunk are on the way: a bit each.
  __device__ uint32_t placesOnWay() const {
    uint32_t places = 0;
    int from = threadIdx.x * chunk;
    if (entered[threadIdx.x] != nowhere)
      for (int at = entered[threadIdx.x]; at < from + chunk; at += steps[at])
        places |= 1u << (at - from);
    return places;
  }
};
struct NoWay {
  uint8_t steps[1];
};

/// What the host has found of a number; null if it has not.
__device__ inline const Decision *decisionAt(const NumberParams &p, int64_t place) {
  int from = 0, to = p.decisionCount;
  while (from < to) {
    int middle = (from + to) / 2;
    if (p.decisions[middle].place < place)
      from = middle + 1;
    else
      to = middle;
  }
  return from < p.decisionCount && p.decisions[from].place == place ? &p.decisions[from] : nullptr;
}

template <typename Unit> __device__ void keepDoubt(const NumberParams &p, int64_t place, const Unit *units) {
  int at = atomicAdd(&p.result->doubtCount, 1);
  if (at >= mostDoubts)
    return;
  p.doubtPlaces[at] = place;
  for (int k = 0; k < unitsBehind; ++k)
    static_cast<Unit *>(p.doubtUnits)[int64_t(at) * unitsBehind + k] = units[k];
}

/// The host makes this number again.
template <typename Unit>
__device__ void keepInexact(const NumberParams &p, int64_t number, const Unit *units, int count) {
  int at = atomicAdd(&p.result->tailCount, count + 1);
  if (at + count >= p.mostTails)
    return;
  auto *record = static_cast<uint64_t *>(p.tailUnits) + at;
  record[0] = uint64_t(number) << 8 | uint64_t(count);
  for (int k = 0; k < count; ++k)
    record[k + 1] = units[k];
}

/// What is known of the places of a tile.
template <typename Number, int count> struct Places {
  Number numbers[count];
  uint32_t gives[count / 32], isInexact[count / 32];
  uint16_t slow[count]; // those that a quick cursor has left, in any order
  int slowCount;
};

template <typename Method> __device__ void drawNumbers(const NumberParams &p) {
  using Number = typename Method::Number;
  using Quick = Cursor<typename Method::Real, true>;
  using Slow = Cursor<typename Method::Real, false>;
  using Unit = typename Slow::Unit;
  constexpr int grain = Method::grain, places = numberUnits / grain;
  constexpr bool takesOne = MostTaken<Method>::value == grain; // every place begins an attempt
  constexpr int wordsHeld = (numberUnits + unitsBehind) * int(sizeof(Unit)) / 8 + 1;
  __shared__ uint64_t held[wordsHeld];
  __shared__ Places<Number, places> found;
  __shared__ cuda::std::conditional_t<takesOne, NoWay, Way<places>> way;
  __shared__ TileCounts<places> counts;
  __shared__ int64_t taken, numbersBefore;
  const Unit *units = reinterpret_cast<const Unit *>(reinterpret_cast<const uint32_t *>(held) + p.source.hasHalf);
  int lane = threadIdx.x % 32;
  for (;;) {
    if (threadIdx.x == 0) {
      taken = atomicAdd(reinterpret_cast<unsigned long long *>(&p.result->nextTile), 1ull);
      found.slowCount = 0;
    }
    __syncthreads();
    int64_t tile = taken;
    if (tile >= p.tiles)
      return;
    makeWords(p, held, tile, wordsHeld, sizeof(Unit) == 8);
    __syncthreads();
#pragma unroll 1
    for (int place = threadIdx.x; place < places; place += tileThreads) {
      Quick from(p, units + place * grain);
      found.numbers[place] = Method::draw(from);
      bool isLeft = from.isOver(), isNumber = !from.isNone && !isLeft;
      if (isLeft)
        found.slow[atomicAdd(&found.slowCount, 1)] = uint16_t(place);
      if constexpr (!takesOne)
        way.steps[place] = uint8_t(from.taken / grain);
      uint32_t giving = __ballot_sync(~0u, isNumber), doubtful = __ballot_sync(~0u, isNumber && from.isInexact);
      if (lane == 0) {
        found.gives[place / 32] = giving;
        found.isInexact[place / 32] = doubtful;
      }
    }
    __syncthreads();
#pragma unroll 1
    for (int k = threadIdx.x; k < found.slowCount; k += tileThreads) {
      int place = found.slow[k];
      Slow from(p, units + place * grain);
      Number number = Method::draw(from);
      bool isNumber = !from.isNone, isInexact = from.isInexact && isNumber;
      int steps = from.taken / grain;
      if (from.isUnsure) {
        isInexact = false;
        if (auto *decision = decisionAt(p, tile * numberUnits + place * grain)) {
          steps = int(decision->taken) / grain;
          isNumber = !takesOne || steps == 1;
          number = *reinterpret_cast<const Number *>(decision->value);
        } else {
          steps = 1;
          keepDoubt(p, tile * numberUnits + place * grain, units + place * grain);
        }
      }
      found.numbers[place] = number;
      if constexpr (!takesOne)
        way.steps[place] = uint8_t(steps);
      if (isNumber)
        atomicOr(&found.gives[place / 32], 1u << place % 32);
      if (isInexact)
        atomicOr(&found.isInexact[place / 32], 1u << place % 32);
    }
    __syncthreads();
    if constexpr (takesOne) {
      if (threadIdx.x < places / 32)
        counts.emits[threadIdx.x] = found.gives[threadIdx.x];
    } else {
      way.enter(p, tile);
      if (threadIdx.x < places / 16)
        reinterpret_cast<uint16_t *>(counts.emits)[threadIdx.x] =
            uint16_t(way.placesOnWay() & reinterpret_cast<uint16_t *>(found.gives)[threadIdx.x]);
    }
    __syncthreads();
    int count = counts.count();
    if (threadIdx.x < 32) {
      int64_t counted = countBefore(p, tile, count, 0, 0);
      if (lane == 0)
        numbersBefore = counted;
    }
    __syncthreads();
    int64_t first = numbersBefore, left = p.wanted - first;
    if (left <= 0) // the tile before it had the last number
      return;
    int wanted = left > count ? count : int(left);
    int last = left <= count ? wanted - 1 : -1; // the last one of all
    if (last >= 0 && threadIdx.x == 0)
      p.result->count = first + count;
#pragma unroll 1
    for (int place = threadIdx.x; place < places; place += tileThreads) {
      int number = counts.numberOf(place, wanted);
      if (number < 0)
        continue;
      static_cast<Number *>(p.out)[first + number] = found.numbers[place];
      if (number == last)
        p.result->end = tile * numberUnits + (place + (takesOne ? 1 : way.steps[place])) * grain;
      if (found.isInexact[place / 32] >> place % 32 & 1)
        keepInexact(p, first + number, units + place * grain, takesOne ? grain : way.steps[place] * grain);
    }
    __syncthreads();
  }
}

#define NPCC_NUMBERS(name, Class, doubts)                                                                              \
  extern "C" __global__ void __launch_bounds__(tileThreads) npcc_numbers_##name(NumberParams p) {                      \
    drawNumbers<Class>(p);                                                                                             \
  }
#include "../../random/Numbers.def"

// Values that the host made, to their places.
extern "C" __global__ void npcc_numbers_patch(PatchBytesParams p) {
  for (int64_t k = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < p.count; k += int64_t(gridDim.x) * blockDim.x) {
    const Patch &patch = p.patches[k];
    char *place = p.out + patch.number * p.bytes;
    if (p.bytes == 4)
      *reinterpret_cast<uint32_t *>(place) = uint32_t(patch.value[0]);
    else
      for (int i = 0; i < p.bytes / 8; ++i)
        reinterpret_cast<uint64_t *>(place)[i] = patch.value[i];
  }
}
