#include "frontend/module/parts.h"
#include "frontend/module/array.h"
#include "frontend/module/generators.h"
#include "frontend/module/numpy_access.h"
#include "frontend/module/text.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*===---- The table ----===*/

static PyObject *table, *unused; /* npcc.objects.table and .unused, once a part has run */
static _Thread_local npcc_held_objects *holder;
static PyObject *kept[3]; /* the exception that compiled code leaves its frames with, under the GIL */

static PyObject *find_table(void) {
  if (!table) {
    PyObject *module = PyImport_ImportModule("npcc.objects");
    unused = module ? PyObject_GetAttrString(module, "unused") : NULL;
    table = unused ? PyObject_GetAttrString(module, "table") : NULL;
    Py_XDECREF(module);
  }
  return table;
}

void npcc_objects_begin(npcc_held_objects *held, const npcc_argument *arguments, int32_t argument_count) {
  *held = (npcc_held_objects){.outer = holder, .arguments = arguments, .argument_count = argument_count};
  holder = held;
}

void npcc_objects_end(npcc_held_objects *held) {
  holder = held->outer;
  if (!held->count)
    return;
  PyObject *pending[3];
  PyErr_Fetch(&pending[0], &pending[1], &pending[2]);
  for (int64_t k = 0; k < held->count; ++k) {
    PyObject *number = PyLong_FromLongLong(held->numbers[k]);
    if (number && !PyList_SetItem(table, (Py_ssize_t)held->numbers[k], Py_NewRef(Py_None)))
      PyList_Append(unused, number);
    Py_XDECREF(number);
  }
  free(held->numbers);
  PyErr_Restore(pending[0], pending[1], pending[2]);
}

/* Whether the call will let it go. */
static bool hold(int64_t number) {
  if (!holder)
    return true;
  if (holder->count == holder->room) {
    int64_t room = holder->room ? 2 * holder->room : 16;
    int64_t *numbers = realloc(holder->numbers, (size_t)room * sizeof *numbers);
    if (!numbers)
      return false;
    holder->numbers = numbers;
    holder->room = room;
  }
  holder->numbers[holder->count++] = number;
  return true;
}

int64_t npcc_object_number(PyObject *object) {
  if (!object || !find_table()) {
    Py_XDECREF(object);
    return -1;
  }
  Py_ssize_t free_count = PyList_Size(unused), number = PyList_Size(table);
  bool failed;
  if (free_count) {
    number = PyLong_AsSsize_t(PyList_GetItem(unused, free_count - 1));
    failed = PyList_SetSlice(unused, free_count - 1, free_count, NULL) || PyList_SetItem(table, number, object);
  } else {
    failed = PyList_Append(table, object);
    Py_DECREF(object);
  }
  if (!failed && !hold(number)) {
    PyErr_NoMemory();
    failed = true;
  }
  return failed ? -1 : number;
}

PyObject *npcc_object_of(int64_t number) {
  if (!find_table())
    return NULL;
  PyObject *object = PyList_GetItem(table, (Py_ssize_t)number);
  return object ? Py_NewRef(object) : NULL;
}

int npcc_is_given(PyObject *object) {
  for (int32_t k = 0; holder && k < holder->argument_count; ++k)
    if (holder->arguments[k].object == object)
      return 1;
  return 0;
}

/* Whether an address is one of an element of an array, or between its elements. */
static int lies_in(const npcc_array *array, const char *address) {
  const char *first = array->data, *last = array->data;
  for (int32_t axis = 0; axis < array->rank; ++axis) {
    if (array->shape[axis] == 0)
      return 0;
    int64_t reach = (array->shape[axis] - 1) * array->strides[axis] * ((int64_t)1 << npcc_dtype_shift[array->dtype]);
    *(reach < 0 ? &first : &last) += reach;
  }
  return first <= address && address <= last;
}

static int is_same_view(const npcc_array *left, const npcc_array *right) {
  int is_same = left->data == right->data && left->rank == right->rank;
  for (int32_t axis = 0; is_same && axis < left->rank; ++axis)
    is_same = left->shape[axis] == right->shape[axis] &&
              (left->strides[axis] == right->strides[axis] || left->shape[axis] == 1);
  return is_same;
}

PyObject *npcc_given_array(const npcc_array *array, const void *address) {
  for (int32_t k = 0; holder && k < holder->argument_count; ++k) {
    const npcc_argument *argument = &holder->arguments[k];
    if ((argument->key & 3) != NPCC_ARRAY || !argument->from_numpy || argument->owner ||
        !lies_in(&argument->array, address))
      continue;
    npcc_array view = *array;
    view.data = (void *)address;
    view.dtype = argument->array.dtype; /* compiled code's says nothing of signs */
    view.flags = argument->array.flags;
    return is_same_view(&view, &argument->array) ? Py_NewRef(argument->object)
                                                 : npcc_numpy_wrap(&view, argument->object, 0);
  }
  return NULL;
}

/*===---- Exceptions ----===*/

static const char mark_of_kept[] = "RuntimeError: npcc.objects";

/* What a part refuses to compile is an error of this call, which has begun: it is no reason to compile it another way.
 */
static void mark_as_raised(PyObject *type, PyObject *value) {
  PyObject *pending[3];
  if (!value || !PyErr_GivenExceptionMatches(type, PyExc_SyntaxError) || !PyObject_HasAttrString(value, "is_of_run"))
    return;
  PyErr_Fetch(&pending[0], &pending[1], &pending[2]);
  if (PyObject_SetAttrString(value, "is_of_run", Py_True))
    PyErr_Clear();
  PyErr_Restore(pending[0], pending[1], pending[2]);
}

void npcc_keep_exception(char *message, int64_t bytes) {
  for (int k = 0; k < 3; ++k)
    Py_CLEAR(kept[k]);
  PyErr_Fetch(&kept[0], &kept[1], &kept[2]);
  PyErr_NormalizeException(&kept[0], &kept[1], &kept[2]);
  mark_as_raised(kept[0], kept[1]);
  strncpy(message, mark_of_kept, (size_t)bytes - 1);
  message[bytes - 1] = 0;
}

int npcc_restore_exception(const char *message) {
  if (!kept[0] || strcmp(message, strchr(mark_of_kept, ' ') + 1))
    return 0;
  PyErr_Restore(kept[0], kept[1], kept[2]);
  kept[0] = kept[1] = kept[2] = NULL;
  return 1;
}

/*===---- Parts ----===*/

_Thread_local int64_t npcc_effects;

static const char prefix[] = "python ";

int npcc_is_part(const char *method) { return !strncmp(method, prefix, sizeof prefix - 1); }

/* The callables of parts, by where their text lies: code that is loaded later may lie where other code was. A part has
   a few places. The last of them is another's in turn when none is free, and npcc.objects keeps what was there. */
typedef struct known_part {
  const char *method;
  char *text;
  PyObject *callable;
} known_part;
enum { part_count = 1024, part_places = 4 };
static known_part parts[part_count + part_places];

static PyObject *callable_of(const char *method, const char *types) {
  known_part *part = &parts[((uintptr_t)method >> 3) % part_count], *last = part + part_places - 1;
  for (; part < last && part->method; ++part)
    if (part->method == method && !strcmp(part->text, method))
      return part->callable;
  if (part->method == method && !strcmp(part->text, method))
    return part->callable;
  PyObject *module = PyImport_ImportModule("npcc.objects");
  Py_ssize_t length = types - 1 - method - (Py_ssize_t)(sizeof prefix - 1);
  PyObject *callable = module ? PyObject_CallMethod(module, "part", "s#", method + sizeof prefix - 1, length) : NULL;
  Py_XDECREF(module);
  if (!callable)
    return NULL;
  free(part->text);
  Py_XDECREF(part->callable);
  part->method = method;
  part->text = strdup(method);
  part->callable = callable;
  return callable;
}

int npcc_run_part(const char *method, int32_t count, const int64_t *arguments, PyObject *(*value)(char, int64_t),
                  int64_t *result) {
  ++npcc_effects;
  const char *types = strrchr(method, ':') + 1;
  PyObject *callable = callable_of(method, types);
  PyObject *given = callable ? PyTuple_New(count) : NULL;
  if (!given)
    return -1;
  int32_t made = 0;
  for (; made < count; ++made) {
    PyObject *one = types[made] == 'o' ? npcc_object_of(arguments[made]) : value(types[made], arguments[made]);
    if (!one || PyTuple_SetItem(given, made, one))
      break;
  }
  Py_INCREF(callable);
  PyObject *object = made == count && !npcc_share_generators() ? PyObject_CallObject(callable, given) : NULL;
  Py_DECREF(callable);
  Py_DECREF(given);
  PyObject *pending[3]; /* what the part has raised, if anything */
  PyErr_Fetch(&pending[0], &pending[1], &pending[2]);
  if (npcc_take_back_generators()) {
    Py_CLEAR(object);
    for (int k = 0; k < 3; ++k)
      Py_XDECREF(pending[k]);
  } else {
    PyErr_Restore(pending[0], pending[1], pending[2]);
  }
  char wanted = types[count + 1]; /* behind '>' */
  if (wanted == '?' && !object && PyErr_ExceptionMatches(PyExc_Exception)) {
    /* The program may catch it: it is an object, and the number says so. */
    PyObject *type, *error, *traceback;
    PyErr_Fetch(&type, &error, &traceback);
    PyErr_NormalizeException(&type, &error, &traceback);
    if (traceback)
      PyException_SetTraceback(error, traceback);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    int64_t number = npcc_object_number(error);
    *result = -2 - number;
    return number < 0 ? -1 : 0;
  }
  if (!object)
    return -1;
  double real;
  switch (wanted) {
  case 'b':
    *result = PyObject_IsTrue(object);
    break;
  case 'i':
    *result = PyLong_AsLongLong(object);
    break;
  case 'f':
    real = PyFloat_AsDouble(object);
    memcpy(result, &real, sizeof real);
    break;
  case 't':
    *result = npcc_text_number(object);
    break;
  default:
    *result = npcc_object_number(object);
    return *result < 0 ? -1 : 0;
  }
  Py_DECREF(object);
  return PyErr_Occurred() ? -1 : 0;
}
