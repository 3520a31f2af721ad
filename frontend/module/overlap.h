/* Calls that return before their copies are over (npcc_rt_begin_overlap): what Python must not free until then. */
#ifndef NPCC_MODULE_OVERLAP_H
#define NPCC_MODULE_OVERLAP_H
#include "frontend/module/convert.h"

/* After a call on a GPU: holds its arguments until four more calls of this thread have returned. Does nothing where
 * calls do not overlap. */
void npcc_hold_overlapped(const npcc_argument *arguments, int32_t count);
/* The thread's overlap has ended. */
void npcc_drop_overlapped(void);
#endif
