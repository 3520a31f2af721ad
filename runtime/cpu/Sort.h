#ifndef NPCC_RUNTIME_CPU_SORT_H
#define NPCC_RUNTIME_CPU_SORT_H

#include "runtime/Device.h"

namespace npcc::rt {

Status sortOnHost(Device &device, const SortShape &shape, const void *in, void *out);

} // namespace npcc::rt

#endif
