/* Parts of compiled functions that Python runs, on its own objects: compiled code has those as numbers of a table. */
#ifndef NPCC_MODULE_PARTS_H
#define NPCC_MODULE_PARTS_H
#include "frontend/module/convert.h"
#include "frontend/module/python_api.h"
#include <stdint.h>

/* The objects that a call puts into the table, which it lets go at its end. */
typedef struct npcc_held_objects {
  int64_t *numbers;
  int64_t count, room;
  struct npcc_held_objects *outer; /* of the call around, in this thread */
  const npcc_argument *arguments;  /* of the call */
  int32_t argument_count;
} npcc_held_objects;
void npcc_objects_begin(npcc_held_objects *held, const npcc_argument *arguments, int32_t argument_count);
void npcc_objects_end(npcc_held_objects *held);

/* Counts what the calls of this thread have done that others may see: what they printed, and parts that Python ran. */
extern _Thread_local int64_t npcc_effects;

/* Whether a method is a part: "python TEXT:TYPES>TYPE". */
int npcc_is_part(const char *method);
/* Runs one, under the GIL. `value` turns an argument that is no object into one. 0, or -1 with an exception. */
int npcc_run_part(const char *method, int32_t count, const int64_t *arguments,
                  PyObject *(*value)(char type, int64_t bits), int64_t *result);
/* The number of an object, whose reference is taken over; -1 with an exception. */
int64_t npcc_object_number(PyObject *object);

/* New reference. */
PyObject *npcc_object_of(int64_t number);
/* The argument of this thread's call in whose memory an array lies, which begins at an address, or a view of it: new
 * reference, or NULL. The array's own data may be a copy. */
PyObject *npcc_given_array(const npcc_array *array, const void *address);
/* Whether an object is an argument of this thread's call. */
int npcc_is_given(PyObject *object);

/* Keeps the exception that is set, on its way through compiled code, and says so in `message`; sets it again, if
 * `message` is of this kind. */
void npcc_keep_exception(char *message, int64_t bytes);
int npcc_restore_exception(const char *message);
#endif
