/* Kernels of generated code, inside a frame. */
#ifndef NPCC_ABI_KERNELS_H
#define NPCC_ABI_KERNELS_H
#include "runtime/abi/export.h"

NPCC_BEGIN_C

/* CPU: body(lo, hi, context) over [0, n) in chunks of at least `grain`; inline if n <= grain. An error inside a chunk
 * fails the frame after the join. Chunk borders are multiples of `grain`, whatever the number of threads. */
NPCC_EXPORT void npcc_rt_parallel_for(int64_t n, int64_t grain, void (*body)(int64_t lo, int64_t hi, void *context),
                                      void *context);
/* The same of a kernel; label: as npcc_kernel's. */
NPCC_EXPORT void npcc_rt_run_kernel(int64_t n, int64_t grain, void (*body)(int64_t lo, int64_t hi, void *context),
                                    void *context, const char *label);

/* CUDA: an image (fatbin, cubin or PTX text) and the kernels in it; both are static data of the module, loaded and
 * looked up once per device. */
typedef struct npcc_image {
  const void *cubin; int64_t cubin_bytes; int32_t cubin_capability; /* e.g. 90 */
  const char *ptx;  /* NUL-terminated, or NULL */
  void *state;      /* the runtime's; starts NULL */
} npcc_image;
typedef struct npcc_kernel {
  npcc_image *image;
  const char *name;
  void *state;      /* the runtime's; starts NULL */
  const char *label; /* for recordings: "its name<tab>file.py:line", or NULL */
} npcc_kernel;
/* params[k] points to parameter k. flags: 1 = cooperative (all blocks run at once), 2 = and grid_x is the most that
 * is wanted: the runtime takes as many blocks as the device runs at once. 4 = the first of several launches, 8 = one
 * of the others: none of them needs or changes what another one writes, nothing is allocated or freed between them,
 * and the runtime may run them side by side. 16 = it may reach memory that it must not: errors that end the context
 * name it. An empty grid is legal and launches nothing. */
NPCC_EXPORT void npcc_rt_launch(npcc_kernel *kernel, int64_t grid_x, int64_t grid_y, int64_t grid_z, int64_t block_x,
                                int64_t block_y, int64_t block_z, int64_t shared_bytes, int32_t flags, void **params);
#define NPCC_RECORD_WORDS 17
#define NPCC_RECORD_FLAG 16
/* The numbers of an error, in the order of a message's `{0}`, `{1}`, ...: words 2, 3, 4 and 8 to 15. */
#define NPCC_RECORD_NUMBERS 11
#define NPCC_RECORD_NUMBER(k) ((k) < 3 ? 2 + (k) : 5 + (k))
/* Where kernels on this frame's device record an error found on the device: int64 record[NPCC_RECORD_WORDS] = {error,
 * line, three numbers, file pointer (host address), message pointer (host address) or 0, place, eight numbers,
 * flag}. `place`
 * orders errors, and the earliest stays: it is 0 without an error, -1 while a thread writes, and else a positive number
 * of which the bits from 46 on are npcc_rt_launch_number() and the others say where in the launch the program makes the
 * check, 1 or more. A thread that fails writes if `place` is 0 or greater than its own, which it has replaced by -1
 * with a compare-and-swap. It writes its place to `flag`, too, an address of the device, if that is not 0. For
 * NPCC_INDEX_ERROR without a message the numbers are index, axis, size. Checked at every synchronisation, and reset.
 * The record is in host memory that the device can address, one for each thread and stream; on the CPU it is the
 * frame's own. */
NPCC_EXPORT int64_t *npcc_rt_error_record(void);
/* A number for the next launch on this frame's device: greater than that of the launches before in the call, but
 * that it begins again after 2^17 of them. */
NPCC_EXPORT int64_t npcc_rt_launch_number(void);
/* CUDA: the record's flag, in the device's memory: 0, or the place of an error that a launch before has left. Launches
 * that must not happen behind a check that has failed read it. */
NPCC_EXPORT int64_t *npcc_rt_error_flag(void);
/* Before something that cannot ask the flag: waits for launches that may leave an error, if nobody has waited for them
 * since, and fails the frame with it. */
NPCC_EXPORT void npcc_rt_settle(void);
NPCC_EXPORT int32_t npcc_rt_multiprocessors(void);
/* What follows on the device comes after the copy of these bytes, if they are of an argument that is on its way from
 * the host; counted from `address`, in an argument; high < 0: up to its end. */
NPCC_EXPORT void npcc_rt_await(int64_t address, int64_t low, int64_t high);
/* What is launched next may write these bytes of an argument, counted as above, and no others of it. What was
 * written before, elsewhere, may go to the host from now on. Said once for each launch and argument by code that
 * says it for all of them (NPCC_VARIANT_AWAITS). */
NPCC_EXPORT void npcc_rt_written(int64_t address, int64_t low, int64_t high);

NPCC_END_C
#endif
