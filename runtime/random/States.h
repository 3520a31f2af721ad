// The states of bit generators as they lie in memory. The layouts are NumPy's, for the runtime's own generators too, so
// that the caller's are read and moved on alike (npcc_rt_reads_bits says whether they are).
#ifndef NPCC_RUNTIME_RANDOM_STATES_H
#define NPCC_RUNTIME_RANDOM_STATES_H

#include <cstdint>
#include <cstring>

namespace npcc::rt::random {

using uint128 = unsigned __int128;

inline uint64_t rotateLeft(uint64_t word, unsigned by) { return word << by | word >> (-by & 63); }

// Generators of 64-bit words: a 32-bit draw takes the lower half of one and keeps the upper half for the next, which
// stays where it was when it is used.

/// PCG64 and PCG64DXSM (O'Neill): a linear congruence of 128 bits, and a permutation of what it gives.
struct Congruence {
  uint128 state, increment;
  void stepBy(uint128 multiplier) { state = state * multiplier + increment; }
  /// So many steps at once: x -> multiplier * x + increment is applied to itself (F. B. Brown, 1994).
  void jump(uint128 multiplier, uint64_t steps) {
    uint128 add = increment;
    for (; steps; steps >>= 1) {
      if (steps & 1)
        state = state * multiplier + add;
      add *= multiplier + 1;
      multiplier *= multiplier;
    }
  }
};
struct CongruenceState {
  Congruence *congruence;
  int32_t hasHalf;
  uint32_t half;
};

struct Pcg64 {
  using State = CongruenceState;
  static constexpr uint128 multiplier = uint128(0x2360ed051fc65da4u) << 64 | 0x4385df649fccf645u;
  static uint64_t next(State &state) {
    Congruence &at = *state.congruence;
    at.stepBy(multiplier);
    uint64_t folded = uint64_t(at.state >> 64) ^ uint64_t(at.state);
    return rotateLeft(folded, -unsigned(at.state >> 122) & 63);
  }
  static void skip(State &state, uint64_t words) { state.congruence->jump(multiplier, words); }
};

struct Pcg64Dxsm {
  using State = CongruenceState;
  static constexpr uint128 multiplier = 0xda942042e4dd58b5u;
  static uint64_t next(State &state) {
    Congruence &at = *state.congruence;
    uint64_t high = uint64_t(at.state >> 64), low = uint64_t(at.state) | 1;
    at.stepBy(multiplier);
    high ^= high >> 32;
    high *= 0xda942042e4dd58b5u;
    high ^= high >> 48;
    return high * low;
  }
  static void skip(State &state, uint64_t words) { state.congruence->jump(multiplier, words); }
};

/// SFC64 (Doty-Humphrey).
struct Sfc64 {
  struct State {
    uint64_t a, b, c, counter;
    int32_t hasHalf;
    uint32_t half;
  };
  static uint64_t next(State &state) {
    uint64_t result = state.a + state.b + state.counter++;
    state.a = state.b ^ state.b >> 11;
    state.b = state.c + (state.c << 3);
    state.c = rotateLeft(state.c, 24) + result;
    return result;
  }
  static void skip(State &state, uint64_t words) {
    for (; words; --words)
      next(state);
  }
};

/// Philox 4x64 of ten rounds (Salmon and others): a function of a counter and a key, which makes four words.
struct Philox {
  struct State {
    uint64_t *counter, *key;
    int32_t used;
    uint64_t block[4];
    int32_t hasHalf;
    uint32_t half;
  };
  static void addTo(uint64_t counter[4], uint64_t steps) {
    for (int k = 0; k < 4; ++k) {
      counter[k] += steps;
      steps = counter[k] < steps;
    }
  }
  static void makeBlock(State &state) {
    uint64_t *x = state.block, roundKey[2] = {state.key[0], state.key[1]};
    std::memcpy(x, state.counter, sizeof state.block);
    for (int round = 0; round < 10; ++round) {
      uint128 first = uint128(0xd2e7470ee14c6c93u) * x[0], second = uint128(0xca5a826395121157u) * x[2];
      uint64_t next[4] = {uint64_t(second >> 64) ^ x[1] ^ roundKey[0], uint64_t(second),
                          uint64_t(first >> 64) ^ x[3] ^ roundKey[1], uint64_t(first)};
      std::memcpy(x, next, sizeof next);
      roundKey[0] += 0x9e3779b97f4a7c15u;
      roundKey[1] += 0xbb67ae8584caa73bu;
    }
    state.used = 0;
  }
  static uint64_t next(State &state) {
    if (state.used == 4) {
      addTo(state.counter, 1);
      makeBlock(state);
    }
    return state.block[state.used++];
  }
  static void skip(State &state, uint64_t words) {
    uint64_t left = 4 - uint64_t(state.used);
    if (words <= left) {
      state.used += int32_t(words);
      return;
    }
    uint64_t blocks = (words - left + 3) / 4;
    addTo(state.counter, blocks);
    makeBlock(state);
    state.used = int32_t(words - left - 4 * (blocks - 1));
  }
};

/// MT19937 (Matsumoto and Nishimura): `position` words are used up.
struct MersenneState {
  static constexpr int wordCount = 624;
  uint32_t words[wordCount];
  int32_t position;
};

/// What MT19937 gives for a word of its state.
inline uint32_t tempered(uint32_t word) {
  word ^= word >> 11;
  word ^= word << 7 & 0x9d2c5680u;
  word ^= word << 15 & 0xefc60000u;
  return word ^ word >> 18;
}

} // namespace npcc::rt::random

#endif
