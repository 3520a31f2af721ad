// Sorting of many short lines: as many of them side by side as a vector has lanes, by a network of exchanges. Sorting one such line by itself takes most of its
// time for branches that nobody can predict.
#ifndef NPCC_RUNTIME_CPU_SHORTSORT_H
#define NPCC_RUNTIME_CPU_SHORTSORT_H

#include "runtime/SortNetwork.h"
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace npcc::rt::shortsort {

constexpr int64_t longest = 32;

template <int size> inline constexpr const SortNetwork<size> &network = SortNetworkOf<size>::value;

#define NPCC_INLINE inline __attribute__((always_inline))

/// Keys are integers with a sign, of which each vector has one of each of its lines.
template <typename Key> struct Lanes {
  static constexpr int count = 64 / sizeof(Key);
  typedef Key Vector __attribute__((vector_size(64)));

  static NPCC_INLINE void exchange(Vector &low, Vector &high) {
    Vector small = low < high ? low : high;
    high = low < high ? high : low;
    low = small;
  }
  template <int size, size_t... k> static NPCC_INLINE void sort(Vector *keys, std::index_sequence<k...>) {
    (exchange(keys[network<size>.low[k]], keys[network<size>.high[k]]), ...);
  }
  template <int size> static NPCC_INLINE void sort(Vector *keys) {
    sort<size>(keys, std::make_index_sequence<network<size>.count>());
  }
};

/// Keys with positions, which decide where keys are equal.
struct PlacedLanes {
  static constexpr int count = 8;
  typedef int64_t Vector __attribute__((vector_size(64)));

  static NPCC_INLINE void exchange(Vector *keys, Vector *places, int i, int j) {
    auto swaps = (keys[j] < keys[i]) | ((keys[j] == keys[i]) & (places[j] < places[i]));
    Vector key = swaps ? keys[j] : keys[i], place = swaps ? places[j] : places[i];
    keys[j] = swaps ? keys[i] : keys[j];
    places[j] = swaps ? places[i] : places[j];
    keys[i] = key;
    places[i] = place;
  }
  template <int size> static NPCC_INLINE void sort(Vector *keys, Vector *places) {
    for (int k = 0; k < network<size>.count; ++k)
      exchange(keys, places, network<size>.low[k], network<size>.high[k]);
  }
};

/// get(i) is the key of element i of all lines, put(i, key) takes the sorted ones.
template <typename Key, int size, typename Get, typename Put>
NPCC_INLINE void sortKeys(int64_t lines, int64_t length, Get &&get, Put &&put) {
  using L = Lanes<Key>;
  typename L::Vector keys[size];
  for (int64_t first = 0; first < lines; first += L::count) {
    int here = int(std::min<int64_t>(L::count, lines - first));
    for (int64_t k = 0; k < size; ++k)
      for (int lane = 0; lane < L::count; ++lane)
        keys[k][lane] = k < length && lane < here ? get((first + lane) * length + k) : std::numeric_limits<Key>::max();
    L::template sort<size>(keys);
    for (int64_t k = 0; k < length; ++k)
      for (int lane = 0; lane < here; ++lane)
        put((first + lane) * length + k, keys[k][lane]);
  }
}

template <int size, typename Get>
NPCC_INLINE void sortPlaces(int64_t lines, int64_t length, Get &&get, int64_t *out) {
  using L = PlacedLanes;
  L::Vector keys[size], places[size];
  for (int64_t first = 0; first < lines; first += L::count) {
    int here = int(std::min<int64_t>(L::count, lines - first));
    for (int64_t k = 0; k < size; ++k)
      for (int lane = 0; lane < L::count; ++lane) {
        keys[k][lane] = k < length && lane < here ? get((first + lane) * length + k) : std::numeric_limits<int64_t>::max();
        places[k][lane] = k;
      }
    L::sort<size>(keys, places);
    for (int64_t k = 0; k < length; ++k)
      for (int lane = 0; lane < here; ++lane)
        out[(first + lane) * length + k] = places[k][lane];
  }
}

/// body(an int that stands for the size of the network), compiled for the vectors that this processor has.
template <typename Body> NPCC_INLINE void forSize(int64_t length, Body &&body) {
  if (length <= 4)
    body(std::integral_constant<int, 4>());
  else if (length <= 8)
    body(std::integral_constant<int, 8>());
  else if (length <= 16)
    body(std::integral_constant<int, 16>());
  else
    body(std::integral_constant<int, 32>());
}

} // namespace npcc::rt::shortsort

#endif
