#include "runtime/random/SeedSequence.h"
#include <cerrno>
#include <sys/random.h>

namespace npcc::rt::random {
namespace {

/// Multiplies and folds words; the multiplier changes with each word, so that equal words mix differently.
struct Hash {
  uint32_t multiplier;
  uint32_t factor;

  uint32_t operator()(uint32_t word) {
    word ^= multiplier;
    multiplier *= factor;
    word *= multiplier;
    return word ^ word >> 16;
  }
};

uint32_t mix(uint32_t into, uint32_t word) {
  uint32_t mixed = 0xca01f9ddu * into - 0x4973f715u * word;
  return mixed ^ mixed >> 16;
}

} // namespace

SeedSequence::SeedSequence(std::vector<uint32_t> given, std::vector<uint32_t> key)
    : entropy(std::move(given)), spawnKey(std::move(key)) {
  std::vector<uint32_t> words = entropy;
  // With a spawn key, a short seed must not run into the key's words.
  if (!spawnKey.empty() && words.size() < pool.size())
    words.resize(pool.size());
  words.insert(words.end(), spawnKey.begin(), spawnKey.end());

  Hash hash{0x43b0d7e5u, 0x931e8875u};
  for (size_t k = 0; k < pool.size(); ++k)
    pool[k] = hash(k < words.size() ? words[k] : 0);
  for (size_t from = 0; from < pool.size(); ++from)
    for (size_t to = 0; to < pool.size(); ++to)
      if (from != to)
        pool[to] = mix(pool[to], hash(pool[from]));
  for (size_t from = pool.size(); from < words.size(); ++from)
    for (uint32_t &word : pool)
      word = mix(word, hash(words[from]));
}

SeedSequence SeedSequence::spawn() {
  std::vector<uint32_t> key = spawnKey;
  key.push_back(childrenSpawned++);
  return SeedSequence(entropy, std::move(key));
}

std::vector<uint32_t> SeedSequence::generate32(size_t count) const {
  Hash hash{0x8b51f9ddu, 0x58f38dedu};
  std::vector<uint32_t> words(count);
  for (size_t k = 0; k < count; ++k)
    words[k] = hash(pool[k % pool.size()]);
  return words;
}

std::vector<uint64_t> SeedSequence::generate64(size_t count) const {
  std::vector<uint32_t> halves = generate32(2 * count);
  std::vector<uint64_t> words(count);
  for (size_t k = 0; k < count; ++k)
    words[k] = halves[2 * k] | uint64_t(halves[2 * k + 1]) << 32;
  return words;
}

Status appendWords(const int64_t *integers, int64_t count, bool isUnsigned, std::vector<uint32_t> &words) {
  for (int64_t k = 0; k < count; ++k) {
    if (integers[k] < 0 && !isUnsigned)
      return Status(NPCC_VALUE_ERROR, "expected non-negative integer");
    words.push_back(uint32_t(integers[k]));
    if (integers[k] >> 32)
      words.push_back(uint32_t(integers[k] >> 32));
  }
  return {};
}

Status systemEntropy(std::vector<uint32_t> &words) {
  words.resize(4);
  size_t bytes = words.size() * sizeof(uint32_t), read = 0;
  while (read < bytes) {
    ssize_t more = getrandom(reinterpret_cast<char *>(words.data()) + read, bytes - read, 0);
    if (more < 0 && errno != EINTR)
      return Status(NPCC_RUNTIME_ERROR, "the system gives no random numbers (getrandom)");
    read += more > 0 ? more : 0;
  }
  return {};
}

} // namespace npcc::rt::random
