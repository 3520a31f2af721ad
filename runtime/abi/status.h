/* What a call returns: how it went, and which Python exception an error becomes. */
#ifndef NPCC_ABI_STATUS_H
#define NPCC_ABI_STATUS_H
#include "runtime/abi/export.h"

NPCC_BEGIN_C

/* Which Python exception an error becomes. */
typedef enum npcc_error {
  NPCC_OK = 0,
  NPCC_INDEX_ERROR, NPCC_VALUE_ERROR, NPCC_TYPE_ERROR, NPCC_MEMORY_ERROR, NPCC_ZERO_DIVISION_ERROR,
  NPCC_OVERFLOW_ERROR, NPCC_RUNTIME_ERROR, NPCC_UNBOUND_LOCAL_ERROR, NPCC_LINALG_ERROR, NPCC_ASSERTION_ERROR,
  NPCC_NOT_IMPLEMENTED_ERROR, NPCC_ATTRIBUTE_ERROR, NPCC_KEY_ERROR, NPCC_FLOATING_POINT_ERROR, NPCC_ARITHMETIC_ERROR,
  NPCC_LOOKUP_ERROR, NPCC_RECURSION_ERROR, NPCC_STOP_ITERATION, NPCC_EXCEPTION,
  NPCC_CLASS_ERROR, /* the message begins with a line that names the class: `module:qualified.name` */
  NPCC_AXIS_ERROR,
  /* Of npcc_rt_call only: these arguments need alternatives that were not compiled, nothing was done. */
  NPCC_OTHER_ALTERNATIVES
} npcc_error;

typedef struct npcc_status {
  int32_t error;       /* npcc_error */
  int32_t line;        /* of the Python source, 0 if unknown */
  char file[256];      /* of the Python source, "" if unknown */
  char message[512];   /* NumPy's words where NumPy has some */
} npcc_status;

NPCC_END_C
#endif
