// The spaces of iterations that code of the target "debug" is in, one inside the other, and a clock that ticks with
// each iteration.
//
// Since iterations run one after the other, an access of earlier is told by its time alone: it was made by another
// iteration of a space if it was made after that space began and before the iteration that is running.
#ifndef NPCC_RUNTIME_DEBUG_SPACES_H
#define NPCC_RUNTIME_DEBUG_SPACES_H
#include <cstdint>
#include <vector>

namespace npcc::rt::debug {

using Time = uint64_t;

struct Space {
  Time begin;                 // when the space began
  Time iteration;             // when the iteration that is running began
  int64_t next = 0;           // how many have begun
  std::vector<int64_t> order; // empty: as they are counted

  bool hadInOtherIteration(Time time) const { return time >= begin && time < iteration; }
};

class Spaces {
public:
  explicit Spaces(uint64_t seed) : random(seed) {}

  void begin(int64_t iterations, bool ordered);
  /// The number of the iteration that begins.
  int64_t next();
  void end() { spaces.pop_back(); }

  Time now() const { return clock; }
  /// Outermost first.
  const std::vector<Space> &all() const { return spaces; }

private:
  uint64_t draw();

  Time clock = 1; // 0 is before everything
  uint64_t random;
  std::vector<Space> spaces;
};

} // namespace npcc::rt::debug

#endif
