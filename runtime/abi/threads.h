/* Thread-level kernels on the CPU. */
#ifndef NPCC_ABI_THREADS_H
#define NPCC_ABI_THREADS_H
#include "runtime/abi/export.h"

NPCC_BEGIN_C

/* Generated code is called with the thread that it is, whose first fields it reads. */
typedef struct npcc_thread {
  int64_t thread[3], block[3];         /* positions: of the thread in its block, of the block in the grid */
  int64_t block_size[3], grid_size[3]; /* in threads, in blocks */
  /* The block's memory: what the kernel declares, and what the launch gives it. */
  char *shared, *dynamic_shared;
  int64_t dynamic_bytes;
  void *runtime; /* the runtime's; NULL where the threads of a block run one after the other */
} npcc_thread;
typedef struct npcc_grid {
  int64_t grid[3], block[3];
  int64_t shared_bytes, dynamic_bytes; /* of shared memory for each block */
  int32_t flags;                       /* NPCC_THREADS_... */
  int32_t line;
  const char *name, *file;             /* of the kernel, for messages */
} npcc_grid;
enum { NPCC_THREADS_MEET = 1, NPCC_THREADS_COOPERATIVE = 2 };
/* KiB of a thread's local arrays stand in npcc_grid::flags from this bit on. */
enum { NPCC_THREADS_LOCAL_SHIFT = 8 };
/* npcc_grid::flags: the kernel tells of its accesses, and races are looked for. */
enum { NPCC_THREADS_CHECKED = 1 << 7 };

/* Runs body(thread, context) for all blocks: with NPCC_THREADS_MEET for each thread, on a stack of its own, so that
 * threads may wait for each other; else once for each block, and the body runs over its threads. ValueError for
 * grids, blocks and shared memory that no GPU has. */
NPCC_EXPORT void npcc_rt_launch_threads(const npcc_grid *grid, void (*body)(npcc_thread *thread, void *context),
                                        void *context);
/* All threads of the block that have not ended (of the grid: `grid` = 1) arrive before one goes on; the number of
 * those whose `value` is not 0. */
NPCC_EXPORT int32_t npcc_rt_thread_barrier(npcc_thread *thread, int32_t grid, int32_t value);
/* The lanes of `mask` meet: each gives a value. `result` gets those of all 32 lanes, and the mask of the lanes that
 * gave one. */
NPCC_EXPORT int32_t npcc_rt_warp_meet(npcc_thread *thread, int32_t mask, int64_t value, int64_t result[32]);
/* ValueError for a grid, block or shared memory that no GPU has. */
NPCC_EXPORT void npcc_rt_check_grid(const npcc_grid *grid);
/* The lanes of `mask` meet. bits of those whose `value` is not 0. */
NPCC_EXPORT int32_t npcc_rt_warp_ballot(npcc_thread *thread, int32_t mask, int32_t value);
/* The lanes of `mask` with the same value. */
NPCC_EXPORT int32_t npcc_rt_warp_match(npcc_thread *thread, int32_t mask, int64_t value);
/* The value of another lane; `inside` is whether it was in the segment of `width` lanes, else the value is the lane's
 * own. kind: 0 a lane of the segment, 1 so many lanes below, 2 above, 3 exclusive or. */
NPCC_EXPORT int64_t npcc_rt_warp_shuffle(npcc_thread *thread, int32_t kind, int32_t mask, int64_t value, int32_t lane,
                                         int32_t width, int8_t *inside);
/* The target "debug": the thread at (x, y, z) of its block reads (kind 0), writes (1) or updates in one step (2) bytes
 * at an address. RuntimeError for a race. */
NPCC_EXPORT void npcc_rt_thread_access(npcc_thread *thread, int64_t x, int64_t y, int64_t z, const void *address,
                                       int64_t bytes, int32_t kind, const char *file, int32_t line);
/* Hears of a fence of the thread, which orders what it did before. */
NPCC_EXPORT void npcc_rt_thread_fence(npcc_thread *thread, int64_t x, int64_t y, int64_t z);
/* The lanes of this warp that have not ended. */
NPCC_EXPORT int32_t npcc_rt_warp_active(npcc_thread *thread);

NPCC_END_C
#endif
