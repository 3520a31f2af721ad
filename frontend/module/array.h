/* npcc.ndarray's core: an array that npcc or another library owns, on the CPU or a GPU. The package derives npcc.ndarray from
 * it; an ahead-of-time module uses it as it is. */
#ifndef NPCC_MODULE_ARRAY_H
#define NPCC_MODULE_ARRAY_H
#include "frontend/module/python_api.h"
#include "runtime/abi/arrays.h"

typedef struct npcc_array_object {
  PyObject head;
  npcc_array array;
  PyObject *owner; /* what keeps the memory alive; NULL: this object owns one reference to array.base */
} npcc_array_object;

/* The type of the arrays that calls give: the core type, or what the package registered. */
extern PyTypeObject *npcc_array_type;
/* The core type itself. */
extern PyTypeObject *npcc_array_base_type;

int npcc_array_setup(void);
/* Takes over one reference to array->base if owner is NULL, else a new reference to owner. */
PyObject *npcc_array_wrap(const npcc_array *array, PyObject *owner);
/* A NumPy array of a CPU array, on the same terms. may_copy: nothing else will show this memory. */
PyObject *npcc_numpy_wrap(const npcc_array *array, PyObject *owner, int may_copy);
/* A new array: an npcc buffer on `device`, C-contiguous. */
int npcc_array_allocate(npcc_array *array, int dtype, int rank, const int64_t *shape, int device);

/* Foreign arrays. Each fills `array` and `*owner` (new reference to what keeps the memory): 1 done, 0 not such an object, -1
 * exception. */
/* The caller sees to the order after `stream`, the producer's, if there is one (*named). */
int npcc_read_cuda_interface(PyObject *object, npcc_array *array, PyObject **owner, void **stream, int *named);
int npcc_from_dlpack(PyObject *object, npcc_array *array, PyObject **owner);
int npcc_from_buffer(PyObject *object, npcc_array *array, PyObject **owner);
/* The strides of a C-contiguous array, in elements. */
void npcc_set_contiguous_strides(npcc_array *array);

/* __dlpack__ of the array type. */
PyObject *npcc_to_dlpack(npcc_array_object *self, int versioned);
/* (device type, device id) of DLPack. */
void npcc_dlpack_device(int device, int32_t *type, int32_t *id);
#endif
