#include "frontend/module/function.h"
#include "frontend/module/array.h"
#include "frontend/module/errors.h"
#include "frontend/module/generators.h"
#include "frontend/module/numpy_access.h"
#include "frontend/module/overlap.h"
#include "frontend/module/parts.h"
#include "frontend/module/producers.h"
#include "frontend/module/results.h"
#include "frontend/module/watch.h"
#include "runtime/abi/calls.h"
#include "runtime/abi/devices.h"
#include "runtime/abi/kept.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

PyTypeObject *npcc_function_type;

static _Thread_local int32_t autocast;
int32_t npcc_get_autocast(void) { return autocast; }
void npcc_set_autocast(int32_t number) { autocast = number; }

/*===---- Calls ----===*/

/* Why run() gave up; npcc/jit.py has the same numbers. */
enum { retry_completed = 1, retry_all_alternatives, retry_in_python };

/* Lists that the function may have written to get what it wrote. */
static int write_lists_back(const npcc_function_object *self, const npcc_signature *signature,
                            const npcc_function *function, const npcc_argument *arguments) {
  int32_t next = 0;
  for (int32_t k = 0; k < self->param_count; ++k) {
    if (npcc_is_constant_parameter(self, signature, k))
      continue;
    const npcc_param *param = &function->params[next++];
    if (param->kind == NPCC_ARRAY && param->weak && param->written && npcc_write_list_back(&arguments[k]))
      return -1;
  }
  return 0;
}

/* Whether a call may have stored into what its caller sees. */
static bool may_have_stored(const npcc_function_object *self, const npcc_signature *signature,
                            const npcc_function *function) {
  int32_t next = 0;
  for (int32_t k = 0; k < self->param_count; ++k) {
    if (npcc_is_constant_parameter(self, signature, k))
      continue;
    const npcc_param *param = &function->params[next++];
    if (param->kind == NPCC_ARRAY && !param->weak && param->written) /* of lists it is written back later */
      return true;
  }
  return false;
}

/* 0: *out is the result or NULL with an exception; retry_completed: no variant of the signature holds;
 * retry_all_alternatives: one would, but it has not the alternatives for these arguments; retry_in_python: the numbers
 * are too large for compiled code, or for Python too, and nobody sees that the call was made. Strings have numbers
 * meanwhile. */
static int run_holding_texts(const npcc_function_object *self, const npcc_signature *signature, const npcc_argument *arguments, PyObject **out) {
  const npcc_function *function = signature->function;
  int32_t outcomes = function->result_count, complete = signature->complete, device_count = self->device_count, next = 0;
  npcc_value values[self->param_count + 1], results[outcomes + 1];
  npcc_array arrays[outcomes + 1];
  npcc_call_options options = {signature->device, device_count, 0, 0, NULL};
  int all_numpy = 1, all_device = 1, any_array = 0;
  for (int32_t k = 0; k < self->param_count; ++k) {
    if (npcc_is_constant_parameter(self, signature, k))
      continue;
    if ((arguments[k].key & 3) == NPCC_ARRAY) {
      values[next++].a = (npcc_array *)&arguments[k].array;
      any_array = 1;
      all_numpy &= arguments[k].from_numpy;
      int32_t device = arguments[k].array.device;
      if (device < 0)
        all_device = 0;
      else if (options.device >= 0 && device != options.device && device < NPCC_LOGICAL_CPU && device_count == 1)
        options.device = device; /* run where the data is */
    } else {
      npcc_convert_argument(&function->params[next], &arguments[k], &values[next]);
      ++next;
    }
  }
  options.asynchronous = options.device >= 0 && any_array && all_device;
  for (int32_t k = 0; k < outcomes; ++k)
    results[k].a = &arrays[k];
  npcc_status status;
  npcc_generators generators;
  int64_t effects = npcc_effects;
  if (npcc_hold_generators(&generators, self->generators, function, arguments, self->param_count, values)) {
    *out = NULL;
    return 0;
  }
  options.generator_count = generators.captured_count;
  options.generators = generators.captured;
  Py_BEGIN_ALLOW_THREADS;
  status = npcc_order_producers(arguments, self->param_count, 1);
  if (!status.error)
    status = npcc_rt_call(function, &options, values, results);
  /* What other libraries do next with their arrays waits for our work on them. */
  if (options.asynchronous)
    (void)npcc_order_producers(arguments, self->param_count, 0);
  Py_END_ALLOW_THREADS;
  if (options.device >= 0)
    npcc_hold_overlapped(arguments, self->param_count);
  if (npcc_let_go_generators(&generators)) {
    PyObject *pending[3];
    PyErr_Fetch(&pending[0], &pending[1], &pending[2]);
    PyObject *unused = status.error ? NULL : npcc_give_results(function, results, all_numpy, arguments, self->param_count);
    Py_XDECREF(unused);
    PyErr_Restore(pending[0], pending[1], pending[2]);
    *out = NULL;
    return 0;
  }
  if (status.error) {
    if (status.error == NPCC_OTHER_ALTERNATIVES)
      return retry_all_alternatives;
    if (status.error == NPCC_NOT_IMPLEMENTED_ERROR && !status.line && !complete) /* not one that the program itself raised */
      return retry_completed;
    bool is_unseen = self->resolve && all_numpy && !generators.count && effects == npcc_effects;
    if (status.error == NPCC_OVERFLOW_ERROR && is_unseen && !may_have_stored(self, signature, function))
      return retry_in_python;
    npcc_raise_status(&status);
    PyObject *pending[3]; /* the lists hold what was stored before the error */
    PyErr_Fetch(&pending[0], &pending[1], &pending[2]);
    if (write_lists_back(self, signature, function, arguments))
      PyErr_Clear();
    PyErr_Restore(pending[0], pending[1], pending[2]);
    *out = NULL;
    return 0;
  }
  if (write_lists_back(self, signature, function, arguments)) {
    PyObject *unused = npcc_give_results(function, results, all_numpy, arguments, self->param_count);
    Py_XDECREF(unused);
    *out = NULL;
    return 0;
  }
  *out = npcc_give_results(function, results, all_numpy, arguments, self->param_count);
  return 0;
}

static int run(const npcc_function_object *self, const npcc_signature *signature, const npcc_argument *arguments, PyObject **out) {
  npcc_held_objects objects;
  npcc_objects_begin(&objects, arguments, self->param_count);
  npcc_rt_hold();
  int outcome = run_holding_texts(self, signature, arguments, out);
  npcc_rt_let_go();
  npcc_objects_end(&objects);
  return outcome;
}

/* What is wrong with the user's program or call is shown at the call: how npcc found it is of no interest. */
static void drop_traceback(void) {
  if (!PyErr_ExceptionMatches(PyExc_SyntaxError) && !PyErr_ExceptionMatches(PyExc_TypeError) &&
      !PyErr_ExceptionMatches(PyExc_RuntimeError))
    return;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (value)
    PyException_SetTraceback(value, Py_None);
  Py_XDECREF(traceback);
  PyErr_Restore(type, value, NULL);
}

/* Asks `resolve` for what is missing or, with retry_in_python, who makes the call instead: a capsule with a
 * npcc_function becomes a signature (or replaces the one that is to be completed); anything else is called with the
 * arguments instead. `reason`: why run() gave up on `incomplete`. 1: look again; 0: *out is set. */
static int resolve(npcc_function_object *self, PyObject *const *bound, const npcc_signature *incomplete, int reason,
                   PyObject **out) {
  *out = NULL;
  PyObject *tuple = PyTuple_New(self->param_count);
  for (int32_t k = 0; tuple && k < self->param_count; ++k)
    PyTuple_SetItem(tuple, k, Py_NewRef(bound[k]));
  PyObject *owner = incomplete ? incomplete->owner : Py_None;
  const npcc_function *replaced = incomplete ? incomplete->function : NULL;
  PyObject *answer = tuple ? PyObject_CallFunction(self->resolve, "OOi", tuple, owner, reason) : NULL;
  int again = 0;
  if (answer && PyTuple_Check(answer)) { /* (capsule, device, constants or None) */
    PyObject *capsule, *constants;
    int device;
    const npcc_function *function = NULL;
    if (PyArg_ParseTuple(answer, "OiO", &capsule, &device, &constants))
      function = PyCapsule_GetPointer(capsule, NPCC_FUNCTION_CAPSULE);
    if (function && !npcc_function_add(self, function, capsule, constants == Py_None ? NULL : constants, device)) {
      again = 1;
      /* Earlier signatures are found first: the completed one takes the place of the incomplete one, which other threads
       * may be running and so stays in the list. */
      for (int32_t k = 0; replaced && k < self->signature_count - 1; ++k)
        if (self->signatures[k].function == replaced) {
          npcc_signature old = self->signatures[k];
          self->signatures[k] = self->signatures[self->signature_count - 1];
          self->signatures[self->signature_count - 1] = old;
        }
    }
  } else if (answer) {
    PyObject *keywords = PyDict_New(); /* what follows the positional parameters is keyword-only */
    PyObject *positional = PyTuple_GetSlice(tuple, 0, self->positional_count);
    int failed = !keywords || !positional;
    for (int32_t k = self->positional_count; !failed && k < self->param_count; ++k)
      failed = PyDict_SetItem(keywords, PyTuple_GetItem(self->names, k), bound[k]);
    if (!failed)
      *out = PyObject_Call(answer, positional, keywords);
    Py_XDECREF(positional);
    Py_XDECREF(keywords);
  }
  if (!answer)
    drop_traceback();
  Py_XDECREF(answer);
  Py_XDECREF(tuple);
  return again;
}

/* -1 with an exception where what the code depends on changed and cannot be taken in. */
static int take_in_changes(npcc_function_object *self) {
  if (npcc_watches_hold(self->watches, self->read_watches))
    return 0;
  PyObject *done = PyObject_CallNoArgs(self->renew);
  Py_XDECREF(done);
  return done ? 0 : -1;
}

/* Small arrays of globals are constants of the code. One that an argument shares memory with changes where the function
 * stores into the argument: `renew` (array) makes a parameter of it. 1 where there was one, -1 with an exception. */
static int take_in_shared(npcc_function_object *self, const npcc_argument *arguments) {
  int any = 0;
  for (int32_t k = 0; k < self->param_count; ++k) {
    if ((arguments[k].key & 3) != NPCC_ARRAY || !arguments[k].from_numpy ||
        (arguments[k].array.flags & NPCC_READONLY) || !PyObject_TypeCheck(arguments[k].object, npcc_numpy.array))
      continue;
    PyObject *last = NULL, *shared;
    while ((shared = npcc_watched_array_within(self->read_watches, arguments[k].object)) && shared != last) {
      last = shared;
      any = 1;
      PyObject *done = PyObject_CallFunctionObjArgs(self->renew, shared, NULL);
      Py_XDECREF(done);
      if (!done)
        return -1;
    }
  }
  return any;
}

int npcc_function_watch(npcc_function_object *self, PyObject *watches, PyObject *renew, PyObject *generators) {
  PyObject *read = npcc_read_watches(watches);
  if (!read)
    return -1;
  PyObject *old[] = {self->watches, self->read_watches, self->renew, self->generators};
  self->watches = Py_NewRef(watches);
  self->read_watches = read;
  self->renew = Py_NewRef(renew);
  self->generators = Py_NewRef(generators);
  for (int k = 0; k < 4; ++k)
    Py_XDECREF(old[k]);
  return 0;
}

static void free_signatures(npcc_signature *signatures, int32_t count) {
  for (int32_t k = 0; k < count; ++k) {
    free(signatures[k].keys);
    Py_XDECREF(signatures[k].constants);
    Py_XDECREF(signatures[k].owner);
  }
  free(signatures);
}

void npcc_function_forget(npcc_function_object *self) {
  npcc_signature *signatures = self->signatures;
  int32_t count = self->signature_count;
  self->signatures = NULL;
  self->signature_count = self->signature_capacity = 0;
  free_signatures(signatures, count);
}

static PyObject *dispatch(npcc_function_object *self, PyObject *const *bound) {
  if (self->autocast != autocast && self->resolve) {
    PyObject *result = NULL;
    if (resolve(self, bound, NULL, 0, &result))
      PyErr_SetString(PyExc_SystemError, "npcc: code for another autocast was given");
    return result;
  }
  if (self->watches && take_in_changes(self))
    return NULL;
  int32_t count = self->param_count, read = 0;
  npcc_argument few[24], *arguments = count <= 24 ? few : malloc(sizeof(npcc_argument) * (size_t)count);
  if (!arguments)
    return PyErr_NoMemory();
  PyObject *result = NULL;
  for (; read < count; ++read)
    if (npcc_read_argument(bound[read], &arguments[read])) {
      Py_XDECREF(arguments[read].owner);
      break;
    }
  if (read < count) {
    /* With fallback=True the function may still run in Python. */
    if (self->resolve && (PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_OverflowError))) {
      PyErr_Clear();
      if (resolve(self, bound, NULL, 0, &result))
        PyErr_SetString(PyExc_SystemError, "npcc: arguments of unsupported types were resolved");
    }
  } else {
    /* A resolved signature matches, one with more alternatives has those that are needed at last, and a completed one
     * runs: each loop makes progress. */
    enum { most_attempts = 8 };
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      int32_t found = npcc_find_signature(self, arguments);
      int taken_in = found >= 0 && self->watches ? take_in_shared(self, arguments) : 0;
      if (taken_in < 0)
        break;
      if (taken_in)
        found = npcc_find_signature(self, arguments);
      if (found < 0 && !self->resolve) {
        npcc_no_signature(self, arguments);
        break;
      }
      npcc_signature signature = found < 0 ? (npcc_signature){0} : self->signatures[found];
      /* The call's own references: another thread may make the function forget its signatures. */
      Py_XINCREF(signature.owner);
      Py_XINCREF(signature.constants);
      int reason = found < 0 ? retry_completed : run(self, &signature, arguments, &result);
      int again = reason && self->resolve && resolve(self, bound, found < 0 ? NULL : &signature, reason, &result);
      Py_XDECREF(signature.constants);
      Py_XDECREF(signature.owner);
      if (!again)
        break;
      if (attempt == most_attempts - 1)
        PyErr_Format(PyExc_SystemError, "npcc: no variant of %U runs", npcc_function_name(self));
    }
    if (!result && !PyErr_Occurred())
      PyErr_Format(PyExc_SystemError, "npcc: no variant of %U runs", npcc_function_name(self));
  }
  for (int32_t k = 0; k < read; ++k)
    Py_XDECREF(arguments[k].owner);
  if (arguments != few)
    free(arguments);
  return result;
}

static PyObject *call(PyObject *object, PyObject *const *args, size_t nargsf, PyObject *kwnames) {
  npcc_function_object *self = (npcc_function_object *)object;
  Py_ssize_t count = NPCC_VECTORCALL_COUNT(nargsf);
  if (!kwnames && count == self->param_count && count == self->positional_count)
    return dispatch(self, args);
  PyObject *bound[self->param_count + 1];
  return npcc_bind(self, args, count, kwnames, bound) ? NULL : dispatch(self, bound);
}

/*===---- The type ----===*/

PyObject *npcc_function_new(PyObject *name, PyObject *names, int32_t positional_only, int32_t positional, PyObject *defaults,
                            PyObject *no_default, PyObject *resolve_hook, int32_t device_count) {
  allocfunc allocate = (allocfunc)PyType_GetSlot(npcc_function_type, Py_tp_alloc);
  npcc_function_object *self = (npcc_function_object *)allocate(npcc_function_type, 0);
  if (!self)
    return NULL;
  self->call = call;
  self->names = Py_NewRef(names);
  self->defaults = Py_NewRef(defaults);
  self->no_default = Py_NewRef(no_default);
  self->resolve = Py_XNewRef(resolve_hook);
  self->param_count = (int32_t)PyTuple_Size(names);
  self->positional_count = positional;
  self->positional_only_count = positional_only;
  self->device_count = device_count;
  self->dict = PyDict_New();
  if (!self->dict || PyDict_SetItemString(self->dict, "__name__", name)) {
    Py_DECREF(self);
    return NULL;
  }
  return (PyObject *)self;
}

static int function_traverse(PyObject *object, visitproc visit, void *arg) {
  npcc_function_object *self = (npcc_function_object *)object;
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->dict);
  Py_VISIT(self->defaults);
  Py_VISIT(self->resolve);
  Py_VISIT(self->watches);
  Py_VISIT(self->renew);
  Py_VISIT(self->generators);
  return 0;
}

static int function_clear(PyObject *object) {
  npcc_function_object *self = (npcc_function_object *)object;
  Py_CLEAR(self->dict);
  Py_CLEAR(self->defaults);
  Py_CLEAR(self->resolve);
  Py_CLEAR(self->watches);
  Py_CLEAR(self->read_watches);
  Py_CLEAR(self->renew);
  Py_CLEAR(self->generators);
  return 0;
}

static void function_dealloc(PyObject *object) {
  npcc_function_object *self = (npcc_function_object *)object;
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  if (self->weak_references)
    PyObject_ClearWeakRefs(object);
  function_clear(object);
  Py_CLEAR(self->names);
  Py_CLEAR(self->no_default);
  npcc_function_forget(self);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

static PyObject *function_repr(PyObject *object) {
  return PyUnicode_FromFormat("<npcc function %U>", npcc_function_name((npcc_function_object *)object));
}

static PyObject *function_get(PyObject *object, PyObject *instance, PyObject *owner) {
  if (!instance || instance == Py_None)
    return Py_NewRef(object);
  PyObject *types = PyImport_ImportModule("types");
  PyObject *bound = types ? PyObject_CallMethod(types, "MethodType", "OO", object, instance) : NULL;
  Py_XDECREF(types);
  return bound;
}

/* Pickled like a Python function: by its qualified name. */
static PyObject *function_reduce(PyObject *object, PyObject *unused) {
  return Py_NewRef(npcc_function_name((npcc_function_object *)object));
}

static PyObject *function_self(PyObject *object, PyObject *unused) { return Py_NewRef(object); }

static PyObject *get_signatures(PyObject *object, void *closure) {
  npcc_function_object *self = (npcc_function_object *)object;
  PyObject *list = PyList_New(0), *tuple = NULL;
  for (int32_t k = 0; list && k < self->signature_count; ++k) {
    PyObject *text = PyUnicode_FromString(self->signatures[k].function->signature);
    int known = text ? PySequence_Contains(list, text) : -1; /* completed signatures stand twice */
    if (known < 0 || (!known && PyList_Append(list, text)))
      Py_CLEAR(list);
    Py_XDECREF(text);
  }
  if (list)
    tuple = PyList_AsTuple(list);
  Py_XDECREF(list);
  return tuple;
}

static PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(npcc_function_object, call), READONLY, NULL},
    {"__dictoffset__", T_PYSSIZET, offsetof(npcc_function_object, dict), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(npcc_function_object, weak_references), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}};

static PyGetSetDef attributes[] = {
    {"signatures", get_signatures, NULL, "The signatures that are compiled, as they are written in declarations.", NULL},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {{"__reduce__", function_reduce, METH_NOARGS, NULL},
                                {"__copy__", function_self, METH_NOARGS, NULL},
                                {"__deepcopy__", function_self, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, (void *)function_dealloc},
                              {Py_tp_traverse, (void *)function_traverse},
                              {Py_tp_clear, (void *)function_clear},
                              {Py_tp_call, (void *)PyVectorcall_Call},
                              {Py_tp_descr_get, (void *)function_get},
                              {Py_tp_repr, (void *)function_repr},
                              {Py_tp_members, members},
                              {Py_tp_getset, attributes},
                              {Py_tp_methods, methods},
                              {0, NULL}};
static PyType_Spec spec = {"npcc.Function", sizeof(npcc_function_object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION |
                               Py_TPFLAGS_METHOD_DESCRIPTOR | NPCC_TPFLAGS_HAVE_VECTORCALL,
                           slots};

int npcc_function_setup(void) {
  if (npcc_function_type)
    return 0;
  npcc_function_type = (PyTypeObject *)PyType_FromSpec(&spec);
  return npcc_function_type ? 0 : -1;
}
