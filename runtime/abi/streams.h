/* The user's own streams and events on a GPU. */
#ifndef NPCC_ABI_STREAMS_H
#define NPCC_ABI_STREAMS_H
#include "runtime/abi/status.h"

NPCC_BEGIN_C

/* Device numbers are CUDA ordinals. Work is ordered by the device's one stream unless a thread enters another one;
 * what work on several streams shares by way of npcc's buffers is ordered too (runtime/cuda/Streams.h). Streams and
 * events are the driver's handles; CUDA's default streams are 1 (legacy) and 2 (the thread's). */

/* The CUDA stream that this thread's work on a device is ordered by (NULL on the CPU), for those who exchange arrays
 * with other libraries; and order against a stream of theirs: ours_waits = 1: our later work waits for what is on
 * theirs now; 0: theirs for ours. */
NPCC_EXPORT npcc_status npcc_rt_stream(int32_t device, void **stream);
NPCC_EXPORT npcc_status npcc_rt_order_streams(int32_t device, void *foreign, int32_t ours_waits);

/* This thread's work on the device goes to `stream` until npcc_rt_leave_stream(previous). */
typedef struct npcc_stream_use {
  void *streams;
  int32_t index, is_awaited;
} npcc_stream_use;
NPCC_EXPORT npcc_status npcc_rt_enter_stream(int32_t device, void *stream, npcc_stream_use *previous);
/* The same for work that nobody sent there by name: all that the thread sends to the device's own stream later waits
 * for it. */
NPCC_EXPORT npcc_status npcc_rt_enter_awaited_stream(int32_t device, void *stream, npcc_stream_use *previous);
NPCC_EXPORT void npcc_rt_leave_stream(const npcc_stream_use *previous);
NPCC_EXPORT int32_t npcc_rt_has_entered_stream(int32_t device);
/* This thread's work is about to use the buffer (anything else is left alone): it waits for what other streams do
 * with it. */
NPCC_EXPORT npcc_status npcc_rt_order_buffer(int32_t device, void *base);

/* flags: the driver's (1: does not wait for the legacy default stream); priority: lower numbers go first. */
NPCC_EXPORT npcc_status npcc_rt_stream_new(int32_t device, int32_t flags, int32_t priority, void **stream);
NPCC_EXPORT npcc_status npcc_rt_stream_destroy(int32_t device, void *stream);
NPCC_EXPORT npcc_status npcc_rt_stream_synchronize(int32_t device, void *stream);
NPCC_EXPORT npcc_status npcc_rt_stream_query(int32_t device, void *stream, int32_t *done);
NPCC_EXPORT npcc_status npcc_rt_stream_wait_event(int32_t device, void *stream, void *event);
/* flags: the driver's (1: blocking synchronisation, 2: no timing). */
NPCC_EXPORT npcc_status npcc_rt_event_new(int32_t device, int32_t flags, void **event);
NPCC_EXPORT npcc_status npcc_rt_event_destroy(int32_t device, void *event);
NPCC_EXPORT npcc_status npcc_rt_event_record(int32_t device, void *event, void *stream);
NPCC_EXPORT npcc_status npcc_rt_event_synchronize(int32_t device, void *event);
NPCC_EXPORT npcc_status npcc_rt_event_query(int32_t device, void *event, int32_t *done);
NPCC_EXPORT npcc_status npcc_rt_event_elapsed(int32_t device, void *from, void *to, float *milliseconds);

NPCC_END_C
#endif
