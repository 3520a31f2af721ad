/* The signatures of a function: what they were compiled for, and which one takes the arguments of a call. */
#include "frontend/module/constants.h"
#include "frontend/module/function.h"
#include "runtime/abi/devices.h"
#include "runtime/abi/dtypes.h"
#include <stdlib.h>
#include <string.h>

static int is_complete(const npcc_function *function, int32_t device) {
  int32_t target = device >= 0 ? NPCC_TARGET_CUDA : NPCC_TARGET_CPU;
  for (int32_t k = 0; k < function->variant_count; ++k) {
    const npcc_variant *variant = &function->variants[k];
    if (variant->target == target && !variant->assumptions && !variant->guard_count && !(variant->flags & NPCC_VARIANT_DISTRIBUTED))
      return 1;
  }
  return 0;
}

static int has_target(const npcc_function *function, int32_t target) {
  for (int32_t k = 0; k < function->variant_count; ++k)
    if (function->variants[k].target == target)
      return 1;
  return 0;
}

/* The defaults of the parameters that a function lacks at the end, as constants. New reference, or NULL with an exception. */
static PyObject *trailing_defaults(npcc_function_object *self, const npcc_function *function) {
  PyObject *constants = PyTuple_New(self->param_count);
  for (int32_t k = 0; constants && k < self->param_count; ++k) {
    PyObject *value = k < function->param_count ? self->no_default : PyTuple_GetItem(self->defaults, k);
    if (k >= function->param_count && value == self->no_default) {
      PyErr_Format(PyExc_SystemError, "%s has %d parameters, the function %d", function->signature, (int)function->param_count,
                   (int)self->param_count);
      Py_CLEAR(constants);
    } else {
      PyTuple_SetItem(constants, k, Py_NewRef(value));
    }
  }
  return constants;
}

int npcc_is_constant_parameter(const npcc_function_object *self, const npcc_signature *signature, int32_t k) {
  return signature->constants && PyTuple_GetItem(signature->constants, k) != self->no_default;
}

/* The keys of a signature; -1 with an exception if its parameters are not the function's. */
static int fill_keys(npcc_function_object *self, npcc_signature *signature) {
  const npcc_function *function = signature->function;
  int32_t next = 0;
  for (int32_t k = 0; k < self->param_count; ++k) {
    if (npcc_is_constant_parameter(self, signature, k)) {
      /* Integers can be constants too (an axis): their key is what such arguments have. */
      npcc_argument value;
      int failed = npcc_read_argument(PyTuple_GetItem(signature->constants, k), &value);
      Py_XDECREF(value.owner);
      if (failed)
        return -1;
      signature->keys[k] = value.key;
    } else if (next < function->param_count)
      signature->keys[k] = npcc_key_of_param(&function->params[next++]);
    else
      next = function->param_count + 1;
  }
  if (next == function->param_count)
    return 0;
  PyErr_Format(PyExc_SystemError, "%s has other parameters than the function", function->signature);
  return -1;
}

static int reserve_signature(npcc_function_object *self) {
  if (self->signature_count < self->signature_capacity)
    return 0;
  int32_t capacity = self->signature_capacity ? 2 * self->signature_capacity : 4;
  npcc_signature *grown = realloc(self->signatures, sizeof(npcc_signature) * (size_t)capacity);
  if (!grown) {
    PyErr_NoMemory();
    return -1;
  }
  self->signatures = grown;
  self->signature_capacity = capacity;
  return 0;
}

int npcc_function_add(npcc_function_object *self, const npcc_function *function, PyObject *owner, PyObject *constants,
                      int32_t device) {
  if (device == NPCC_DEVICE_AUTOMATIC)
    device = has_target(function, NPCC_TARGET_CUDA) && npcc_rt_cuda_device_count() > 0 ? 0 : NPCC_CPU;
  npcc_signature signature = {function, NULL, Py_XNewRef(constants), NULL, device, is_complete(function, device)};
  if (!constants && function->param_count < self->param_count && !(signature.constants = trailing_defaults(self, function)))
    return -1;
  signature.keys = malloc(sizeof(npcc_key) * (size_t)(self->param_count + 1));
  if (!signature.keys)
    PyErr_NoMemory();
  if (!signature.keys || fill_keys(self, &signature) || reserve_signature(self)) {
    free(signature.keys);
    Py_XDECREF(signature.constants);
    return -1;
  }
  signature.owner = Py_XNewRef(owner);
  self->signatures[self->signature_count++] = signature;
  return 0;
}

/* Whether the arguments that the signature was compiled for as constants are those. */
static int same_constants(const npcc_function_object *self, const npcc_signature *signature, const npcc_argument *arguments) {
  for (int32_t k = 0; signature->constants && k < self->param_count; ++k)
    if (npcc_is_constant_parameter(self, signature, k) &&
        !npcc_same_constant(PyTuple_GetItem(signature->constants, k), arguments[k].object))
      return 0;
  return 1;
}

static int matches(const npcc_function_object *self, const npcc_signature *signature, const npcc_argument *arguments) {
  for (int32_t k = 0; k < self->param_count; ++k)
    if (signature->keys[k] != arguments[k].key && !(signature->keys[k] == NPCC_KEY_STRING && npcc_is_string(&arguments[k])))
      return 0;
  return same_constants(self, signature, arguments);
}

static int accepts(const npcc_function_object *self, const npcc_signature *signature, const npcc_argument *arguments) {
  int32_t next = 0;
  for (int32_t k = 0; k < self->param_count; ++k)
    if (!npcc_is_constant_parameter(self, signature, k) && !npcc_accepts(&signature->function->params[next++], &arguments[k]))
      return 0;
  return same_constants(self, signature, arguments);
}

/* -1: none. Exact types first; conversions only where no signature can be made to fit. */
int32_t npcc_find_signature(const npcc_function_object *self, const npcc_argument *arguments) {
  for (int32_t k = 0; k < self->signature_count; ++k)
    if (matches(self, &self->signatures[k], arguments))
      return k;
  for (int32_t k = 0; !self->resolve && k < self->signature_count; ++k)
    if (accepts(self, &self->signatures[k], arguments))
      return k;
  return -1;
}

/* "float64[:,:]", "float", as signatures are written. New reference. */
static PyObject *describe(const npcc_argument *argument) {
  int kind = argument->key & 3, weak = argument->key >> 2 & 1, dtype = argument->key >> 3 & 31,
      rank = NPCC_KEY_RANK(argument->key);
  if (kind == NPCC_NONE)
    return PyObject_Repr(argument->object);
  if (kind == NPCC_GENERATOR)
    return PyUnicode_FromString(dtype == NPCC_RANDOM_STATE ? "RandomState" : "Generator");
  char text[96];
  strcpy(text, weak ? dtype == NPCC_BOOL      ? "bool"
                      : dtype == NPCC_INT64   ? "int"
                      : dtype == NPCC_FLOAT64 ? "float"
                                              : "complex"
                    : npcc_rt_dtype_name((npcc_dtype)dtype));
  if (kind == NPCC_ARRAY && weak) {
    char list[5 * NPCC_MAX_RANK + NPCC_MAX_RANK + sizeof(text)] = "";
    for (int level = 0; level < rank; ++level)
      strcat(list, "list[");
    strcat(list, text);
    for (int level = 0; level < rank; ++level)
      strcat(list, "]");
    return PyUnicode_FromString(list);
  }
  if (kind == NPCC_ARRAY && !rank)
    strcat(text, "[()]");
  for (int axis = 0; axis < rank; ++axis)
    strcat(text, axis ? ",:" : "[:");
  if (rank)
    strcat(text, "]");
  return PyUnicode_FromString(text);
}

void npcc_no_signature(npcc_function_object *self, const npcc_argument *arguments) {
  PyObject *text = PyUnicode_FromFormat("%U(", npcc_function_name(self));
  for (int32_t k = 0; text && k < self->param_count; ++k) {
    PyObject *type = describe(&arguments[k]);
    PyObject *longer = type ? PyUnicode_FromFormat("%U%s%U", text, k ? ", " : "", type) : NULL;
    Py_XDECREF(type);
    Py_DECREF(text);
    text = longer;
  }
  PyObject *message = text ? PyUnicode_FromFormat("no signature of %U accepts %U). Accepted:", npcc_function_name(self), text) : NULL;
  Py_XDECREF(text);
  for (int32_t k = 0; message && k < self->signature_count; ++k) {
    PyObject *longer = PyUnicode_FromFormat("%U\n  %s", message, self->signatures[k].function->signature);
    Py_DECREF(message);
    message = longer;
  }
  if (message)
    PyErr_SetObject(PyExc_TypeError, message);
  Py_XDECREF(message);
}
