// The kernels of the runtime (runtime/cuda/kernels) and of this suite (kernels.cu), by name, in C++.
#include "FakeCuda.h"
#include "runtime/cuda/kernels/SortKeys.h"
#include <algorithm>
#include <complex>
#include <cstring>
#include <string>
#include <tuple>
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

constexpr int maxRank = 17;
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

template <typename T, typename Sum = T, bool isBool = false>
void matmul(const Launch &launch) {
  MatmulParams p;
  memcpy(&p, launch.params, sizeof(p));
  auto at = [&](char *base, int64_t index) -> T & {
    return *static_cast<T *>(reach(base + index * int64_t(sizeof(T)), launch.device));
  };
  for (int64_t i = 0; i < p.m; ++i)
    for (int64_t j = 0; j < p.n; ++j) {
      Sum sum = 0;
      for (int64_t k = 0; k < p.k; ++k)
        sum += Sum(at(p.a, i * p.aRow + k * p.aColumn)) * Sum(at(p.b, k * p.bRow + j * p.bColumn));
      if (isBool)
        sum = Sum(sum != Sum(0));
      at(p.c, i * p.cRow + j * p.cColumn) = T(sum);
    }
}

/// Only what the suite multiplies: numbers that float16 holds without subnormals.
float halfValue(uint16_t bits) {
  uint32_t exponent = bits >> 10 & 31, word = uint32_t(bits & 0x8000) << 16;
  if (exponent)
    word |= (exponent + 112) << 23 | uint32_t(bits & 1023) << 13;
  float value;
  memcpy(&value, &word, 4);
  return value;
}
struct Half {
  uint16_t bits;
  Half(float value) {
    uint32_t word;
    memcpy(&word, &value, 4);
    bits = value == 0 ? 0 : uint16_t(word >> 16 & 0x8000) | uint16_t(((word >> 23 & 255) - 112) << 10 | (word >> 13 & 1023));
  }
  explicit operator float() const { return halfValue(bits); }
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

#define COPY(size)                                                                                                     \
  {"npcc_copy_" #size "_i32", 1, copyBytes, copy<size>}, {"npcc_copy_" #size "_i64", 1, copyBytes, copy<size>},        \
  {"npcc_copy_" #size "_transposing", 1, copyBytes, copy<size>}
#define MATMUL(name, ...) {"npcc_matmul_" #name, 1, matmulBytes, matmul<__VA_ARGS__>}
#define GATHER(size) {"npcc_sort_gather_" #size, 1, sortBytes, sortGather<size>}
const Kernel kernels[] = {
    {"npcc_sort_keys", 1, sortBytes, sortKeys}, {"npcc_sort_chunks", 1, sortBytes, sortChunks}, {"npcc_sort_merge", 1, sortBytes, sortMerge},
    GATHER(1), GATHER(2), GATHER(4), GATHER(8), GATHER(16),
    COPY(1), COPY(2), COPY(4), COPY(8), COPY(16),
    MATMUL(bool, uint8_t, int64_t, true), MATMUL(int8, uint8_t, uint32_t), MATMUL(int16, uint16_t, uint32_t),
    MATMUL(int32, uint32_t), MATMUL(int64, uint64_t), MATMUL(float16, Half, float), MATMUL(float32, float),
    MATMUL(float64, double), MATMUL(complex64, std::complex<float>), MATMUL(complex128, std::complex<double>),
    {"scale", 6, eights, scale}, {"add", 6, eights, add}, {"sequential", 5, eights, sequential},
    {"record_error", 8, eights, recordError}, {"delay", 1, eights, delay}, {"cooperative", 2, eights, cooperative},
};

} // namespace

const Kernel *findKernel(const char *name) {
  for (const Kernel &kernel : kernels)
    if (strcmp(kernel.name, name) == 0)
      return &kernel;
  return nullptr;
}

} // namespace fake
