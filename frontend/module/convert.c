#include "frontend/module/convert.h"
#include "frontend/module/array.h"
#include "frontend/module/constants.h"
#include "frontend/module/errors.h"
#include "frontend/module/generators.h"
#include "frontend/module/numpy_access.h"
#include "frontend/module/text.h"
#include "runtime/abi/calls.h"
#include "runtime/abi/devices.h"
#include <string.h>

npcc_key npcc_key_of_param(const npcc_param *param) {
  if (param->kind == NPCC_GENERATOR)
    return NPCC_KEY(NPCC_GENERATOR, param->dtype, 0, 0, 0);
  if (param->weak == NPCC_WEAK_STRING)
    return NPCC_KEY_STRING;
  if (param->kind == NPCC_SCALAR)
    return NPCC_KEY(NPCC_SCALAR, param->dtype, 0, param->weak != 0, 0);
  return NPCC_KEY(NPCC_ARRAY, param->dtype, param->rank, param->weak != 0, param->weak ? 0 : param->unit_axes);
}

/*===---- Arguments ----===*/

static int unsupported_dtype(PyObject *descr) {
  PyErr_Format(PyExc_TypeError, "npcc does not support arrays of dtype %R", descr);
  return -1;
}

static void set_array(npcc_argument *argument, int from_numpy) {
  const npcc_array *array = &argument->array;
  npcc_key unit_axes = 0;
  for (int axis = 0; axis < array->rank; ++axis)
    unit_axes |= (npcc_key)(array->shape[axis] == 1) << axis;
  argument->key = NPCC_KEY(NPCC_ARRAY, array->dtype, array->rank, 0, unit_axes);
  argument->from_numpy = from_numpy;
  argument->value.a = &argument->array;
}

/* By the struct's layout: a tenth of what the buffer protocol costs. */
static int read_numpy(PyObject *object, npcc_argument *argument) {
  const npcc_numpy_array *source = (const npcc_numpy_array *)object;
  npcc_array *array = &argument->array;
  int dtype = npcc_dtype_of_descr(source->descr);
  if (dtype < 0)
    return unsupported_dtype((PyObject *)source->descr);
  if (!(source->flags & NPCC_NUMPY_ALIGNED)) {
    PyErr_SetString(PyExc_TypeError, "npcc does not support unaligned arrays: copy the array first");
    return -1;
  }
  if (source->rank > NPCC_MAX_RANK) {
    PyErr_Format(PyExc_TypeError, "npcc supports at most %d axes, the array has %d", NPCC_MAX_RANK, source->rank);
    return -1;
  }
  int shift = npcc_dtype_shift[dtype];
  Py_ssize_t remainder = 0, mask = ((Py_ssize_t)1 << shift) - 1;
  for (int axis = 0; axis < source->rank; ++axis) {
    array->shape[axis] = source->shape[axis];
    array->strides[axis] = source->strides[axis] >> shift;
    remainder |= source->strides[axis] & mask;
  }
  if (remainder) {
    PyErr_SetString(PyExc_TypeError, "npcc does not support arrays whose strides are not multiples of the element size");
    return -1;
  }
  array->base = object; /* identity: a result with this base is this array or a view of it */
  array->data = source->data;
  array->dtype = dtype;
  array->rank = source->rank;
  array->device = NPCC_CPU;
  array->flags = source->flags & NPCC_NUMPY_WRITEABLE ? 0 : NPCC_READONLY;
  set_array(argument, 1);
  return 0;
}

static int read_integer(PyObject *object, npcc_argument *argument) {
  int overflow;
  argument->value.i = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (overflow) {
    PyErr_SetString(PyExc_OverflowError, "Python int too large to convert to C long");
    return -1;
  }
  argument->key = NPCC_KEY(NPCC_SCALAR, NPCC_INT64, 0, 1, 0);
  return argument->value.i == -1 && PyErr_Occurred() ? -1 : 0;
}

/* The dtype of a NumPy scalar, by its type or, where that is not one of the usual ones, as it says. */
static int dtype_of_scalar(PyObject *object) {
  for (int dtype = 0; dtype < NPCC_DTYPE_COUNT; ++dtype)
    if (Py_TYPE(object) == npcc_numpy.scalar[dtype])
      return dtype;
  PyObject *descr = PyObject_GetAttrString(object, "dtype");
  if (!descr)
    return -1;
  int dtype = npcc_dtype_of_descr((npcc_numpy_descr *)descr);
  if (dtype < 0)
    PyErr_Format(PyExc_TypeError, "npcc does not support scalars of dtype %R", descr);
  Py_DECREF(descr);
  return dtype;
}

static int read_numpy_scalar(PyObject *object, npcc_argument *argument) {
  int dtype = dtype_of_scalar(object);
  if (dtype < 0)
    return -1;
  if (dtype == NPCC_BFLOAT16) { /* NumPy knows how to read scalars of its own types only */
    argument->value.f = PyFloat_AsDouble(object);
  } else {
    double element[2];
    npcc_numpy.scalar_as_ctype(object, element);
    npcc_load_element(dtype, element, &argument->value);
  }
  argument->key = NPCC_KEY(NPCC_SCALAR, dtype, 0, 0, 0);
  return 0;
}

static int read_foreign(PyObject *object, npcc_argument *argument) {
  if (PyType_Check(object)) { /* has the protocols of its instances, unbound */
    argument->key = NPCC_KEY_CONSTANT;
    return 0;
  }
  int named = 0, found = npcc_read_cuda_interface(object, &argument->array, &argument->owner, &argument->stream, &named);
  if (found <= 0 || !named)
    argument->stream = NULL;
  if (!found)
    found = npcc_from_dlpack(object, &argument->array, &argument->owner);
  if (!found)
    found = npcc_from_buffer(object, &argument->array, &argument->owner);
  if (found < 0)
    return -1;
  if (found) {
    set_array(argument, 0);
    return 0;
  }
  int class = npcc_generator_class_of(object);
  if (class >= 0) {
    argument->key = NPCC_KEY(NPCC_GENERATOR, class, 0, 0, 0);
    return 0;
  }
  if (npcc_is_constant(object)) {
    argument->key = NPCC_KEY_CONSTANT;
    return 0;
  }
  PyErr_Format(PyExc_TypeError, "npcc does not support values of type %R", Py_TYPE(object));
  return -1;
}

/* What the items of a list are: a number of this dtype, -1 with TypeError if they are of several types or nested unevenly. */
static int dtype_of_items(PyObject *list, int rank, int depth) {
  int found = -2;
  for (Py_ssize_t k = 0; k < PyList_Size(list); ++k) {
    PyObject *item = PyList_GetItem(list, k);
    PyTypeObject *type = Py_TYPE(item);
    int dtype = type == &PyBool_Type      ? NPCC_BOOL
                : type == &PyLong_Type    ? NPCC_INT64
                : type == &PyFloat_Type   ? NPCC_FLOAT64
                : type == &PyComplex_Type ? NPCC_COMPLEX128
                                          : -1;
    if (depth < rank)
      dtype = type == &PyList_Type && PyList_Size(item) == PyList_Size(PyList_GetItem(list, 0)) ? dtype_of_items(item, rank, depth + 1) : -1;
    if (dtype == -1 || (found != -2 && dtype != found))
      return -1;
    found = dtype;
  }
  return found;
}

/* A list of numbers of one type, or of such lists of one length: a NumPy array of the call's own. */
static int read_list(PyObject *list, npcc_argument *argument) {
  int rank = 0;
  for (PyObject *item = list; rank <= NPCC_MAX_RANK && PyList_CheckExact(item) && PyList_Size(item);
       item = PyList_GetItem(item, 0))
    ++rank;
  int dtype = rank && rank <= NPCC_MAX_RANK ? dtype_of_items(list, rank, 1) : -1;
  if (dtype < 0) {
    PyErr_SetString(PyExc_TypeError, "npcc supports lists of numbers of one type, and lists of such lists of one length: not empty ones, nor others");
    return -1;
  }
  PyObject *numpy = PyImport_ImportModule("numpy");
  argument->owner = numpy ? PyObject_CallMethod(numpy, "array", "OO", list, npcc_numpy.descr[dtype]) : NULL;
  Py_XDECREF(numpy);
  if (!argument->owner || read_numpy(argument->owner, argument))
    return -1;
  argument->key = NPCC_KEY(NPCC_ARRAY, dtype, rank, 1, 0);
  return 0;
}

static int set_items(PyObject *list, PyObject *items) {
  for (Py_ssize_t k = 0; k < PyList_Size(items); ++k) {
    PyObject *item = PyList_GetItem(items, k);
    if (PyList_CheckExact(item) ? set_items(PyList_GetItem(list, k), item) : PyList_SetItem(list, k, Py_NewRef(item)))
      return -1;
  }
  return 0;
}

int npcc_write_list_back(const npcc_argument *argument) {
  PyObject *items = PyObject_CallMethod(argument->owner, "tolist", NULL);
  int failed = !items || set_items(argument->object, items);
  Py_XDECREF(items);
  return failed ? -1 : 0;
}

int npcc_read_argument(PyObject *object, npcc_argument *argument) {
  PyTypeObject *type = Py_TYPE(object);
  argument->object = object;
  argument->owner = NULL;
  argument->stream = NULL;
  argument->from_numpy = 0;
  if (type == npcc_numpy.array)
    return read_numpy(object, argument);
  if (type == npcc_array_type || type == npcc_array_base_type) {
    const npcc_array *source = &((npcc_array_object *)object)->array;
    memcpy(&argument->array, source, offsetof(npcc_array, shape));
    memcpy(argument->array.shape, source->shape, sizeof(int64_t) * (size_t)source->rank);
    memcpy(argument->array.strides, source->strides, sizeof(int64_t) * (size_t)source->rank);
    set_array(argument, 0);
    return 0;
  }
  if (type == &PyFloat_Type) {
    argument->value.f = PyFloat_AsDouble(object);
    argument->key = NPCC_KEY(NPCC_SCALAR, NPCC_FLOAT64, 0, 1, 0);
    return 0;
  }
  if (type == &PyBool_Type) {
    argument->value.i = object == Py_True;
    argument->key = NPCC_KEY(NPCC_SCALAR, NPCC_BOOL, 0, 1, 0);
    return 0;
  }
  if (type == &PyLong_Type)
    return read_integer(object, argument);
  if (object == Py_None || type == &PyUnicode_Type) {
    argument->key = NPCC_KEY_CONSTANT;
    return 0;
  }
  /* A member of an enumeration has more than its number, which is known with it. */
  if (PyLong_Check(object) && PyType_GetFlags(type) & Py_TPFLAGS_HEAPTYPE &&
      PyObject_HasAttrString((PyObject *)type, "_member_map_")) {
    argument->key = NPCC_KEY_CONSTANT;
    return 0;
  }
  /* Operators of a class that is written in Python are its own. */
  int is_number = PyFloat_Check(object) || PyComplex_Check(object) || PyType_IsSubtype(type, npcc_numpy.generic);
  if (is_number && PyType_GetFlags(type) & Py_TPFLAGS_HEAPTYPE && !npcc_is_bfloat16_scalar(type)) {
    PyErr_Format(PyExc_TypeError, "npcc does not support %R, a subclass of a number's type with rules of its own",
                 type);
    return -1;
  }
  if (PyLong_Check(object) && PyType_GetSlot(type, Py_nb_add) != PyType_GetSlot(&PyLong_Type, Py_nb_add)) {
    PyErr_Format(PyExc_TypeError, "npcc does not support %R, a subclass of int with rules of its own", type);
    return -1;
  }
  /* NumPy's scalars before Python's: float64 derives from float. */
  if (PyType_IsSubtype(type, npcc_numpy.generic))
    return read_numpy_scalar(object, argument);
  if (PyType_IsSubtype(type, npcc_numpy.array)) {
    if (type == npcc_numpy.memmap)
      return read_numpy(object, argument);
    PyErr_Format(PyExc_TypeError, "npcc does not support %R, a subclass of numpy.ndarray with rules of its own", type);
    return -1;
  }
  if (PyLong_Check(object))
    return read_integer(object, argument);
  if (PyFloat_Check(object)) {
    argument->value.f = PyFloat_AsDouble(object);
    argument->key = NPCC_KEY(NPCC_SCALAR, NPCC_FLOAT64, 0, 1, 0);
    return 0;
  }
  if (PyComplex_Check(object)) {
    argument->value.c.re = PyComplex_RealAsDouble(object);
    argument->value.c.im = PyComplex_ImagAsDouble(object);
    argument->key = NPCC_KEY(NPCC_SCALAR, NPCC_COMPLEX128, 0, 1, 0);
    return 0;
  }
  if (PyList_CheckExact(object))
    return read_list(object, argument);
  return read_foreign(object, argument);
}

/*===---- Conversions ----===*/

enum { class_bool, class_int, class_float, class_complex };

static int scalar_class(int dtype) {
  return dtype == NPCC_BOOL ? class_bool : dtype < NPCC_FLOAT16 ? class_int : dtype < NPCC_COMPLEX64 || dtype == NPCC_BFLOAT16 ? class_float : class_complex;
}

static int is_unsigned(int dtype) { return dtype >= NPCC_UINT8 && dtype <= NPCC_UINT64; }

/* Whether the integer argument is a value of the integer dtype. */
static int integer_fits(int from, const npcc_value *value, int to) {
  int bits = 8 << npcc_dtype_shift[to];
  if (is_unsigned(from) && value->u > INT64_MAX)
    return to == NPCC_UINT64;
  if (is_unsigned(to))
    return value->i >= 0 && (bits == 64 || value->i < (int64_t)1 << bits);
  return bits == 64 || (value->i >= -((int64_t)1 << (bits - 1)) && value->i < (int64_t)1 << (bits - 1));
}

int npcc_is_string(const npcc_argument *argument) {
  return argument->key == NPCC_KEY_CONSTANT && PyUnicode_CheckExact(argument->object);
}

int npcc_accepts(const npcc_param *param, const npcc_argument *argument) {
  int kind = argument->key & 3, dtype = argument->key >> 3 & 31, rank = NPCC_KEY_RANK(argument->key);
  if (param->weak == NPCC_WEAK_STRING)
    return npcc_is_string(argument);
  if (kind != param->kind)
    return 0;
  if (kind == NPCC_ARRAY && (argument->key >> 2 & 1) != (param->weak != 0))
    return 0;
  if (kind == NPCC_GENERATOR)
    return dtype == param->dtype;
  if (kind == NPCC_ARRAY)
    return dtype == param->dtype && rank == param->rank && !(param->unit_axes & ~NPCC_KEY_UNIT_AXES(argument->key));
  int from = scalar_class(dtype), to = scalar_class(param->dtype);
  if (from == class_bool || to == class_bool)
    return from == to || (from == class_bool && to >= class_int);
  return from == class_int && to == class_int ? integer_fits(dtype, &argument->value, param->dtype) : from <= to;
}

void npcc_convert_argument(const npcc_param *param, const npcc_argument *argument, npcc_value *out) {
  *out = argument->value;
  if (param->weak == NPCC_WEAK_STRING)
    out->i = npcc_text_number(argument->object);
  if (param->kind != NPCC_SCALAR || param->weak == NPCC_WEAK_STRING)
    return;
  int dtype = argument->key >> 3 & 31, from = scalar_class(dtype), to = scalar_class(param->dtype);
  if (from < class_float && to >= class_float)
    out->f = is_unsigned(dtype) ? (double)argument->value.u : (double)argument->value.i;
  if (from < class_complex && to == class_complex)
    out->c.im = 0;
}

/*===---- Results ----===*/

static int same_view(const npcc_array *a, const npcc_array *b) {
  if (a->data != b->data || a->rank != b->rank || a->dtype != b->dtype)
    return 0;
  int is_empty = 0, same_strides = 1;
  for (int axis = 0; axis < a->rank; ++axis) {
    if (a->shape[axis] != b->shape[axis])
      return 0;
    is_empty |= a->shape[axis] == 0;
    same_strides &= a->strides[axis] == b->strides[axis] || a->shape[axis] == 1;
  }
  return is_empty || same_strides; /* no element is ever reached by strides of what is empty */
}

/* The argument whose memory the result is: the one that it equals, or any with its base. */
static const npcc_argument *find_argument(const npcc_array *array, const npcc_argument *arguments, int32_t count) {
  const npcc_argument *found = NULL;
  for (int32_t k = 0; k < count; ++k) {
    if ((arguments[k].key & 3) != NPCC_ARRAY || arguments[k].array.base != array->base)
      continue;
    if (same_view(array, &arguments[k].array))
      return &arguments[k];
    found = &arguments[k];
  }
  return found;
}

static PyObject *write_array(npcc_array *array, int to_numpy, int is_shared, int is_view, const npcc_argument *arguments, int32_t argument_count) {
  const npcc_argument *argument = find_argument(array, arguments, argument_count);
  if (!argument)
    return to_numpy ? npcc_numpy_wrap(array, NULL, !is_shared && !npcc_rt_is_overlapping()) : npcc_array_wrap(array, NULL);
  array->flags |= argument->array.flags;
  if (!is_view && array->flags == argument->array.flags && same_view(array, &argument->array))
    return Py_NewRef(argument->object);
  if (argument->from_numpy)
    return npcc_numpy_wrap(array, argument->object, 0);
  return npcc_array_wrap(array, argument->object);
}

PyObject *npcc_give_array(npcc_array *array, int to_numpy, const npcc_argument *arguments, int32_t argument_count) {
  if (find_argument(array, arguments, argument_count)) /* which holds it */
    npcc_rt_release(array->base);
  return write_array(array, to_numpy, /*is_shared=*/1, /*is_view=*/0, arguments, argument_count);
}

/* Whether another result shows the same memory: t and t[1:] go on sharing it. */
static int shares_memory(const npcc_function *function, const npcc_value *results, int32_t position) {
  for (int32_t k = 0; k < function->result_count; ++k)
    if (k != position && function->results[k].kind == NPCC_ARRAY && results[k].a->base == results[position].a->base)
      return 1;
  return 0;
}

static PyObject *python_scalar(int dtype, const npcc_value *value) {
  switch (scalar_class(dtype)) {
  case class_bool: return PyBool_FromLong(value->i != 0);
  case class_int: return is_unsigned(dtype) ? PyLong_FromUnsignedLongLong(value->u) : PyLong_FromLongLong(value->i);
  case class_float: return PyFloat_FromDouble(value->f);
  default: return PyComplex_FromDoubles(value->c.re, value->c.im);
  }
}

PyObject *npcc_write_result(const npcc_function *function, const npcc_value *results, int32_t position, int to_numpy,
                            const npcc_argument *arguments, int32_t argument_count) {
  const npcc_param *result = &function->results[position];
  const npcc_value *value = &results[position];
  if (result->kind == NPCC_NONE)
    return Py_NewRef(Py_None);
  if (result->kind == NPCC_ARRAY && result->weak) { /* an argument itself, or a new list */
    int on_host = value->a->device == NPCC_CPU || value->a->device >= NPCC_LOGICAL_CPU;
    PyObject *array = write_array(value->a, on_host, 1, 0, arguments, argument_count);
    if (!array || PyList_CheckExact(array))
      return array;
    PyObject *list = PyObject_CallMethod(array, "tolist", NULL);
    Py_DECREF(array);
    return list;
  }
  if (result->kind == NPCC_ARRAY)
    return write_array(value->a, to_numpy, shares_memory(function, results, position), result->is_view, arguments, argument_count);
  if (result->weak)
    return python_scalar(result->dtype, value);
  double element[2];
  npcc_store_element(result->dtype, value, element);
  PyObject *descr = npcc_descr(result->dtype);
  PyObject *scalar = descr ? npcc_numpy.new_scalar(element, descr, NULL) : NULL;
  Py_XDECREF(descr);
  return scalar;
}

int npcc_is_repeated_result(const npcc_function *function, const npcc_value *results, int32_t earlier, int32_t later,
                            const npcc_argument *arguments, int32_t argument_count) {
  if (function->results[earlier].kind != NPCC_ARRAY || function->results[later].kind != NPCC_ARRAY)
    return 0;
  const npcc_array *a = results[earlier].a, *b = results[later].a;
  return a->base == b->base && same_view(a, b) && !find_argument(a, arguments, argument_count);
}
