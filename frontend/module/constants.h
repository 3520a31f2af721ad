/* Values that are known when a function is compiled. */
#ifndef NPCC_MODULE_CONSTANTS_H
#define NPCC_MODULE_CONSTANTS_H
#include "frontend/module/python_api.h"

/* Whether an argument is known at compile time: None, a string, a number, a dtype, a function, or a tuple of such. */
int npcc_is_constant(PyObject *object);
/* Whether two constants are the same to the compiler: 1 and 1.0 are not. */
int npcc_same_constant(PyObject *a, PyObject *b);
#endif
