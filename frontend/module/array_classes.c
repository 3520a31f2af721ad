#include "frontend/module/array_classes.h"
#include "frontend/module/array.h"
#include "frontend/module/dlpack.h"
#include "frontend/module/numpy_access.h"
#include "runtime/abi/devices.h"
#include <string.h>

typedef struct array_class {
  PyTypeObject *type; /* held for ever, as the libraries are */
  int (*read)(const struct array_class *self, PyObject *object, npcc_array *array, void **stream);
  const DLPackExchangeAPI *exchange;
  intptr_t (*cupy_stream)(void);
  int says_contiguous; /* by _c_contiguous, so that most arrays need no tuple of strides */
  int may_require_gradients;
} array_class;

enum { most_classes = 8 };
static array_class classes[most_classes];
static int class_count;

/*===---- By attributes ----===*/

static PyObject *name_data, *name_ptr, *name_device_id, *name_dtype, *name_shape, *name_strides, *name_contiguous,
    *name_requires_grad;

static int make_names(void) {
  if (name_requires_grad)
    return 1;
  name_data = PyUnicode_InternFromString("data");
  name_ptr = PyUnicode_InternFromString("ptr");
  name_device_id = PyUnicode_InternFromString("device_id");
  name_dtype = PyUnicode_InternFromString("dtype");
  name_shape = PyUnicode_InternFromString("shape");
  name_strides = PyUnicode_InternFromString("strides");
  name_contiguous = PyUnicode_InternFromString("_c_contiguous");
  name_requires_grad = PyUnicode_InternFromString("requires_grad");
  return name_data && name_ptr && name_device_id && name_dtype && name_shape && name_strides && name_contiguous &&
         name_requires_grad;
}

/* An attribute that is an integer, 0 with an exception. */
static uint64_t integer(PyObject *object, PyObject *name) {
  PyObject *number = object ? PyObject_GetAttr(object, name) : NULL;
  uint64_t value = number ? (uint64_t)PyLong_AsUnsignedLongLongMask(number) : 0;
  Py_XDECREF(number);
  return value;
}

/* An attribute that is a tuple of at most so many integers: how many, or -1. */
static int integers(PyObject *object, PyObject *name, int64_t *out) {
  PyObject *tuple = PyObject_GetAttr(object, name);
  Py_ssize_t count = tuple && PyTuple_Check(tuple) ? PyTuple_Size(tuple) : -1;
  if (count > NPCC_MAX_RANK)
    count = -1;
  for (Py_ssize_t k = 0; k < count; ++k)
    out[k] = PyLong_AsLongLong(PyTuple_GetItem(tuple, k));
  Py_XDECREF(tuple);
  return (int)count;
}

static int is_contiguous(PyObject *object) {
  PyObject *flag = PyObject_GetAttr(object, name_contiguous);
  int found = flag == Py_True;
  Py_XDECREF(flag);
  return found;
}

static int read_cupy_strides(PyObject *object, npcc_array *array) {
  if (integers(object, name_strides, array->strides) != array->rank)
    return 0;
  int shift = npcc_dtype_shift[array->dtype];
  int64_t rest = 0, mask = ((int64_t)1 << shift) - 1;
  for (int axis = 0; axis < array->rank; ++axis) {
    rest |= array->strides[axis] & mask;
    array->strides[axis] >>= shift;
  }
  return !rest;
}

static int read_cupy(const array_class *self, PyObject *object, npcc_array *array, void **stream) {
  PyObject *memory = PyObject_GetAttr(object, name_data), *dtype = PyObject_GetAttr(object, name_dtype);
  array->data = (void *)(uintptr_t)integer(memory, name_ptr);
  array->device = npcc_rt_cuda_device_count() == 1 ? 0 : (int32_t)integer(memory, name_device_id);
  array->dtype =
      dtype && PyObject_TypeCheck(dtype, npcc_numpy.dtype) ? npcc_dtype_of_descr((npcc_numpy_descr *)dtype) : -1;
  Py_XDECREF(dtype);
  Py_XDECREF(memory);
  array->rank = integers(object, name_shape, array->shape);
  if (array->dtype < 0 || array->rank < 0)
    return 0;
  if (self->says_contiguous && is_contiguous(object))
    npcc_set_contiguous_strides(array);
  else if (!read_cupy_strides(object, array))
    return 0;
  *stream = (void *)self->cupy_stream();
  return 1;
}

/* The function behind cupy.cuda.get_current_stream().ptr, which CuPy's own extensions call; NULL where it is another
 * one in this version. */
static intptr_t (*find_cupy_stream(void))(void) {
  PyObject *module = PyDict_GetItemString(PyImport_GetModuleDict(), "cupy_backends.cuda.stream"); /* borrowed */
  PyObject *table = module ? PyObject_GetAttrString(module, "__pyx_capi__") : NULL;
  PyObject *capsule = table && PyDict_Check(table) ? PyDict_GetItemString(table, "get_current_stream_ptr") : NULL;
  void *found = capsule && PyCapsule_IsValid(capsule, "intptr_t (void)")
                    ? PyCapsule_GetPointer(capsule, "intptr_t (void)")
                    : NULL;
  intptr_t (*function)(void);
  memcpy(&function, &found, sizeof function);
  Py_XDECREF(table);
  return function;
}

static int is_cupy(PyTypeObject *type) {
  PyObject *module = PyObject_GetAttrString((PyObject *)type, "__module__"),
           *name = PyObject_GetAttrString((PyObject *)type, "__name__");
  int found = module && name && PyUnicode_Check(module) && PyUnicode_Check(name) &&
              !PyUnicode_CompareWithASCIIString(module, "cupy") && !PyUnicode_CompareWithASCIIString(name, "ndarray");
  Py_XDECREF(module);
  Py_XDECREF(name);
  return found;
}

/*===---- By DLPack's exchange API ----===*/

static int read_exchange(const array_class *self, PyObject *object, npcc_array *array, void **stream) {
  /* What the interface and DLPack refuse, this API does not: tensors with gradients, and complex ones that are to be
   * conjugated. */
  if (self->may_require_gradients) {
    PyObject *flag = PyObject_GetAttr(object, name_requires_grad);
    int refused = flag != Py_False;
    Py_XDECREF(flag);
    if (refused)
      return 0;
  }
  DLTensor tensor;
  memset(&tensor, 0, sizeof tensor);
  if (self->exchange->dltensor_from_py_object_no_sync(object, &tensor) || tensor.device.type != kDLCUDA ||
      tensor.dtype.code == kDLComplex || npcc_read_dltensor(&tensor, 0, array))
    return 0;
  return !self->exchange->current_work_stream(kDLCUDA, tensor.device.id, stream);
}

static const DLPackExchangeAPI *find_exchange(PyTypeObject *type) {
  PyObject *capsule = PyObject_GetAttrString((PyObject *)type, "__dlpack_c_exchange_api__");
  const DLPackExchangeAPI *api = capsule && PyCapsule_IsValid(capsule, "dlpack_exchange_api")
                                     ? PyCapsule_GetPointer(capsule, "dlpack_exchange_api")
                                     : NULL;
  Py_XDECREF(capsule); /* the class holds it */
  return api && api->major == 1 && api->dltensor_from_py_object_no_sync && api->current_work_stream ? api : NULL;
}

/*===---- All classes ----===*/

static int read_as(const array_class *class, PyObject *object, npcc_array *array, void **stream) {
  *stream = NULL;
  array->flags = 0;
  int done = class->read(class, object, array, stream);
  if (PyErr_Occurred()) {
    PyErr_Clear();
    return 0;
  }
  array->base = object;
  if (!*stream)
    *stream = (void *)1; /* CUDA's legacy default stream */
  return done;
}

static int is_same(const npcc_array *a, const npcc_array *b) {
  if (a->data != b->data || a->dtype != b->dtype || a->rank != b->rank || a->device != b->device ||
      a->flags != b->flags)
    return 0;
  for (int axis = 0; axis < a->rank; ++axis)
    if (a->shape[axis] != b->shape[axis] || a->strides[axis] != b->strides[axis])
      return 0;
  return 1;
}

void npcc_learn_array_class(PyObject *object, const npcc_array *array, void *stream) {
  PyTypeObject *type = Py_TYPE(object);
  if (class_count == most_classes || npcc_is_array_class(type) || !array->data || !make_names())
    return;
  array_class class;
  memset(&class, 0, sizeof class);
  class.type = type;
  class.exchange = find_exchange(type);
  PyErr_Clear();
  if (class.exchange) {
    class.read = read_exchange;
    class.may_require_gradients = PyObject_HasAttrString((PyObject *)type, "requires_grad");
  } else if (is_cupy(type) && (class.cupy_stream = find_cupy_stream())) {
    class.read = read_cupy;
    class.says_contiguous = PyObject_HasAttrString((PyObject *)type, "_c_contiguous");
  }
  PyErr_Clear();
  npcc_array read;
  void *read_stream;
  if (!class.read || !read_as(&class, object, &read, &read_stream) || !is_same(&read, array) || read_stream != stream)
    return;
  Py_INCREF((PyObject *)type);
  classes[class_count++] = class;
}

static const array_class *find_class(const PyTypeObject *type) {
  for (int k = 0; k < class_count; ++k)
    if (classes[k].type == type)
      return &classes[k];
  return NULL;
}

int npcc_is_array_class(PyTypeObject *type) { return find_class(type) != NULL; }

int npcc_read_by_class(PyObject *object, npcc_array *array, void **stream) {
  const array_class *class = find_class(Py_TYPE(object));
  return class && read_as(class, object, array, stream);
}
