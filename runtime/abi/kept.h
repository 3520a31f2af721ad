/* Arrays and strings that stand for themselves by a number, which lists, dicts and objects of a program hold. */
#ifndef NPCC_ABI_KEPT_H
#define NPCC_ABI_KEPT_H
#include "runtime/abi/arrays.h"

NPCC_BEGIN_C

/* Whoever calls a function that takes or gives such numbers (kept arrays, strings: text.h) holds them from before it
 * makes the arguments' numbers until it has read the results, on one thread. The table of strings is emptied when
 * nobody holds it. */
NPCC_EXPORT void npcc_rt_hold(void);
NPCC_EXPORT void npcc_rt_let_go(void);
/* A kept array, with one more reference to its base as a result has it. `to_host`: it is brought to the CPU, with
 * those that share its memory. IndexError where the number is none. */
NPCC_EXPORT npcc_status npcc_rt_take_kept(int64_t number, int32_t to_host, npcc_array *array);

/* In a frame: a number for an array, which lives until the caller lets go of it (npcc_rt_let_go), and what it stands
 * for: fills all of `array` but dtype and rank, which are given, with one more reference; an array of no elements
 * where the number stands for none of these. */
NPCC_EXPORT int64_t npcc_rt_keep(const npcc_array *array);
NPCC_EXPORT void npcc_rt_kept(int64_t number, npcc_array *array);

NPCC_END_C
#endif
