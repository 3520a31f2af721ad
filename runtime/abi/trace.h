/* Recording, for `npcc profile`. */
#ifndef NPCC_ABI_TRACE_H
#define NPCC_ABI_TRACE_H
#include "runtime/abi/export.h"

NPCC_BEGIN_C

/* What is done between start and stop, in no order. `begin` and `end` are nanoseconds of CLOCK_MONOTONIC. `device`
 * is NPCC_CPU for what the host does, and `track` its thread, counted from 0; of a GPU, `track` is the stream.
 * `label` may have a tab and a place in Python's source behind it. stop waits for the devices and gives each event
 * to `take`; it returns how many there were. */
typedef enum npcc_trace_kind {
  NPCC_TRACE_CALL = 0, /* of a compiled function */
  NPCC_TRACE_KERNEL, NPCC_TRACE_LIBRARY, NPCC_TRACE_HOST_TO_DEVICE, NPCC_TRACE_DEVICE_TO_HOST,
  NPCC_TRACE_DEVICE_TO_DEVICE, NPCC_TRACE_WAIT
} npcc_trace_kind;
typedef struct npcc_trace_event {
  int32_t kind, device;
  int64_t track;
  const char *label;
  int64_t begin, end, bytes;
} npcc_trace_event;
NPCC_EXPORT void npcc_rt_trace_start(void);
NPCC_EXPORT int64_t npcc_rt_trace_stop(void (*take)(const npcc_trace_event *event, void *argument), void *argument);

NPCC_END_C
#endif
