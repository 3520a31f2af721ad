/* print() and strings that are known at run time only. */
#ifndef NPCC_ABI_TEXT_H
#define NPCC_ABI_TEXT_H
#include "runtime/abi/arrays.h"
#include "runtime/abi/values.h"

NPCC_BEGIN_C

/* print(): items joined by the separator, then end; written at once. Item kinds: 's' NUL-terminated text, 'i' int64,
 * 'u' uint64, 'f' double as Python's repr, 'b' bool, 'c' complex; 'g', 'h', 'n', 'k' are float32, float16, bfloat16
 * (in `f`) and complex64 (in `c`) with the shortest text of their own precision, as str() of NumPy's scalars; 'C',
 * 'K': complex without its parentheses; 't' a string's number. spec: Python format spec (".3f"), or NULL; a bad one
 * fails the frame with Python's ValueError. separator and end: NULL for " " and "\n". */
typedef struct npcc_print_item { int32_t kind; int32_t reserved; const char *spec; npcc_value value; } npcc_print_item;
NPCC_EXPORT void npcc_rt_print(int32_t count, const npcc_print_item *items, const char *separator, const char *end);
/* Where print() from compiled code goes; NULL: standard output. */
NPCC_EXPORT void npcc_rt_set_print(void (*write)(const char *text, int64_t bytes));

/* Strings that are known at run time only are numbers of a table of the runtime's (runtime/Text.h): equal strings
 * have equal numbers. A character alone is the number of its code point, the empty string 0x110000; a number below 0
 * is None. Positions count code points. The items of npcc_rt_text stand one behind the other. A position outside the
 * string: the empty string. slice: start, stop and step as Python's slice.indices() has them. compare: -1, 0, 1.
 * find: -1 where there is none, start and stop as str.find takes them. method: a method of Python's str, by
 * `name:types`, the types of arguments and result being 't' for strings, 'i' for integers, 'u' for those without a
 * sign, 'f' for a double's bits, 'b' for bools: "center:ti>t". */
NPCC_EXPORT int64_t npcc_rt_text(int32_t count, const npcc_print_item *items);
NPCC_EXPORT int64_t npcc_rt_text_length(int64_t text);
NPCC_EXPORT int64_t npcc_rt_text_at(int64_t text, int64_t position);
NPCC_EXPORT int64_t npcc_rt_text_slice(int64_t text, int64_t start, int64_t stop, int64_t step);
NPCC_EXPORT int64_t npcc_rt_text_repeat(int64_t text, int64_t count);
NPCC_EXPORT int64_t npcc_rt_text_compare(int64_t left, int64_t right);
NPCC_EXPORT int64_t npcc_rt_text_find(int64_t text, int64_t part, int64_t start, int64_t stop);
NPCC_EXPORT int64_t npcc_rt_text_starts_with(int64_t text, int64_t part);
NPCC_EXPORT int64_t npcc_rt_text_ends_with(int64_t text, int64_t part);
/* int() and float(), whose result are a double's bits; 0 for what is none. An integer that 64 bits do not hold is one
 * (2, others are 1) whose value is not to be asked for. */
NPCC_EXPORT int64_t npcc_rt_text_is_integer(int64_t text, int64_t base);
NPCC_EXPORT int64_t npcc_rt_text_to_integer(int64_t text, int64_t base);
NPCC_EXPORT int64_t npcc_rt_text_is_float(int64_t text);
NPCC_EXPORT int64_t npcc_rt_text_to_float(int64_t text);
NPCC_EXPORT int64_t npcc_rt_text_method(const char *method, int32_t count, const int64_t *arguments);

/* At the border: what makes numbers of strings, and reads them. */
NPCC_EXPORT int64_t npcc_rt_text_new(const char *utf8, int64_t bytes); /* the number */
/* Copies at most so many bytes of UTF-8; the number of all. */
NPCC_EXPORT int64_t npcc_rt_text_read(int64_t number, char *utf8, int64_t bytes);
/* What makes strings as only Python and NumPy do. Both store a string's number (a method: what its type says) and
 * return 0, or return 1 with "<error's name>: <message>". method: as npcc_rt_text_method. array: kind 's' is str(),
 * 'r' repr(), 'l' str() of the list of the items; 'e' what a Python expression of `numpy` and `a`, the array, gives,
 * which stands in dtype behind a space: "float64 numpy.array2string(a, precision=2)". 'o' makes an object with the
 * elements, or takes the call's argument, or a view of it, if the array begins in its memory, at the address *result.
 * 'w' takes the object with the number *result: the array becomes what it holds, and *result says whether that is
 * something else. The array's data are a copy in host memory, in C order. */
typedef struct npcc_text_hooks {
  int (*method)(const char *method, int32_t count, const int64_t *arguments, int64_t *result, char *message,
                int64_t bytes);
  int (*array)(const npcc_array *array, const char *dtype, int32_t kind, int64_t *result, char *message, int64_t bytes);
} npcc_text_hooks;
NPCC_EXPORT void npcc_rt_set_text_hooks(const npcc_text_hooks *hooks);

NPCC_END_C
#endif
