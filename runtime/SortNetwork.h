// Batcher's network of exchanges (K. E. Batcher, "Sorting Networks and their Applications", 1968), for short lines on
// the CPU and on the GPU.
#ifndef NPCC_RUNTIME_SORTNETWORK_H
#define NPCC_RUNTIME_SORTNETWORK_H

/// Exchanges elements low[k] and high[k], one k after the other, which sorts `size` elements, a power of two.
template <int size> struct SortNetwork {
  int low[size * 8] = {}, high[size * 8] = {}, count = 0;
  constexpr SortNetwork() {
    for (int p = 1; p < size; p *= 2)
      for (int k = p; k >= 1; k /= 2)
        for (int j = k % p; j + k < size; j += 2 * k)
          for (int i = 0; i < k && i + j + k < size; ++i)
            if ((i + j) / (2 * p) == (i + j + k) / (2 * p)) {
              low[count] = i + j;
              high[count++] = i + j + k;
            }
  }
};

/// As a member, which device code may name.
template <int size> struct SortNetworkOf {
  static constexpr SortNetwork<size> value{};
};

#endif
