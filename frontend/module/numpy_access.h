/* NumPy without its headers: what is used of its C API and of its struct layouts is the same in 1.2x and 2.x. */
#ifndef NPCC_MODULE_NUMPY_ACCESS_H
#define NPCC_MODULE_NUMPY_ACCESS_H
#include "frontend/module/python_api.h"
#include "runtime/abi/dtypes.h"
#include "runtime/abi/values.h"

/* PyArray_Descr up to the last field that 1.x and 2.x share. */
typedef struct npcc_numpy_descr {
  PyObject head;
  PyTypeObject *scalar_type;
  char kind, type, byte_order, former_flags;
  int type_number;
} npcc_numpy_descr;

/* PyArrayObject_fields. */
typedef struct npcc_numpy_array {
  PyObject head;
  char *data;
  int rank;
  Py_ssize_t *shape, *strides; /* strides in bytes */
  PyObject *base;
  npcc_numpy_descr *descr;
  int flags;
} npcc_numpy_array;

enum { NPCC_NUMPY_ALIGNED = 0x100, NPCC_NUMPY_WRITEABLE = 0x400 };

typedef struct npcc_numpy_api {
  PyTypeObject *array, *memmap;
  PyTypeObject *dtype;
  PyTypeObject *generic; /* numpy.generic, the base of all NumPy scalars */
  PyObject *descr[NPCC_DTYPE_COUNT]; /* that of BFLOAT16 only once it was asked for: see npcc_descr */
  PyTypeObject *scalar[NPCC_DTYPE_COUNT];
  PyObject *(*new_from_descr)(PyTypeObject *type, PyObject *descr, int rank, const Py_ssize_t *shape,
                              const Py_ssize_t *strides, void *data, int flags, PyObject *like);
  PyObject *(*empty)(int rank, const Py_ssize_t *shape, PyObject *descr, int fortran);
  PyObject *(*new_scalar)(void *data, PyObject *descr, PyObject *base);
  void (*scalar_as_ctype)(PyObject *scalar, void *out);
  int (*set_base)(PyObject *array, PyObject *base);
} npcc_numpy_api;

extern npcc_numpy_api npcc_numpy;

/* Imports NumPy the first time; -1 with an exception set. */
int npcc_numpy_setup(void);

/* log2 of the element size. */
extern const unsigned char npcc_dtype_shift[NPCC_DTYPE_COUNT];

/* The numpy.dtype, a new reference; NULL with ImportError for bfloat16 where ml_dtypes is missing. */
PyObject *npcc_descr(int dtype);
/* Whether the type is that of bfloat16's scalars. */
int npcc_is_bfloat16_scalar(const PyTypeObject *type);
/* npcc_dtype of a descriptor, or -1 (another kind of element, or another byte order); no exception. */
int npcc_dtype_of_descr(const npcc_numpy_descr *descr);
/* npcc_dtype from a typestr of the array interface ("<f8"), or -1. */
int npcc_dtype_of_typestr(const char *typestr);
/* The other way: "<f8". */
const char *npcc_typestr(int dtype);

/* The scalar `value` stored as an element of `dtype` at `out` (16 bytes suffice), and back. */
void npcc_store_element(int dtype, const npcc_value *value, void *out);
void npcc_load_element(int dtype, const void *element, npcc_value *value);
#endif
