/* The streams of other libraries whose arrays are arguments: our work waits for theirs, and theirs for ours. */
#ifndef NPCC_MODULE_PRODUCERS_H
#define NPCC_MODULE_PRODUCERS_H
#include "frontend/module/convert.h"

/* The stream that PyTorch works on now; 0 where there is no PyTorch, or it has not begun to use the GPUs. */
int npcc_torch_stream(int device, void **stream);
/* The stream of the library that an array comes from, by its CUDA array interface; *named = 0: all is done already. -1
 * with an exception. */
int npcc_producer(PyObject *object, PyObject *interface, int device, void **stream, int *named);
/* Makes those wait for our work on the device who take arrays by the CUDA array interface and do not heed its stream:
 * CUDA's legacy default stream, and the one that PyTorch works on. */
npcc_status npcc_order_heedless(int device);
/* ours_waits: our later work waits for what is on the arguments' streams now, each of which is asked once; else they
 * wait for ours. */
npcc_status npcc_order_producers(const npcc_argument *arguments, int32_t count, int ours_waits);
#endif
