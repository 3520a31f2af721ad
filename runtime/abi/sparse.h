/* Products with sparse matrices. */
#ifndef NPCC_ABI_SPARSE_H
#define NPCC_ABI_SPARSE_H
#include "runtime/abi/export.h"

NPCC_BEGIN_C

/* The cuSPARSE in use, "" where there is none. Opens it. */
NPCC_EXPORT const char *npcc_rt_cusparse_description(void);

NPCC_END_C
#endif
