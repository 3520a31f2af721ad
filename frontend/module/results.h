/* What a call gives to Python, put together as the function's `result_form` says. */
#ifndef NPCC_MODULE_RESULTS_H
#define NPCC_MODULE_RESULTS_H
#include "frontend/module/convert.h"
#include "runtime/abi/functions.h"
#include "runtime/abi/values.h"

/* Takes over what the results own, also after a failure. New reference, or NULL with an exception. to_numpy: arrays become NumPy's. */
PyObject *npcc_give_results(const npcc_function *function, npcc_value *results, int to_numpy, const npcc_argument *arguments,
                            int32_t argument_count);

/* A class that forms name and no module has under its qualified name: defined in a function, or bound anew. -1 with an exception. */
int npcc_register_class(PyObject *name, PyObject *type);
/* The class "module:qualified.name". New reference, or NULL with an exception. */
PyObject *npcc_find_class(const char *name, Py_ssize_t bytes);
#endif
