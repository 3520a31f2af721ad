#include "frontend/module/text.h"
#include "frontend/module/numpy_access.h"
#include "frontend/module/parts.h"
#include "runtime/abi/text.h"
#include <stdlib.h>
#include <string.h>

/*===---- Numbers ----===*/

static PyObject *string_of(int64_t number) {
  if (number < 0)
    return Py_NewRef(Py_None);
  char few[256], *text = few;
  int64_t bytes = npcc_rt_text_read(number, few, sizeof few);
  if (bytes > (int64_t)sizeof few) {
    text = malloc((size_t)bytes);
    if (!text)
      return PyErr_NoMemory();
    npcc_rt_text_read(number, text, bytes);
  }
  PyObject *string = PyUnicode_DecodeUTF8(text, (Py_ssize_t)bytes, "surrogatepass");
  if (text != few)
    free(text);
  return string;
}

PyObject *npcc_texts_of(PyObject *numbers) {
  if (!numbers)
    return NULL;
  PyObject *result = NULL;
  if (PyList_Check(numbers)) {
    Py_ssize_t count = PyList_Size(numbers);
    result = PyList_New(count);
    for (Py_ssize_t k = 0; result && k < count; ++k) {
      PyObject *string = string_of(PyLong_AsLongLong(PyList_GetItem(numbers, k)));
      if (!string || PyList_SetItem(result, k, string))
        Py_CLEAR(result);
    }
  } else {
    result = string_of(PyLong_AsLongLong(numbers));
  }
  Py_DECREF(numbers);
  return result;
}

int64_t npcc_text_number(PyObject *string) {
  PyObject *bytes = PyUnicode_AsEncodedString(string, "utf-8", "surrogatepass");
  char *utf8;
  Py_ssize_t length;
  int64_t number = bytes && !PyBytes_AsStringAndSize(bytes, &utf8, &length) ? npcc_rt_text_new(utf8, length) : -1;
  Py_XDECREF(bytes);
  return number;
}

/*===---- Python's and NumPy's part ----===*/

/* "ValueError: the message" of the exception that is set, which is taken. */
static void describe_exception(char *message, int64_t bytes) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  PyObject *name = type ? PyObject_GetAttrString(type, "__name__") : NULL;
  PyObject *text = name ? PyUnicode_FromFormat("%U: %S", name, value) : NULL;
  PyObject *encoded = text ? PyUnicode_AsEncodedString(text, "utf-8", "replace") : NULL;
  const char *utf8 = encoded ? PyBytes_AsString(encoded) : "RuntimeError: Python's strings failed";
  strncpy(message, utf8, (size_t)bytes - 1);
  message[bytes - 1] = 0;
  Py_XDECREF(encoded);
  Py_XDECREF(text);
  Py_XDECREF(name);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  PyErr_Clear();
}

/* Compiled code runs without the GIL, and an exception may be on its way. */
typedef struct python_state {
  PyGILState_STATE gil;
  PyObject *pending[3];
} python_state;

static void enter_python(python_state *state) {
  state->gil = PyGILState_Ensure();
  PyErr_Fetch(&state->pending[0], &state->pending[1], &state->pending[2]);
}

static int leave_python(python_state *state, int failed, char *message, int64_t bytes) {
  if (failed)
    describe_exception(message, bytes);
  PyErr_Restore(state->pending[0], state->pending[1], state->pending[2]);
  PyGILState_Release(state->gil);
  return failed;
}

static PyObject *argument_of(char type, int64_t bits) {
  double number;
  switch (type) {
  case 't':
    return string_of(bits);
  case 'N':
    return Py_NewRef(Py_None);
  case 'b':
    return PyBool_FromLong(bits != 0);
  case 'u':
    return PyLong_FromUnsignedLongLong((unsigned long long)bits);
  case 'f':
    memcpy(&number, &bits, sizeof number);
    return PyFloat_FromDouble(number);
  default:
    return PyLong_FromLongLong(bits);
  }
}

/* The arguments of `template % values` are one tuple, those of other methods are several. */
static PyObject *call_method(const char *method, int32_t count, const int64_t *arguments) {
  const char *types = strchr(method, ':') + 1;
  PyObject *name = PyUnicode_FromStringAndSize(method, types - 1 - method), *others = PyTuple_New(count - 1);
  PyObject *self = string_of(arguments[0]), *bound = self && name ? PyObject_GetAttr(self, name) : NULL;
  int failed = !bound || !others, is_tuple = !strncmp(method, "__mod__:", 8);
  for (int32_t k = 1; !failed && k < count; ++k) {
    PyObject *value = argument_of(types[k], arguments[k]);
    failed = !value || PyTuple_SetItem(others, k - 1, value);
  }
  PyObject *result = failed     ? NULL
                     : is_tuple ? PyObject_CallFunctionObjArgs(bound, others, NULL)
                                : PyObject_CallObject(bound, others);
  Py_XDECREF(bound);
  Py_XDECREF(self);
  Py_XDECREF(others);
  Py_XDECREF(name);
  return result;
}

static int text_method(const char *method, int32_t count, const int64_t *arguments, int64_t *result, char *message,
                       int64_t bytes) {
  python_state state;
  enter_python(&state);
  if (npcc_is_part(method)) {
    int failed = npcc_run_part(method, count, arguments, argument_of, result);
    if (failed)
      npcc_keep_exception(message, bytes);
    PyErr_Restore(state.pending[0], state.pending[1], state.pending[2]);
    PyGILState_Release(state.gil);
    return failed;
  }
  PyObject *object = call_method(method, count, arguments);
  if (object)
    *result = PyUnicode_Check(object) ? npcc_text_number(object) : PyLong_AsLongLong(object);
  Py_XDECREF(object);
  return leave_python(&state, !object || PyErr_Occurred(), message, bytes);
}

/* A NumPy array of the same elements. `dtype` ends at a space or the end. */
static PyObject *numpy_array(const npcc_array *array, const char *dtype) {
  PyObject *numpy = PyImport_ImportModule("numpy");
  PyObject *name = PyUnicode_FromStringAndSize(dtype, (Py_ssize_t)strcspn(dtype, " "));
  PyObject *descr = numpy && name ? PyObject_CallMethod(numpy, "dtype", "O", name) : NULL;
  Py_XDECREF(name);
  Py_XDECREF(numpy);
  if (!descr)
    return NULL;
  Py_ssize_t shape[NPCC_MAX_RANK], count = 1;
  for (int32_t axis = 0; axis < array->rank; ++axis)
    count *= shape[axis] = array->shape[axis];
  Py_ssize_t bytes = count << npcc_dtype_shift[npcc_dtype_of_descr((npcc_numpy_descr *)descr)];
  PyObject *made = npcc_numpy.empty(array->rank, shape, descr, 0); /* takes over descr */
  if (made)
    memcpy(((npcc_numpy_array *)made)->data, array->data, (size_t)bytes);
  return made;
}

static PyObject *shown(PyObject *array, int32_t kind) {
  if (kind == 'r')
    return PyObject_Repr(array);
  if (kind == 's')
    return PyObject_Str(array);
  PyObject *list = PyObject_CallMethod(array, "tolist", NULL), *string = list ? PyObject_Str(list) : NULL;
  Py_XDECREF(list);
  return string;
}

/* The string that an expression of `numpy` and the array `a` gives; of None, the empty one. */
static PyObject *evaluated(PyObject *array, const char *expression) {
  PyObject *names = Py_BuildValue("{sNsOsNsd}", "numpy", PyImport_ImportModule("numpy"), "a", array, "__builtins__",
                                  PyImport_ImportModule("builtins"), "inf", Py_HUGE_VAL);
  PyObject *code = names ? Py_CompileString(expression, "<text>", Py_eval_input) : NULL;
  PyObject *result = code ? PyEval_EvalCode(code, names, names) : NULL;
  Py_XDECREF(code);
  Py_XDECREF(names);
  if (result && !PyUnicode_Check(result)) {
    Py_DECREF(result);
    result = PyUnicode_FromString("");
  }
  return result;
}

/* Takes over what Python has stored into the object that an array was handed over as. */
static int take_back(const npcc_array *array, int64_t *result, char *message, int64_t bytes) {
  python_state state;
  enter_python(&state);
  PyObject *object = npcc_object_of(*result), *numpy = PyImport_ImportModule("numpy");
  *result = 0;
  PyObject *whole = NULL;
  PyObject *base = object ? ((npcc_numpy_array *)object)->base : NULL;
  if (object && numpy && !npcc_is_given(object) && !(base && npcc_is_given(base))) /* else it has the same memory */
    whole = PyObject_CallMethod(numpy, "ascontiguousarray", "O", object);
  const npcc_numpy_array *stored = (const npcc_numpy_array *)whole;
  size_t count = 1, found = 1;
  for (int32_t axis = 0; axis < array->rank; ++axis)
    count *= (size_t)array->shape[axis];
  for (int axis = 0; whole && axis < stored->rank; ++axis)
    found *= (size_t)stored->shape[axis];
  size_t size = whole ? count << npcc_dtype_shift[npcc_dtype_of_descr(stored->descr)] : 0;
  if (whole && found == count && memcmp(stored->data, array->data, size)) {
    memcpy(array->data, stored->data, size);
    *result = 1;
  }
  Py_XDECREF(whole);
  Py_XDECREF(numpy);
  Py_XDECREF(object);
  return leave_python(&state, PyErr_Occurred() != NULL, message, bytes);
}

static int array_text(const npcc_array *array, const char *dtype, int32_t kind, int64_t *result, char *message,
                      int64_t bytes) {
  if (kind == 'w')
    return take_back(array, result, message, bytes);
  python_state state;
  enter_python(&state);
  PyObject *made = kind == 'o' ? npcc_given_array(array, (const void *)(intptr_t)*result) : NULL, *string = NULL;
  if (!made && !PyErr_Occurred())
    made = numpy_array(array, dtype);
  if (made && kind == 'o') { /* the array itself, as an object */
    *result = npcc_object_number(made);
    return leave_python(&state, *result < 0, message, bytes);
  }
  if (made)
    string = kind == 'e' ? evaluated(made, strchr(dtype, ' ') + 1) : shown(made, kind);
  if (string)
    *result = npcc_text_number(string);
  Py_XDECREF(string);
  Py_XDECREF(made);
  return leave_python(&state, !string || PyErr_Occurred(), message, bytes);
}

void npcc_text_setup(void) {
  static const npcc_text_hooks hooks = {text_method, array_text};
  npcc_rt_set_text_hooks(&hooks);
}
