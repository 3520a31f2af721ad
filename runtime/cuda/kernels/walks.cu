// Numbers of which each has parameters of its own (WalkNumbers.cuh). Number k takes units of the stream from where
// number k - 1 ends, so that the draw is a walk through pairs of a number and a place, and each step tells where the
// next one begins. Compiled offline to walks.ptx (make-kernels.sh). The stream's units are in memory.
//
// How many units so many numbers take is known from trying each in a few places, to within some standard deviations. So
// a round of tiles begins at a place that is known, and each tile is entered at one of some thousand places. A block
// walks from all of them (`Map`): those who come to one number at one place go on together, so that after some steps
// few walks are left. Tiles are joined to groups, and one thread goes through the groups, from where one is left to
// where the next is entered. Then every piece of a tile knows where its numbers begin (`Draw`). A walk that leaves the
// places that were looked at ends the round, and the next one begins there.
//
// Every product and sum is rounded by itself (-fmad=false), as on the host.
#include "WalkNumbers.cuh"

template <typename Method, typename = void> struct LimitOf {
  static constexpr int value = mostOfAttempt;
};
template <typename Method> struct LimitOf<Method, cuda::std::void_t<decltype(Method::limit)>> {
  static constexpr int value = Method::limit;
};
template <typename Method, typename = void> struct IsPlain {
  static constexpr bool value = false;
};
template <typename Method> struct IsPlain<Method, cuda::std::void_t<decltype(Method::isPlain)>> {
  static constexpr bool value = Method::isPlain;
};
template <typename Method, bool quick, bool counts>
using CursorOf = WalkCursor<typename Method::Real, quick, counts, LimitOf<Method>::value>;

constexpr uint16_t nowhere = 0xffff;
constexpr int64_t lost = INT64_MAX;

/// The first number of a tile's piece. Pieces are short where many walks have not met yet.
__device__ constexpr int beginOfPiece(int piece) { return piece < 4 ? 2 * piece * piece : 32 * (piece - 3); }

/// By how much numbers of these trials may take more or fewer units than expected. A walk varies as its numbers do, and
/// the trials vary as well. All of them are made in the same units, so that what is unusual about these makes each
/// number's trials err to one side: that grows with the numbers, and not with their root.
__device__ inline double varianceOf(const WalkParams &p, int64_t tried, int64_t spread) {
  double mean = double(tried) / triedPlaces;
  return double(spread) / 12 * (1 + 1. / triedPlaces + mean / double(p.triedUnits));
}
/// How far the walk may be from where it is expected, in front of a piece.
__device__ inline int64_t radiusAt(const WalkParams &p, int64_t tile, int64_t piece) {
  int64_t begin = tile * tilePieces;
  return int64_t(walkDeviations *
                 sqrt(varianceOf(p, p.tried[piece] - p.tried[begin], p.spread[piece] - p.spread[begin]))) +
         16;
}
/// The places where a walk of the round may come to a piece.
struct Entries {
  int64_t from;
  int count;
};
__device__ inline Entries entriesOf(const WalkParams &p, const WalkRound &round, int64_t piece) {
  int64_t begin = round.tile * tilePieces;
  if (piece == begin)
    return {round.place, 1};
  int64_t middle = round.place + (p.tried[piece] - p.tried[begin]) / triedPlaces,
          radius = radiusAt(p, round.tile, piece);
  int64_t from = middle - radius > round.place ? middle - radius : round.place, count = middle + radius + 1 - from;
  return {from, int(count < p.entries ? count : p.entries)};
}

template <typename Cursor>
__device__ Cursor cursorAt(const WalkParams &p, int64_t number, int64_t place, int constants) {
  return Cursor(p, static_cast<const typename Cursor::Unit *>(p.units) + place, number, constants);
}

/// What follows of each number's parameters, and how many units a tile's numbers take: each is tried in a few places.
template <typename Method> __device__ void tryPlaces(const WalkParams &p) {
  __shared__ int sums[tileNumbers], spreads[tileNumbers];
  const int64_t last = p.triedUnits - LimitOf<Method>::value;
  for (int64_t tile = blockIdx.x; tile < p.tiles; tile += gridDim.x) {
    for (int at = threadIdx.x; at < tileNumbers; at += walkThreads) {
      int64_t number = tile * tileNumbers + at, sum = 0, squares = 0;
      if (number < p.count) {
        Method::prepare({p, number}, p.prepared + number * Method::constants);
        for (int k = 0; k < triedPlaces; ++k) {
          uint64_t anywhere = uint64_t(number * triedPlaces + k + 1) * 0x9e3779b97f4a7c15u;
          int64_t begin = int64_t((anywhere >> 32) % uint64_t(last)), place = begin;
          for (bool isNone = true; isNone && place < last && place < begin + mostOfLine;) {
            auto from = cursorAt<CursorOf<Method, false, true>>(p, number, place, Method::constants);
            Method::draw(from);
            place += from.taken;
            isNone = from.isNone && !from.isUnsure;
          }
          sum += place - begin;
          squares += (place - begin) * (place - begin);
        }
      }
      sums[at] = int(sum);
      spreads[at] = int(triedPlaces * squares - sum * sum);
    }
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

/// A walk through the numbers of a piece.
template <typename Method> struct PieceWalk {
  int64_t number, end, place;
  int entry;
  bool isOn = false;   // it has not come to its end
  bool isSlow = false; // a quick cursor has stopped

  template <bool quick> __device__ void step(const WalkParams &p) {
    if (place > p.unitCount - LimitOf<Method>::value) {
      place = lost;
      isOn = false;
      return;
    }
    auto from = cursorAt<CursorOf<Method, quick, true>>(p, number, place, Method::constants);
    Method::draw(from);
    isSlow = quick && from.isOver();
    if (isSlow)
      return;
    place += from.taken;
    if (from.isUnsure || !from.isNone)
      isOn = ++number < end;
  }
};

/// Where one comes out of a tile, for all places where one may come into it.
template <typename Method> __device__ void mapTiles(const WalkParams &p, int which) {
  __shared__ uint32_t reached[mostEntries / 32];
  __shared__ uint16_t list[mostEntries];
  __shared__ int listed, taken; // of the list's walks, those that threads have begun with or gone on to
  const WalkRound round = p.walk->rounds[which];
  const int64_t stride = p.entries;
  for (int64_t at = blockIdx.x; at < round.count; at += gridDim.x) {
    int64_t tile = round.tile + at, first = tile * tilePieces;
    uint16_t *next = p.next + at * tilePieces * stride;
    Entries here = entriesOf(p, round, first);
    const int entered = here.count;
    for (int k = threadIdx.x; k < entered; k += walkThreads)
      list[k] = uint16_t(k);
    int walks = entered;
    for (int piece = 0; piece < tilePieces; ++piece) {
      Entries there = entriesOf(p, round, first + piece + 1);
      int words = (there.count + 31) / 32;
      for (int k = threadIdx.x; k < words; k += walkThreads)
        reached[k] = 0;
      if (threadIdx.x == 0)
        taken = walkThreads;
      __syncthreads();
      int k = threadIdx.x;
      PieceWalk<Method> walk;
      auto begin = [&] {
        if (k >= walks)
          return;
        walk.entry = list[k];
        walk.number = tile * tileNumbers + beginOfPiece(piece);
        int64_t end = tile * tileNumbers + beginOfPiece(piece + 1);
        walk.end = end < p.count ? end : p.count;
        walk.place = here.from + walk.entry;
        walk.isOn = true;
      };
      auto finish = [&] {
        int64_t out = walk.place - there.from;
        bool isThere = out >= 0 && out < there.count;
        next[walk.entry] = isThere ? uint16_t(out) : nowhere;
        if (isThere)
          atomicOr(&reached[out / 32], 1u << out % 32);
        // Not k += walkThreads: for that ptxas 13.0 loads list[k + walkThreads] behind the sum, too.
        k = atomicAdd(&taken, 1);
        begin();
      };
      begin();
      while (walk.isOn && walk.number >= walk.end) { // a piece behind the last number
        walk.isOn = false;
        finish();
      }
      // The walks of a warp do what is quick until all are at something slow, which they then do together.
#pragma unroll 1
      for (;;) {
        bool isQuick = walk.isOn && !walk.isSlow;
        if (__any_sync(~0u, isQuick)) {
          if (isQuick) {
            walk.template step<!IsPlain<Method>::value>(p);
            if (!walk.isOn)
              finish();
          }
        } else if (IsPlain<Method>::value || !__any_sync(~0u, walk.isOn)) {
          break;
        } else if (walk.isOn) {
          walk.template step<false>(p);
          if (!walk.isOn)
            finish();
        }
      }
      if (threadIdx.x == 0)
        listed = 0;
      __syncthreads();
      // In any order: what becomes of a walk does not depend on it.
      for (int k = threadIdx.x; k < words; k += walkThreads) {
        uint32_t bits = reached[k];
        int place = bits ? atomicAdd(&listed, __popc(bits)) : 0;
        for (; bits; bits &= bits - 1)
          list[place++] = uint16_t(32 * k + __ffs(int(bits)) - 1);
      }
      __syncthreads();
      walks = listed;
      next += stride;
      here = there;
    }
    next = p.next + at * tilePieces * stride;
    for (int entry = threadIdx.x; entry < entered; entry += walkThreads) {
      int out = entry;
      for (int piece = 0; piece < tilePieces && out != nowhere; ++piece)
        out = next[piece * stride + out];
      p.exits[at * stride + entry] = uint16_t(out);
    }
    __syncthreads();
  }
}

/// The numbers of the pieces of a round, a thread for each.
template <typename Method> __device__ void drawPieces(const WalkParams &p, int which) {
  using Number = typename Method::Number;
  using Cursor = CursorOf<Method, false, false>;
  const WalkRound round = p.walk->rounds[which];
  if (p.walk->loss != WalkLoss::None)
    return;
  for (int64_t at = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; at < round.count * tilePieces;
       at += int64_t(gridDim.x) * blockDim.x) {
    // Pieces of one length side by side.
    int64_t among = at % round.count, tile = round.tile + among;
    int piece = int(at / round.count), entry = int(p.own[among]);
    const uint16_t *next = p.next + among * tilePieces * p.entries;
    for (int before = 0; before < piece && entry >= 0 && entry < p.entries; ++before)
      entry = next[before * p.entries + entry];
    if (entry < 0 || entry >= p.entries) { // what the tiles' maps say is not what the groups' maps say
      p.walk->loss = WalkLoss::Disagrees;
      return;
    }
    int64_t place = entriesOf(p, round, tile * tilePieces + piece).from + entry;
    int64_t number = tile * tileNumbers + beginOfPiece(piece), end = tile * tileNumbers + beginOfPiece(piece + 1);
    bool isSure = true;
    while (number < end && number < p.count) {
      if (place > p.unitCount - LimitOf<Method>::value) { // behind a number that only the host can tell
        p.walk->loss = WalkLoss::Units;
        return;
      }
      Cursor from = cursorAt<Cursor>(p, number, place, Method::constants);
      Number value = Method::draw(from);
      if (from.isUnsure) {
        isSure = false;
        atomicMin(reinterpret_cast<unsigned long long *>(&p.walk->doubtful),
                  (unsigned long long)(uint64_t(number) << doubtShift | uint64_t(place)));
      } else if (!from.isNone) {
        if (LimitOf<Method>::value == mostOfAttempt)
          static_cast<Number *>(p.out)[number] = value;
        if (from.isInexact)
          if (int kept = atomicAdd(&p.walk->tailCount, from.taken + 1); kept + from.taken < p.mostTails) {
            auto *record = static_cast<uint64_t *>(p.tailUnits) + kept;
            record[0] = uint64_t(number) << 8 | uint64_t(from.taken);
            for (int k = 0; k < from.taken; ++k)
              record[k + 1] = from.units[k];
          }
      }
      place += from.taken;
      if (from.isUnsure || !from.isNone)
        ++number;
    }
    if (number == p.count && end >= p.count && beginOfPiece(piece) < p.count - tile * tileNumbers)
      p.walk->end = place;
    // What only counts units is found with less exact functions, within the margins of what is sure.
    if (isSure && place - entriesOf(p, round, tile * tilePieces + piece + 1).from != next[piece * p.entries + entry])
      p.walk->loss = WalkLoss::Disagrees;
  }
}

// `which`: of the two rounds that take turns.
#define NPCC_WALKS(name, Class, doubts, kept, few)                                                                     \
  extern "C" __global__ void __launch_bounds__(walkThreads)                                                            \
      npcc_walks_##name(WalkParams p, WalkMode mode, int which) {                                                      \
    static_assert(Class::constants == kept);                                                                           \
    if (mode == WalkMode::Try)                                                                                         \
      tryPlaces<Class>(p);                                                                                             \
    else if (mode == WalkMode::Map)                                                                                    \
      mapTiles<Class>(p, which);                                                                                       \
    else                                                                                                               \
      drawPieces<Class>(p, which);                                                                                     \
  }
#include "../../random/Walks.def"

/// So many tiles as one round may have: those at whose ends a walk comes to no more places than there is room for.
__device__ void beginRound(const WalkParams &p, WalkRound &round, int64_t tile, int64_t place) {
  int64_t count = p.tiles - tile < p.mostTiles ? p.tiles - tile : p.mostTiles, least = count < 1 ? count : 1;
  while (least < count) {
    int64_t middle = (least + count + 1) / 2;
    if (2 * radiusAt(p, tile, (tile + middle) * tilePieces) + 2 > p.entries)
      count = middle - 1;
    else
      least = middle;
  }
  round = {tile, count, place};
}

/// What was tried of each piece -> the sums of all pieces before it, and of all. One block.
extern "C" __global__ void __launch_bounds__(sumThreads) npcc_walks_sum(WalkParams p) {
  __shared__ int64_t warps[2][sumThreads / 32];
  int64_t pieces = p.tiles * tilePieces, before[2] = {0, 0};
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int64_t from = 0; from < pieces; from += sumThreads) {
    int64_t at = from + threadIdx.x, own[2] = {at < pieces ? p.tried[at] : 0, at < pieces ? p.spread[at] : 0};
    int64_t sums[2] = {own[0], own[1]};
    for (int by = 1; by < 32; by *= 2)
      for (int which = 0; which < 2; ++which) {
        int64_t other = __shfl_up_sync(~0u, sums[which], by);
        sums[which] += lane >= by ? other : 0;
      }
    if (lane == 31)
      for (int which = 0; which < 2; ++which)
        warps[which][warp] = sums[which];
    __syncthreads();
    for (int which = 0; which < 2; ++which) {
      int64_t all = 0, earlier = 0;
      for (int k = 0; k < sumThreads / 32; ++k) {
        earlier += k < warp ? warps[which][k] : 0;
        all += warps[which][k];
      }
      if (at < pieces)
        (which ? p.spread : p.tried)[at] = before[which] + earlier + sums[which] - own[which];
      before[which] += all;
    }
    __syncthreads();
  }
  if (threadIdx.x > 0)
    return;
  p.tried[pieces] = before[0]; // behind the last piece
  p.spread[pieces] = before[1];
  p.walk->mean = double(before[0]) / triedPlaces;
  p.walk->variance = varianceOf(p, before[0], before[1]);
  p.walk->doubtful = ~uint64_t(0);
}

/// Where the walk begins, which the host has made room for.
extern "C" __global__ void npcc_walks_begin(WalkParams p) { beginRound(p, p.walk->rounds[0], 0, 0); }

/// Where one comes out of a group of tiles, for all places where one may come into it.
extern "C" __global__ void __launch_bounds__(walkThreads) npcc_walks_join(WalkParams p, int which) {
  const WalkRound round = p.walk->rounds[which];
  int64_t from = blockIdx.x * p.groupTiles, to = from + p.groupTiles < round.count ? from + p.groupTiles : round.count;
  if (from >= to)
    return;
  int count = entriesOf(p, round, (round.tile + from) * tilePieces).count;
  for (int entry = blockIdx.y * walkThreads + threadIdx.x; entry < count; entry += gridDim.y * walkThreads) {
    int out = entry;
    for (int64_t at = from; at < to && out != nowhere; ++at)
      out = p.exits[at * p.entries + out];
    p.joined[blockIdx.x * p.entries + entry] = uint16_t(out);
  }
}

/// The walk through the tiles of a round, and where the next one begins. One block.
extern "C" __global__ void __launch_bounds__(mostGroups) npcc_walks_chain(WalkParams p, int which) {
  __shared__ int entered[mostGroups];
  __shared__ int groups;
  const WalkRound round = p.walk->rounds[which];
  if (threadIdx.x == 0) {
    groups = 0;
    for (int entry = 0; groups * p.groupTiles < round.count && entry != nowhere; ++groups) {
      entered[groups] = entry;
      entry = p.joined[groups * p.entries + entry];
    }
  }
  __syncthreads();
  if (threadIdx.x == 0 && round.count == 0) // all is done
    p.walk->rounds[1 - which] = round;
  if (int(threadIdx.x) >= groups)
    return;
  int64_t at = threadIdx.x * p.groupTiles, end = at + p.groupTiles < round.count ? at + p.groupTiles : round.count;
  int entry = entered[threadIdx.x], out = entry;
  for (; at < end && (out = p.exits[at * p.entries + entry]) != nowhere; ++at) {
    p.own[at] = entry;
    entry = out;
  }
  if (int(threadIdx.x) < groups - 1)
    return;
  if (at == 0)
    p.walk->loss = WalkLoss::Entries;
  int64_t place = entriesOf(p, round, (round.tile + at) * tilePieces).from + entry;
  p.walk->rounds[which].count = at;
  beginRound(p, p.walk->rounds[1 - which], round.tile + at, place);
}
