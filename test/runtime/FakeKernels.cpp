// The kernels of the runtime (runtime/cuda/kernels) and of this suite (kernels.cu), by name, in C++.
#include "FakeCuda.h"
#include "runtime/cuda/kernels/RadixKeys.h"
#include "runtime/cuda/kernels/SortKeys.h"
#include <algorithm>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>
#include <type_traits>
#include <vector>

namespace fake {
namespace {

/// The k-th parameter, if all before it take eight bytes.
template <typename T>
T parameter(const Launch &launch, int k) {
  T value;
  memcpy(&value, launch.params + 8 * k, sizeof(T));
  return value;
}
int64_t integer(const Launch &launch, int k) { return parameter<int64_t>(launch, k); }
template <typename T>
T &element(const Launch &launch, int k, int64_t index) {
  return *static_cast<T *>(reach(parameter<T *>(launch, k) + index, launch.device));
}

constexpr int maxRank = 33;
struct CopyParams {
  char *to;
  const char *from;
  int64_t count;
  int32_t rank, inner;
  int64_t shape[maxRank], toStrides[maxRank], fromStrides[maxRank];
};

template <int size>
void copy(const Launch &launch) {
  CopyParams p;
  memcpy(&p, launch.params, sizeof(p));
  int64_t total = 1;
  for (int axis = 0; axis < p.rank; ++axis)
    total *= p.shape[axis];
  for (int64_t k = 0; k < total; ++k) {
    int64_t rest = k, to = 0, from = 0;
    for (int axis = p.rank - 1; axis >= 0; --axis) {
      to += rest % p.shape[axis] * p.toStrides[axis];
      from += rest % p.shape[axis] * p.fromStrides[axis];
      rest /= p.shape[axis];
    }
    memcpy(reach(p.to + to * size, launch.device), reach(p.from + from * size, launch.device), size);
  }
}

struct MatmulParams {
  char *a, *b, *c;
  int64_t m, n, k, aRow, aColumn, bRow, bColumn, cRow, cColumn;
};

template <typename T, typename Sum = T, bool isBool = false, typename Result = T>
void matmul(const Launch &launch) {
  MatmulParams p;
  memcpy(&p, launch.params, sizeof(p));
  auto at = [&](char *base, int64_t index) -> T & {
    return *static_cast<T *>(reach(base + index * int64_t(sizeof(T)), launch.device));
  };
  auto result = [&](int64_t index) -> Result & {
    return *static_cast<Result *>(reach(p.c + index * int64_t(sizeof(Result)), launch.device));
  };
  for (int64_t i = 0; i < p.m; ++i)
    for (int64_t j = 0; j < p.n; ++j) {
      Sum sum = 0;
      for (int64_t k = 0; k < p.k; ++k)
        sum += Sum(at(p.a, i * p.aRow + k * p.aColumn)) * Sum(at(p.b, k * p.bRow + j * p.bColumn));
      if (isBool)
        sum = Sum(sum != Sum(0));
      result(i * p.cRow + j * p.cColumn) = Result(sum);
    }
}

struct Half {
  _Float16 value;
  Half(float value) : value(_Float16(value)) {}
  explicit operator float() const { return float(value); }
};
struct Bfloat {
  uint16_t bits;
  Bfloat(float value) {
    uint32_t word;
    memcpy(&word, &value, 4);
    bits = value != value ? 0x7fc0 : uint16_t((word + 0x7fff + (word >> 16 & 1)) >> 16);
  }
  explicit operator float() const {
    uint32_t word = uint32_t(bits) << 16;
    float value;
    memcpy(&value, &word, 4);
    return value;
  }
};

/// The parameters with addresses of the host.
SortParams sortParams(const Launch &launch) {
  SortParams p;
  memcpy(&p, launch.params, sizeof(p));
  auto host = [&](auto *&pointer) {
    if (pointer)
      pointer = static_cast<std::remove_reference_t<decltype(pointer)>>(reach(const_cast<void *>(static_cast<const void *>(pointer)), launch.device));
  };
  host(p.in), host(p.out), host(p.keys), host(p.newKeys), host(p.positions), host(p.newPositions);
  return p;
}
void sortKeys(const Launch &launch) {
  SortParams p = sortParams(launch);
  for (int64_t i = 0; i < p.lines * p.length; ++i) {
    if (p.part == 0)
      p.positions[i] = i % p.length;
    p.keys[i] = keyOf(p.in, i / p.length * p.length + p.positions[i], p.dtype, p.part);
  }
}
void mergeRuns(const SortParams &p, int64_t line) {
  const uint64_t *keys = p.keys + line * p.length;
  for (int64_t at = 0; at < p.length; ++at) {
    int64_t run = at / (2 * p.width) * (2 * p.width), middle = std::min(run + p.width, p.length), end = std::min(run + 2 * p.width, p.length);
    bool isLeft = at < middle;
    int64_t other = isLeft ? placeAmong(keys + middle, end - middle, keys[at], true) : placeAmong(keys + run, middle - run, keys[at], false);
    int64_t place = line * p.length + run + (isLeft ? at - run : at - middle) + other;
    p.newKeys[place] = keys[at];
    p.newPositions[place] = p.positions[line * p.length + at];
  }
}
void sortMerge(const Launch &launch) {
  SortParams p = sortParams(launch);
  for (int64_t line = 0; line < p.lines; ++line)
    mergeRuns(p, line);
}
void sortChunks(const Launch &launch) {
  SortParams p = sortParams(launch);
  for (int64_t line = 0; line < p.lines; ++line)
    for (int64_t low = 0; low < p.length; low += 512) {
      int64_t base = line * p.length + low, count = std::min<int64_t>(512, p.length - low);
      std::vector<std::pair<uint64_t, int64_t>> items;
      for (int64_t k = 0; k < count; ++k)
        items.push_back({p.keys[base + k], p.positions[base + k]});
      std::stable_sort(items.begin(), items.end(), [](auto &a, auto &b) { return a.first < b.first; });
      for (int64_t k = 0; k < count; ++k)
        std::tie(p.keys[base + k], p.positions[base + k]) = items[k];
    }
}
template <int size>
void sortGather(const Launch &launch) {
  SortParams p = sortParams(launch);
  for (int64_t i = 0; i < p.lines * p.length; ++i)
    memcpy(static_cast<char *>(p.out) + i * size, static_cast<const char *>(p.in) + (i / p.length * p.length + p.positions[i]) * size, size);
}

/// The parameters with addresses of the host.
RadixParams radixParams(const Launch &launch) {
  RadixParams p;
  memcpy(&p, launch.params, sizeof(p));
  auto host = [&](auto *&pointer) {
    if (pointer)
      pointer = static_cast<std::remove_reference_t<decltype(pointer)>>(reach(const_cast<void *>(static_cast<const void *>(pointer)), launch.device));
  };
  host(p.in), host(p.out), host(p.keys), host(p.newKeys), host(p.positions), host(p.newPositions);
  host(p.bins), host(p.nextBins), host(p.lookback), host(p.counter);
  return p;
}
template <typename Key>
void radixKeys(const Launch &launch) {
  RadixParams p = radixParams(launch);
  bool isFirst = p.part == imaginaryPart || p.part == wholeElement;
  for (int64_t i = 0; i < p.lines * p.length; ++i) {
    static_cast<Key *>(p.keys)[i] = Key(radixKey(p, isFirst ? i : int64_t(p.positions[i])));
    if (isFirst && p.positions)
      p.positions[i] = uint32_t(i);
  }
}
template <typename Key>
void radixValues(const Launch &launch) {
  RadixParams p = radixParams(launch);
  int bytes = bytesOfKey(p.dtype);
  for (int64_t i = 0; i < p.lines * p.length; ++i)
    setBits(p.out, i, bytes, elementOfKey(static_cast<const Key *>(p.keys)[i] & lowest(8 * bytes), p.dtype));
}
void radixPositions(const Launch &launch) {
  RadixParams p = radixParams(launch);
  for (int64_t i = 0; i < p.lines * p.length; ++i)
    static_cast<int64_t *>(p.out)[i] = p.positions[i] - i / p.length * p.length;
}
template <int size>
void radixGather(const Launch &launch) {
  RadixParams p = radixParams(launch);
  for (int64_t i = 0; i < p.lines * p.length; ++i)
    memcpy(static_cast<char *>(p.out) + i * size, static_cast<const char *>(p.in) + int64_t(p.positions[i]) * size, size);
}
void radixClear(const Launch &launch) {
  RadixParams p = radixParams(launch);
  std::fill_n(static_cast<uint32_t *>(p.out), p.count, 0);
}
template <typename Key>
void radixHistogram(const Launch &launch) {
  RadixParams p = radixParams(launch);
  for (int64_t i = 0; i < p.count; ++i)
    for (int bit = p.firstBit, pass = 0; bit < p.endBit; bit += radixDigitBits, ++pass)
      ++p.bins[pass * radixDigits + (uint64_t(static_cast<const Key *>(p.keys)[i]) >> bit & lowest(std::min(p.endBit - bit, radixDigitBits)))];
}
void radixSums(const Launch &launch) {
  RadixParams p = radixParams(launch);
  for (unsigned pass = 0; pass < launch.grid; ++pass)
    for (uint32_t digit = 0, before = 0; digit < radixDigits; ++digit)
      before += std::exchange(p.bins[pass * radixDigits + digit], before);
}
/// The kernel's blocks are told apart by the counter, and expect it and what they look back at to be zero.
template <typename Key, bool hasPositions>
void radixSweep(const Launch &launch) {
  RadixParams p = radixParams(launch);
  if (*p.counter || *p.lookback)
    abort();
  ++*p.counter;
  *p.lookback = 1;
  std::vector<uint32_t> next(p.bins, p.bins + radixDigits);
  for (int64_t i = 0; i < p.count; ++i) {
    Key key = static_cast<const Key *>(p.keys)[i];
    uint32_t place = next[uint64_t(key) >> p.firstBit & lowest(p.bits)]++;
    static_cast<Key *>(p.newKeys)[place] = key;
    if (hasPositions)
      p.newPositions[place] = p.positions[i];
  }
  if (p.nextBins)
    std::copy(next.begin(), next.end(), p.nextBins);
}
/// The float's own bits as a key: NaN with the sign come first, as CUB sorts them.
uint64_t flatKey(uint64_t bits, int dtype) {
  int size = 8 * bytesOfKey(dtype);
  uint64_t sign = uint64_t(1) << (size - 1);
  if (isFloat(dtype))
    return bits & sign ? ~bits & lowest(size) : bits | sign;
  return isSignedInteger(dtype) ? bits ^ sign : bits;
}
void flatHistogram(const Launch &launch) {
  RadixParams p = radixParams(launch);
  for (int64_t i = 0; i < p.count; ++i)
    for (int bit = p.firstBit, pass = 0; bit < p.endBit; bit += radixDigitBits, ++pass)
      ++p.bins[pass * radixDigits + (flatKey(bitsAt(p.keys, i, bytesOfKey(p.dtype)), p.dtype) >> bit & 255)];
}
void flatSweep(const Launch &launch) {
  RadixParams p = radixParams(launch);
  if (*p.counter || *p.lookback || p.keys == p.newKeys)
    abort();
  ++*p.counter;
  *p.lookback = 1;
  int bytes = bytesOfKey(p.dtype);
  std::vector<uint32_t> next(p.bins, p.bins + radixDigits);
  for (int64_t i = 0; i < p.count; ++i) {
    uint64_t bits = bitsAt(p.keys, i, bytes);
    setBits(p.newKeys, next[flatKey(bits, p.dtype) >> p.firstBit & 255]++, bytes, bits);
  }
  if (p.nextBins)
    std::copy(next.begin(), next.end(), p.nextBins);
}
void flatNans(const Launch &launch) {
  RadixParams p = radixParams(launch);
  *p.bins = uint32_t(nansBefore(p.out, p.count, bytesOfKey(p.dtype)));
}
void flatTurn(const Launch &launch) {
  RadixParams p = radixParams(launch);
  if (*p.bins)
    for (int64_t i = 0; i < p.count; ++i)
      setBits(p.keys, i, bytesOfKey(p.dtype), bitsAt(p.out, (i + *p.bins) % p.count, bytesOfKey(p.dtype)));
}
void flatReturn(const Launch &launch) {
  RadixParams p = radixParams(launch);
  if (*p.bins)
    memcpy(p.out, p.keys, p.count * bytesOfKey(p.dtype));
}
template <bool isPositions>
void shortLines(const Launch &launch) {
  RadixParams p = radixParams(launch);
  for (int64_t line = 0; line < p.lines; ++line) {
    std::vector<std::pair<uint64_t, int64_t>> items;
    for (int64_t k = 0; k < p.length; ++k)
      items.push_back({elementKey(p.in, line * p.length + k, p.dtype, p.isExact), k});
    std::sort(items.begin(), items.end());
    for (int64_t k = 0; k < p.length; ++k)
      if (isPositions)
        static_cast<int64_t *>(p.out)[line * p.length + k] = items[k].second;
      else
        setBits(p.out, line * p.length + k, bytesOfKey(p.dtype), elementOfKey(items[k].first, p.dtype));
  }
}

void scale(const Launch &l) {
  double factor = parameter<double>(l, 5);
  for (int64_t i = 0; i < integer(l, 1); ++i)
    for (int64_t j = 0; j < integer(l, 2); ++j) {
      double &x = element<double>(l, 0, i * integer(l, 3) + j * integer(l, 4));
      x = x * factor + 1;
    }
}

void add(const Launch &l) {
  for (int64_t k = 0; k < integer(l, 5); ++k)
    element<double>(l, 4, k) = element<double>(l, 0, k * integer(l, 1)) + element<double>(l, 2, k * integer(l, 3));
}

void sequential(const Launch &l) {
  for (int64_t k = 0; k < integer(l, 4); ++k)
    element<double>(l, 2, k * integer(l, 3)) = element<double>(l, 0, k * integer(l, 1)) + 1;
}

void recordError(const Launch &l) {
  if (element<int64_t>(l, 0, 0))
    return;
  for (int k = 0; k < 7; ++k)
    element<int64_t>(l, 0, k) = integer(l, k + 1);
}

void delay(const Launch &) {}

void cooperative(const Launch &l) {
  element<unsigned>(l, 0, 0) += l.grid;
  for (unsigned block = 0; block < l.grid; ++block)
    element<int64_t>(l, 1, block) = element<unsigned>(l, 0, 0);
}

const size_t eights[] = {8, 8, 8, 8, 8, 8, 8, 8};
const size_t copyBytes[] = {sizeof(CopyParams)};
const size_t matmulBytes[] = {sizeof(MatmulParams)};
const size_t sortBytes[] = {sizeof(SortParams)};

const size_t radixBytes[] = {sizeof(RadixParams)};

#define COPY(size)                                                                                                     \
  {"npcc_copy_" #size "_i32", 1, copyBytes, copy<size>}, {"npcc_copy_" #size "_i64", 1, copyBytes, copy<size>},        \
  {"npcc_copy_" #size "_transposing", 1, copyBytes, copy<size>}
#define MATMUL(name, ...) {"npcc_matmul_" #name, 1, matmulBytes, matmul<__VA_ARGS__>}
#define GATHER(size) {"npcc_sort_gather_" #size, 1, sortBytes, sortGather<size>}
#define RADIX_GATHER(size) {"npcc_radix_gather_" #size, 1, radixBytes, radixGather<size>}
#define RADIX(bytes, Key)                                                                                              \
  {"npcc_radix_keys_" #bytes, 1, radixBytes, radixKeys<Key>}, {"npcc_radix_values_" #bytes, 1, radixBytes, radixValues<Key>}, \
  {"npcc_radix_histogram_" #bytes, 1, radixBytes, radixHistogram<Key>}, {"npcc_radix_sweep_" #bytes, 1, radixBytes, radixSweep<Key, false>}, \
  {"npcc_radix_sweep_" #bytes "_positions", 1, radixBytes, radixSweep<Key, true>}
#define FLAT(name)                                                                                                     \
  {"npcc_flat_histogram_" #name, 1, radixBytes, flatHistogram}, {"npcc_flat_sweep_" #name, 1, radixBytes, flatSweep}
#define BLOCK(size)                                                                                                    \
  {"npcc_block_" #size "_4", 1, radixBytes, shortLines<false>}, {"npcc_block_" #size "_8", 1, radixBytes, shortLines<false>}, \
  {"npcc_block_" #size "_4_positions", 1, radixBytes, shortLines<true>}, {"npcc_block_" #size "_8_positions", 1, radixBytes, shortLines<true>}
#define SHORT(size)                                                                                                    \
  {"npcc_short_" #size "_4", 1, radixBytes, shortLines<false>}, {"npcc_short_" #size "_8", 1, radixBytes, shortLines<false>}, \
  {"npcc_short_" #size "_4_positions", 1, radixBytes, shortLines<true>}, {"npcc_short_" #size "_8_positions", 1, radixBytes, shortLines<true>}
#define WARP(size)                                                                                                     \
  {"npcc_warp_" #size "_4", 1, radixBytes, shortLines<false>},                                                         \
      {"npcc_warp_" #size "_8", 1, radixBytes, shortLines<false>},                                                     \
      {"npcc_warp_" #size "_4_positions", 1, radixBytes, shortLines<true>}, {                                          \
    "npcc_warp_" #size "_8_positions", 1, radixBytes, shortLines<true>                                                 \
  }
const Kernel kernels[] = {
    RADIX(4, uint32_t),
    RADIX(8, uint64_t),
    RADIX_GATHER(1),
    RADIX_GATHER(2),
    RADIX_GATHER(4),
    RADIX_GATHER(8),
    RADIX_GATHER(16),
    FLAT(int32),
    FLAT(int64),
    FLAT(uint32),
    FLAT(uint64),
    FLAT(float32),
    FLAT(float64),
    {"npcc_flat_nans", 1, radixBytes, flatNans},
    {"npcc_flat_turn", 1, radixBytes, flatTurn},
    {"npcc_flat_return", 1, radixBytes, flatReturn},
    BLOCK(512),
    BLOCK(1024),
    BLOCK(2048),
    BLOCK(4096),
    WARP(64),
    WARP(128),
    WARP(256),
    WARP(512),
    WARP(1024),
    SHORT(4),
    SHORT(8),
    SHORT(16),
    SHORT(32),
    {"npcc_radix_clear", 1, radixBytes, radixClear},
    {"npcc_radix_sums", 1, radixBytes, radixSums},
    {"npcc_radix_positions", 1, radixBytes, radixPositions},
    {"npcc_sort_keys", 1, sortBytes, sortKeys},
    {"npcc_sort_chunks", 1, sortBytes, sortChunks},
    {"npcc_sort_merge", 1, sortBytes, sortMerge},
    GATHER(1),
    GATHER(2),
    GATHER(4),
    GATHER(8),
    GATHER(16),
    COPY(1),
    COPY(2),
    COPY(4),
    COPY(8),
    COPY(16),
    MATMUL(bool, uint8_t, int64_t, true),
    MATMUL(int8, uint8_t, uint32_t),
    MATMUL(int16, uint16_t, uint32_t),
    MATMUL(int32, uint32_t),
    MATMUL(int64, uint64_t),
    MATMUL(float16, Half, float),
    MATMUL(float32, float),
    MATMUL(bfloat16, Bfloat, float),
    MATMUL(float16_float32, Half, float, false, float),
    MATMUL(bfloat16_float32, Bfloat, float, false, float),
    MATMUL(float64, double),
    MATMUL(complex64, std::complex<float>),
    MATMUL(complex128, std::complex<double>),
    {"scale", 6, eights, scale},
    {"add", 6, eights, add},
    {"sequential", 5, eights, sequential},
    {"record_error", 8, eights, recordError},
    {"delay", 1, eights, delay},
    {"cooperative", 2, eights, cooperative},
};

} // namespace

const Kernel *findKernel(const char *name) {
  // Kernels whose names begin like this run as the PTX that they are.
  const char *interpreted = getenv("NPCC_FAKE_CUDA_INTERPRET");
  if (interpreted && strncmp(name, interpreted, strlen(interpreted)) == 0)
    return nullptr;
  for (const Kernel &kernel : kernels)
    if (strcmp(kernel.name, name) == 0)
      return &kernel;
  return nullptr;
}

} // namespace fake
