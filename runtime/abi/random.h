/* Random numbers. */
#ifndef NPCC_ABI_RANDOM_H
#define NPCC_ABI_RANDOM_H
#include "runtime/abi/export.h"

NPCC_BEGIN_C

/* NumPy's bit generators, whose states the runtime knows how to read. */
typedef enum npcc_bits_kind {
  NPCC_BITS_OTHER = 0, NPCC_BITS_MT19937, NPCC_BITS_PCG64, NPCC_BITS_PCG64DXSM, NPCC_BITS_PHILOX, NPCC_BITS_SFC64
} npcc_bits_kind;

/* A source of random numbers. `bits` is a bitgen_t of NumPy's (numpy/random/bitgen.h): that of the caller's object,
 * whose state goes on where the call leaves it, or of the runtime's own. The caller holds its lock during the call. */
typedef struct npcc_generator {
  void *bits;
  /* npcc_bits_kind: numpy.random.seed can set an MT19937; GPUs go on from states that can be read. */
  int32_t bits_kind;
  int32_t has_gauss; /* RandomState: a normal number is kept for the next draw */
  double gauss;
  int32_t is_own; /* made by the runtime */
  /* The caller's way to a new child of `object`, which lives until the call ends; NULL is returned where it has
   * none. NULL: none has. */
  struct npcc_generator *(*spawn)(void *object);
  void *object;
} npcc_generator;

/* Inside a frame (np.new_generator and its like in dialects/Np): generators live until the frame ends. seed: `count`
 * int64 on the frame's device, or NULL. */
NPCC_EXPORT npcc_generator *npcc_rt_new_generator(const char *bits, const char *seeding, npcc_generator *parent,
                                                  const int64_t *seed, int64_t count);
NPCC_EXPORT void npcc_rt_seed_generator(const char *seeding, npcc_generator *generator, const int64_t *seed,
                                        int64_t count);
NPCC_EXPORT npcc_generator *npcc_rt_captured_generator(int64_t number);
/* One draw. distribution: a row of runtime/random/Distributions.def. Scalars are float64 or int64, as are the
 * elements of arrays, which are contiguous. npcc_rt_draw: out and arrays are on the frame's device.
 * npcc_rt_draw_scalar: of one element, which is widened to float64 or int64. */
typedef union npcc_number { double f; int64_t i; } npcc_number;
typedef struct npcc_draw_array { const void *data; int64_t count; } npcc_draw_array;
typedef struct npcc_draw {
  int32_t distribution, dtype;
  int32_t scalar_count, array_count;
  int64_t count;
  const npcc_number *scalars;
  const npcc_draw_array *arrays;
  void *out;
} npcc_draw;
NPCC_EXPORT void npcc_rt_draw(npcc_generator *generator, const npcc_draw *draw);
NPCC_EXPORT void npcc_rt_draw_scalar(npcc_generator *generator, const npcc_draw *draw);
/* The draws one after the other, `turns` times. Each is described as that of one turn, without arrays; `out` has the
 * numbers of all its turns, one turn's behind the other's. */
NPCC_EXPORT void npcc_rt_draw_in_turns(npcc_generator *generator, const npcc_draw *draws, int32_t count, int64_t turns);
/* Whether the state that `bits` (a bitgen_t) has lies in memory as the runtime takes it to lie for such a bit
 * generator (npcc_bits_kind). Draws from it. */
NPCC_EXPORT int32_t npcc_rt_reads_bits(void *bits, int32_t kind);
/* The NumPy whose streams these are: "2.4.6". */
NPCC_EXPORT const char *npcc_rt_random_version(void);

NPCC_END_C
#endif
