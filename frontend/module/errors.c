#include "frontend/module/errors.h"
#include "frontend/module/parts.h"
#include "frontend/module/results.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The message of a KeyError whose key is no string begins with this, and its repr() follows
 * (frontend/importer/Try.cpp). */
#define KEY_MARK '\1'
/* Behind the message of an exception of a class of the program's: its args, and pairs of the names and values of its
 * attributes, as a tuple in Python's text (frontend/importer/Exceptions.cpp). */
#define STATE_MARK '\2'

static PyObject *exception_class(int error) {
  switch (error) {
  case NPCC_INDEX_ERROR:
    return PyExc_IndexError;
  case NPCC_VALUE_ERROR:
    return PyExc_ValueError;
  case NPCC_TYPE_ERROR:
    return PyExc_TypeError;
  case NPCC_MEMORY_ERROR:
    return PyExc_MemoryError;
  case NPCC_ZERO_DIVISION_ERROR:
    return PyExc_ZeroDivisionError;
  case NPCC_OVERFLOW_ERROR:
    return PyExc_OverflowError;
  case NPCC_UNBOUND_LOCAL_ERROR:
    return PyExc_UnboundLocalError;
  case NPCC_ASSERTION_ERROR:
    return PyExc_AssertionError;
  case NPCC_NOT_IMPLEMENTED_ERROR:
    return PyExc_NotImplementedError;
  case NPCC_ATTRIBUTE_ERROR:
    return PyExc_AttributeError;
  case NPCC_KEY_ERROR:
    return PyExc_KeyError;
  case NPCC_FLOATING_POINT_ERROR:
    return PyExc_FloatingPointError;
  case NPCC_ARITHMETIC_ERROR:
    return PyExc_ArithmeticError;
  case NPCC_LOOKUP_ERROR:
    return PyExc_LookupError;
  case NPCC_RECURSION_ERROR:
    return PyExc_RecursionError;
  case NPCC_STOP_ITERATION:
    return PyExc_StopIteration;
  case NPCC_EXCEPTION:
    return PyExc_Exception;
  default:
    return PyExc_RuntimeError;
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

/* Python source of a function of (file, line): code that raises what its global `error` is, from that line on. A
 * traceback shows the line as one of Python's own frames; without columns, as no caret could stand at the right place.
 */
static const char frame_source[] =
    "def frame(file, line):\n"
    "  tree = compile('raise error', file, 'exec', 0x400)\n" /* ast.PyCF_ONLY_AST */
    "  for node in tree.body[0], tree.body[0].exc:\n"
    "    node.lineno = node.end_lineno = line\n"
    "    node.col_offset = node.end_col_offset = -1\n"
    "  return compile(tree, file, 'exec').replace(co_name='compiled code', co_qualname='compiled code')\n";

/* The code of one place of the program. New reference, or NULL with an error set. */
static PyObject *code_of_place(const char *file, int line) {
  static PyObject *names; /* what frame_source defines */
  if (!names) {
    PyObject *source = Py_CompileString(frame_source, "<npcc>", Py_file_input);
    PyObject *globals = source ? PyDict_New() : NULL;
    if (globals && PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins()) == 0) {
      PyObject *done = PyEval_EvalCode(source, globals, globals);
      Py_XDECREF(done);
      if (done)
        names = Py_NewRef(globals);
    }
    Py_XDECREF(globals);
    Py_XDECREF(source);
    if (!names)
      return NULL;
  }
  PyObject *frame = PyDict_GetItemString(names, "frame"); /* borrowed */
  return frame ? PyObject_CallFunction(frame, "si", file, line) : NULL;
}

/* Raises an exception at a place of the program's source; where that cannot be, without a place. */
static void raise_at(PyObject *exception, const char *file, int line) {
  PyObject *code = code_of_place(file, line);
  PyObject *globals = code ? Py_BuildValue("{sO}", "error", exception) : NULL;
  if (globals) {
    PyObject *none = PyEval_EvalCode(code, globals, globals);
    Py_XDECREF(none);
    /* The traceback keeps the frame, and that its globals: without this, the exception would lead to itself. */
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyDict_Clear(globals);
    PyErr_Restore(type, value, traceback);
  } else {
    PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
  }
  Py_XDECREF(globals);
  Py_XDECREF(code);
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

/* What Python's text of numbers, strings and tuples of these gives. New reference, NULL without an error if it is none.
 */
static PyObject *value_of_text(const char *text) {
  PyObject *code = Py_CompileString(text, "<text>", Py_eval_input), *globals = code ? PyDict_New() : NULL;
  PyObject *numpy = globals ? PyImport_ImportModule("numpy") : NULL, *value = NULL;
  PyObject *inf = PyFloat_FromDouble(INFINITY), *nan = PyFloat_FromDouble(NAN);
  bool is_ready = numpy && inf && nan && PyDict_SetItemString(globals, "np", numpy) == 0 &&
                  PyDict_SetItemString(globals, "inf", inf) == 0 && PyDict_SetItemString(globals, "nan", nan) == 0;
  if (is_ready)
    value = PyEval_EvalCode(code, globals, globals);
  Py_XDECREF(nan);
  Py_XDECREF(inf);
  Py_XDECREF(numpy);
  Py_XDECREF(globals);
  Py_XDECREF(code);
  if (!value)
    PyErr_Clear();
  return value;
}

/* The key of a KeyError that is no string: what its text gives, such as (1, 2), or the text. New reference. */
static PyObject *key_of_text(const char *text) {
  PyObject *key = value_of_text(text);
  return key ? key : PyUnicode_FromString(text);
}

/* Whether making an exception runs an __init__() of the program's. */
static bool has_own_init(PyObject *class) {
  PyObject *init = PyObject_GetAttrString(class, "__init__");
  bool is_own = init && PyObject_HasAttrString(init, "__code__");
  Py_XDECREF(init);
  return is_own;
}

/* An exception with the attributes that follow its arguments in `state`. What an __init__() of the program's takes is
 * not known any more, so it is passed over. New reference. */
static PyObject *exception_of_state(PyObject *class, PyObject *state) {
  PyObject *args = PySequence_GetItem(state, 0), *exception = NULL;
  if (args && !has_own_init(class)) {
    exception = PyObject_CallObject(class, args);
  } else if (args) {
    PyObject *types = PyTuple_Pack(1, class), *all = types ? PySequence_Concat(types, args) : NULL;
    PyObject *make = all ? PyObject_GetAttrString(class, "__new__") : NULL;
    exception = make ? PyObject_CallObject(make, all) : NULL;
    Py_XDECREF(make);
    Py_XDECREF(all);
    Py_XDECREF(types);
  }
  for (Py_ssize_t k = 1; exception && k < PyTuple_Size(state); ++k) {
    PyObject *pair = PyTuple_GetItem(state, k); /* borrowed, as what is in it */
    if (PyObject_GenericSetAttr(exception, PyTuple_GetItem(pair, 0), PyTuple_GetItem(pair, 1)) != 0)
      PyErr_Clear();
  }
  Py_XDECREF(args);
  return exception;
}

/* An exception of its message, which is its only argument; an empty one is that of none. New reference. */
static PyObject *exception_of_text(PyObject *class, const char *text, Py_ssize_t length, bool runs_init) {
  PyObject *argument = PyUnicode_FromStringAndSize(text, length);
  PyObject *exception = !argument     ? NULL
                        : !runs_init  ? PyObject_CallMethod(class, "__new__", "OO", class, argument)
                        : length == 0 ? PyObject_CallNoArgs(class)
                                      : PyObject_CallFunctionObjArgs(class, argument, NULL);
  Py_XDECREF(argument);
  return exception;
}

/* An exception of a class of the program's, of its message and of what it left in the object, which follows that. New
 * reference. */
static PyObject *exception_of(PyObject *class, const char *message) {
  const char *mark = strchr(message, STATE_MARK);
  PyObject *state = mark ? value_of_text(mark + 1) : NULL; /* none of a text that is too long */
  if (!state)
    return exception_of_text(class, message, mark ? mark - message : (Py_ssize_t)strlen(message), !has_own_init(class));
  PyObject *exception = exception_of_state(class, state);
  Py_DECREF(state);
  return exception;
}

void npcc_raise_status(const npcc_status *status) {
  npcc_raise(status->error, status->message, status->file, status->line);
}

void npcc_raise(int error, const char *message, const char *file, int line) {
  if (error == NPCC_RUNTIME_ERROR && npcc_restore_exception(message))
    return;
  PyObject *class = error == NPCC_CLASS_ERROR ? class_of_message(&message) : class_of(error);
  bool is_key = error == NPCC_KEY_ERROR && message[0] == KEY_MARK;
  PyObject *exception = NULL;
  if (error == NPCC_CLASS_ERROR) {
    exception = exception_of(class, message);
  } else if (is_key) {
    PyObject *argument = key_of_text(message + 1);
    exception = argument ? PyObject_CallFunctionObjArgs(class, argument, NULL) : NULL;
    Py_XDECREF(argument);
  } else {
    exception = exception_of_text(class, message, (Py_ssize_t)strlen(message), true);
  }
  if (exception) {
    if (line > 0 && file[0])
      raise_at(exception, file, line);
    else
      PyErr_SetObject(class, exception);
    Py_DECREF(exception);
  }
  Py_DECREF(class);
}
