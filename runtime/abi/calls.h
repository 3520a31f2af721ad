/* Calls of generated functions. */
#ifndef NPCC_ABI_CALLS_H
#define NPCC_ABI_CALLS_H
#include "runtime/abi/functions.h"
#include "runtime/abi/status.h"
#include "runtime/abi/values.h"

NPCC_BEGIN_C

#define NPCC_RT_ABI_VERSION 2
NPCC_EXPORT int32_t npcc_rt_abi_version(void);

typedef struct npcc_call_options {
  int32_t device;        /* where to run: NPCC_CPU, a logical CPU device, or a CUDA ordinal */
  /* Over how many devices (>= 1), from `device` on; on NPCC_CPU: logical devices 0.. and the caller's arrays as they
   * are. */
  int32_t device_count;
  int32_t asynchronous;  /* 1: leave device work running; errors found later are raised by the next synchronize/read */
  /* Generators that the function uses without taking them as arguments (npcc_rt_captured_generator): numpy.random's
   * own, then those of globals. Without any, the first is one of the runtime's. */
  int32_t generator_count;
  struct npcc_generator *const *generators; /* random.h */
} npcc_call_options;

/* Calls `function`: picks the first variant of the device's target whose assumptions and guards hold, brings arrays
 * that live elsewhere to the device (C-contiguous copies), runs, copies written ones back, and gives results. Array
 * results: `results[k].a` points to an npcc_array the caller provides; the result owns one reference to its base,
 * unless its base is an argument's base (then data, shape and strides are given in the caller's own array, and no
 * reference is owned). If all array arguments live on the CPU, array results are brought to the CPU; else they stay
 * where they were computed. */
NPCC_EXPORT npcc_status npcc_rt_call(const npcc_function *function, const npcc_call_options *options,
                                     const npcc_value *args, npcc_value *results);

/* What the C functions of an ahead-of-time module call: npcc_rt_call on one device (a GPU if there is one and the
 * function has code for it, else the CPU), waiting for the end. Returns the npcc_error; its text stays with the
 * thread. */
NPCC_EXPORT int32_t npcc_rt_invoke(const npcc_function *function, const npcc_value *args, npcc_value *results);
NPCC_EXPORT const char *npcc_rt_last_error(void);

/* From begin to end, calls of this thread on a GPU return when they have read their arrays of the host: arrays that
 * they write, or give as new ones, hold their values at the end (a later call that reads one waits for it), and so
 * do errors that are found on the device come at the end. Arrays in page-locked memory are not to be changed, and no
 * array that is written is to be freed, until four more calls have returned. Pairs nest. */
NPCC_EXPORT void npcc_rt_begin_overlap(void);
NPCC_EXPORT npcc_status npcc_rt_end_overlap(void);
NPCC_EXPORT int32_t npcc_rt_is_overlapping(void);

NPCC_END_C
#endif
