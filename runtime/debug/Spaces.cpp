#include "runtime/debug/Spaces.h"
#include <numeric>
#include <utility>

namespace npcc::rt::debug {

/// SplitMix64 (Steele, Lea and Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
uint64_t Spaces::draw() {
  uint64_t z = random += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void Spaces::begin(int64_t iterations, bool ordered) {
  ++clock;
  Space space{clock, clock, 0, {}};
  if (!ordered) {
    space.order.resize(iterations);
    std::iota(space.order.begin(), space.order.end(), 0);
    for (int64_t k = iterations; k-- > 1;)
      std::swap(space.order[k], space.order[draw() % (k + 1)]);
  }
  spaces.push_back(std::move(space));
}

int64_t Spaces::next() {
  Space &space = spaces.back();
  space.iteration = ++clock;
  int64_t number = space.next++;
  return space.order.empty() ? number : space.order[number];
}

} // namespace npcc::rt::debug
