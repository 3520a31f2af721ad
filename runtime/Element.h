// Element types: sizes, names, and scalars in npcc_value's form against scalars in memory.
#ifndef NPCC_RUNTIME_ELEMENT_H
#define NPCC_RUNTIME_ELEMENT_H
#include "runtime/abi/dtypes.h"
#include "runtime/abi/values.h"


namespace npcc::rt {

inline constexpr int64_t elementSizes[NPCC_DTYPE_COUNT] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 8, 16, 2};

inline bool isDtype(int32_t dtype) { return dtype >= 0 && dtype < NPCC_DTYPE_COUNT; }
inline int64_t elementSize(int32_t dtype) { return elementSizes[dtype]; }
/// Floats of 16 bits, of which products are summed in float32.
inline bool isNarrowFloat(int32_t dtype) { return dtype == NPCC_FLOAT16 || dtype == NPCC_BFLOAT16; }
/// What an element's address must be a multiple of: complex numbers align as their parts do.
inline int64_t elementAlignment(int32_t dtype) {
  return dtype == NPCC_COMPLEX64 ? 4 : dtype == NPCC_COMPLEX128 ? 8 : elementSizes[dtype];
}

/// Stores a scalar given as npcc_value says into memory as its dtype; and the other way round.
void storeScalar(void *to, int32_t dtype, const npcc_value &value);
npcc_value loadScalar(const void *from, int32_t dtype);

/// IEEE binary16, round to nearest even.
uint16_t halfFromDouble(double value);
double halfToDouble(uint16_t bits);

/// bfloat16: the upper half of a float32, round to nearest even. A double is rounded to float32 first, as ml_dtypes does.
uint16_t bfloatFromFloat(float value);
float bfloatToFloat(uint16_t bits);

} // namespace npcc::rt

#endif
