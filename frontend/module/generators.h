/* NumPy's generators of random numbers, as compiled code draws from them: by the functions of their own bit generators,
 * under their locks, so that their state goes on where a call leaves it. */
#ifndef NPCC_MODULE_GENERATORS_H
#define NPCC_MODULE_GENERATORS_H
#include "frontend/module/convert.h"
#include "runtime/abi/functions.h"
#include "runtime/abi/random.h"
#include "runtime/abi/values.h"

/* npcc_generator_class of a numpy.random.Generator or RandomState; -1 for other objects. */
int npcc_generator_class_of(PyObject *object);

struct npcc_generators;
typedef struct npcc_held_generator {
  PyObject *object;       /* a Generator or RandomState; new reference, as are the others */
  PyObject *lock, *state; /* of its bit generator; of a RandomState: its get_state(legacy=False) when the call began */
  npcc_generator handle;
  struct npcc_generators *call;
  struct npcc_held_generator *next; /* of the children that it has made */
} npcc_held_generator;

/* The generators of one call. */
typedef struct npcc_generators {
  int32_t count, captured_count, locked_count;
  npcc_held_generator *held; /* each object once */
  PyObject **locks;          /* in the order in which all calls take them */
  npcc_generator **captured;
  npcc_held_generator *children; /* made by spawn() during the call, which nobody else has */
  struct npcc_generators *outer; /* of the call of compiled code that this one is made in, in a part that Python runs */
} npcc_generators;

/* Takes the locks of all generators that a call may draw from: arguments, whose values are set, and those that compiled
 * code captured (a tuple, or NULL for numpy.random's own alone). -1 with an exception, and nothing held. */
int npcc_hold_generators(npcc_generators *generators, PyObject *captured, const npcc_function *function,
                         const npcc_argument *arguments, int32_t argument_count, npcc_value *values);
/* Gives the kept normal numbers of RandomStates back, and the locks. -1 with an exception. */
int npcc_let_go_generators(npcc_generators *generators);
/* Before a part of the program that Python runs, which may draw from the same generators: gives the kept normal numbers
 * of the call's RandomStates back. Behind it: reads them again. -1 with an exception. */
int npcc_share_generators(void);
int npcc_take_back_generators(void);
#endif
