#ifndef NPCC_RUNTIME_CPU_PARTITION_H
#define NPCC_RUNTIME_CPU_PARTITION_H

#include "runtime/Device.h"
#include "runtime/Sort.h"
#include "runtime/Status.h"
#include <vector>

namespace npcc::rt {

/// Brings the elements that belong in some places of each line there, lesser ones before and greater ones behind; the
/// places are ascending.
Status partitionOnHost(const SortShape &shape, const std::vector<int64_t> &places, void *lines);
/// The elements themselves, of lines that stay as they are.
Status selectOnHost(Device &device, const SortShape &shape, const void *in, const int64_t *places, int64_t count,
                    void *out);
/// Where the elements of lines so ordered stand in `in`.
Status argpartitionOnHost(const SortShape &shape, const std::vector<int64_t> &places, const void *in, int64_t *out);

} // namespace npcc::rt

#endif
