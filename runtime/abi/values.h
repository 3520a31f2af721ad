/* Arguments and results of a call. */
#ifndef NPCC_ABI_VALUES_H
#define NPCC_ABI_VALUES_H
#include "runtime/abi/arrays.h"

NPCC_BEGIN_C

typedef struct npcc_complex { double re, im; } npcc_complex;

/* One argument or result. Scalars are stored as the dtype says: integers and bool in `i` (unsigned ones in `u`),
 * FLOAT16/32/64 and BFLOAT16 as double in `f`, complex in `c`. */
typedef union npcc_value {
  int64_t i;
  uint64_t u;
  double f;
  npcc_complex c;
  npcc_array *a;
  struct npcc_generator *g; /* random.h */
} npcc_value;

NPCC_END_C
#endif
