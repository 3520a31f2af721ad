// Fourier transforms on the CPU, by pocketfft: NumPy's own results, for lines of any length.
#ifndef NPCC_RUNTIME_CPU_FOURIER_H
#define NPCC_RUNTIME_CPU_FOURIER_H

#include "runtime/Fourier.h"

namespace npcc::rt {

/// The lines of the two views match; the views are one or do not overlap. The threads of the pool share the lines.
void fourierOnHost(const FourierShape &shape, const View &in, const View &out);

} // namespace npcc::rt

#endif
