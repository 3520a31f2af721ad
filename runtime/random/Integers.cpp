// Integers of any dtype between bounds: Lemire's method, or rejection below a mask as RandomState has it.
#include "runtime/Element.h"
#include "runtime/random/Draws.h"
#include <limits>

namespace npcc::rt::random {
namespace {

using int128 = __int128;

/// The smallest number of ones that holds `bound`.
uint64_t maskOf(uint64_t bound) {
  for (int shift = 1; shift < 64; shift *= 2)
    bound |= bound >> shift;
  return bound;
}

// What the C functions of NumPy's are called by dtype. Bits that are left of a 32-bit word are kept from one element to
// the next of one call.
template <typename Word> struct Bounded;
#define NPCC_BOUNDED(WORD, SUFFIX)                                                                                     \
  template <> struct Bounded<WORD> {                                                                                   \
    static void fill(bitgen_t *bits, WORD low, WORD range, int64_t count, bool masked, WORD *out) {                    \
      random_bounded_##SUFFIX##_fill(bits, low, range, count, masked, out);                                            \
    }                                                                                                                  \
    static WORD one(bitgen_t *bits, WORD low, WORD range, bool masked, int *kept, uint32_t *rest) {                    \
      return random_buffered_bounded_##SUFFIX(bits, low, range, WORD(maskOf(range)), masked, kept, rest);              \
    }                                                                                                                  \
  };
NPCC_BOUNDED(uint32_t, uint32)
NPCC_BOUNDED(uint16_t, uint16)
NPCC_BOUNDED(uint8_t, uint8)
#undef NPCC_BOUNDED

struct Bit {
  uint8_t value;
};
template <> struct Bounded<Bit> {
  static void fill(bitgen_t *bits, uint8_t low, uint8_t range, int64_t count, bool masked, Bit *out) {
    random_bounded_bool_fill(bits, low, range, count, masked, &out->value);
  }
  static Bit one(bitgen_t *bits, uint8_t low, uint8_t range, bool masked, int *kept, uint32_t *rest) {
    return {random_buffered_bounded_bool(bits, low, range, uint8_t(maskOf(range)), masked, kept, rest)};
  }
};

template <> struct Bounded<uint64_t> {
  static void fill(bitgen_t *bits, uint64_t low, uint64_t range, int64_t count, bool masked, uint64_t *out) {
    random_bounded_uint64_fill(bits, low, range, count, masked, out);
  }
  static uint64_t one(bitgen_t *bits, uint64_t low, uint64_t range, bool masked, int *, uint32_t *) {
    return random_bounded_uint64(bits, low, range, maskOf(range), masked);
  }
};

struct Interval {
  int128 low, high; // both included
};

class Integers {
public:
  Integers(Draw &draw, bool masked)
      : draw(draw), request(draw.request), masked(masked), isArray(request.array_count > 0),
        flags(int(request.scalars[isArray ? 0 : 2].i)) {}

  Status run(int128 lowest, int128 highest) {
    this->lowest = lowest;
    this->highest = highest;
    // NumPy asks nothing of the bounds of no numbers.
    return request.count ? checkAll() : Status();
  }

  template <typename Word> Status fill() {
    auto *out = static_cast<Word *>(draw.out);
    bitgen_t *bits = bitsOf(draw.generator);
    if (!isArray) {
      Interval interval = intervalAt(0);
      Bounded<Word>::fill(bits, uint64_t(interval.low), uint64_t(interval.high - interval.low), request.count, masked,
                          out);
      return {};
    }
    int kept = 0;
    uint32_t rest = 0;
    for (int64_t k = 0; k < request.count; ++k) {
      Interval interval = intervalAt(k);
      out[k] = Bounded<Word>::one(bits, uint64_t(interval.low), uint64_t(interval.high - interval.low), masked, &kept,
                                  &rest);
    }
    return {};
  }

  Interval intervalAt(int64_t k) const {
    auto widen = [&](int position, int flag) -> int128 {
      int64_t value = isArray ? static_cast<const int64_t *>(draw.arrays[position])[k] : request.scalars[position].i;
      return flags & flag ? int128(uint64_t(value)) : int128(value);
    };
    int128 high = widen(1, HighIsUnsigned);
    return {widen(0, LowIsUnsigned), flags & (IncludesHigh | HighIsLowered) ? high : high - 1};
  }

private:
  Status checkAll() const {
    int64_t count = isArray ? request.count : 1;
    auto any = [&](auto &&isBad) {
      for (int64_t k = 0; k < count; ++k)
        if (isBad(intervalAt(k)))
          return true;
      return false;
    };
    const char *dtype = npcc_rt_dtype_name(npcc_dtype(request.dtype));
    if (any([&](Interval i) { return i.low < lowest; }))
      return makeError(NPCC_VALUE_ERROR, "low is out of bounds for {}", dtype);
    if (any([&](Interval i) { return i.high > highest; }))
      return makeError(NPCC_VALUE_ERROR, "high is out of bounds for {}", dtype);
    if (!any([&](Interval i) { return i.low > i.high; }))
      return {};
    bool closed = flags & IncludesHigh;
    if (!any([&](Interval i) { return i.low != 0; }))
      return makeError(NPCC_VALUE_ERROR, "high {} 0", closed ? "<" : "<=");
    return makeError(NPCC_VALUE_ERROR, "low {} high", closed ? ">" : ">=");
  }

  Draw &draw;
  const npcc_draw &request;
  bool masked, isArray;
  int flags;
  int128 lowest = 0, highest = 0;
};

/// body(lowest, highest, a word) for the draw's dtype: what the dtype holds, and the word that its elements are drawn
/// as.
template <typename Body> Status forDtype(int32_t dtype, Body &&body) {
  auto as = [&]<typename Element, typename Word>(Element, Word word) {
    return body(std::numeric_limits<Element>::min(), std::numeric_limits<Element>::max(), word);
  };
  switch (dtype) {
  case NPCC_BOOL:
    return as(bool(), Bit());
  case NPCC_INT8:
    return as(int8_t(), uint8_t());
  case NPCC_INT16:
    return as(int16_t(), uint16_t());
  case NPCC_INT32:
    return as(int32_t(), uint32_t());
  case NPCC_INT64:
    return as(int64_t(), uint64_t());
  case NPCC_UINT8:
    return as(uint8_t(), uint8_t());
  case NPCC_UINT16:
    return as(uint16_t(), uint16_t());
  case NPCC_UINT32:
    return as(uint32_t(), uint32_t());
  case NPCC_UINT64:
    return as(uint64_t(), uint64_t());
  default:
    return makeError(NPCC_TYPE_ERROR, "Unsupported dtype dtype('{}') for integers",
                     npcc_rt_dtype_name(npcc_dtype(dtype)));
  }
}

Status drawBetween(Draw &draw, bool masked) {
  return forDtype(draw.request.dtype, [&]<typename Word>(int128 lowest, int128 highest, Word) -> Status {
    Integers integers(draw, masked);
    NPCC_TRY(integers.run(lowest, highest));
    return draw.request.count ? integers.fill<Word>() : Status();
  });
}

} // namespace

Status integerInterval(Draw &draw, uint64_t &low, uint64_t &range) {
  return forDtype(draw.request.dtype, [&](int128 lowest, int128 highest, auto) -> Status {
    Integers integers(draw, false);
    NPCC_TRY(integers.run(lowest, highest));
    Interval interval = integers.intervalAt(0);
    low = uint64_t(interval.low);
    range = uint64_t(interval.high - interval.low);
    return {};
  });
}

Status drawIntegers(Draw &draw) { return drawBetween(draw, false); }
Status drawMaskedIntegers(Draw &draw) { return drawBetween(draw, true); }

Status drawRaw(Draw &draw) {
  bitgen_t *bits = bitsOf(draw.generator);
  for (int64_t k = 0; k < draw.request.count; ++k)
    static_cast<uint64_t *>(draw.out)[k] = bits->next_raw(bits->state);
  return {};
}

Status drawPositiveIntegers(Draw &draw) {
  for (int64_t k = 0; k < draw.request.count; ++k)
    static_cast<int64_t *>(draw.out)[k] = random_positive_int(bitsOf(draw.generator));
  return {};
}

} // namespace npcc::rt::random
