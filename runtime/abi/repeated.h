/* Calls that come again: what one call found out, kept for the next with the same arrays. */
#ifndef NPCC_ABI_REPEATED_H
#define NPCC_ABI_REPEATED_H
#include "runtime/abi/calls.h"

NPCC_BEGIN_C

typedef struct npcc_repeated npcc_repeated;

/* What a call of the function with these arguments finds out before it runs: the variant, and what it is given. NULL
 * where a call needs more than that: one with results or generators, on several devices or on the host, or with arrays
 * that have to be brought to the device. The function stays there as long as the object. */
NPCC_EXPORT npcc_repeated *npcc_rt_repeated_new(const npcc_function *function, const npcc_call_options *options,
                                                const npcc_value *args);
/* The call with other arguments of the same dtypes and ranks; least is to do where the arrays are those of the last
 * time (the same memory, extents and strides). 0: other code is needed for them, or another thread is in it, and
 * nothing was done. Work on the device stays under way, as with npcc_call_options::asynchronous. */
NPCC_EXPORT int32_t npcc_rt_repeat(npcc_repeated *repeated, const npcc_value *args, npcc_status *status);
NPCC_EXPORT void npcc_rt_repeated_free(npcc_repeated *repeated);

NPCC_END_C
#endif
