#include "frontend/module/overlap.h"
#include "runtime/abi/calls.h"

enum { most_calls = 4 }; /* that the runtime has under way for a thread */
static _Thread_local PyObject *held[most_calls];
static _Thread_local unsigned next, any;

void npcc_hold_overlapped(const npcc_argument *arguments, int32_t count) {
  if (!npcc_rt_is_overlapping()) {
    if (any)
      npcc_drop_overlapped();
    return;
  }
  PyObject *objects = PyTuple_New(count);
  for (int32_t k = 0; objects && k < count; ++k)
    PyTuple_SetItem(objects, k, Py_NewRef(arguments[k].object));
  if (!objects)
    PyErr_Clear(); /* no memory: the program is about to learn it elsewhere */
  PyObject *oldest = held[next];
  held[next] = objects;
  next = (next + 1) % most_calls;
  any = 1;
  Py_XDECREF(oldest);
}

void npcc_drop_overlapped(void) {
  any = 0;
  for (int k = 0; k < most_calls; ++k)
    Py_CLEAR(held[k]);
}
