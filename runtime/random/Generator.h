// What npcc_generator stands for inside the runtime.
#ifndef NPCC_RUNTIME_RANDOM_GENERATOR_H
#define NPCC_RUNTIME_RANDOM_GENERATOR_H

#include "runtime/abi/random.h"
#include "runtime/random/BitGenerators.h"

namespace npcc::rt::random {

/// A generator of the runtime's own. One that shares another's state (a Generator of a BitGenerator) has no state
/// itself.
struct OwnGenerator : npcc_generator {
  std::unique_ptr<BitGenerator> state;
  std::shared_ptr<SeedSequence> seed; // null after a seeding as of old
  std::string_view bitsName;          // "PCG64"; empty for a SeedSequence
};

inline bitgen_t *bitsOf(npcc_generator &generator) { return static_cast<bitgen_t *>(generator.bits); }

/// One draw, whose arrays and elements are on the host.
struct Draw {
  npcc_generator &generator;
  const npcc_draw &request;
  void *out;
  std::vector<const void *> arrays;
};

/// Checks the parameters, then draws.
Status draw(Draw &draw);
/// Draws; the parameters have been checked.
Status fill(Draw &draw);
/// The parameters of Distributions.def.
Status checkParameters(Draw &draw);

} // namespace npcc::rt::random

#endif
