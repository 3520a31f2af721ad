/* The types of elements. */
#ifndef NPCC_ABI_DTYPES_H
#define NPCC_ABI_DTYPES_H
#include "runtime/abi/export.h"

NPCC_BEGIN_C

/* In NumPy's order of kinds; BFLOAT16, which the package ml_dtypes adds to NumPy, is last. The
 * numbers are part of the ABI. */
typedef enum npcc_dtype {
  NPCC_BOOL = 0,
  NPCC_INT8, NPCC_INT16, NPCC_INT32, NPCC_INT64,
  NPCC_UINT8, NPCC_UINT16, NPCC_UINT32, NPCC_UINT64,
  NPCC_FLOAT16, NPCC_FLOAT32, NPCC_FLOAT64,
  NPCC_COMPLEX64, NPCC_COMPLEX128,
  NPCC_BFLOAT16,
  NPCC_DTYPE_COUNT
} npcc_dtype;

NPCC_EXPORT int64_t npcc_rt_dtype_size(npcc_dtype dtype);      /* bytes */
NPCC_EXPORT const char *npcc_rt_dtype_name(npcc_dtype dtype);  /* NumPy's name: "float64" */

NPCC_END_C
#endif
