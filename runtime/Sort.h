// Sorting lines, on any device: NaN last, complex numbers by their real and then their imaginary part, as NumPy orders them.
#ifndef NPCC_RUNTIME_SORT_H
#define NPCC_RUNTIME_SORT_H

#include <cstdint>

namespace npcc::rt {

/// `lines` lines of `length` elements, contiguous; in and out do not overlap. The results are the sorted elements, or (`positions`) where in its
/// line each of them stood, int64; the order of positions is stable.
struct SortShape {
  int32_t dtype;
  bool positions;
  int64_t lines, length;
  int64_t bound = 0; // all elements are integers from 0 to below it; 0: not known
};

} // namespace npcc::rt

#endif
