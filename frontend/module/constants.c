#include "frontend/module/constants.h"
#include "frontend/module/numpy_access.h"

/* Python's and NumPy's functions and types have names; their types are not part of the limited API. */
static int is_function(PyObject *object) {
  return PyCallable_Check(object) && PyObject_HasAttrString(object, "__name__");
}

int npcc_is_constant(PyObject *object) {
  if (object == Py_None || object == Py_Ellipsis || PyUnicode_Check(object) || Py_TYPE(object) == &PyLong_Type ||
      Py_TYPE(object) == &PyFloat_Type || Py_TYPE(object) == &PyBool_Type || Py_TYPE(object) == &PyComplex_Type ||
      Py_TYPE(object) == &PySlice_Type || PyObject_TypeCheck(object, npcc_numpy.dtype))
    return 1;
  if (!PyTuple_Check(object))
    return is_function(object);
  for (Py_ssize_t k = 0; k < PyTuple_Size(object); ++k)
    if (!npcc_is_constant(PyTuple_GetItem(object, k)))
      return 0;
  return 1;
}

static int same_attribute(PyObject *a, PyObject *b, const char *name, int (*same)(PyObject *, PyObject *)) {
  PyObject *left = PyObject_GetAttrString(a, name), *right = PyObject_GetAttrString(b, name);
  int result = left && right && same(left, right);
  Py_XDECREF(left);
  Py_XDECREF(right);
  PyErr_Clear();
  return result;
}

static int are_identical(PyObject *a, PyObject *b) { return a == b; }

static int are_both_empty(PyObject *a, PyObject *b) { return PyObject_Size(a) == 0 && PyObject_Size(b) == 0; }

static int same_items(PyObject *a, PyObject *b, int (*same)(PyObject *, PyObject *)) {
  Py_ssize_t size = PyTuple_Size(a);
  int result = size == PyTuple_Size(b);
  for (Py_ssize_t k = 0; result && k < size; ++k)
    result = same(PyTuple_GetItem(a, k), PyTuple_GetItem(b, k));
  return result;
}

/* The values of defaults: numbers, strings and None by what they are, others by which object. */
static int same_defaults(PyObject *a, PyObject *b) {
  if (a == b)
    return 1;
  if (Py_TYPE(a) != Py_TYPE(b))
    return 0;
  if (PyTuple_Check(a))
    return same_items(a, b, same_defaults);
  return (PyLong_Check(a) || PyFloat_Check(a) || PyUnicode_Check(a)) && npcc_same_constant(a, b);
}

/* Python makes a lambda anew each time that it comes by. Code for one is code for the other, if they have no closure.
   Methods show the attributes of their functions. */
static int same_function(PyObject *a, PyObject *b) {
  return !PyObject_HasAttrString(a, "__self__") && same_attribute(a, b, "__code__", are_identical) &&
         same_attribute(a, b, "__globals__", are_identical) && same_attribute(a, b, "__closure__", are_identical) &&
         same_attribute(a, b, "__defaults__", same_defaults) && same_attribute(a, b, "__kwdefaults__", are_identical) &&
         same_attribute(a, b, "__dict__", are_both_empty);
}

int npcc_same_constant(PyObject *a, PyObject *b) {
  if (a == b)
    return 1;
  if (Py_TYPE(a) != Py_TYPE(b))
    return 0;
  if (is_function(a))
    return same_function(a, b);
  if (PyTuple_Check(a))
    return same_items(a, b, npcc_same_constant);
  /* 0.0 and -0.0 differ to the compiler, as their texts do. */
  PyObject *left = PyObject_Repr(a), *right = PyObject_Repr(b);
  int same = left && right && PyUnicode_Compare(left, right) == 0;
  Py_XDECREF(left);
  Py_XDECREF(right);
  PyErr_Clear();
  return same;
}
