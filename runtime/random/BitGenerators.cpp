#include "runtime/random/BitGenerators.h"
#include <cstring>

namespace npcc::rt::random {
namespace {

/// 53 bits as a float in [0, 1).
double toDouble(uint64_t bits) { return static_cast<double>(bits >> 11) * (1.0 / 9007199254740992.0); }

/// A generator of 64-bit words; bitgen_t::state points to its state.
template <typename Engine> struct Words64 : BitGenerator {
  using State = typename Engine::State;
  State state{};

  Words64(const char *spelled, npcc_bits_kind known) {
    name = spelled;
    kind = known;
    bits.state = &state;
    bits.next_uint64 = bits.next_raw = [](void *state) { return Engine::next(*static_cast<State *>(state)); };
    bits.next_uint32 = next32;
    bits.next_double = [](void *state) { return toDouble(Engine::next(*static_cast<State *>(state))); };
  }
  static uint32_t next32(void *opaque) {
    auto &state = *static_cast<State *>(opaque);
    if (state.hasHalf) {
      state.hasHalf = 0;
      return state.half;
    }
    uint64_t word = Engine::next(state);
    state.hasHalf = 1;
    state.half = uint32_t(word >> 32);
    return uint32_t(word);
  }
};

/// A seed is mixed in with the multiplier of PCG64, for PCG64DXSM too.
template <typename Engine> struct OfCongruence : Words64<Engine> {
  Congruence congruence;
  OfCongruence(const char *name, npcc_bits_kind kind, const SeedSequence &seed) : Words64<Engine>(name, kind) {
    auto join = [](uint64_t high, uint64_t low) { return uint128(high) << 64 | low; };
    std::vector<uint64_t> words = seed.generate64(4);
    congruence.increment = join(words[2], words[3]) << 1 | 1;
    congruence.state = congruence.increment + join(words[0], words[1]);
    congruence.stepBy(Pcg64::multiplier);
    this->state.congruence = &congruence;
  }
};

struct OfSfc64 : Words64<Sfc64> {
  explicit OfSfc64(const SeedSequence &seed) : Words64("SFC64", NPCC_BITS_SFC64) {
    std::vector<uint64_t> words = seed.generate64(3);
    state.a = words[0];
    state.b = words[1];
    state.c = words[2];
    state.counter = 1;
    Sfc64::skip(state, 12);
  }
};

struct OfPhilox : Words64<Philox> {
  uint64_t counter[4] = {}, key[2];
  explicit OfPhilox(const SeedSequence &seed) : Words64("Philox", NPCC_BITS_PHILOX) {
    std::vector<uint64_t> words = seed.generate64(2);
    key[0] = words[0];
    key[1] = words[1];
    state.counter = counter;
    state.key = key;
    state.used = 4;
  }
};

//===---- MT19937 (Matsumoto and Nishimura)
//--------------------------------------------------------------------------------===//

constexpr int wordCount = MersenneState::wordCount, middle = 397;

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
    kind = NPCC_BITS_MT19937;
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
    return tempered(state.words[state.position++]);
  }
};

} // namespace

std::unique_ptr<BitGenerator> makeBitGenerator(std::string_view name, const SeedSequence &seed) {
  if (name == "PCG64")
    return std::make_unique<OfCongruence<Pcg64>>("PCG64", NPCC_BITS_PCG64, seed);
  if (name == "PCG64DXSM")
    return std::make_unique<OfCongruence<Pcg64Dxsm>>("PCG64DXSM", NPCC_BITS_PCG64DXSM, seed);
  if (name == "SFC64")
    return std::make_unique<OfSfc64>(seed);
  if (name == "Philox")
    return std::make_unique<OfPhilox>(seed);
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
