/* The callable that a compiled Python function becomes: `npcc.Function`. A call binds arguments by Python's rules, finds the signature
 * whose types they have, and runs it. Just-in-time functions ask `resolve` for a signature that is missing. */
#ifndef NPCC_MODULE_FUNCTION_H
#define NPCC_MODULE_FUNCTION_H
#include "frontend/module/convert.h"
#include "runtime/abi/functions.h"

typedef struct npcc_signature {
  const npcc_function *function;
  npcc_key *keys; /* one for each Python parameter */
  /* Tuple with the values of the parameters that are constants, `no_default` where the parameter is one of `function`'s; or NULL:
   * all are. */
  PyObject *constants;
  PyObject *owner; /* keeps `function` alive, or NULL */
  int32_t device;  /* where to run: NPCC_CPU or a CUDA ordinal */
  int32_t complete; /* has a variant that assumes nothing for `device`'s target */
} npcc_signature;

typedef struct npcc_function_object {
  PyObject head;
  npcc_vectorcall call;
  PyObject *dict, *weak_references;
  PyObject *names;    /* tuple of str: positional-only, positional, keyword-only parameters */
  PyObject *defaults; /* tuple, NULL entries stand as `no_default` */
  PyObject *no_default;
  /* What compiled code took from Python, for npcc_watches_hold; or NULL. `renew` () is called where one does not hold
   * any longer: it sets new watches, and leaves the signatures that still hold. */
  PyObject *watches, *read_watches, *renew;
  /* Tuple of the generators that npcc_call_options names, or NULL: numpy.random's own alone. */
  PyObject *generators;
  /* Callable or NULL: (arguments tuple, capsule of code that gave up or None, why it did) -> (capsule, device,
   * constants) or another callable. */
  PyObject *resolve;
  int32_t param_count, positional_count, positional_only_count;
  int32_t autocast; /* what npcc_autocast is where this code is for */
  int32_t device_count;
  int32_t signature_count, signature_capacity;
  npcc_signature *signatures;
} npcc_function_object;

extern PyTypeObject *npcc_function_type;

/* The narrow float of npcc.autocast around the calls of this thread: 0 for none, otherwise the package's number for it. A just-in-time function whose
 * code is for another one asks `resolve` for a callable. */
int32_t npcc_get_autocast(void);
void npcc_set_autocast(int32_t number);
int npcc_function_setup(void);

/* Name of the capsules that hold a `const npcc_function *`. */
#define NPCC_FUNCTION_CAPSULE "npcc.function"

/* names: tuple of str. defaults: tuple of the same length, with `no_default` where there is none. resolve may be NULL. */
PyObject *npcc_function_new(PyObject *name, PyObject *names, int32_t positional_only, int32_t positional, PyObject *defaults,
                            PyObject *no_default, PyObject *resolve, int32_t device_count);
/* Appends a signature. `owner` (new reference taken) keeps `function` alive. constants: as in npcc_signature, or NULL: what the function lacks at the
 * end has its defaults. device: NPCC_CPU, a CUDA ordinal, or
 * NPCC_DEVICE_AUTOMATIC: a GPU if there is one and the function has code for it. */
#define NPCC_DEVICE_AUTOMATIC (-2)
int npcc_function_add(npcc_function_object *self, const npcc_function *function, PyObject *owner, PyObject *constants, int32_t device);
/* From here on every call asks whether the watches (a tuple, see watch.h) hold. New references are taken; -1 with an exception. */
int npcc_function_watch(npcc_function_object *self, PyObject *watches, PyObject *renew, PyObject *generators);
/* Forgets all signatures; calls that run go on with theirs. */
void npcc_function_forget(npcc_function_object *self);
/* Whether parameter k is no parameter of the compiled function. */
int npcc_is_constant_parameter(const npcc_function_object *self, const npcc_signature *signature, int32_t k);
/* The signature that takes the arguments, or -1. Exact types first; conversions only where no signature can be made to fit. */
int32_t npcc_find_signature(const npcc_function_object *self, const npcc_argument *arguments);
/* Sets the TypeError that names the accepted signatures. */
void npcc_no_signature(npcc_function_object *self, const npcc_argument *arguments);
/* Arguments by Python's rules into `bound` (param_count borrowed references); -1 with TypeError. */
int npcc_bind(npcc_function_object *self, PyObject *const *args, Py_ssize_t count, PyObject *kwnames, PyObject **bound);
/* The function's name, for messages; borrowed from its dict. */
PyObject *npcc_function_name(npcc_function_object *self);
#endif
