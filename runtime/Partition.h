// Selection as a routine that compiled code calls by its name (np.routine): numpy.partition's part of a sort.
#ifndef NPCC_RUNTIME_PARTITION_H
#define NPCC_RUNTIME_PARTITION_H

#include "runtime/Device.h"
#include "runtime/abi/arrays.h"

namespace npcc::rt {

/// All operands are contiguous. The places are int64, of one axis, each in a line.
///
///     routine       operands                 what it does
///     partition     places lines             the elements of the places get there, lesser ones before them
///     argpartition  places lines positions   the positions of elements that are so ordered
///     select        places lines elements    the elements of the places alone, in their order: (lines, places)
///
/// For the first two, another device than the host sorts instead.
Status callPartition(Device &device, const char *routine, const npcc_array *operands);

} // namespace npcc::rt

#endif
