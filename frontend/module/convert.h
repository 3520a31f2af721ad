/* Python arguments to the runtime's values, and results back. */
#ifndef NPCC_MODULE_CONVERT_H
#define NPCC_MODULE_CONVERT_H
#include "frontend/module/python_api.h"
#include "runtime/abi/functions.h"
#include "runtime/abi/values.h"

/* What dispatch looks at: kind, dtype, rank, weak and unit axes of npcc_param in one word. Exact for an argument; a parameter's
 * word matches the argument's that it was compiled for. */
typedef uint64_t npcc_key;
#define NPCC_KEY(kind, dtype, rank, weak, unit_axes)                                                                   \
  ((npcc_key)(kind) | (npcc_key)(weak) << 2 | (npcc_key)(dtype) << 3 | (npcc_key)(rank) << 8 |                         \
   (npcc_key)(unit_axes) << 32)
#define NPCC_KEY_RANK(key) ((int)((key) >> 8 & 63))
#define NPCC_KEY_UNIT_AXES(key) ((uint32_t)((key) >> 32))
npcc_key npcc_key_of_param(const npcc_param *param);
/* Arguments that are known at compile time (None, strings, tuples of such, functions, dtypes) have this key; they are no parameters of
 * the compiled function, and a signature holds for the one value. */
#define NPCC_KEY_CONSTANT NPCC_KEY(NPCC_NONE, 0, 0, 0, 0)
/* The key of a parameter that takes any string. */
#define NPCC_KEY_STRING NPCC_KEY(NPCC_NONE, 0, 1, 0, 0)

typedef struct npcc_argument {
  npcc_key key;
  int32_t from_numpy; /* arrays: a NumPy array, so that results are NumPy arrays */
  PyObject *object;   /* borrowed */
  PyObject *owner;    /* of foreign memory, or NULL: dropped after the call */
  void *stream; /* of another library, which has worked with the array and goes on with it (npcc_order_producers); or
                   NULL */
  npcc_value value;   /* .a points to `array` */
  npcc_array array;
} npcc_argument;

/* Fills `argument`; 0, or -1 with TypeError (not an array or scalar that npcc knows). `owner` is set in both cases. */
int npcc_read_argument(PyObject *object, npcc_argument *argument);

/* The items of a list argument that the function wrote to. 0, or -1 with an exception. */
int npcc_write_list_back(const npcc_argument *argument);

int npcc_is_string(const npcc_argument *argument);
/* Whether the argument may be passed for `param` by a conversion that loses nothing (int to float, a NumPy scalar for a Python one,
 * extents of 1 where any are accepted). */
int npcc_accepts(const npcc_param *param, const npcc_argument *argument);
/* Stores the argument as `param` wants it; npcc_accepts said yes. */
void npcc_convert_argument(const npcc_param *param, const npcc_argument *argument, npcc_value *out);

/* Whether two results are one array that the function made: `return t, t` gives one object twice. */
int npcc_is_repeated_result(const npcc_function *function, const npcc_value *results, int32_t earlier, int32_t later,
                            const npcc_argument *arguments, int32_t argument_count);

/* An array that takes over one reference to its base, which may be an argument's. */
PyObject *npcc_give_array(npcc_array *array, int to_numpy, const npcc_argument *arguments, int32_t argument_count);

/* One of the results; takes over what it owns. to_numpy: arrays become NumPy's. */
PyObject *npcc_write_result(const npcc_function *function, const npcc_value *results, int32_t position, int to_numpy,
                            const npcc_argument *arguments, int32_t argument_count);
#endif
