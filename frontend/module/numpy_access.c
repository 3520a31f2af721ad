#include "frontend/module/numpy_access.h"
#include <string.h>

npcc_numpy_api npcc_numpy;

const unsigned char npcc_dtype_shift[NPCC_DTYPE_COUNT] = {0, 0, 1, 2, 3, 0, 1, 2, 3, 1, 2, 3, 3, 4, 1};

/* The array interface's names, by npcc_dtype. */
static const char *const typestrs[NPCC_DTYPE_COUNT] = {"|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2",
                                                       "<u4", "<u8", "<f2", "<f4", "<f8", "<c8", "<c16", "<V2"};

/* By NumPy's type number; long is 64 bits on every platform npcc runs on. */
enum { numpy_type_count = 24 };
static const signed char dtype_of_type_number[numpy_type_count] = {
    NPCC_BOOL,   NPCC_INT8,    NPCC_UINT8,   NPCC_INT16, NPCC_UINT16,    NPCC_INT32,      NPCC_UINT32, NPCC_INT64,
    NPCC_UINT64, NPCC_INT64,   NPCC_UINT64,  NPCC_FLOAT32, NPCC_FLOAT64, -1,              NPCC_COMPLEX64, NPCC_COMPLEX128,
    -1,          -1,           -1,           -1,         -1,             -1,              -1,          NPCC_FLOAT16};

/* Positions in NumPy's table of C functions. They never move: code compiled against 1.x headers depends on them. */
enum { api_scalar = 60, api_scalar_as_ctype = 62, api_new_from_descr = 94, api_empty = 184, api_set_base = 282 };

static PyObject *multiarray(void) {
  PyObject *module = PyImport_ImportModule("numpy._core._multiarray_umath");
  if (!module && PyErr_ExceptionMatches(PyExc_ImportError)) {
    PyErr_Clear();
    module = PyImport_ImportModule("numpy.core._multiarray_umath"); /* NumPy 1 */
  }
  return module;
}

static int fetch_functions(void) {
  PyObject *module = multiarray();
  PyObject *capsule = module ? PyObject_GetAttrString(module, "_ARRAY_API") : NULL;
  void **table = capsule ? PyCapsule_GetPointer(capsule, NULL) : NULL;
  Py_XDECREF(capsule);
  Py_XDECREF(module);
  if (!table)
    return -1;
  memcpy(&npcc_numpy.new_scalar, &table[api_scalar], sizeof(void *));
  memcpy(&npcc_numpy.scalar_as_ctype, &table[api_scalar_as_ctype], sizeof(void *));
  memcpy(&npcc_numpy.new_from_descr, &table[api_new_from_descr], sizeof(void *));
  memcpy(&npcc_numpy.empty, &table[api_empty], sizeof(void *));
  memcpy(&npcc_numpy.set_base, &table[api_set_base], sizeof(void *));
  return 0;
}

/* bfloat16 is a dtype of the package ml_dtypes, which is not everywhere: it is looked for where a program can have such arrays, that is, when it has
 * imported the package, or when an array of it is to be made. */
static int fetch_bfloat16(int import) {
  if (npcc_numpy.descr[NPCC_BFLOAT16])
    return 0;
  PyObject *package = NULL;
  if (import) {
    package = PyImport_ImportModule("ml_dtypes");
  } else {
    PyObject *modules = PyImport_GetModuleDict(); /* borrowed, as its items are */
    package = Py_XNewRef(PyDict_GetItemString(modules, "ml_dtypes"));
  }
  PyObject *scalar = package ? PyObject_GetAttrString(package, "bfloat16") : NULL;
  Py_XDECREF(package);
  PyObject *descr = scalar ? PyObject_CallFunction((PyObject *)npcc_numpy.dtype, "O", scalar) : NULL;
  Py_XDECREF(scalar);
  if (!descr) {
    if (!import)
      PyErr_Clear();
    return -1;
  }
  npcc_numpy.scalar[NPCC_BFLOAT16] = ((npcc_numpy_descr *)descr)->scalar_type;
  npcc_numpy.descr[NPCC_BFLOAT16] = descr;
  return 0;
}

PyObject *npcc_descr(int dtype) {
  if (dtype == NPCC_BFLOAT16 && fetch_bfloat16(1)) {
    if (PyErr_ExceptionMatches(PyExc_ImportError))
      PyErr_SetString(PyExc_ImportError, "arrays of bfloat16 need the package ml_dtypes (pip install ml_dtypes)");
    return NULL;
  }
  return Py_NewRef(npcc_numpy.descr[dtype]);
}

int npcc_is_bfloat16_scalar(const PyTypeObject *type) { return !fetch_bfloat16(0) && type == npcc_numpy.scalar[NPCC_BFLOAT16]; }

static int fetch_dtypes(PyObject *numpy) {
  PyObject *dtype = PyObject_GetAttrString(numpy, "dtype");
  for (int k = 0; dtype && k < NPCC_BFLOAT16; ++k) {
    npcc_numpy.descr[k] = PyObject_CallFunction(dtype, "s", typestrs[k]);
    if (!npcc_numpy.descr[k]) {
      Py_DECREF(dtype);
      return -1;
    }
    npcc_numpy.scalar[k] = ((npcc_numpy_descr *)npcc_numpy.descr[k])->scalar_type;
  }
  npcc_numpy.dtype = (PyTypeObject *)dtype;
  return dtype ? 0 : -1;
}

int npcc_numpy_setup(void) {
  if (npcc_numpy.array)
    return 0;
  PyObject *numpy = PyImport_ImportModule("numpy");
  if (!numpy)
    return -1;
  int failed = fetch_functions() || fetch_dtypes(numpy);
  PyObject *array = failed ? NULL : PyObject_GetAttrString(numpy, "ndarray");
  npcc_numpy.memmap = (PyTypeObject *)(array ? PyObject_GetAttrString(numpy, "memmap") : NULL);
  npcc_numpy.generic = (PyTypeObject *)(npcc_numpy.memmap ? PyObject_GetAttrString(numpy, "generic") : NULL);
  Py_DECREF(numpy);
  if (!npcc_numpy.generic)
    return -1;
  npcc_numpy.array = (PyTypeObject *)array;
  return 0;
}

int npcc_dtype_of_descr(const npcc_numpy_descr *descr) {
  unsigned number = (unsigned)descr->type_number;
  if (number >= numpy_type_count) { /* of a package */
    int is_bfloat16 = !fetch_bfloat16(0) && descr->scalar_type == npcc_numpy.scalar[NPCC_BFLOAT16];
    return is_bfloat16 && descr->byte_order != '>' ? NPCC_BFLOAT16 : -1;
  }
  if (descr->byte_order == '>')
    return -1;
  return dtype_of_type_number[number];
}

int npcc_dtype_of_typestr(const char *typestr) {
  if (!typestr[0] || typestr[0] == '>')
    return -1;
  for (int k = 0; k < NPCC_DTYPE_COUNT; ++k)
    /* "|V2" is any two bytes. */
    if (!strcmp(typestrs[k] + 1, typestr + 1) && (k != NPCC_BFLOAT16 || typestr[0] == '<'))
      return k;
  return -1;
}

const char *npcc_typestr(int dtype) { return typestrs[dtype]; }

/* Half precision by hand: the compiler's conversions are library calls, and an ahead-of-time module has no such library. */
static double half_to_double(uint16_t half) {
  uint64_t sign = (uint64_t)(half >> 15) << 63, exponent = (half >> 10) & 31, fraction = half & 1023, bits;
  if (exponent == 31)
    bits = sign | (uint64_t)2047 << 52 | fraction << 42;
  else if (exponent)
    bits = sign | (exponent + 1008) << 52 | fraction << 42;
  else { /* subnormal: fraction * 2^-24 */
    double magnitude = (double)fraction * 0x1p-24;
    return sign ? -magnitude : magnitude;
  }
  double result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

/* For a double that a half can hold exactly, as every float16 result is. */
static uint16_t double_to_half(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint16_t sign = (uint16_t)(bits >> 63 << 15);
  uint64_t exponent = bits >> 52 & 2047;
  uint16_t fraction = (uint16_t)(bits >> 42 & 1023);
  if (exponent == 2047)
    return (uint16_t)(sign | 31 << 10 | fraction);
  if (exponent >= 1009)
    return (uint16_t)(sign | (exponent - 1008) << 10 | fraction);
  return (uint16_t)(sign | (uint16_t)((value < 0 ? -value : value) * 0x1p24));
}

/* For a double that a bfloat16 can hold exactly. */
static uint16_t double_to_bfloat(double value) {
  float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  return (uint16_t)(bits >> 16);
}

static double bfloat_to_double(uint16_t bfloat) {
  uint32_t bits = (uint32_t)bfloat << 16;
  float single;
  memcpy(&single, &bits, sizeof single);
  return single;
}

void npcc_store_element(int dtype, const npcc_value *value, void *out) {
  switch (dtype) {
  case NPCC_FLOAT16: {
    uint16_t half = double_to_half(value->f);
    memcpy(out, &half, sizeof half);
    break;
  }
  case NPCC_BFLOAT16: {
    uint16_t bfloat = double_to_bfloat(value->f);
    memcpy(out, &bfloat, sizeof bfloat);
    break;
  }
  case NPCC_FLOAT32: {
    float single = (float)value->f;
    memcpy(out, &single, sizeof single);
    break;
  }
  case NPCC_COMPLEX64: {
    float parts[2] = {(float)value->c.re, (float)value->c.im};
    memcpy(out, parts, sizeof parts);
    break;
  }
  default: /* FLOAT64, COMPLEX128, and integers: little-endian, so the low bytes */
    memcpy(out, value, (size_t)1 << npcc_dtype_shift[dtype]);
  }
}

void npcc_load_element(int dtype, const void *element, npcc_value *value) {
  memset(value, 0, sizeof *value);
  switch (dtype) {
#define NPCC_LOAD(DTYPE, TYPE, FIELD)                                                                                  \
  case DTYPE: {                                                                                                        \
    TYPE x;                                                                                                            \
    memcpy(&x, element, sizeof x);                                                                                     \
    value->FIELD = x;                                                                                                  \
    break;                                                                                                             \
  }
    NPCC_LOAD(NPCC_BOOL, unsigned char, i)
    NPCC_LOAD(NPCC_INT8, int8_t, i)
    NPCC_LOAD(NPCC_INT16, int16_t, i)
    NPCC_LOAD(NPCC_INT32, int32_t, i)
    NPCC_LOAD(NPCC_INT64, int64_t, i)
    NPCC_LOAD(NPCC_UINT8, uint8_t, u)
    NPCC_LOAD(NPCC_UINT16, uint16_t, u)
    NPCC_LOAD(NPCC_UINT32, uint32_t, u)
    NPCC_LOAD(NPCC_UINT64, uint64_t, u)
    NPCC_LOAD(NPCC_FLOAT32, float, f)
    NPCC_LOAD(NPCC_FLOAT64, double, f)
    NPCC_LOAD(NPCC_COMPLEX128, npcc_complex, c)
#undef NPCC_LOAD
  case NPCC_FLOAT16: {
    uint16_t half;
    memcpy(&half, element, sizeof half);
    value->f = half_to_double(half);
    break;
  }
  case NPCC_BFLOAT16: {
    uint16_t bfloat;
    memcpy(&bfloat, element, sizeof bfloat);
    value->f = bfloat_to_double(bfloat);
    break;
  }
  case NPCC_COMPLEX64: {
    float parts[2];
    memcpy(parts, element, sizeof parts);
    value->c.re = parts[0];
    value->c.im = parts[1];
  }
  }
}
