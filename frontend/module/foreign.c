/* Arrays of other libraries, by the CUDA array interface and the buffer protocol. DLPack is in dlpack.c. */
#include "frontend/module/array.h"
#include "frontend/module/array_classes.h"
#include "frontend/module/errors.h"
#include "frontend/module/numpy_access.h"
#include "frontend/module/producers.h"
#include "runtime/abi/devices.h"
#include <string.h>

void npcc_set_contiguous_strides(npcc_array *array) {
  int64_t stride = 1;
  for (int axis = array->rank - 1; axis >= 0; --axis) {
    array->strides[axis] = stride;
    stride *= array->shape[axis];
  }
}

static int byte_strides(npcc_array *array, const Py_ssize_t *strides) {
  Py_ssize_t size = (Py_ssize_t)1 << npcc_dtype_shift[array->dtype];
  for (int axis = 0; axis < array->rank; ++axis) {
    if (strides[axis] % size) {
      PyErr_SetString(PyExc_TypeError, "npcc does not support arrays whose strides are not multiples of the element size");
      return -1;
    }
    array->strides[axis] = strides[axis] / size;
  }
  return 0;
}

static int unsupported(PyObject *what) {
  PyErr_Format(PyExc_TypeError, "npcc does not support arrays of element type %R", what);
  return -1;
}

static int extents(PyObject *tuple, Py_ssize_t *out, Py_ssize_t count) {
  for (Py_ssize_t k = 0; k < count; ++k) {
    out[k] = PyLong_AsSsize_t(PyTuple_GetItem(tuple, k));
    if (out[k] == -1 && PyErr_Occurred())
      return -1;
  }
  return 0;
}

/* The device is not part of the interface: CuPy and PyTorch say it as `device` (.id, .index), Numba has one. */
static int ordinal(PyObject *object) {
  static const char *const names[] = {"id", "index"};
  long result = -1;
  PyObject *device = PyObject_GetAttrString(object, "device");
  for (int k = 0; device && result < 0 && k < 2; ++k) {
    PyObject *number = PyObject_GetAttrString(device, names[k]);
    if (number && PyLong_Check(number))
      result = PyLong_AsLong(number);
    Py_XDECREF(number);
    PyErr_Clear();
  }
  Py_XDECREF(device);
  PyErr_Clear();
  return result < 0 ? 0 : (int)result;
}

static int read_interface(PyObject *dict, npcc_array *array) {
  PyObject *shape = PyDict_GetItemString(dict, "shape"), *typestr = PyDict_GetItemString(dict, "typestr");
  PyObject *data = PyDict_GetItemString(dict, "data"), *strides = PyDict_GetItemString(dict, "strides");
  if (!shape || !PyTuple_Check(shape) || !typestr || !PyUnicode_Check(typestr) || !data || !PyTuple_Check(data) ||
      PyTuple_Size(data) != 2) {
    PyErr_SetString(PyExc_TypeError, "__cuda_array_interface__ lacks shape, typestr or data");
    return -1;
  }
  const char *type = PyUnicode_AsUTF8AndSize(typestr, NULL);
  array->dtype = type ? npcc_dtype_of_typestr(type) : -1;
  if (array->dtype < 0)
    return type ? unsupported(typestr) : -1;
  Py_ssize_t rank = PyTuple_Size(shape), numbers[NPCC_MAX_RANK];
  if (rank > NPCC_MAX_RANK) {
    PyErr_Format(PyExc_TypeError, "npcc supports at most %d axes", NPCC_MAX_RANK);
    return -1;
  }
  array->rank = (int32_t)rank;
  if (extents(shape, numbers, rank))
    return -1;
  for (int axis = 0; axis < rank; ++axis)
    array->shape[axis] = numbers[axis];
  array->data = PyLong_AsVoidPtr(PyTuple_GetItem(data, 0));
  if (!array->data && PyErr_Occurred())
    return -1;
  array->flags = PyObject_IsTrue(PyTuple_GetItem(data, 1)) == 1 ? NPCC_READONLY : 0;
  if (!strides || strides == Py_None) {
    npcc_set_contiguous_strides(array);
    return 0;
  }
  if (!PyTuple_Check(strides) || PyTuple_Size(strides) != rank || extents(strides, numbers, rank)) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_TypeError, "__cuda_array_interface__: strides do not match shape");
    return -1;
  }
  return byte_strides(array, numbers);
}

int npcc_read_cuda_interface(PyObject *object, npcc_array *array, PyObject **owner, void **stream, int *named) {
  if (npcc_read_by_class(object, array, stream)) {
    *named = 1;
    *owner = Py_NewRef(object);
    return 1;
  }
  PyObject *dict = PyObject_GetAttrString(object, "__cuda_array_interface__");
  if (!dict) {
    if (PyErr_ExceptionMatches(PyExc_AttributeError)) {
      PyErr_Clear();
      return 0;
    }
    /* PyTorch raises other errors too, for tensors on the CPU or with gradients: DLPack has the better message. */
    PyObject *pending[3];
    PyErr_Fetch(&pending[0], &pending[1], &pending[2]);
    int has_dlpack = PyObject_HasAttrString(object, "__dlpack__");
    PyErr_Restore(pending[0], pending[1], pending[2]);
    if (has_dlpack)
      PyErr_Clear();
    return has_dlpack ? 0 : -1;
  }
  int failed = !PyDict_Check(dict) || read_interface(dict, array);
  if (!failed) {
    array->device = ordinal(object);
    failed = npcc_producer(object, dict, array->device, stream, named);
  }
  if (!failed) {
    array->base = object;
    *owner = Py_NewRef(object);
    if (*named)
      npcc_learn_array_class(object, array, *stream);
  } else if (!PyErr_Occurred()) {
    PyErr_SetString(PyExc_TypeError, "__cuda_array_interface__ is not a dict");
  }
  Py_DECREF(dict);
  return failed ? -1 : 1;
}

/* struct's format letters with native sizes, as array.array and memoryview use them. */
static int dtype_of_format(const char *format, Py_ssize_t size) {
  if (!format)
    return NPCC_UINT8;
  if (*format == '@' || *format == '=' || *format == '<')
    ++format;
  int complex = *format == 'Z';
  if (complex)
    ++format;
  if (!format[0] || format[1])
    return -1;
  int log = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : -1;
  if (complex)
    return *format == 'f' ? NPCC_COMPLEX64 : *format == 'd' ? NPCC_COMPLEX128 : -1;
  if (*format == '?')
    return NPCC_BOOL;
  if (log >= 0 && strchr("bhilqn", *format))
    return NPCC_INT8 + log;
  if (log >= 0 && strchr("BHILQN", *format))
    return NPCC_UINT8 + log;
  return *format == 'e' ? NPCC_FLOAT16 : *format == 'f' ? NPCC_FLOAT32 : *format == 'd' ? NPCC_FLOAT64 : -1;
}

int npcc_from_buffer(PyObject *object, npcc_array *array, PyObject **owner) {
  /* Text and bytes have buffers too, but nobody means them as arrays. */
  if (PyBytes_Check(object) || PyByteArray_Check(object) || !PyObject_CheckBuffer(object))
    return 0;
  /* A memoryview owns the buffer, and its Py_buffer is at hand while it lives. */
  PyObject *memory = PyMemoryView_FromObject(object);
  Py_buffer view;
  if (!memory || PyObject_GetBuffer(memory, &view, PyBUF_FULL_RO)) {
    Py_XDECREF(memory);
    return -1;
  }
  int failed = 0;
  array->dtype = dtype_of_format(view.format, view.itemsize);
  if (array->dtype < 0 || view.ndim > NPCC_MAX_RANK || view.suboffsets) {
    PyErr_Format(PyExc_TypeError, "npcc does not support buffers of format '%s'", view.format ? view.format : "B");
    failed = 1;
  } else {
    array->data = view.buf;
    array->rank = view.ndim;
    array->device = NPCC_CPU;
    array->flags = view.readonly ? NPCC_READONLY : 0;
    array->base = object;
    for (int axis = 0; axis < view.ndim; ++axis)
      array->shape[axis] = view.shape[axis];
    failed = byte_strides(array, view.strides);
  }
  PyBuffer_Release(&view);
  if (failed) {
    Py_DECREF(memory);
    return -1;
  }
  *owner = memory;
  return 1;
}
