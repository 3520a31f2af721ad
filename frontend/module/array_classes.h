/* Classes of other libraries whose arrays are read faster than by the CUDA array interface, which makes a dict for
 * each: by DLPack's C exchange API (https://dmlc.github.io/dlpack/latest/python_spec.html), which PyTorch has, and
 * CuPy's arrays by their attributes. */
#ifndef NPCC_MODULE_ARRAY_CLASSES_H
#define NPCC_MODULE_ARRAY_CLASSES_H
#include "frontend/module/python_api.h"
#include "runtime/abi/arrays.h"

/* Looks at the class of an array whose interface gave `array` and `stream`. Its arrays are read fast from now on if
 * that gives the same of this one. */
void npcc_learn_array_class(PyObject *object, const npcc_array *array, void *stream);
/* Whether arrays of this class are read fast. */
int npcc_is_array_class(PyTypeObject *type);
/* An array on a GPU of such a class, and the stream that its library works on. 0, without an exception: the interface
 * is to be asked. */
int npcc_read_by_class(PyObject *object, npcc_array *array, void **stream);
#endif
