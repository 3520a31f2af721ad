/* Many devices: one frame (and one thread) per device of the group, all running the same body. */
#ifndef NPCC_ABI_GROUP_H
#define NPCC_ABI_GROUP_H
#include "runtime/abi/export.h"

NPCC_BEGIN_C

NPCC_EXPORT int64_t npcc_rt_rank(void);  /* 0 outside a group */
NPCC_EXPORT int64_t npcc_rt_size(void);  /* 1 outside a group */
/* out holds size * bytes, in rank order, the same bits on every device. Pointers are on the frame's device. */
NPCC_EXPORT void npcc_rt_all_gather(void *out, const void *in, int64_t bytes);
/* Tiles of rows with `lo` ghost rows before and `hi` after the `rows` own ones, in one buffer of (lo + rows + hi) *
 * row_bytes: fills the ghost rows from the neighbours' own rows. Ranks at the ends leave their outer ghosts alone. */
NPCC_EXPORT void npcc_rt_halo_exchange(void *tile, int64_t rows, int64_t row_bytes, int64_t lo, int64_t hi);

NPCC_END_C
#endif
