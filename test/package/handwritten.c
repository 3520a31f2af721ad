/* Functions as the compiler would emit them, written by hand: tests of calls, arguments and results that need no compiler. */
#include "runtime/npcc_module.h"
#include "runtime/npcc_rt.h"
#include <string.h>

typedef struct {
  char *allocated, *aligned;
  int64_t offset, sizes[1], strides[1];
} memref1;
typedef struct {
  char *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} memref2;

static double *at1(memref1 *m, int64_t i) { return (double *)m->aligned + m->offset + i * m->strides[0]; }

/* scale(x: float64[:], s: float) -> a new array */
static void scale(void **slots) {
  memref1 *x = slots[0], *out = slots[2];
  double s = *(double *)slots[1];
  *out = *x;
  out->allocated = out->aligned = npcc_rt_alloc(8 * x->sizes[0]);
  out->offset = 0;
  out->strides[0] = 1;
  for (int64_t i = 0; i < x->sizes[0]; ++i)
    *at1(out, i) = s * *at1(x, i);
}

/* pair(x: float64[:]) -> (x, x[::-1], x[0] as numpy.float64, len(x)) */
static void pair(void **slots) {
  memref1 *x = slots[0], *same = slots[1], *reversed = slots[2];
  *same = *reversed = *x;
  npcc_rt_retain(x->allocated);
  npcc_rt_retain(x->allocated);
  if (!x->sizes[0])
    npcc_rt_fail_index(0, 0, 0, "script.py", 7);
  reversed->offset += (x->sizes[0] - 1) * x->strides[0];
  reversed->strides[0] = -x->strides[0];
  *(double *)slots[3] = *at1(x, 0);
  *(int64_t *)slots[4] = x->sizes[0];
}

/* bump(x: float32[:,:]) -> None, adds one in place */
static void bump(void **slots) {
  memref2 *x = slots[0];
  if ((int64_t)x->allocated < 0) /* the mark of a read-only argument */
    npcc_rt_fail(NPCC_VALUE_ERROR, "output array is read-only", "script.py", 9);
  for (int64_t i = 0; i < x->sizes[0]; ++i)
    for (int64_t j = 0; j < x->sizes[1]; ++j)
      ((float *)x->aligned)[x->offset + i * x->strides[0] + j * x->strides[1]] += 1;
}

/* Every scalar dtype comes back as it went in, as a NumPy scalar and as a Python one. */
static void echo_half(void **slots) { memcpy(slots[1], slots[0], 2); }
static void echo_complex(void **slots) { memcpy(slots[1], slots[0], 16); }
static void echo_integer(void **slots) { memcpy(slots[1], slots[0], 8); }
static void echo_byte(void **slots) { memcpy(slots[1], slots[0], 1); }

#define SCALAR(NAME, DTYPE, WEAK) {NAME, NPCC_SCALAR, DTYPE, 0, WEAK, 0, 0, 0}
#define ARRAY(NAME, DTYPE, RANK, WRITTEN) {NAME, NPCC_ARRAY, DTYPE, RANK, 0, WRITTEN, 0, 0}
#define FUNCTION(SYMBOL, NAME, SIGNATURE, PARAMS, RESULTS, FORM)                                                       \
  static const npcc_variant SYMBOL##_variants[] = {{NPCC_TARGET_CPU, 0, 0, 0, 0, SYMBOL}};                              \
  static const npcc_function SYMBOL##_function = {NAME, SIGNATURE, "script.py", 1, sizeof(PARAMS) / sizeof(npcc_param), \
                                                  sizeof(RESULTS) / sizeof(npcc_param), 1, FORM, 0, PARAMS, RESULTS,    \
                                                  SYMBOL##_variants};
static const npcc_param scale_params[] = {ARRAY("x", NPCC_FLOAT64, 1, 0), SCALAR("s", NPCC_FLOAT64, 1)};
static const npcc_param vector[] = {ARRAY("", NPCC_FLOAT64, 1, 0)};
static const npcc_param pair_results[] = {ARRAY("", NPCC_FLOAT64, 1, 0), ARRAY("", NPCC_FLOAT64, 1, 0), SCALAR("", NPCC_FLOAT64, 0),
                                          SCALAR("", NPCC_INT64, 1)};
static const npcc_param bump_params[] = {ARRAY("x", NPCC_FLOAT32, 2, 1)};
static const npcc_param half[] = {SCALAR("x", NPCC_FLOAT16, 0)};
static const npcc_param complex[] = {SCALAR("x", NPCC_COMPLEX128, 1)};
static const npcc_param integer[] = {SCALAR("x", NPCC_UINT64, 0)};
static const npcc_param boolean[] = {SCALAR("x", NPCC_BOOL, 1)};
static const npcc_param small[] = {SCALAR("x", NPCC_INT8, 0)};

FUNCTION(scale, "scale", "scale(float64[:], float)", scale_params, vector, ".")
FUNCTION(pair, "pair", "pair(float64[:])", vector, pair_results, "(....)")
static const npcc_variant bump_variants[] = {{NPCC_TARGET_CPU, 0, 0, 0, 0, bump}};
static const npcc_function bump_function = {"bump", "bump(float32[:,:])", "script.py", 1, 1, 0, 1, "N", 0, bump_params, 0, bump_variants};
FUNCTION(echo_half, "echo", "echo(float16)", half, half, ".")
FUNCTION(echo_complex, "echo", "echo(complex)", complex, complex, ".")
FUNCTION(echo_integer, "echo", "echo(uint64)", integer, integer, ".")
FUNCTION(echo_byte, "echo", "echo(bool)", boolean, boolean, ".")
static const npcc_variant small_variants[] = {{NPCC_TARGET_CPU, 0, 0, 0, 0, echo_byte}};
static const npcc_function small_function = {"echo", "echo(int8)", "script.py", 1, 1, 1, 1, ".", 0, small, small, small_variants};

static const npcc_function *const scale_signatures[] = {&scale_function}, *const pair_signatures[] = {&pair_function},
                                  *const bump_signatures[] = {&bump_function},
                                  *const echo_signatures[] = {&echo_half_function, &small_function, &echo_byte_function,
                                                              &echo_integer_function, &echo_complex_function};
static const npcc_export exports[] = {
    {"scale", 1, scale_signatures}, {"pair", 1, pair_signatures}, {"bump", 1, bump_signatures}, {"echo", 5, echo_signatures}};

const npcc_module npcc_this_module = {"handwritten", "script.py",
                                      "factor = 3.0\n"
                                      "scale = __npcc_function__('scale', ('x', 's'), 0, 2, (__npcc_missing__, factor), 'doc')\n"
                                      "pair = __npcc_function__('pair', ('x',), 0, 1, (__npcc_missing__,), None)\n"
                                      "bump = __npcc_function__('bump', ('x',), 1, 1, (__npcc_missing__,), None)\n"
                                      "echo = __npcc_function__('echo', ('x',), 0, 0, (__npcc_missing__,), None)\n"
                                      "def plain(x): return scale(x, s=2)\n",
                                      4, exports};
