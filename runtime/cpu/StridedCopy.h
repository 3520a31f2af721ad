// Copies between strided views in host memory.
#ifndef NPCC_RUNTIME_CPU_STRIDEDCOPY_H
#define NPCC_RUNTIME_CPU_STRIDEDCOPY_H

#include "runtime/View.h"

namespace npcc::rt {

/// Normalised views (View.h) that do not overlap; large copies use the thread pool.
void copyStridedOnHost(const View &to, const View &from);

/// memcpy, by several threads where that pays.
void copyBytesOnHost(void *to, const void *from, int64_t bytes);

} // namespace npcc::rt

#endif
