#ifndef NPCC_RUNTIME_CPU_SHAREDPRODUCTS_H
#define NPCC_RUNTIME_CPU_SHAREDPRODUCTS_H

#include "runtime/cpu/Blas.h"

namespace npcc::rt {

/// A product by a BLAS, whose parts the pool's threads take where it is large. False if a size does not fit the
/// library's integers; dtype is FLOAT32/64 or COMPLEX64/128.
bool multiplyShared(const Blas &blas, int32_t dtype, const BlasProduct &product);

} // namespace npcc::rt

#endif
