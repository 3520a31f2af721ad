// Units of a stream, given again to one of NumPy's functions.
#ifndef NPCC_RUNTIME_RANDOM_UNITREPLAY_H
#define NPCC_RUNTIME_RANDOM_UNITREPLAY_H

#include "runtime/random/BitGenerators.h"

namespace npcc::rt::random {

/// A source of so many units, each of 64 bits or, in the lower half, 32; behind them come others, so that a function
/// that needs more ends, too.
struct UnitReplay {
  const uint64_t *units;
  int64_t count, taken = 0;
  bool isMersenne;
  bitgen_t bits{};

  UnitReplay(const uint64_t *units, int64_t count, int32_t kind)
      : units(units), count(count), isMersenne(kind == NPCC_BITS_MT19937) {
    bits.state = this;
    bits.next_uint64 = bits.next_raw = [](void *self) { return of(self).next(); };
    bits.next_uint32 = [](void *self) { return uint32_t(of(self).next()); };
    bits.next_double = [](void *self) {
      uint64_t word = of(self).next();
      if (of(self).isMersenne)
        return (uint32_t(word >> 37) * 67108864.0 + (uint32_t(word) >> 6)) / 9007199254740992.0;
      return double(word >> 11) * (1.0 / 9007199254740992.0);
    };
  }
  UnitReplay(const UnitReplay &) = delete;

private:
  static UnitReplay &of(void *self) { return *static_cast<UnitReplay *>(self); }
  uint64_t next() {
    int64_t at = taken++;
    if (at < count)
      return units[at];
    uint64_t word = uint64_t(at + 1) * 0x9e3779b97f4a7c15u; // splitmix64
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
  }
};

} // namespace npcc::rt::random

#endif
