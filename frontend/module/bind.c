/* Positional, keyword and default arguments, with Python's own error messages. */
#include "frontend/module/function.h"

PyObject *npcc_function_name(npcc_function_object *self) {
  PyObject *name = PyDict_GetItemString(self->dict, "__qualname__");
  return name ? name : PyDict_GetItemString(self->dict, "__name__");
}

static int32_t find_parameter(npcc_function_object *self, PyObject *name) {
  for (int32_t k = self->positional_only_count; k < self->param_count; ++k)
    if (PyTuple_GetItem(self->names, k) == name)
      return k;
  for (int32_t k = self->positional_only_count; k < self->param_count; ++k)
    if (PyUnicode_Compare(PyTuple_GetItem(self->names, k), name) == 0)
      return k;
  return -1;
}

static int32_t required_positional(npcc_function_object *self) {
  int32_t required = 0;
  while (required < self->positional_count && PyTuple_GetItem(self->defaults, required) == self->no_default)
    ++required;
  return required;
}

static int too_many(npcc_function_object *self, Py_ssize_t given) {
  int32_t most = self->positional_count, least = required_positional(self);
  const char *verb = given == 1 ? "was" : "were";
  if (least < most)
    PyErr_Format(PyExc_TypeError, "%U() takes from %d to %d positional arguments but %zd %s given", npcc_function_name(self),
                 (int)least, (int)most, given, verb);
  else
    PyErr_Format(PyExc_TypeError, "%U() takes %d positional argument%s but %zd %s given", npcc_function_name(self), (int)most,
                 most == 1 ? "" : "s", given, verb);
  return -1;
}

/* "'a'", "'a' and 'b'", "'a', 'b', and 'c'" */
static PyObject *enumerate_missing(npcc_function_object *self, PyObject **bound, int32_t begin, int32_t end, int32_t count) {
  PyObject *text = PyUnicode_FromString("");
  for (int32_t k = begin, seen = 0; text && k < end; ++k) {
    if (bound[k])
      continue;
    ++seen;
    const char *separator = seen == 1 ? "" : seen < count ? ", " : count == 2 ? " and " : ", and ";
    PyObject *longer = PyUnicode_FromFormat("%U%s%R", text, separator, PyTuple_GetItem(self->names, k));
    Py_DECREF(text);
    text = longer;
  }
  return text;
}

/* Fills defaults in [begin, end); an error for all that is missing there. */
static int fill_defaults(npcc_function_object *self, PyObject **bound, int32_t begin, int32_t end, const char *kind) {
  int32_t missing = 0;
  for (int32_t k = begin; k < end; ++k) {
    if (bound[k])
      continue;
    PyObject *value = PyTuple_GetItem(self->defaults, k);
    if (value == self->no_default)
      ++missing;
    else
      bound[k] = value;
  }
  if (!missing)
    return 0;
  PyObject *which = enumerate_missing(self, bound, begin, end, missing);
  if (which)
    PyErr_Format(PyExc_TypeError, "%U() missing %d required %s argument%s: %U", npcc_function_name(self), (int)missing, kind,
                 missing == 1 ? "" : "s", which);
  Py_XDECREF(which);
  return -1;
}

static int bind_keyword(npcc_function_object *self, PyObject *name, PyObject *value, PyObject **bound) {
  int32_t k = find_parameter(self, name);
  if (k < 0) {
    for (int32_t only = 0; only < self->positional_only_count; ++only)
      if (PyUnicode_Compare(PyTuple_GetItem(self->names, only), name) == 0) {
        PyErr_Format(PyExc_TypeError, "%U() got some positional-only arguments passed as keyword arguments: '%U'",
                     npcc_function_name(self), name);
        return -1;
      }
    PyErr_Format(PyExc_TypeError, "%U() got an unexpected keyword argument '%U'", npcc_function_name(self), name);
    return -1;
  }
  if (bound[k]) {
    PyErr_Format(PyExc_TypeError, "%U() got multiple values for argument '%U'", npcc_function_name(self), name);
    return -1;
  }
  bound[k] = value;
  return 0;
}

int npcc_bind(npcc_function_object *self, PyObject *const *args, Py_ssize_t count, PyObject *kwnames, PyObject **bound) {
  Py_ssize_t keywords = kwnames ? PyTuple_Size(kwnames) : 0;
  Py_ssize_t taken = count < self->positional_count ? count : self->positional_count;
  for (Py_ssize_t k = 0; k < self->param_count; ++k)
    bound[k] = k < taken ? args[k] : NULL;
  for (Py_ssize_t k = 0; k < keywords; ++k)
    if (bind_keyword(self, PyTuple_GetItem(kwnames, k), args[count + k], bound))
      return -1;
  if (count > self->positional_count)
    return too_many(self, count);
  if (fill_defaults(self, bound, 0, self->positional_count, "positional"))
    return -1;
  return fill_defaults(self, bound, self->positional_count, self->param_count, "keyword-only");
}
