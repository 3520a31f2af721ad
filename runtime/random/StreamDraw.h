// What a device may draw itself from a bit generator's stream (Device::drawNumbers).
#ifndef NPCC_RUNTIME_RANDOM_STREAMDRAW_H
#define NPCC_RUNTIME_RANDOM_STREAMDRAW_H

#include "runtime/abi/random.h"
#include <cstdint>
#include <vector>

namespace npcc::rt::random {

/// Quotients: of two normal numbers that come one behind the other.
/// Walk: numbers of which each has parameters of its own. Positions: int64, of choices.
enum class StreamMethod { Uniform, Normal, Exponential, Integers, Quotients, Numbers, Walk, Positions };

/// Tail: of 0 to n - 1, what the last steps of a shuffle leave. Distinct: a sample of a large population (Floyd's
/// method).
enum class PositionMethod { Tail, Distinct };

/// Which distribution `Numbers` are of.
enum class NumberRow : int32_t {
#define NPCC_NUMBERS(name, ...) name,
#include "runtime/random/Numbers.def"
};

/// Which distribution the numbers of a walk are of.
enum class WalkRow : int32_t {
#define NPCC_WALKS(name, ...) name,
#include "runtime/random/Walks.def"
};

/// Whether the host makes many of the numbers of a row.
constexpr bool hasManyDoubts(NumberRow row) {
  constexpr double doubts[] = {
#define NPCC_NUMBERS(name, Class, doubts) doubts,
#include "runtime/random/Numbers.def"
  };
  return doubts[int32_t(row)] > 0.01;
}

constexpr bool hasManyDoubts(WalkRow row) {
  constexpr double doubts[] = {
#define NPCC_WALKS(name, Class, doubts, constants, few) doubts,
#include "runtime/random/Walks.def"
  };
  return doubts[int32_t(row)] > 0.01;
}

/// From so many numbers of a row on, a device draws them sooner than the host.
constexpr int64_t fewOf(WalkRow row) {
  constexpr int64_t never = INT64_MAX;
  constexpr int64_t few[] = {
#define NPCC_WALKS(name, Class, doubts, constants, few) few,
#include "runtime/random/Walks.def"
  };
  return few[int32_t(row)];
}

/// Whether the numbers of a row come in pairs.
constexpr bool isPairs(NumberRow row) {
  switch (row) {
#define NPCC_NUMBERS(name, ...)
#define NPCC_NUMBER_PAIRS(name, ...) case NumberRow::name:
#include "runtime/random/Numbers.def"
    return true;
  default:
    return false;
  }
}

/// A number takes one or more units of the stream: of 64 or 32 bits, or a part of 32 bits (16, 8 or 1), the lowest
/// first.
struct StreamDraw {
  StreamMethod method;
  int32_t dtype;
  int32_t unitBits;
  double shift = 0, scale = 1; // of float64: shift + scale * (a standard number)
  bool isAffine = false;       // else the standard number itself
  uint64_t low = 0, range = 0; // integers, both bounds included
  bool isMasked = false;       // integers: rejection below a mask, else by Lemire's method
  int64_t count = 0;
  void *out = nullptr;         // on the device
  int32_t kind = 0;            // npcc_bits_kind
  const void *state = nullptr; // as States.h has it; stays as it is
  /// A number of the ziggurat method that needs the host's logarithm, of those units that matter.
  double (*tail)(const StreamDraw &draw, const uint64_t units[3]) = nullptr;

  // Numbers.
  NumberRow number{};
  double constants[4] = {};
  int64_t whole = 0;
  std::vector<double> table; // on the host
  int64_t each = 1;          // so many numbers are drawn at once: 2 of a pair
  double unitsOfNumber = 0;  // about how many each takes (of a pair, both)
  const npcc_draw *request = nullptr;
  /// So many numbers (or pairs) that begin with these units, as the host makes them, and how many units they take.
  void (*replay)(const StreamDraw &draw, const uint64_t *units, int64_t count, int64_t numbers, int64_t &taken,
                 void *values) = nullptr;

  // A walk: `constants`, `each` and `request` are as above.
  WalkRow walk{};
  const void *given[3] = {}; // of each number, on the device: float64 or int64
  const void *known[3] = {}; // the same on the host
  int64_t first = 0;         // so many numbers, or lines of them, have been drawn before
  int64_t lineLength = 0;
  // Positions.
  PositionMethod positions{};
  int64_t population = 0;
  bool isShuffled = false; // the sample is shuffled, too

  /// Of a walk: number k, or line k, as the generator at hand gives it to the host.
  void (*drawOne)(const StreamDraw &draw, int64_t k, npcc_generator &generator, void *value) = nullptr;
  /// The same of these units, and how many it takes.
  void (*replayOne)(const StreamDraw &draw, int64_t k, const uint64_t *units, int64_t count, int64_t &taken,
                    void *value) = nullptr;
};

/// The first `drawn` numbers are drawn, from so many units; none where the device cannot, or cannot be sure of the
/// host's bits. Of MT19937, `words` are the 624 output words of the state's turn that the last one taken is of.
struct StreamOutcome {
  int64_t drawn = 0, units = 0;
  bool isDoubtful = false;      // of a walk: the next number is one that only the host can tell
  const char *reason = nullptr; // why a device that began has drawn none
  std::vector<uint32_t> words;
};

/// How many words of 32 bits so many units are.
inline int64_t words32(int32_t unitBits, int64_t units) {
  return unitBits == 64 ? 2 * units : (units * unitBits + 31) / 32;
}

/// MT19937: the turn of 624 words that the last of `taken` words is of, counted from the state's, where `position`
/// words of it are used up.
inline int64_t turnOf(int32_t position, int64_t taken) { return taken ? (position + taken - 1) / 624 : 0; }

} // namespace npcc::rt::random

#endif
