#include "frontend/module/watch.h"

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

int npcc_watches_hold(PyObject *watches) {
  Py_INCREF(watches); /* looking at attributes may run Python code */
  int all = 1;
  for (Py_ssize_t k = 0, count = PyTuple_Size(watches); all == 1 && k < count; ++k) {
    PyObject *container, *key, *expected;
    int kind;
    if (!PyArg_ParseTuple(PyTuple_GetItem(watches, k), "iOOO", &kind, &container, &key, &expected))
      all = -1;
    else
      all = holds(kind, container, key, expected);
    if (all == 0)
      PyErr_Clear(); /* an attribute that is gone is one that changed */
  }
  Py_DECREF(watches);
  return all;
}
