// The elements that sorting would bring to a few places of a long line, without sorting: digit by digit of the keys,
// from the highest one, a pass counts how many keys have which digit, which says what digit the looked for keys have.
// Compiled offline to select.ptx (make-kernels.sh).
//
// The first two passes read the line. The second one keeps the keys that begin as one of those that are looked for
// does: mostly few, which the later passes read.
#include "RadixKeys.h"
#include "SelectParams.h"

struct UnsignedKey {
  template <typename Bits> static __device__ Bits of(Bits value) { return value; }
};
struct SignedKey {
  template <typename Bits> static __device__ Bits of(Bits value) { return value ^ Bits(1) << (8 * sizeof(Bits) - 1); }
};
struct FloatKey {
  template <typename Bits> static __device__ Bits of(Bits value) {
    return Bits(floatKey(value, 8 * sizeof(Bits), true));
  }
};

template <typename Bits, typename Kind> struct Wide {
  using Key = Bits;
  static __device__ Key at(const SelectParams &p, int64_t i) { return Kind::of(static_cast<const Bits *>(p.in)[i]); }
};
struct Narrow { // of one or two bytes
  using Key = uint32_t;
  static __device__ Key at(const SelectParams &p, int64_t i) { return Key(elementKey(p.in, i, p.dtype, true)); }
};

struct Chosen {
  uint64_t prefix[mostSelected];
  int64_t rank[mostSelected];
  uint32_t sums[2][selectThreads];
};

// By one block, when all keys are counted: the next digit of each place's key, and the groups that there are then.
__device__ void choose(const SelectParams &p, Chosen &chosen) {
  auto &[prefix, rank, sums] = chosen;
  constexpr int own = selectDigits / selectThreads;
  SelectState &state = *p.state;
  int me = threadIdx.x;
  for (int group = 0; group < state.groups; ++group) {
    volatile uint32_t *bins = state.bins[group] + me * own;
    uint32_t mine[own], all = 0;
#pragma unroll
    for (int k = 0; k < own; ++k)
      all += mine[k] = bins[k];
    int side = 0;
    sums[0][me] = all;
    __syncthreads();
    for (int distance = 1; distance < selectThreads; distance *= 2, side ^= 1) {
      sums[side ^ 1][me] = sums[side][me] + (me >= distance ? sums[side][me - distance] : 0);
      __syncthreads();
    }
    int64_t before = sums[side][me] - all;
    for (int place = 0; place < p.count; ++place) {
      int64_t left = state.rank[place] - before;
      if (state.group[place] != group || left < 0 || left >= all)
        continue;
      int digit = 0;
      bool isPassed = true;
#pragma unroll
      for (int k = 0; k < own; ++k) {
        isPassed = isPassed && left >= mine[k];
        left -= isPassed ? mine[k] : 0;
        digit += isPassed;
      }
      prefix[place] = state.prefix[group] << p.bits | uint64_t(me * own + digit);
      rank[place] = left;
    }
    __syncthreads();
  }
  for (int k = me; k < mostSelected * selectDigits; k += selectThreads)
    state.bins[0][k] = 0;
  if (me)
    return;
  int groups = 0;
  for (int place = 0; place < p.count; ++place) {
    int group = 0;
    while (group < groups && state.prefix[group] != prefix[place])
      ++group;
    groups += group == groups;
    state.prefix[group] = prefix[place];
    state.group[place] = group;
    state.rank[place] = rank[place];
    if (p.firstBit == 0)
      setBits(p.out, place, bytesOfKey(p.dtype), elementOfKey(prefix[place], p.dtype));
  }
  state.groups = groups;
  state.done = 0;
}

template <typename Source> __device__ void count(const SelectParams &p) {
  using Key = typename Source::Key;
  __shared__ uint32_t bins[mostSelected][selectDigits];
  __shared__ uint32_t found, begin, isLast;
  __shared__ Chosen chosen;
  SelectState &state = *p.state;
  for (int k = threadIdx.x; k < mostSelected * selectDigits; k += selectThreads)
    bins[0][k] = 0;
  if (threadIdx.x == 0)
    found = 0;
  __syncthreads();
  int above = p.firstBit + p.bits, groups = state.groups;
  bool isFirst = above == p.keyBits;
  Key prefix[mostSelected], mask = Key(lowest(p.bits));
#pragma unroll
  for (int group = 0; group < mostSelected; ++group)
    prefix[group] = Key(state.prefix[group < groups ? group : 0]);
  Key *candidates = static_cast<Key *>(p.candidates);
  int64_t size = p.readsKept ? int64_t(state.kept) : p.length;
  constexpr int64_t tile = selectThreads * selectItems;
  for (int64_t from = blockIdx.x * tile; from < size; from += gridDim.x * tile) {
    Key keys[selectItems];
    uint32_t mine = 0;
#pragma unroll
    for (int item = 0; item < selectItems; ++item) {
      int64_t i = from + item * selectThreads + threadIdx.x;
      if (i < size)
        keys[item] = p.readsKept ? candidates[i] : Source::at(p, i);
    }
#pragma unroll
    for (int item = 0; item < selectItems; ++item) {
      if (from + item * selectThreads + threadIdx.x >= size)
        continue;
      Key digit = keys[item] >> p.firstBit & mask;
      if (isFirst) { // neighbours often have one digit: they count in copies of their own
        atomicAdd(&bins[threadIdx.x % mostSelected][digit], 1u);
        continue;
      }
#pragma unroll
      for (int group = 0; group < mostSelected; ++group)
        if (group < groups && keys[item] >> above == prefix[group]) {
          atomicAdd(&bins[group][digit], 1u);
          mine |= 1u << item;
        }
    }
    if (!p.keeps)
      continue;
    uint32_t place = mine ? atomicAdd(&found, uint32_t(__popc(mine))) : 0;
    __syncthreads();
    if (threadIdx.x == 0) {
      begin = found ? atomicAdd(&state.kept, found) : 0;
      found = 0;
    }
    __syncthreads();
#pragma unroll
    for (int item = 0; item < selectItems; ++item)
      if (mine >> item & 1)
        candidates[begin + place++] = keys[item];
  }
  __syncthreads();
  for (int k = threadIdx.x; k < (isFirst ? 1 : groups) * selectDigits; k += selectThreads) {
    uint32_t many = bins[0][k];
    for (int copy = 1; isFirst && copy < mostSelected; ++copy)
      many += bins[copy][k];
    if (many)
      atomicAdd(&state.bins[0][k], many);
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    isLast = atomicAdd(&state.done, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!isLast)
    return;
  __threadfence();
  choose(p, chosen);
}

extern "C" __global__ void __launch_bounds__(selectThreads) npcc_select_begin(SelectParams p) {
  SelectState &state = *p.state;
  for (int k = threadIdx.x; k < mostSelected * selectDigits; k += selectThreads)
    state.bins[0][k] = 0;
  if (threadIdx.x)
    return;
  for (int place = 0; place < p.count; ++place) {
    state.rank[place] = p.places[place] + (p.places[place] < 0 ? p.length : 0);
    state.group[place] = 0;
  }
  state.prefix[0] = 0;
  state.groups = 1;
  state.kept = state.done = 0;
}

#define COUNT(name, ...)                                                                                               \
  extern "C" __global__ void __launch_bounds__(selectThreads) npcc_select_count_##name(SelectParams p) {               \
    count<__VA_ARGS__>(p);                                                                                             \
  }
COUNT(int32, Wide<uint32_t, SignedKey>)
COUNT(int64, Wide<uint64_t, SignedKey>)
COUNT(uint32, Wide<uint32_t, UnsignedKey>)
COUNT(uint64, Wide<uint64_t, UnsignedKey>)
COUNT(float32, Wide<uint32_t, FloatKey>)
COUNT(float64, Wide<uint64_t, FloatKey>)
COUNT(narrow, Narrow)

// The same of lines that are sorted.
template <typename T> __device__ void take(const SelectParams &p) {
  for (int64_t k = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < p.lines * p.count;
       k += int64_t(gridDim.x) * blockDim.x) {
    int64_t place = p.places[k % p.count];
    static_cast<T *>(p.out)[k] =
        static_cast<const T *>(p.in)[k / p.count * p.length + place + (place < 0 ? p.length : 0)];
  }
}
struct alignas(8) Pair {
  double re, im;
};
extern "C" __global__ void npcc_select_take_1(SelectParams p) { take<uint8_t>(p); }
extern "C" __global__ void npcc_select_take_2(SelectParams p) { take<uint16_t>(p); }
extern "C" __global__ void npcc_select_take_4(SelectParams p) { take<uint32_t>(p); }
extern "C" __global__ void npcc_select_take_8(SelectParams p) { take<uint64_t>(p); }
extern "C" __global__ void npcc_select_take_16(SelectParams p) { take<Pair>(p); }
