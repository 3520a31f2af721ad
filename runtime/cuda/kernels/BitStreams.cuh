// The words of NumPy's bit generators as functions of where they stand in the stream: a linear congruence jumps, Philox makes four words of a counter.
#ifndef NPCC_RUNTIME_CUDA_KERNELS_BIT_STREAMS_CUH
#define NPCC_RUNTIME_CUDA_KERNELS_BIT_STREAMS_CUH
#include "RandomParams.h"

__device__ inline Wide add(Wide a, Wide b) {
  Wide sum{a.low + b.low, a.high + b.high};
  sum.high += sum.low < a.low;
  return sum;
}
__device__ inline Wide apply(const Jump &jump, Wide x) {
  const Wide &m = jump.multiplier;
  return add({m.low * x.low, __umul64hi(m.low, x.low) + m.low * x.high + m.high * x.low}, jump.increment);
}
/// The state so many steps behind `x`, by jumps of powers of two. Parameters of a kernel are loaded from places that the compiler knows.
template <int bits = mostJumps> __device__ Wide jumpBy(const StreamSource &p, uint64_t steps, Wide x) {
#pragma unroll
  for (int k = 0; k < bits; ++k)
    if (steps >> k & 1)
      x = apply(p.jumps[k], x);
  return x;
}

struct Pcg64 {
  static constexpr int stepsBefore = 1; // the words are of the states behind the steps
  static __device__ uint64_t word(Wide state) {
    uint64_t folded = state.high ^ state.low;
    int by = int(state.high >> 58);
    return folded >> by | folded << (-by & 63);
  }
};
struct Pcg64Dxsm {
  static constexpr int stepsBefore = 0;
  static __device__ uint64_t word(Wide state) {
    uint64_t high = state.high, low = state.low | 1;
    high ^= high >> 32;
    high *= 0xda942042e4dd58b5u;
    high ^= high >> 48;
    return high * low;
  }
};

struct Philox {
  /// The words of the counter so many steps behind the state's.
  static __device__ void makeBlock(const StreamSource &p, uint64_t steps, uint64_t (&x)[4]) {
    uint64_t carry = steps;
    for (int k = 0; k < 4; ++k) {
      x[k] = p.counter[k] + carry;
      carry = x[k] < carry;
    }
    uint64_t key[2] = {p.key[0], p.key[1]};
    for (int round = 0; round < 10; ++round) {
      constexpr uint64_t first = 0xd2e7470ee14c6c93u, second = 0xca5a826395121157u;
      uint64_t next[4] = {__umul64hi(second, x[2]) ^ x[1] ^ key[0], second * x[2], __umul64hi(first, x[0]) ^ x[3] ^ key[1], first * x[0]};
      for (int k = 0; k < 4; ++k)
        x[k] = next[k];
      key[0] += 0x9e3779b97f4a7c15u;
      key[1] += 0xbb67ae8584caa73bu;
    }
  }
};

#endif
