// Numbers of which each has parameters of its own (WalkNumbers.cuh). Number k takes units of the stream from where
// number k - 1 ends, so that the draw is a walk through pairs of a number and a place, and each step tells where the
// next one begins. Compiled offline to walks.ptx (make-kernels.sh). The stream's units are in memory.
//
// How many units so many numbers take is known from trying each in a few places, to within some standard deviations. So
// a round of tiles begins at a place that is known, and each tile is entered at one of some thousand places. A block
// walks from all of them (`Map`): those who come to one number at one place go on together, so that after some steps
// few walks are left. One thread then goes through the tiles, from where one is left to where the next is entered, and
// then every piece of a tile knows where its numbers begin (`Draw`).
//
// Every product and sum is rounded by itself (-fmad=false), as on the host.
#include "WalkNumbers.cuh"

template <typename Method, typename = void> struct LimitOf {
  static constexpr int value = mostOfAttempt;
};
template <typename Method> struct LimitOf<Method, cuda::std::void_t<decltype(Method::limit)>> {
  static constexpr int value = Method::limit;
};

constexpr uint16_t nowhere = 0xffff;

/// The first number of a tile's piece. Pieces are short where many walks have not met yet.
__device__ constexpr int beginOfPiece(int piece) { return piece < 4 ? 2 * piece * piece : 32 * (piece - 3); }

/// The places where a walk of the round may come to a piece.
struct Entries {
  int64_t from;
  int count;
};
__device__ inline Entries entriesOf(const WalkParams &p, const WalkRound &round, int64_t piece) {
  int64_t begin = round.tile * tilePieces;
  if (piece == begin)
    return {round.place, 1};
  double variance = double(p.spread[piece] - p.spread[begin]) * (1 + 1. / triedPlaces) / 12;
  int64_t middle = round.place + (p.tried[piece] - p.tried[begin]) / triedPlaces,
          radius = int64_t(6 * sqrt(variance)) + 16;
  int64_t from = middle - radius > round.place ? middle - radius : round.place, count = middle + radius + 1 - from;
  return {from, int(count < mostEntries ? count : mostEntries)};
}
__device__ inline bool isWide(const WalkParams &p, int64_t tile, int64_t piece) {
  double variance = double(p.spread[piece] - p.spread[tile * tilePieces]) * (1 + 1. / triedPlaces) / 12;
  return 12 * sqrt(variance) + 34 > mostEntries;
}

struct Step {
  int taken;
  bool isUnsure, isInexact;
};
/// The number that begins at a place.
template <typename Method>
static __device__ __noinline__ Step stepAt(const WalkParams &p, int64_t number, int64_t place,
                                           typename Method::Number &value, bool isDrawn = false) {
  using Walker = WalkCursor<typename Method::Real, LimitOf<Method>::value>;
  Walker from(p, static_cast<const typename Walker::Unit *>(p.units) + place, number, isDrawn);
  value = Method::draw(from);
  return {from.taken, from.isUnsure, from.isInexact};
}

/// How many units a tile's numbers take: each is tried in a few places.
template <typename Method> __device__ void tryPlaces(const WalkParams &p) {
  __shared__ int sums[tileNumbers], spreads[tileNumbers];
  for (int64_t tile = blockIdx.x; tile < p.tiles; tile += gridDim.x) {
    int64_t number = tile * tileNumbers + threadIdx.x;
    int64_t sum = 0, squares = 0;
    if (number < p.count)
      for (int k = 0; k < triedPlaces; ++k) {
        typename Method::Number value;
        uint64_t anywhere = uint64_t(number * triedPlaces + k + 1) * 0x9e3779b97f4a7c15u;
        int64_t taken =
            stepAt<Method>(p, number, int64_t((anywhere >> 32) % uint64_t(p.unitCount - LimitOf<Method>::value)), value)
                .taken;
        sum += taken;
        squares += taken * taken;
      }
    sums[threadIdx.x] = int(sum);
    spreads[threadIdx.x] = int(triedPlaces * squares - sum * sum);
    __syncthreads();
    if (threadIdx.x < tilePieces) {
      int64_t tried = 0, spread = 0;
      for (int k = beginOfPiece(threadIdx.x); k < beginOfPiece(threadIdx.x + 1); ++k) {
        tried += sums[k];
        spread += spreads[k];
      }
      p.tried[tile * tilePieces + threadIdx.x] = tried;
      p.spread[tile * tilePieces + threadIdx.x] = spread;
    }
    __syncthreads();
  }
}

/// Where one comes out of a piece who comes into it at `place`; far behind all places if nobody can tell.
template <typename Method> __device__ int64_t walkPiece(const WalkParams &p, int64_t tile, int piece, int64_t place) {
  int64_t from = tile * tileNumbers + beginOfPiece(piece), to = tile * tileNumbers + beginOfPiece(piece + 1);
  for (int64_t number = from; number < to && number < p.count; ++number) {
    if (place > p.unitCount - LimitOf<Method>::value)
      return INT64_MAX;
    typename Method::Number value;
    place += stepAt<Method>(p, number, place, value).taken;
  }
  return place;
}

/// Where one comes out of a tile, for all places where one may come into it.
template <typename Method> __device__ void mapTiles(const WalkParams &p, int which) {
  __shared__ uint32_t reached[mostEntries / 32];
  __shared__ uint16_t list[mostEntries];
  __shared__ int listed;
  const WalkRound round = p.walk->rounds[which];
  for (int64_t at = blockIdx.x; at < round.count; at += gridDim.x) {
    int64_t tile = round.tile + at, first = tile * tilePieces;
    uint16_t *next = p.next + at * tilePieces * mostEntries;
    Entries here = entriesOf(p, round, first);
    const int entered = here.count;
    for (int piece = 0; piece < tilePieces; ++piece) {
      Entries there = entriesOf(p, round, first + piece + 1);
      int walks = piece ? listed : entered, words = (there.count + 31) / 32;
      for (int k = threadIdx.x; k < words; k += blockDim.x)
        reached[k] = 0;
      __syncthreads();
#pragma unroll 1
      for (int k = threadIdx.x; k < walks; k += blockDim.x) {
        int entry = piece ? list[k] : k;
        int64_t out = walkPiece<Method>(p, tile, piece, here.from + entry) - there.from;
        bool isThere = out >= 0 && out < there.count;
        next[entry] = isThere ? uint16_t(out) : nowhere;
        if (isThere)
          atomicOr(&reached[out / 32], 1u << out % 32);
      }
      if (threadIdx.x == 0)
        listed = 0;
      __syncthreads();
      // In any order: what becomes of a walk does not depend on it.
      for (int k = threadIdx.x; k < words; k += blockDim.x) {
        uint32_t bits = reached[k];
        int place = bits ? atomicAdd(&listed, __popc(bits)) : 0;
        for (; bits; bits &= bits - 1)
          list[place++] = uint16_t(32 * k + __ffs(int(bits)) - 1);
      }
      __syncthreads();
      next += mostEntries;
      here = there;
    }
    next = p.next + at * tilePieces * mostEntries;
    for (int entry = threadIdx.x; entry < entered; entry += blockDim.x) {
      int out = entry;
      for (int piece = 0; piece < tilePieces && out != nowhere; ++piece)
        out = next[piece * mostEntries + out];
      p.exits[at * mostEntries + entry] = uint16_t(out);
    }
    __syncthreads();
  }
}

/// The numbers of the pieces of a round, a thread for each.
template <typename Method> __device__ void drawPieces(const WalkParams &p, int which) {
  using Number = typename Method::Number;
  using Unit = typename WalkCursor<typename Method::Real, LimitOf<Method>::value>::Unit;
  const WalkRound round = p.walk->rounds[which];
  if (p.walk->isLost)
    return;
  for (int64_t at = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; at < round.count * tilePieces;
       at += int64_t(gridDim.x) * blockDim.x) {
    // Pieces of one length side by side.
    int64_t among = at % round.count, tile = round.tile + among;
    int piece = int(at / round.count), entry = int(p.entries[among]);
    const uint16_t *next = p.next + among * tilePieces * mostEntries;
    for (int before = 0; before < piece; ++before)
      entry = next[before * mostEntries + entry];
    int64_t place = entriesOf(p, round, tile * tilePieces + piece).from + entry;
    int64_t number = tile * tileNumbers + beginOfPiece(piece), end = tile * tileNumbers + beginOfPiece(piece + 1);
    for (; number < end && number < p.count; ++number) {
      if (place > p.unitCount - LimitOf<Method>::value) { // behind a number that only the host can tell
        p.walk->isLost = 1;
        return;
      }
      Number value;
      Step step = stepAt<Method>(p, number, place, value, true);
      if (step.isUnsure)
        atomicMin(reinterpret_cast<unsigned long long *>(&p.walk->doubtful),
                  (unsigned long long)(uint64_t(number) << doubtShift | uint64_t(place)));
      if (LimitOf<Method>::value == mostOfAttempt)
        static_cast<Number *>(p.out)[number] = value;
      if (step.isInexact && !step.isUnsure)
        if (int kept = atomicAdd(&p.walk->tailCount, step.taken + 1); kept + step.taken < p.mostTails) {
          auto *record = static_cast<uint64_t *>(p.tailUnits) + kept;
          record[0] = uint64_t(number) << 8 | uint64_t(step.taken);
          for (int k = 0; k < step.taken; ++k)
            record[k + 1] = static_cast<const Unit *>(p.units)[place + k];
        }
      place += step.taken;
      if (number == p.count - 1)
        p.walk->end = place;
    }
  }
}

// The parameters are in memory, because a function that is called takes a reference to them. `which`: of the two rounds
// that take turns.
#define NPCC_WALKS(name, Class, doubts)                                                                                \
  extern "C" __global__ void __launch_bounds__(tileNumbers)                                                            \
      npcc_walks_##name(const WalkParams *p, WalkMode mode, int which) {                                               \
    if (mode == WalkMode::Try)                                                                                         \
      tryPlaces<Class>(*p);                                                                                            \
    else if (mode == WalkMode::Map)                                                                                    \
      mapTiles<Class>(*p, which);                                                                                      \
    else                                                                                                               \
      drawPieces<Class>(*p, which);                                                                                    \
  }
#include "../../random/Walks.def"

/// So many tiles as one round may have: those at whose ends a walk comes to no more places than there is room for.
__device__ void beginRound(const WalkParams &p, WalkRound &round, int64_t tile, int64_t place) {
  int64_t count = p.tiles - tile < p.mostTiles ? p.tiles - tile : p.mostTiles, least = count < 1 ? count : 1;
  while (least < count) {
    int64_t middle = (least + count + 1) / 2;
    if (isWide(p, tile, (tile + middle) * tilePieces))
      count = middle - 1;
    else
      least = middle;
  }
  round = {tile, count, place};
}

/// What was tried of each piece -> the sums of all pieces before it, and of all. One block.
extern "C" __global__ void __launch_bounds__(tileThreads) npcc_walks_sum(const WalkParams *params) {
  const WalkParams &p = *params;
  __shared__ int64_t sums[2][tileThreads];
  int64_t pieces = p.tiles * tilePieces, each = (pieces + tileThreads - 1) / tileThreads;
  int64_t from = threadIdx.x * each, to = from + each < pieces ? from + each : pieces;
  for (int which = 0; which < 2; ++which) {
    int64_t *values = which ? p.spread : p.tried, sum = 0;
    for (int64_t k = from; k < to; ++k)
      sum += values[k];
    sums[which][threadIdx.x] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < int(threadIdx.x); ++k)
      sum += sums[which][k];
    for (int64_t k = from; k < to; ++k) {
      int64_t value = values[k];
      values[k] = sum;
      sum += value;
    }
    if (threadIdx.x == tileThreads - 1) // behind the last piece
      values[pieces] = which ? (p.walk->spread = sum) : (p.walk->tried = sum);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    p.walk->doubtful = ~uint64_t(0);
    beginRound(p, p.walk->rounds[0], 0, 0);
  }
}

/// The walk through the tiles of a round.
extern "C" __global__ void npcc_walks_chain(const WalkParams *params, int which) {
  const WalkParams &p = *params;
  const WalkRound round = p.walk->rounds[which];
  int entry = 0;
  for (int64_t at = 0; at < round.count && entry != nowhere; ++at) {
    p.entries[at] = entry;
    entry = p.exits[at * mostEntries + entry];
  }
  if (entry == nowhere)
    p.walk->isLost = 1;
  int64_t behind = round.tile + round.count;
  beginRound(p, p.walk->rounds[1 - which], behind,
             round.count ? entriesOf(p, round, behind * tilePieces).from + entry : round.place);
}
