// NumPy's bit generators, behind the interface that its distributions draw from (bitgen_t).
#ifndef NPCC_RUNTIME_RANDOM_BITGENERATORS_H
#define NPCC_RUNTIME_RANDOM_BITGENERATORS_H

#include "runtime/abi/random.h"
#include "runtime/random/NumpyRandom.h"
#include "runtime/random/SeedSequence.h"
#include "runtime/random/States.h"
#include <memory>
#include <string_view>

namespace npcc::rt::random {

/// A state and the functions that draw from it.
class BitGenerator {
public:
  virtual ~BitGenerator() = default;
  bitgen_t bits{};

  /// NumPy's name: "PCG64".
  const char *name = "";
  npcc_bits_kind kind = NPCC_BITS_OTHER;
};

/// The generator of that name, seeded; null if there is none.
std::unique_ptr<BitGenerator> makeBitGenerator(std::string_view name, const SeedSequence &seed);

/// As numpy.random.seed does it: of one integer, of several, and of what the system gives.
void seedMersenne(MersenneState &state, uint32_t seed);
void seedMersenne(MersenneState &state, const uint32_t *seeds, int64_t count);
void seedMersenne(MersenneState &state, const SeedSequence &seed);

} // namespace npcc::rt::random

#endif
