// numpy.random.SeedSequence: from a few integers to as many well mixed words as a bit generator needs (O'Neill,
// "Developing a seed_seq alternative").
#ifndef NPCC_RUNTIME_RANDOM_SEEDSEQUENCE_H
#define NPCC_RUNTIME_RANDOM_SEEDSEQUENCE_H

#include "runtime/Status.h"
#include <array>
#include <vector>

namespace npcc::rt::random {

class SeedSequence {
public:
  /// `entropy`: 32-bit words, the lower half of a larger integer first.
  explicit SeedSequence(std::vector<uint32_t> entropy, std::vector<uint32_t> spawnKey = {});

  /// The next child, which shares the entropy and differs in the spawn key.
  SeedSequence spawn();
  std::vector<uint32_t> generate32(size_t count) const;
  std::vector<uint64_t> generate64(size_t count) const;

private:
  std::vector<uint32_t> entropy, spawnKey;
  std::array<uint32_t, 4> pool;
  uint32_t childrenSpawned = 0;
};

/// Words of integers as NumPy takes them apart: one word for what is below 2^32, two for more. ValueError for a
/// negative one, unless the bits are those of uint64.
Status appendWords(const int64_t *integers, int64_t count, bool isUnsigned, std::vector<uint32_t> &words);
/// Four words that nobody can predict.
Status systemEntropy(std::vector<uint32_t> &words);

} // namespace npcc::rt::random

#endif
