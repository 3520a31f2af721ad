#include "runtime/random/BitGenerators.h"
#include <cstring>

namespace npcc::rt::random {
namespace {

using uint128 = unsigned __int128;

/// 53 bits as a float in [0, 1).
double toDouble(uint64_t bits) { return static_cast<double>(bits >> 11) * (1.0 / 9007199254740992.0); }

/// A generator of 64-bit words: a 32-bit draw takes the lower half of one and keeps the upper half for the next.
template <typename Engine> struct Words64 : BitGenerator {
  Engine engine;
  bool hasHalf = false;
  uint32_t half = 0;

  explicit Words64(const char *spelled, const Engine &seeded) : engine(seeded) {
    name = spelled;
    bits.state = this;
    bits.next_uint64 = bits.next_raw = next64;
    bits.next_uint32 = next32;
    bits.next_double = [](void *self) { return toDouble(next64(self)); };
  }
  static uint64_t next64(void *self) { return static_cast<Words64 *>(self)->engine.next(); }
  static uint32_t next32(void *opaque) {
    auto &self = *static_cast<Words64 *>(opaque);
    if (self.hasHalf) {
      self.hasHalf = false;
      return self.half;
    }
    uint64_t word = self.engine.next();
    self.hasHalf = true;
    self.half = uint32_t(word >> 32);
    return uint32_t(word);
  }
};

//===---- PCG64 and PCG64DXSM (O'Neill): a linear congruence of 128 bits, and a permutation of what it gives
//--------------===//

uint128 join(uint64_t high, uint64_t low) { return uint128(high) << 64 | low; }

uint64_t rotateLeft(uint64_t word, unsigned by) { return word << by | word >> (-by & 63); }

struct Congruence {
  static constexpr uint128 multiplierOfSeeds = uint128(0x2360ed051fc65da4u) << 64 | 0x4385df649fccf645u;
  uint128 state, increment;

  explicit Congruence(const SeedSequence &seed) {
    std::vector<uint64_t> words = seed.generate64(4);
    increment = join(words[2], words[3]) << 1 | 1;
    state = increment + join(words[0], words[1]);
    stepBy(multiplierOfSeeds);
  }
  void stepBy(uint128 multiplier) { state = state * multiplier + increment; }
};

struct Pcg64 : Congruence {
  using Congruence::Congruence;
  uint64_t next() {
    stepBy(multiplierOfSeeds);
    uint64_t folded = uint64_t(state >> 64) ^ uint64_t(state);
    return rotateLeft(folded, -unsigned(state >> 122) & 63);
  }
};

/// A seed is mixed in with the multiplier of PCG64 here too.
struct Pcg64Dxsm : Congruence {
  using Congruence::Congruence;
  uint64_t next() {
    uint64_t high = uint64_t(state >> 64), low = uint64_t(state) | 1;
    stepBy(0xda942042e4dd58b5u);
    high ^= high >> 32;
    high *= 0xda942042e4dd58b5u;
    high ^= high >> 48;
    return high * low;
  }
};

//===---- SFC64 (Doty-Humphrey)
//--------------------------------------------------------------------------------------------===//

struct Sfc64 {
  uint64_t a, b, c, counter = 1;

  explicit Sfc64(const SeedSequence &seed) {
    std::vector<uint64_t> words = seed.generate64(3);
    a = words[0];
    b = words[1];
    c = words[2];
    for (int k = 0; k < 12; ++k)
      next();
  }
  uint64_t next() {
    uint64_t result = a + b + counter++;
    a = b ^ b >> 11;
    b = c + (c << 3);
    c = rotateLeft(c, 24) + result;
    return result;
  }
};

//===---- Philox 4x64 of ten rounds (Salmon and others): a function of a counter and a key
//----------------------------------===//

struct Philox {
  uint64_t counter[4] = {}, key[2], block[4] = {};
  int used = 4;

  explicit Philox(const SeedSequence &seed) {
    std::vector<uint64_t> words = seed.generate64(2);
    key[0] = words[0];
    key[1] = words[1];
  }
  void makeBlock() {
    for (uint64_t &digit : counter)
      if (++digit)
        break;
    uint64_t x[4], roundKey[2] = {key[0], key[1]};
    std::memcpy(x, counter, sizeof x);
    for (int round = 0; round < 10; ++round) {
      uint128 first = uint128(0xd2e7470ee14c6c93u) * x[0], second = uint128(0xca5a826395121157u) * x[2];
      uint64_t next[4] = {uint64_t(second >> 64) ^ x[1] ^ roundKey[0], uint64_t(second),
                          uint64_t(first >> 64) ^ x[3] ^ roundKey[1], uint64_t(first)};
      std::memcpy(x, next, sizeof x);
      roundKey[0] += 0x9e3779b97f4a7c15u;
      roundKey[1] += 0xbb67ae8584caa73bu;
    }
    std::memcpy(block, x, sizeof x);
    used = 0;
  }
  uint64_t next() {
    if (used == 4)
      makeBlock();
    return block[used++];
  }
};

//===---- MT19937 (Matsumoto and Nishimura)
//--------------------------------------------------------------------------------===//

constexpr int wordCount = 624, middle = 397;

void makeWords(MersenneState &state) {
  uint32_t *words = state.words;
  for (int k = 0; k < wordCount; ++k) {
    uint32_t joined = (words[k] & 0x80000000u) | (words[(k + 1) % wordCount] & 0x7fffffffu);
    words[k] = words[(k + middle) % wordCount] ^ joined >> 1 ^ (joined & 1 ? 0x9908b0dfu : 0);
  }
  state.position = 0;
}

struct Mersenne : BitGenerator {
  MersenneState mersenne;

  explicit Mersenne(const SeedSequence &seed) {
    name = "MT19937";
    seedMersenne(mersenne, seed);
    mersenne.position = wordCount - 1; // where NumPy's starts
    bits.state = &mersenne;
    bits.next_uint32 = next32;
    bits.next_uint64 = [](void *state) {
      uint64_t high = next32(state);
      return high << 32 | next32(state);
    };
    bits.next_raw = [](void *state) { return uint64_t(next32(state)); };
    bits.next_double = [](void *state) {
      uint32_t high = next32(state) >> 5, low = next32(state) >> 6;
      return (high * 67108864.0 + low) / 9007199254740992.0;
    };
  }
  static uint32_t next32(void *opaque) {
    auto &state = *static_cast<MersenneState *>(opaque);
    if (state.position == wordCount)
      makeWords(state);
    uint32_t word = state.words[state.position++];
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680u;
    word ^= word << 15 & 0xefc60000u;
    return word ^ word >> 18;
  }
};

template <typename Engine> std::unique_ptr<BitGenerator> make(const char *name, const SeedSequence &seed) {
  return std::make_unique<Words64<Engine>>(name, Engine(seed));
}

} // namespace

std::unique_ptr<BitGenerator> makeBitGenerator(std::string_view name, const SeedSequence &seed) {
  if (name == "PCG64")
    return make<Pcg64>("PCG64", seed);
  if (name == "PCG64DXSM")
    return make<Pcg64Dxsm>("PCG64DXSM", seed);
  if (name == "SFC64")
    return make<Sfc64>("SFC64", seed);
  if (name == "Philox")
    return make<Philox>("Philox", seed);
  if (name == "MT19937")
    return std::make_unique<Mersenne>(seed);
  return nullptr;
}

void seedMersenne(MersenneState &state, uint32_t seed) {
  for (int k = 0; k < wordCount; ++k) {
    state.words[k] = seed;
    seed = 1812433253u * (seed ^ seed >> 30) + k + 1;
  }
  state.position = wordCount;
}

void seedMersenne(MersenneState &state, const uint32_t *seeds, int64_t count) {
  seedMersenne(state, 19650218u);
  uint32_t *words = state.words;
  int at = 1;
  auto advance = [&] {
    if (++at == wordCount) {
      words[0] = words[wordCount - 1];
      at = 1;
    }
  };
  auto previous = [&] { return words[at - 1] ^ words[at - 1] >> 30; };
  int64_t seed = 0;
  for (int64_t k = count > wordCount ? count : wordCount; k; --k) {
    words[at] = (words[at] ^ previous() * 1664525u) + seeds[seed] + uint32_t(seed);
    advance();
    seed = seed + 1 == count ? 0 : seed + 1;
  }
  for (int k = wordCount - 1; k; --k) {
    words[at] = (words[at] ^ previous() * 1566083941u) - uint32_t(at);
    advance();
  }
  words[0] = 0x80000000u;
}

/// The position stays, as it does in NumPy.
void seedMersenne(MersenneState &state, const SeedSequence &seed) {
  std::vector<uint32_t> words = seed.generate32(wordCount);
  std::memcpy(state.words, words.data(), sizeof state.words);
  state.words[0] = 0x80000000u;
}

} // namespace npcc::rt::random
