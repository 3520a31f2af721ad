/* What a generated function is: its parameters and results, its variants, and what Python makes of its results. */
#ifndef NPCC_ABI_FUNCTIONS_H
#define NPCC_ABI_FUNCTIONS_H
#include "runtime/abi/export.h"

NPCC_BEGIN_C

/* Kind of a parameter or result. A scalar parameter is declared with a dtype; `weak` says Python scalar (int, float,
 * bool, complex: dtype INT64, FLOAT64, BOOL, COMPLEX128) rather than NumPy scalar. */
typedef enum npcc_kind { NPCC_SCALAR = 0, NPCC_ARRAY = 1, NPCC_NONE = 2, NPCC_GENERATOR = 3 } npcc_kind;

/* What a generator of random numbers is to Python: npcc_param::dtype of a parameter of that kind. */
typedef enum npcc_generator_class { NPCC_RANDOM_GENERATOR = 0, NPCC_RANDOM_STATE = 1 } npcc_generator_class;

/* npcc_param::weak of a parameter that takes strings, whose values are their numbers (npcc_rt_text_new), of dtype
 * INT64. */
#define NPCC_WEAK_STRING 2

typedef struct npcc_param {
  const char *name;    /* "" for results */
  int32_t kind;        /* npcc_kind */
  int32_t dtype;       /* npcc_dtype */
  int32_t rank;
  int32_t weak;        /* scalars: a Python scalar; arrays: a list (of lists) of Python scalars; NPCC_WEAK_STRING */
  int32_t written;     /* parameters: the function stores into it (or into a view of it) */
  uint32_t unit_axes;  /* bit k: extent k is 1 and broadcasts; the others are as dynamic as ever */
  /* Results: never an argument itself, though a view may show all of one. Parameters: need not be contiguous in any
   * variant. */
  int32_t is_view;
  /* Parameters: what the function does depends on how the elements lie in memory, not on them alone. */
  int32_t tells_layout;
} npcc_param;

/* What a variant takes for granted.
 * The extents of two axes are equal; array_a and array_b are parameter indices. Where array_a is -1, the extent is
 * the number axis_a. */
typedef struct npcc_extent_guard { int16_t array_a, axis_a, array_b, axis_b; } npcc_extent_guard;

/* Every array argument is C-contiguous, if it is no view, and aligned to its element. */
#define NPCC_ASSUME_CONTIGUOUS 1
/* No written argument overlaps another argument. */
#define NPCC_ASSUME_NO_ALIAS 2
/* No written argument is NPCC_READONLY; a variant without it looks before each store. */
#define NPCC_ASSUME_WRITABLE 4
/* Every Python int lies between -2^31 and 2^31. */
#define NPCC_ASSUME_SMALL_INTEGERS 8

/* A variant's entry. slots[k], k < parameter count: pointer to the scalar, or to the MLIR memref descriptor {void
 * *allocated, void *aligned, int64_t offset, int64_t sizes[rank], int64_t strides[rank]} (rank 0: the first three
 * fields; the highest bit of `allocated` is set where a written argument is NPCC_READONLY). slots[parameter count +
 * k]: where result k is written, same forms. Called inside a frame. Arguments are borrowed; an array result carries
 * one reference to its base, also if that is an argument's (which the entry retains then). */
typedef void (*npcc_entry)(void **slots);

/* An SPMD body, to be called once per device of a group (group.h). */
#define NPCC_VARIANT_DISTRIBUTED 1
/* It waits for its arguments itself, and says what it writes (npcc_rt_await, npcc_rt_written). */
#define NPCC_VARIANT_AWAITS 2
/* Code of the host for calls with arrays of the host that a GPU takes longer for. */
#define NPCC_VARIANT_MOVED 4

typedef struct npcc_variant {
  int32_t target;       /* npcc_target */
  int32_t assumptions;  /* NPCC_ASSUME_* */
  int32_t guard_count;
  int32_t flags;        /* NPCC_VARIANT_* */
  const npcc_extent_guard *guards;
  npcc_entry entry;
  /* Of code with some of its alternatives only: whether these are the ones for the arguments. slots[k], k <
   * parameter count: as for `entry`; slots[parameter count]: an int8, 1 if they are. It calls nothing of the
   * runtime. NULL: code with all alternatives. */
  npcc_entry choice;
} npcc_variant;

/* What a function gives to Python, made of its results in order. One character says what it is; text is
 * `<bytes>:<the bytes>`.
 *   .           the next result            N  None             "text       a string
 *   ( ... )     a tuple                    [ ... ]  a list      { ... }     a dict: key, value, key, value, ...
 *   L .         list() of what follows
 *   Z( ... )    a list of tuples, of lists of their items; ZC text( ... ): of named tuples
 *   C text( ... )  a call of the class `module:qualified.name` with these arguments (a named tuple)
 *   O text{ ... }  an object of the class: attribute name, value, ...; made without its __init__
 *   S( ... )    a string, of the strings of these forms one behind the other
 *   %text ...   a string: format(what follows, text), or str() of it if there is no text
 *   b ...       a string: str() of a complex number, without its parentheses
 *   T .         a string, by its number (npcc_rt_text_new)
 *   K .         an array, by its number (npcc_rt_keep), or a list of them; a number below 0 is None
 *   ?n ... ... .   one of n forms; which one the next result says. All results of all n forms are there. */
#define NPCC_FORM_RESULT '.'
#define NPCC_FORM_NONE 'N'
#define NPCC_FORM_TEXT '"'
#define NPCC_FORM_LIST 'L'
#define NPCC_FORM_ROWS 'Z'
#define NPCC_FORM_CALL 'C'
#define NPCC_FORM_OBJECT 'O'
#define NPCC_FORM_STRING 'S'
#define NPCC_FORM_FORMAT '%'
#define NPCC_FORM_BARE 'b'
#define NPCC_FORM_NUMBERED 'T'
#define NPCC_FORM_KEPT 'K'
#define NPCC_FORM_CHOICE '?'

typedef struct npcc_function {
  const char *name;
  const char *signature;  /* for messages: "step(float64[:,:], float)" */
  const char *file;       /* Python source */
  int32_t line;
  int32_t param_count, result_count, variant_count;
  const char *result_form; /* how Python puts the results together: see NPCC_FORM_* */
  int32_t generator_count; /* captured generators: the highest number that it uses, plus 1 */
  const npcc_param *params;
  const npcc_param *results;
  const npcc_variant *variants;  /* tried in order; the last of a target has no assumptions */
} npcc_function;

NPCC_END_C
#endif
