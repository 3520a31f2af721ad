#include "frontend/module/array.h"
#include "frontend/module/errors.h"
#include "frontend/module/numpy_access.h"
#include "frontend/module/producers.h"
#include "runtime/abi/devices.h"
#include "runtime/abi/streams.h"
#include <string.h>

PyTypeObject *npcc_array_type, *npcc_array_base_type;

static int on_cpu(const npcc_array *array) { return array->device < 0 || array->device >= NPCC_LOGICAL_CPU; }

/*===---- Making arrays ----===*/

/* Descriptors are copied up to their rank: they are large, and calls are short. */
static void copy_array(npcc_array *to, const npcc_array *from) {
  memcpy(to, from, offsetof(npcc_array, shape));
  memcpy(to->shape, from->shape, sizeof(int64_t) * (size_t)from->rank);
  memcpy(to->strides, from->strides, sizeof(int64_t) * (size_t)from->rank);
}

PyObject *npcc_array_wrap(const npcc_array *array, PyObject *owner) {
  allocfunc allocate = (allocfunc)PyType_GetSlot(npcc_array_type, Py_tp_alloc);
  npcc_array_object *self = (npcc_array_object *)allocate(npcc_array_type, 0);
  if (!self) {
    if (!owner)
      npcc_rt_release(array->base);
    return NULL;
  }
  copy_array(&self->array, array);
  self->owner = Py_XNewRef(owner);
  return (PyObject *)self;
}

static void release_buffer(PyObject *capsule) { npcc_rt_release(PyCapsule_GetPointer(capsule, "npcc.buffer")); }

PyObject *npcc_numpy_wrap(const npcc_array *array, PyObject *owner, int may_copy) {
  Py_ssize_t strides[NPCC_MAX_RANK], size = (Py_ssize_t)1 << npcc_dtype_shift[array->dtype], bytes = size;
  int contiguous = 1;
  for (int axis = array->rank - 1; axis >= 0; --axis) {
    strides[axis] = (Py_ssize_t)array->strides[axis] * size;
    contiguous &= strides[axis] == bytes;
    bytes *= (Py_ssize_t)array->shape[axis];
  }
  int writeable = !(array->flags & NPCC_READONLY);
  PyObject *descr = npcc_descr(array->dtype); /* the functions below take it over */
  if (!descr) {
    if (!owner)
      npcc_rt_release(array->base);
    return NULL;
  }
  /* A small result is copied: that costs less than a capsule, and NumPy owns the memory. */
  if (may_copy && !owner && contiguous && writeable && bytes <= 2048) {
    PyObject *result = npcc_numpy.empty(array->rank, (const Py_ssize_t *)array->shape, descr, 0);
    if (result && bytes)
      memcpy(((npcc_numpy_array *)result)->data, array->data, (size_t)bytes);
    npcc_rt_release(array->base);
    return result;
  }
  PyObject *base = owner ? Py_NewRef(owner) : PyCapsule_New(array->base, "npcc.buffer", release_buffer);
  PyObject *result = NULL;
  if (base)
    result = npcc_numpy.new_from_descr(npcc_numpy.array, descr, array->rank, (const Py_ssize_t *)array->shape, strides,
                                       array->data, writeable ? NPCC_NUMPY_WRITEABLE : 0, NULL);
  if (result && npcc_numpy.set_base(result, base)) /* takes over base, even on failure */
    Py_CLEAR(result);
  else if (!result)
    Py_XDECREF(base);
  return result;
}

int npcc_array_allocate(npcc_array *array, int dtype, int rank, const int64_t *shape, int device) {
  int64_t count = 1;
  for (int axis = rank - 1; axis >= 0; --axis) {
    array->shape[axis] = shape[axis];
    array->strides[axis] = count;
    if (shape[axis] < 0 || __builtin_mul_overflow(count, shape[axis], &count)) {
      PyErr_SetString(PyExc_ValueError, shape[axis] < 0 ? "negative dimensions are not allowed" : "array is too big");
      return -1;
    }
  }
  int64_t bytes;
  if (__builtin_mul_overflow(count, (int64_t)1 << npcc_dtype_shift[dtype], &bytes)) {
    PyErr_SetString(PyExc_ValueError, "array is too big");
    return -1;
  }
  npcc_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = npcc_rt_buffer_new(device, bytes, &array->base);
  Py_END_ALLOW_THREADS;
  if (status.error) {
    npcc_raise_status(&status);
    return -1;
  }
  array->data = array->base;
  array->dtype = dtype;
  array->rank = rank;
  array->device = device;
  array->flags = 0;
  return 0;
}

/*===---- The type ----===*/

/* Another thread may have the lock of the device's memory, and wait for the driver. */
static void release_on_gpu(void *base) {
  Py_BEGIN_ALLOW_THREADS;
  npcc_rt_release(base);
  Py_END_ALLOW_THREADS;
}

static void array_dealloc(PyObject *object) {
  npcc_array_object *self = (npcc_array_object *)object;
  PyTypeObject *type = Py_TYPE(object);
  if (self->owner)
    Py_DECREF(self->owner);
  else if (on_cpu(&self->array))
    npcc_rt_release(self->array.base);
  else
    release_on_gpu(self->array.base);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

static const npcc_array *array_of(PyObject *self) { return &((npcc_array_object *)self)->array; }

static PyObject *tuple_of(const int64_t *numbers, int count, int shift) {
  PyObject *tuple = PyTuple_New(count);
  for (int k = 0; tuple && k < count; ++k) {
    PyObject *number = PyLong_FromLongLong(numbers[k] * ((int64_t)1 << shift));
    if (!number || PyTuple_SetItem(tuple, k, number))
      Py_CLEAR(tuple);
  }
  return tuple;
}

static PyObject *get_shape(PyObject *self, void *closure) { return tuple_of(array_of(self)->shape, array_of(self)->rank, 0); }
static PyObject *get_strides(PyObject *self, void *closure) {
  return tuple_of(array_of(self)->strides, array_of(self)->rank, npcc_dtype_shift[array_of(self)->dtype]);
}
static PyObject *get_dtype(PyObject *self, void *closure) { return npcc_descr(array_of(self)->dtype); }
static PyObject *get_ndim(PyObject *self, void *closure) { return PyLong_FromLong(array_of(self)->rank); }
static PyObject *get_device(PyObject *self, void *closure) {
  if (on_cpu(array_of(self)))
    return PyUnicode_FromString("cpu");
  return PyUnicode_FromFormat("cuda:%d", (int)array_of(self)->device);
}
static PyObject *get_readonly(PyObject *self, void *closure) { return PyBool_FromLong(array_of(self)->flags & NPCC_READONLY); }

static int is_c_contiguous(const npcc_array *array) {
  int64_t stride = 1;
  for (int axis = array->rank - 1; axis >= 0; --axis) {
    if (array->shape[axis] != 1 && array->strides[axis] != stride)
      return 0;
    stride *= array->shape[axis];
  }
  return 1;
}

static int has_elements(const npcc_array *array) {
  for (int axis = 0; axis < array->rank; ++axis)
    if (array->shape[axis] == 0)
      return 0;
  return 1;
}

/* CUDA's has no strides for what is contiguous, and the address 0 for what is empty. */
static PyObject *interface(PyObject *self, int version) {
  const npcc_array *array = array_of(self);
  int is_empty = !on_cpu(array) && !has_elements(array);
  int is_bare = !on_cpu(array) && (is_empty || is_c_contiguous(array));
  PyObject *shape = get_shape(self, NULL), *strides = is_bare ? Py_NewRef(Py_None) : get_strides(self, NULL);
  PyObject *data = PyLong_FromVoidPtr(is_empty ? NULL : array->data), *readonly = get_readonly(self, NULL);
  if (!shape || !strides || !data || !readonly) {
    Py_XDECREF(shape);
    Py_XDECREF(strides);
    Py_XDECREF(data);
    Py_XDECREF(readonly);
    return NULL;
  }
  return Py_BuildValue("{sNsssNs(NN)si}", "shape", shape, "typestr", npcc_typestr(array->dtype), "strides", strides, "data",
                       data, readonly, "version", version);
}

/* The two interfaces exist only where they are true, as in PyTorch: NumPy and CuPy ask with hasattr. */
static PyObject *get_array_interface(PyObject *self, void *closure) {
  if (on_cpu(array_of(self)))
    return interface(self, 3);
  PyErr_SetString(PyExc_AttributeError, "__array_interface__ (the array is on a GPU)");
  return NULL;
}
static PyObject *get_cuda_array_interface(PyObject *self, void *closure) {
  if (on_cpu(array_of(self))) {
    PyErr_SetString(PyExc_AttributeError, "__cuda_array_interface__ (the array is on the CPU)");
    return NULL;
  }
  void *stream;
  /* This thread's stream, which is made to wait for others that work with the array. */
  npcc_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = npcc_rt_order_buffer(array_of(self)->device, array_of(self)->base);
  if (!status.error)
    status = npcc_rt_stream(array_of(self)->device, &stream);
  Py_END_ALLOW_THREADS;
  if (!status.error)
    status = npcc_order_heedless(array_of(self)->device);
  PyObject *dict = status.error ? NULL : interface(self, 3);
  if (status.error)
    npcc_raise_status(&status);
  /* The consumer waits for this stream. 0 is forbidden there; 1 is the legacy default stream. */
  PyObject *number = dict ? PyLong_FromVoidPtr(stream ? stream : (void *)1) : NULL;
  if (dict && (!number || PyDict_SetItemString(dict, "stream", number)))
    Py_CLEAR(dict);
  Py_XDECREF(number);
  return dict;
}

/* to <- from, both of one shape and dtype. */
static int copy(npcc_array *to, const npcc_array *from) {
  npcc_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = npcc_rt_copy(to, from);
  Py_END_ALLOW_THREADS;
  if (status.error)
    npcc_raise_status(&status);
  return status.error ? -1 : 0;
}

/* A new C-contiguous array of the same elements on `device`. */
static int copied(const npcc_array *from, int device, npcc_array *to) {
  if (npcc_array_allocate(to, from->dtype, from->rank, from->shape, device))
    return -1;
  if (copy(to, from)) {
    npcc_rt_release(to->base);
    return -1;
  }
  return 0;
}

static PyObject *array_get(PyObject *self, PyObject *unused) {
  npcc_array host;
  return copied(array_of(self), NPCC_CPU, &host) ? NULL : npcc_numpy_wrap(&host, NULL, 1);
}

static PyObject *array_copy_to(PyObject *self, PyObject *args) {
  int device;
  npcc_array result;
  if (!PyArg_ParseTuple(args, "i", &device) || copied(array_of(self), device, &result))
    return NULL;
  return npcc_array_wrap(&result, NULL);
}

/* _assign(other): the elements of another core array of the same shape and dtype, wherever it is. */
static PyObject *array_assign(PyObject *self, PyObject *other) {
  npcc_array *to = &((npcc_array_object *)self)->array;
  if (PyObject_IsInstance(other, (PyObject *)npcc_array_base_type) != 1) {
    PyErr_SetString(PyExc_TypeError, "expected an npcc array");
    return NULL;
  }
  if (to->flags & NPCC_READONLY) {
    PyErr_SetString(PyExc_ValueError, "assignment destination is read-only");
    return NULL;
  }
  return copy(to, array_of(other)) ? NULL : Py_NewRef(Py_None);
}

/* _view(offset, shape, strides): counted in elements; the caller has checked the bounds. */
static PyObject *array_view(PyObject *self, PyObject *args) {
  Py_ssize_t offset;
  PyObject *shape, *strides;
  if (!PyArg_ParseTuple(args, "nO!O!", &offset, &PyTuple_Type, &shape, &PyTuple_Type, &strides))
    return NULL;
  npcc_array view;
  memcpy(&view, array_of(self), offsetof(npcc_array, shape));
  view.rank = (int32_t)PyTuple_Size(shape);
  if (view.rank > NPCC_MAX_RANK || PyTuple_Size(strides) != view.rank) {
    PyErr_Format(PyExc_ValueError, "npcc supports at most %d axes", NPCC_MAX_RANK);
    return NULL;
  }
  for (int axis = 0; axis < view.rank; ++axis) {
    view.shape[axis] = PyLong_AsLongLong(PyTuple_GetItem(shape, axis));
    view.strides[axis] = PyLong_AsLongLong(PyTuple_GetItem(strides, axis));
  }
  if (PyErr_Occurred())
    return NULL;
  view.data = (char *)view.data + offset * ((Py_ssize_t)1 << npcc_dtype_shift[view.dtype]);
  PyObject *owner = ((npcc_array_object *)self)->owner;
  if (!owner)
    npcc_rt_retain(view.base);
  return npcc_array_wrap(&view, owner);
}

/* NumPy's protocol: __array__(dtype=None, copy=None). On the CPU the array is NumPy's view of the same memory. */
static PyObject *array_array(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"dtype", "copy", NULL};
  PyObject *dtype = Py_None, *must_copy = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|OO", names, &dtype, &must_copy))
    return NULL;
  int cpu = on_cpu(array_of(self)), share = cpu && must_copy != Py_True;
  if (!cpu && must_copy == Py_False) {
    PyErr_SetString(PyExc_ValueError, "a copy is needed to bring an array from the GPU to NumPy");
    return NULL;
  }
  if (share) { /* work that is still running on the memory ends first */
    npcc_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = npcc_rt_synchronize(array_of(self)->device);
    Py_END_ALLOW_THREADS;
    if (status.error) {
      npcc_raise_status(&status);
      return NULL;
    }
  }
  PyObject *array = share ? npcc_numpy_wrap(array_of(self), self, 0) : array_get(self, NULL);
  if (!array || dtype == Py_None)
    return array;
  PyObject *converted = PyObject_CallMethod(array, "astype", "OssOO", dtype, "K", "unsafe", Py_True, Py_False);
  Py_DECREF(array);
  return converted;
}

/* Makes the consumer's stream wait for ours. DLPack's numbers: None and 1 are the legacy default stream, 2 the thread's, -1: the
 * consumer sees to it, others are handles. */
static int order_consumer(const npcc_array *array, PyObject *stream) {
  npcc_status status;
  void *handle = (void *)1;
  if (stream != Py_None) {
    long long number = PyLong_AsLongLong(stream);
    if (number == -1)
      return PyErr_Occurred() ? -1 : 0;
    handle = (void *)(intptr_t)number;
  }
  int is_cuda = array->device >= 0 && array->device < NPCC_LOGICAL_CPU;
  Py_BEGIN_ALLOW_THREADS;
  status = is_cuda ? npcc_rt_order_buffer(array->device, array->base) : npcc_rt_synchronize(array->device);
  if (is_cuda && !status.error)
    status = npcc_rt_order_streams(array->device, handle, 0);
  Py_END_ALLOW_THREADS;
  if (status.error)
    npcc_raise_status(&status);
  return status.error ? -1 : 0;
}

static PyObject *array_dlpack(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"stream", "max_version", "dl_device", "copy", NULL};
  PyObject *stream = Py_None, *version = Py_None, *device = Py_None, *must_copy = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOO", names, &stream, &version, &device, &must_copy))
    return NULL;
  int major = 0, minor = 0, type = 0, id = 0;
  int32_t own_type, own_id;
  npcc_dlpack_device(array_of(self)->device, &own_type, &own_id);
  if (version != Py_None && (!PyTuple_Check(version) || !PyArg_ParseTuple(version, "ii", &major, &minor)))
    return NULL;
  if (device != Py_None && (!PyTuple_Check(device) || !PyArg_ParseTuple(device, "ii", &type, &id)))
    return NULL;
  if (device != Py_None && (type != own_type || id != own_id)) {
    PyErr_SetString(PyExc_BufferError, "the array lives on another device: copy it first (npcc.asarray(..., device=...))");
    return NULL;
  }
  if (order_consumer(array_of(self), stream))
    return NULL;
  if (must_copy != Py_True)
    return npcc_to_dlpack((npcc_array_object *)self, major >= 1);
  npcc_array duplicate;
  PyObject *holder = copied(array_of(self), array_of(self)->device, &duplicate) ? NULL : npcc_array_wrap(&duplicate, NULL);
  PyObject *capsule = holder ? npcc_to_dlpack((npcc_array_object *)holder, major >= 1) : NULL;
  Py_XDECREF(holder);
  return capsule;
}

static PyObject *array_dlpack_device(PyObject *self, PyObject *unused) {
  int32_t type, id;
  npcc_dlpack_device(array_of(self)->device, &type, &id);
  return Py_BuildValue("(ii)", (int)type, (int)id);
}

static PyObject *array_repr(PyObject *self) {
  PyObject *host = array_get(self, NULL), *device = get_device(self, NULL);
  PyObject *text = host && device ? PyUnicode_FromFormat("%R on %U", host, device) : NULL;
  Py_XDECREF(host);
  Py_XDECREF(device);
  return text;
}

static PyGetSetDef attributes[] = {
    {"shape", get_shape, NULL, "extents", NULL},
    {"strides", get_strides, NULL, "bytes from one element to the next, by axis", NULL},
    {"dtype", get_dtype, NULL, "numpy.dtype of the elements", NULL},
    {"ndim", get_ndim, NULL, "number of axes", NULL},
    {"device", get_device, NULL, "where the elements are: 'cpu' or 'cuda:0', 'cuda:1', ...", NULL},
    {"readonly", get_readonly, NULL, "whether stores are refused", NULL},
    {"__array_interface__", get_array_interface, NULL, NULL, NULL},
    {"__cuda_array_interface__", get_cuda_array_interface, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"get", array_get, METH_NOARGS, "A NumPy array with a copy of the elements."},
    {"_copy_to", array_copy_to, METH_VARARGS, NULL},
    {"_assign", array_assign, METH_O, NULL},
    {"_view", array_view, METH_VARARGS, NULL},
    {"__array__", (PyCFunction)(void (*)(void))array_array, METH_VARARGS | METH_KEYWORDS, NULL},
    {"__dlpack__", (PyCFunction)(void (*)(void))array_dlpack, METH_VARARGS | METH_KEYWORDS, NULL},
    {"__dlpack_device__", array_dlpack_device, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, (void *)array_dealloc},
                              {Py_tp_getset, attributes},
                              {Py_tp_methods, methods},
                              {Py_tp_repr, (void *)array_repr},
                              {Py_tp_doc, "An array on the CPU or a GPU."},
                              {0, NULL}};
static PyType_Spec spec = {"npcc.Array", sizeof(npcc_array_object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

int npcc_array_setup(void) {
  if (npcc_array_base_type)
    return 0;
  PyObject *type = PyType_FromSpec(&spec);
  /* NumPy's operators refuse these arrays instead of copying them to the CPU element by element. */
  if (!type || PyObject_SetAttrString(type, "__array_ufunc__", Py_None))
    return -1;
  npcc_array_base_type = npcc_array_type = (PyTypeObject *)type;
  return 0;
}
