// The methods of reject.cu. Each says what its units are, which of them give a number at once (isFast), and what comes of the others (attempt: how many
// units are taken, plus 128 where no number comes of them).
#include "BitStreams.cuh"
#include <cuda/std/type_traits>

struct Bit {
  uint8_t value;
};

/// A tile's units in shared memory, numbered from its first one; a few before it are there, too.
template <typename Unit> struct Held {
  const void *units;
  __device__ Unit operator[](int i) const { return static_cast<const Unit *>(units)[i]; }
};
template <> struct Held<Bit> {
  const void *units;
  __device__ Bit operator[](int i) const { return {uint8_t(static_cast<const uint32_t *>(units)[i / 32] >> (i % 32) & 1)}; }
};

__device__ double uniformOf(const RejectParams &p, uint64_t word) {
  if (p.from == UnitSource::Memory)
    return (uint32_t(word >> 37) * 67108864.0 + (uint32_t(word) >> 6)) / 9007199254740992.0;
  return double(word >> 11) * (1.0 / 9007199254740992.0);
}
__device__ float uniformOf(const RejectParams &, uint32_t word) { return float(word >> 8) * (1.0f / 16777216.0f); }

/// Both sides of `a < b`, of which b comes of a function that machines round differently, are too close to say.
__device__ bool isClose(double a, double b, double relative) { return fabs(a - b) <= relative * b; }

/// The ziggurat method (G. Marsaglia and W. W. Tsang, 2000) with NumPy's tables.
template <typename Real> struct ZigguratOf {
  static constexpr bool takesOne = false, isDouble = sizeof(Real) == 8;
  static constexpr int unitBits = 8 * sizeof(Real), blocksAtOnce = isDouble ? 5 : 6; // what shared memory and registers allow
  using Unit = cuda::std::conditional_t<isDouble, uint64_t, uint32_t>;
  using Table = cuda::std::conditional_t<isDouble, Ziggurat64, Ziggurat32>;
  using Number = Real;
  struct Tables {
    Unit k[256];
    Real w[256];
  };

  const RejectParams &p;
  const Table &table; // its f is seldom needed
  Tables &tables;
  Held<Unit> units;

  __device__ ZigguratOf(const RejectParams &p, Tables &tables, Held<Unit> units) : p(p), table(*static_cast<const Table *>(p.ziggurat)), tables(tables), units(units) {
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
      tables.k[i] = table.k[i];
      tables.w[i] = table.w[i];
    }
    __syncthreads();
  }
  __device__ Real uniform(int i) const { return uniformOf(p, units[i]); }
  __device__ void markUncertain() const { p.result->isUncertain = 1; }
  /// A height between the two of a layer.
  __device__ Real height(int layer, int i) const { return (table.f[layer - 1] - table.f[layer]) * uniform(i) + table.f[layer]; }
  template <int count> __device__ void keep(int64_t index, const Unit (&kept)[count]) const {
    int place = atomicAdd(&p.result->tailCount, 1);
    if (place >= p.mostTails)
      return;
    p.tailIndices[place] = index;
    for (int k = 0; k < count; ++k)
      static_cast<Unit *>(p.tailUnits)[int64_t(place) * count + k] = kept[k];
  }
};

template <typename Real> struct Normal : ZigguratOf<Real> {
  using Base = ZigguratOf<Real>;
  using typename Base::Unit;
  using Base::Base, Base::isDouble, Base::p, Base::tables, Base::units;
  static constexpr double lastLayer = 3.6541528853610088; // where the lowest layer's rectangle ends

  static __device__ int layer(Unit unit) { return int(unit & 255); }
  static __device__ Unit magnitude(Unit unit) { return isDouble ? unit >> 9 & 0x000fffffffffffffu : Unit(unit >> 9 & 0x7fffffu); }
  __device__ Real standard(Unit unit) const {
    Real x = Real(magnitude(unit)) * tables.w[layer(unit)];
    return unit >> 8 & 1 ? -x : x;
  }
  __device__ bool isFast(Unit unit) const { return magnitude(unit) < tables.k[layer(unit)]; }
  __device__ int attempt(int i, Unit unit) const {
    if (layer(unit)) {
      Real x = standard(unit), left = this->height(layer(unit), i + 1);
      double right = exp(-0.5 * x * x);
      if (isClose(left, right, 1e-14))
        this->markUncertain();
      return left < right ? 2 : 2 | 128;
    }
    for (int taken = 3; taken <= mostOfAttempt; taken += 2) {
      Real x = Real(-1 / lastLayer) * log1p(-this->uniform(i + taken - 2)), y = -log1p(-this->uniform(i + taken - 1));
      if (isClose(y + y, x * x, isDouble ? 1e-14 : 1e-6))
        this->markUncertain();
      if (y + y > x * x)
        return taken;
    }
    this->markUncertain();
    return mostOfAttempt;
  }
  /// Behind the last layer's end: the host has its own logarithm.
  __device__ bool isTail(Unit unit) const { return layer(unit) == 0; }
  __device__ void keepTail(int64_t index, int i, int taken) const {
    const Unit kept[unitsOfNormalTail] = {units[i], units[i + taken - 2], units[i + taken - 1]};
    this->keep(index, kept);
  }
  __device__ Real number(Unit unit) const { return isDouble && p.isAffine ? Real(p.shift + p.scale * standard(unit)) : standard(unit); }
};

template <typename Real> struct Exponential : ZigguratOf<Real> {
  using Base = ZigguratOf<Real>;
  using typename Base::Unit;
  using Base::Base, Base::isDouble, Base::p, Base::tables, Base::units;

  static __device__ int layer(Unit unit) { return int((isDouble ? unit >> 3 : unit >> 1) & 255); }
  static __device__ Unit magnitude(Unit unit) { return isDouble ? unit >> 11 : unit >> 9; }
  __device__ Real standard(Unit unit) const { return Real(magnitude(unit)) * tables.w[layer(unit)]; }
  __device__ bool isFast(Unit unit) const { return magnitude(unit) < tables.k[layer(unit)]; }
  __device__ int attempt(int i, Unit unit) const {
    if (layer(unit) == 0)
      return 2;
    Real left = this->height(layer(unit), i + 1);
    double right = exp(-double(standard(unit)));
    if constexpr (isDouble) {
      if (isClose(left, right, 1e-14))
        this->markUncertain();
      return left < right ? 2 : 2 | 128;
    }
    // The host's is rounded to float32, and not always to the nearest one.
    float rounded = float(right), lower = rounded <= right ? rounded : nextafterf(rounded, 0.0f), upper = nextafterf(lower, 2.0f);
    if (float(left) == lower && fabs(right - (double(lower) + double(upper)) / 2) < 0.004 * (double(upper) - double(lower)))
      this->markUncertain();
    return left < rounded ? 2 : 2 | 128;
  }
  __device__ bool isTail(Unit unit) const { return layer(unit) == 0; }
  __device__ void keepTail(int64_t index, int i, int) const {
    const Unit kept[unitsOfExponentialTail] = {units[i], units[i + 1]};
    this->keep(index, kept);
  }
  __device__ Real number(Unit unit) const { return isDouble ? Real(p.scale * standard(unit)) : standard(unit); }
};

/// The bits of a product of two units: above, and below where the remainder decides (D. Lemire, 2019).
template <typename Unit> struct Product {
  static constexpr int bits = sizeof(Unit) * 8;
  Unit high, low;
  __device__ Product(Unit a, uint64_t b) {
    if constexpr (bits == 64) {
      high = __umul64hi(a, b);
      low = a * b;
    } else {
      uint64_t product = uint64_t(a) * b;
      high = Unit(product >> bits);
      low = Unit(product);
    }
  }
};

template <typename UnitType, typename NumberType> struct Bounded {
  static constexpr bool takesOne = true, isBit = cuda::std::is_same_v<UnitType, Bit>;
  static constexpr int unitBits = isBit ? 1 : 8 * sizeof(UnitType), blocksAtOnce = 5;
  using Unit = UnitType;
  using Number = NumberType;
  struct Tables {};

  const RejectParams &p;
  Held<Unit> units;
  uint64_t mask, threshold, choices; // choices: 0 stands for 2^64
  __device__ Bounded(const RejectParams &p, Tables &, Held<Unit> units) : p(p), units(units), mask(p.range), threshold(0), choices(p.range + 1) {
    for (int by = 1; by < 64; by *= 2)
      mask |= mask >> by;
    if constexpr (!isBit)
      if (choices)
        threshold = uint64_t(Unit(~Unit(0)) - p.range) % choices;
  }
  __device__ bool isFast(Unit unit) const {
    if constexpr (isBit)
      return true;
    else if (!choices)
      return true;
    else if (p.isMasked)
      return (unit & mask) <= p.range;
    else
      return Product<Unit>(unit, choices).low >= threshold;
  }
  __device__ Number number(Unit unit) const {
    if constexpr (isBit)
      return Number(p.low + unit.value);
    else if (!choices)
      return Number(p.low + unit);
    else if (p.isMasked)
      return Number(p.low + (unit & mask));
    else
      return Number(p.low + Product<Unit>(unit, choices).high);
  }
  __device__ int attempt(int, Unit) const { return 1 | 128; }
};
