#include "frontend/module/errors.h"
#include "frontend/module/results.h"
#include <string.h>

static PyObject *exception_class(int error) {
  switch (error) {
  case NPCC_INDEX_ERROR: return PyExc_IndexError;
  case NPCC_VALUE_ERROR: return PyExc_ValueError;
  case NPCC_TYPE_ERROR: return PyExc_TypeError;
  case NPCC_MEMORY_ERROR: return PyExc_MemoryError;
  case NPCC_ZERO_DIVISION_ERROR: return PyExc_ZeroDivisionError;
  case NPCC_OVERFLOW_ERROR: return PyExc_OverflowError;
  case NPCC_UNBOUND_LOCAL_ERROR: return PyExc_UnboundLocalError;
  case NPCC_ASSERTION_ERROR: return PyExc_AssertionError;
  case NPCC_NOT_IMPLEMENTED_ERROR: return PyExc_NotImplementedError;
  case NPCC_ATTRIBUTE_ERROR: return PyExc_AttributeError;
  case NPCC_KEY_ERROR: return PyExc_KeyError;
  case NPCC_FLOATING_POINT_ERROR: return PyExc_FloatingPointError;
  case NPCC_ARITHMETIC_ERROR: return PyExc_ArithmeticError;
  case NPCC_LOOKUP_ERROR: return PyExc_LookupError;
  case NPCC_RECURSION_ERROR: return PyExc_RecursionError;
  case NPCC_STOP_ITERATION: return PyExc_StopIteration;
  case NPCC_EXCEPTION: return PyExc_Exception;
  default: return PyExc_RuntimeError;
  }
}

/* An exception class of NumPy's, or the one of Python's that it derives from. New reference. */
static PyObject *numpy_error(const char *module_name, const char *name, PyObject *base) {
  PyObject *module = PyImport_ImportModule(module_name);
  PyObject *result = module ? PyObject_GetAttrString(module, name) : NULL;
  Py_XDECREF(module);
  if (!result) {
    PyErr_Clear();
    result = Py_NewRef(base);
  }
  return result;
}

/* New reference. */
static PyObject *class_of(int error) {
  if (error == NPCC_LINALG_ERROR)
    return numpy_error("numpy.linalg", "LinAlgError", PyExc_ValueError);
  if (error == NPCC_AXIS_ERROR)
    return numpy_error("numpy.exceptions", "AxisError", PyExc_ValueError);
  return Py_NewRef(exception_class(error));
}

static void add_location(PyObject *exception, const npcc_status *status) {
  PyObject *note = PyUnicode_FromFormat("  File \"%s\", line %d, in compiled code", status->file, (int)status->line);
  PyObject *done = note ? PyObject_CallMethod(exception, "add_note", "O", note) : NULL;
  if (!done)
    PyErr_Clear();
  Py_XDECREF(done);
  Py_XDECREF(note);
}

/* A class of the program's, or RuntimeError where it cannot be found any more. New reference. */
static PyObject *class_of_message(const char **message) {
  const char *end = strchr(*message, '\n');
  PyObject *class = end ? npcc_find_class(*message, end - *message) : NULL;
  if (end)
    *message = end + 1;
  if (class && PyType_Check(class) && PyType_IsSubtype((PyTypeObject *)class, (PyTypeObject *)PyExc_BaseException))
    return class;
  PyErr_Clear();
  Py_XDECREF(class);
  return Py_NewRef(PyExc_RuntimeError);
}

void npcc_raise_status(const npcc_status *status) {
  const char *message = status->message;
  PyObject *class = status->error == NPCC_CLASS_ERROR ? class_of_message(&message) : class_of(status->error);
  PyObject *exception = PyObject_CallFunction(class, "s", message);
  if (exception) {
    if (status->line > 0 && status->file[0])
      add_location(exception, status);
    PyErr_SetObject(class, exception);
    Py_DECREF(exception);
  }
  Py_DECREF(class);
}
