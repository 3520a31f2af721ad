/* Whether what compiled code took from Python is still bound to the same (npcc/dependencies.py makes the lists). */
#ifndef NPCC_MODULE_WATCH_H
#define NPCC_MODULE_WATCH_H
#include "frontend/module/python_api.h"

/* How a watch (kind, container, key, expected) compares; all but BYTES, LENGTH and VALUE by identity. */
enum {
  NPCC_WATCH_ITEM,      /* container is a dict, key its key */
  NPCC_WATCH_ATTRIBUTE, /* key is the name of an attribute */
  NPCC_WATCH_ITEMS,     /* container is a list, expected a tuple */
  NPCC_WATCH_BYTES,     /* container is an array, expected its contents */
  NPCC_WATCH_LENGTH,    /* container is a dict or a set, expected the number of its items */
  NPCC_WATCH_ABSENT,    /* container is a dict without the key */
  NPCC_WATCH_ENTRY,     /* container is any mapping, key its key */
  NPCC_WATCH_VALUE      /* as ATTRIBUTE, of what each look makes anew: equal and of the same type */
};

/* Reads a tuple of such tuples once, as every call asks: bytes (a new reference) that are good as long as the tuple
 * lives. NULL with an exception where a watch is malformed. */
PyObject *npcc_read_watches(PyObject *watches);
/* Whether all hold. */
int npcc_watches_hold(PyObject *watches, PyObject *read);
/* An array whose elements are watched that shares memory with this NumPy array, as far as their first and last bytes
 * tell; borrowed, or NULL. Code that stores into the one has the elements of the other as constants. */
PyObject *npcc_watched_array_within(PyObject *read, PyObject *array);
#endif
