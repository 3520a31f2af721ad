// The grid and the blocks of a launch.
#ifndef NPCC_RUNTIME_LAUNCHSHAPE_H
#define NPCC_RUNTIME_LAUNCHSHAPE_H
#include "runtime/Status.h"

namespace npcc::rt {

/// "grid (2, 1, 1)"
std::string describeExtents(const char *what, const int64_t *extents);
/// What the driver would only call an invalid value, whatever the kernel is: an axis with too many blocks or threads.
/// `file` and `line`: of the launch, where they are known.
Status checkLaunchShape(const char *kernel, const int64_t *grid, const int64_t *block, const char *file = nullptr,
                        int32_t line = 0);
inline int64_t countThreads(const int64_t *block) { return block[0] * block[1] * block[2]; }

} // namespace npcc::rt

#endif
