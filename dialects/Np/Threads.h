#ifndef NPCC_DIALECTS_NP_THREADS_H
#define NPCC_DIALECTS_NP_THREADS_H
// Thread-level kernels: their launches, and what their threads do.
#include "dialects/Np/Np.h"

#define GET_OP_CLASSES
#include "dialects/Np/NpThreads.h.inc"

namespace npcc::np {
/// Whether a thread that does this waits for other threads, or they for it.
bool waitsForOthers(ThreadAction action);
bool isFence(ThreadAction action);
} // namespace npcc::np

#endif
