#include "frontend/module/results.h"
#include "frontend/module/errors.h"
#include "frontend/module/text.h"
#include "runtime/abi/kept.h"
#include <stdlib.h>
#include <string.h>

/*===---- Classes ----===*/

static PyObject *registered; /* name in a form -> class */

int npcc_register_class(PyObject *name, PyObject *class) {
  if (!registered && !(registered = PyDict_New()))
    return -1;
  return PyDict_SetItem(registered, name, class);
}

PyObject *npcc_find_class(const char *text, Py_ssize_t bytes) {
  PyObject *name = PyUnicode_FromStringAndSize(text, bytes);
  PyObject *found = name && registered ? PyDict_GetItemWithError(registered, name) : NULL;
  if (found || !name) {
    Py_XINCREF(found);
    Py_XDECREF(name);
    return found;
  }
  Py_ssize_t colon = PyUnicode_FindChar(name, ':', 0, PyUnicode_GetLength(name), 1);
  PyObject *module = PyUnicode_Substring(name, 0, colon), *path = PyUnicode_Substring(name, colon + 1, PyUnicode_GetLength(name));
  PyObject *dot = PyUnicode_FromString("."), *parts = path && dot ? PyUnicode_Split(path, dot, -1) : NULL;
  found = module ? PyImport_Import(module) : NULL;
  for (Py_ssize_t k = 0; found && parts && k < PyList_Size(parts); ++k) {
    PyObject *inner = PyObject_GetAttr(found, PyList_GetItem(parts, k));
    Py_DECREF(found);
    found = inner;
  }
  Py_XDECREF(parts);
  Py_XDECREF(dot);
  Py_XDECREF(path);
  Py_XDECREF(module);
  Py_DECREF(name);
  return found;
}

/*===---- Forms ----===*/

typedef struct reader {
  const npcc_function *function;
  const npcc_value *results;
  PyObject **objects; /* of the results; NULL with an exception set where one could not be made */
  const char *at;     /* the rest of the form */
  int32_t next;       /* result */
  int to_numpy;
  const npcc_argument *arguments;
  int32_t argument_count;
  PyObject *kept; /* number -> array, of those that were asked for; or NULL */
} reader;

static long read_number(reader *reader) {
  char *end;
  long number = strtol(reader->at, &end, 10);
  reader->at = end;
  return number;
}

static const char *read_text(reader *reader, long *bytes) {
  *bytes = read_number(reader);
  const char *text = ++reader->at; /* behind the colon */
  reader->at += *bytes;
  return text;
}

static void skip(reader *reader);

static void skip_items(reader *reader, char end) {
  for (++reader->at; *reader->at != end;)
    skip(reader);
  ++reader->at;
}

/* Passes over a form and its results. */
static void skip(reader *reader) {
  long bytes;
  switch (*reader->at) {
  case NPCC_FORM_RESULT: ++reader->next; break;
  case NPCC_FORM_NONE: break;
  case NPCC_FORM_TEXT:
    ++reader->at;
    read_text(reader, &bytes);
    return;
  case NPCC_FORM_CHOICE: {
    ++reader->at;
    ++reader->next;
    long count = read_number(reader);
    for (++reader->at; count > 0; --count)
      skip(reader);
    return;
  }
  case NPCC_FORM_LIST:
  case NPCC_FORM_ROWS:
  case NPCC_FORM_STRING:
  case NPCC_FORM_BARE:
  case NPCC_FORM_NUMBERED:
  case NPCC_FORM_KEPT:
    ++reader->at;
    skip(reader);
    return;
  case NPCC_FORM_FORMAT:
    ++reader->at;
    read_text(reader, &bytes);
    skip(reader);
    return;
  case NPCC_FORM_CALL:
  case NPCC_FORM_OBJECT: {
    int is_call = *reader->at++ == NPCC_FORM_CALL;
    read_text(reader, &bytes);
    skip_items(reader, is_call ? ')' : '}');
    return;
  }
  case '(': skip_items(reader, ')'); return;
  case '[': skip_items(reader, ']'); return;
  case '{': skip_items(reader, '}'); return;
  }
  ++reader->at;
}

static PyObject *read_form(reader *reader);

/* Reads up to the end; a list, or NULL with an exception. */
static PyObject *read_items(reader *reader, char end) {
  PyObject *items = PyList_New(0);
  for (++reader->at; *reader->at != end;) {
    PyObject *item = items ? read_form(reader) : NULL;
    if (!items)
      skip(reader);
    else if (!item || PyList_Append(items, item))
      Py_CLEAR(items);
    Py_XDECREF(item);
  }
  ++reader->at;
  return items;
}

static PyObject *tuple_of(PyObject *list) {
  PyObject *tuple = list ? PyList_AsTuple(list) : NULL;
  Py_XDECREF(list);
  return tuple;
}

/* [key, value, key, value, ...] */
static PyObject *dict_of(PyObject *list) {
  PyObject *dict = list ? PyDict_New() : NULL;
  for (Py_ssize_t k = 0; dict && k + 1 < PyList_Size(list); k += 2)
    if (PyDict_SetItem(dict, PyList_GetItem(list, k), PyList_GetItem(list, k + 1)))
      Py_CLEAR(dict);
  Py_XDECREF(list);
  return dict;
}

/* list(object). Takes over the reference. */
static PyObject *list_of(PyObject *object) {
  PyObject *list = object ? PySequence_List(object) : NULL;
  Py_XDECREF(object);
  return list;
}

static PyObject *call_class(PyObject *class, PyObject *list) {
  PyObject *arguments = tuple_of(list), *object = class && arguments ? PyObject_CallObject(class, arguments) : NULL;
  Py_XDECREF(arguments);
  Py_XDECREF(class);
  return object;
}

/* As unpickling does: no __init__, and no __setattr__ of the class (of a frozen dataclass). */
static PyObject *make_object(PyObject *class, PyObject *list) {
  PyObject *object = class && list ? PyObject_CallMethod(class, "__new__", "O", class) : NULL;
  for (Py_ssize_t k = 0; object && k + 1 < PyList_Size(list); k += 2)
    if (PyObject_GenericSetAttr(object, PyList_GetItem(list, k), PyList_GetItem(list, k + 1)))
      Py_CLEAR(object);
  Py_XDECREF(list);
  Py_XDECREF(class);
  return object;
}

/* [class(*row) for row in zip(*columns)], without a class tuples as they are. Takes over the references. */
static PyObject *rows_of(PyObject *class, PyObject *columns) {
  PyObject *arguments = tuple_of(columns), *rows = arguments ? PyObject_CallObject((PyObject *)&PyZip_Type, arguments) : NULL;
  Py_XDECREF(arguments);
  PyObject *list = list_of(rows);
  for (Py_ssize_t k = 0; class && list && k < PyList_Size(list); ++k) {
    PyObject *row = PyObject_CallObject(class, PyList_GetItem(list, k));
    if (!row || PyList_SetItem(list, k, row))
      Py_CLEAR(list);
  }
  Py_XDECREF(class);
  return list;
}

static PyObject *read_rows(reader *reader) {
  long bytes;
  PyObject *class = NULL;
  if (*++reader->at == NPCC_FORM_CALL) {
    ++reader->at;
    const char *text = read_text(reader, &bytes);
    class = npcc_find_class(text, bytes);
    if (!class) {
      skip_items(reader, ')');
      return NULL;
    }
  }
  return rows_of(class, read_items(reader, ')'));
}

/* "".join(list). Takes over the reference. */
static PyObject *joined(PyObject *list) {
  PyObject *nothing = list ? PyUnicode_FromString("") : NULL, *string = nothing ? PyUnicode_Join(nothing, list) : NULL;
  Py_XDECREF(nothing);
  Py_XDECREF(list);
  return string;
}

static PyObject *read_formatted(reader *reader) {
  long bytes;
  ++reader->at;
  const char *text = read_text(reader, &bytes);
  PyObject *value = read_form(reader);
  PyObject *spec = value && bytes ? PyUnicode_FromStringAndSize(text, bytes) : NULL;
  PyObject *string = !value ? NULL : !bytes ? PyObject_Str(value) : spec ? PyObject_Format(value, spec) : NULL;
  Py_XDECREF(spec);
  Py_XDECREF(value);
  return string;
}

static PyObject *read_bare(reader *reader) {
  ++reader->at;
  PyObject *value = read_form(reader), *string = value ? PyObject_Str(value) : NULL;
  Py_XDECREF(value);
  Py_ssize_t length = string ? PyUnicode_GetLength(string) : 0;
  if (length < 2 || PyUnicode_ReadChar(string, 0) != '(')
    return string;
  PyObject *inside = PyUnicode_Substring(string, 1, length - 1);
  Py_DECREF(string);
  return inside;
}

/* The array of a number, one object for each; None of one below 0. */
static PyObject *kept_array(reader *reader, PyObject *number) {
  int64_t which = PyLong_AsLongLong(number);
  if (which < 0)
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
  if (!reader->kept && !(reader->kept = PyDict_New()))
    return NULL;
  PyObject *array = PyDict_GetItemWithError(reader->kept, number);
  if (array || PyErr_Occurred())
    return Py_XNewRef(array);
  npcc_array taken;
  npcc_status status = npcc_rt_take_kept(which, reader->to_numpy, &taken);
  if (status.error) {
    npcc_raise_status(&status);
    return NULL;
  }
  array = npcc_give_array(&taken, reader->to_numpy, reader->arguments, reader->argument_count);
  if (array && PyDict_SetItem(reader->kept, number, array))
    Py_CLEAR(array);
  return array;
}

/* Of one number, or the list of those of a list. Takes over the reference. */
static PyObject *kept_arrays(reader *reader, PyObject *numbers) {
  if (!numbers)
    return NULL;
  PyObject *result = NULL;
  if (PyList_Check(numbers)) {
    Py_ssize_t count = PyList_Size(numbers);
    result = PyList_New(count);
    for (Py_ssize_t k = 0; result && k < count; ++k) {
      PyObject *array = kept_array(reader, PyList_GetItem(numbers, k));
      if (!array || PyList_SetItem(result, k, array))
        Py_CLEAR(result);
    }
  } else {
    result = kept_array(reader, numbers);
  }
  Py_DECREF(numbers);
  return result;
}

static PyObject *read_choice(reader *reader) {
  ++reader->at;
  long count = read_number(reader);
  ++reader->at; /* behind the semicolon */
  PyObject *chosen = NULL;
  long wanted = reader->results[reader->next++].i;
  for (long k = 0; k < count; ++k) {
    if (k == wanted)
      chosen = read_form(reader);
    else
      skip(reader);
  }
  return chosen;
}

/* New reference, or NULL with an exception. Reads to the form's end in any case. */
static PyObject *read_form(reader *reader) {
  long bytes;
  const char *text;
  switch (*reader->at) {
  case NPCC_FORM_RESULT: ++reader->at; return Py_XNewRef(reader->objects[reader->next++]);
  case NPCC_FORM_NONE: ++reader->at; return Py_NewRef(Py_None);
  case NPCC_FORM_TEXT:
    ++reader->at;
    text = read_text(reader, &bytes);
    return PyUnicode_FromStringAndSize(text, bytes);
  case NPCC_FORM_CHOICE: return read_choice(reader);
  case NPCC_FORM_FORMAT: return read_formatted(reader);
  case NPCC_FORM_BARE: return read_bare(reader);
  case NPCC_FORM_NUMBERED: ++reader->at; return npcc_texts_of(read_form(reader));
  case NPCC_FORM_KEPT: ++reader->at; return kept_arrays(reader, read_form(reader));
  case NPCC_FORM_STRING: ++reader->at; return joined(read_items(reader, ')'));
  case NPCC_FORM_ROWS: return read_rows(reader);
  case NPCC_FORM_LIST: ++reader->at; return list_of(read_form(reader));
  case NPCC_FORM_CALL:
  case NPCC_FORM_OBJECT: {
    int is_call = *reader->at++ == NPCC_FORM_CALL;
    text = read_text(reader, &bytes);
    PyObject *class = npcc_find_class(text, bytes);
    PyObject *items = read_items(reader, is_call ? ')' : '}');
    return is_call ? call_class(class, items) : make_object(class, items);
  }
  case '(': return tuple_of(read_items(reader, ')'));
  case '[': return read_items(reader, ']');
  case '{': return dict_of(read_items(reader, '}'));
  }
  PyErr_Format(PyExc_SystemError, "npcc: the results of %s have no form: %s", reader->function->signature, reader->at);
  reader->at = "";
  return NULL;
}

PyObject *npcc_give_results(const npcc_function *function, npcc_value *results, int to_numpy, const npcc_argument *arguments,
                            int32_t argument_count) {
  int32_t count = function->result_count;
  if (count == 1 && function->result_form[0] == NPCC_FORM_RESULT)
    return npcc_write_result(function, results, 0, to_numpy, arguments, argument_count);
  PyObject *objects[count + 1];
  /* Every result is taken, also after a failure: each owns its memory. */
  int failed = 0;
  for (int32_t k = 0; k < count; ++k) {
    objects[k] = NULL;
    for (int32_t earlier = 0; earlier < k && !objects[k]; ++earlier)
      if (npcc_is_repeated_result(function, results, earlier, k, arguments, argument_count)) {
        objects[k] = Py_XNewRef(objects[earlier]);
        npcc_rt_release(results[k].a->base);
      }
    if (!objects[k])
      objects[k] = npcc_write_result(function, results, k, to_numpy, arguments, argument_count);
    failed |= !objects[k];
  }
  reader reader = {function, results, objects, function->result_form, 0, to_numpy, arguments, argument_count, NULL};
  PyObject *given = failed ? NULL : read_form(&reader);
  Py_XDECREF(reader.kept);
  for (int32_t k = 0; k < count; ++k)
    Py_XDECREF(objects[k]);
  return given;
}
