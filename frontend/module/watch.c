#include "frontend/module/watch.h"
#include "frontend/module/numpy_access.h"
#include <string.h>

/* Borrowed from the tuple that it was read from. */
typedef struct npcc_watch {
  int kind;
  PyObject *container, *key, *expected;
} npcc_watch;

/* Attributes of functions, which each compiled function watches. As attributes each would cost as much as all else that
 * a call looks at, so they are asked for by functions of C: these are not in the limited API, but every version of
 * Python has them. */
enum { WATCH_CODE = NPCC_WATCH_VALUE + 1, WATCH_DEFAULTS, WATCH_KEYWORD_DEFAULTS };
PyAPI_DATA(PyTypeObject) PyFunction_Type;
PyAPI_FUNC(PyObject *) PyFunction_GetCode(PyObject *function);
PyAPI_FUNC(PyObject *) PyFunction_GetDefaults(PyObject *function);
PyAPI_FUNC(PyObject *) PyFunction_GetKwDefaults(PyObject *function);

static int attribute_kind(const npcc_watch *watch) {
  if (watch->kind != NPCC_WATCH_ATTRIBUTE || Py_TYPE(watch->container) != &PyFunction_Type)
    return watch->kind;
  return PyUnicode_CompareWithASCIIString(watch->key, "__code__") == 0       ? WATCH_CODE
         : PyUnicode_CompareWithASCIIString(watch->key, "__defaults__") == 0 ? WATCH_DEFAULTS
         : PyUnicode_CompareWithASCIIString(watch->key, "__kwdefaults__") == 0
             ? WATCH_KEYWORD_DEFAULTS
             : watch->kind;
}

/* `found` is null where there are none. */
static int is_or_none(const PyObject *found, const PyObject *expected) {
  return found ? found == expected : expected == Py_None;
}

/* Whether an array's elements are these bytes, without a copy where they lie side by side. */
static int holds_bytes(PyObject *object, PyObject *expected) {
  const npcc_numpy_array *array = (const npcc_numpy_array *)object;
  int dtype = Py_TYPE(object) == npcc_numpy.array ? npcc_dtype_of_descr(array->descr) : -1;
  Py_ssize_t size = dtype < 0 ? -1 : (Py_ssize_t)1 << npcc_dtype_shift[dtype];
  for (int axis = dtype < 0 ? -1 : array->rank - 1; axis >= 0 && size >= 0; --axis)
    size = array->strides[axis] == size || array->shape[axis] == 1 ? size * array->shape[axis] : -1;
  if (size >= 0)
    return size == PyBytes_Size(expected) && memcmp(array->data, PyBytes_AsString(expected), (size_t)size) == 0;
  PyObject *bytes = PyObject_CallMethod(object, "tobytes", NULL);
  int equal = bytes ? PyObject_RichCompareBool(bytes, expected, Py_EQ) : 0;
  Py_XDECREF(bytes);
  return equal == 1;
}

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
  case NPCC_WATCH_BYTES:
    return holds_bytes(container, expected);
  case WATCH_CODE:
    return PyFunction_GetCode(container) == expected;
  case WATCH_DEFAULTS:
    return is_or_none(PyFunction_GetDefaults(container), expected);
  case WATCH_KEYWORD_DEFAULTS:
    return is_or_none(PyFunction_GetKwDefaults(container), expected);
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
    } else {
      all[k].kind = attribute_kind(&all[k]);
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

typedef struct npcc_bounds {
  const char *first, *end;
} npcc_bounds;

/* The bytes between an array's first element and its last. */
static npcc_bounds bounds_of(const npcc_numpy_array *array, int shift) {
  npcc_bounds bounds = {array->data, array->data + ((Py_ssize_t)1 << shift)};
  for (int axis = 0; axis < array->rank; ++axis) {
    if (array->shape[axis] == 0)
      return (npcc_bounds){array->data, array->data};
    Py_ssize_t reach = (array->shape[axis] - 1) * array->strides[axis];
    if (reach < 0)
      bounds.first += reach;
    else
      bounds.end += reach;
  }
  return bounds;
}

PyObject *npcc_watched_array_within(PyObject *read, PyObject *object) {
  const npcc_numpy_array *array = (const npcc_numpy_array *)object;
  const npcc_watch *all = (const npcc_watch *)PyBytes_AsString(read);
  int dtype = -1;
  npcc_bounds bounds = {NULL, NULL};
  for (Py_ssize_t k = 0, count = PyBytes_Size(read) / (Py_ssize_t)sizeof(npcc_watch); k < count; ++k) {
    if (all[k].kind != NPCC_WATCH_BYTES || Py_TYPE(all[k].container) != npcc_numpy.array)
      continue;
    if (!bounds.first) {
      dtype = npcc_dtype_of_descr(array->descr);
      if (dtype < 0)
        return NULL;
      bounds = bounds_of(array, npcc_dtype_shift[dtype]);
    }
    const npcc_numpy_array *watched = (const npcc_numpy_array *)all[k].container;
    int watched_dtype = npcc_dtype_of_descr(watched->descr);
    if (watched_dtype < 0)
      continue;
    npcc_bounds other = bounds_of(watched, npcc_dtype_shift[watched_dtype]);
    if (bounds.first < other.end && other.first < bounds.end)
      return all[k].container;
  }
  return NULL;
}
