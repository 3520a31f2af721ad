#include "frontend/module/watch.h"

/* Borrowed from the tuple that it was read from. */
typedef struct npcc_watch {
  int kind;
  PyObject *container, *key, *expected;
} npcc_watch;

static int holds(long kind, PyObject *container, PyObject *key, PyObject *expected) {
  switch (kind) {
  case NPCC_WATCH_ITEM:
    return PyDict_GetItemWithError(container, key) == expected;
  case NPCC_WATCH_ABSENT:
    return PyDict_GetItemWithError(container, key) == NULL;
  case NPCC_WATCH_ATTRIBUTE: {
    PyObject *found = PyObject_GetAttr(container, key);
    Py_XDECREF(found); /* only its address is looked at */
    return found == expected;
  }
  case NPCC_WATCH_ENTRY: {
    PyObject *found = PyObject_GetItem(container, key);
    Py_XDECREF(found);
    return found == expected;
  }
  case NPCC_WATCH_VALUE: {
    PyObject *found = PyObject_GetAttr(container, key);
    int equal = found && Py_TYPE(found) == Py_TYPE(expected) && PyObject_RichCompareBool(found, expected, Py_EQ) == 1;
    Py_XDECREF(found);
    return equal;
  }
  case NPCC_WATCH_ITEMS: {
    Py_ssize_t count = PyList_Size(container);
    if (count != PyTuple_Size(expected))
      return 0;
    for (Py_ssize_t k = 0; k < count; ++k)
      if (PyList_GetItem(container, k) != PyTuple_GetItem(expected, k))
        return 0;
    return 1;
  }
  case NPCC_WATCH_BYTES: {
    PyObject *bytes = PyObject_CallMethod(container, "tobytes", NULL);
    int equal = bytes ? PyObject_RichCompareBool(bytes, expected, Py_EQ) : 0;
    Py_XDECREF(bytes);
    return equal == 1;
  }
  case NPCC_WATCH_LENGTH:
    return PyObject_Size(container) == PyLong_AsSsize_t(expected);
  default:
    return 0;
  }
}

PyObject *npcc_read_watches(PyObject *watches) {
  Py_ssize_t count = PyTuple_Size(watches);
  PyObject *read = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(npcc_watch));
  npcc_watch *all = read ? (npcc_watch *)PyBytes_AsString(read) : NULL;
  for (Py_ssize_t k = 0; all && k < count; ++k)
    if (!PyArg_ParseTuple(PyTuple_GetItem(watches, k), "iOOO", &all[k].kind, &all[k].container, &all[k].key,
                          &all[k].expected)) {
      Py_DECREF(read);
      return NULL;
    }
  return read;
}

int npcc_watches_hold(PyObject *watches, PyObject *read) {
  /* Looking at attributes may run Python code, which may set other watches. */
  Py_INCREF(watches);
  Py_INCREF(read);
  const npcc_watch *all = (const npcc_watch *)PyBytes_AsString(read);
  int hold = 1;
  for (Py_ssize_t k = 0, count = PyTuple_Size(watches); hold && k < count; ++k)
    hold = holds(all[k].kind, all[k].container, all[k].key, all[k].expected);
  if (!hold)
    PyErr_Clear(); /* an attribute that is gone is one that changed */
  Py_DECREF(read);
  Py_DECREF(watches);
  return hold;
}
