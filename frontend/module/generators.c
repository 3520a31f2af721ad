#include "frontend/module/generators.h"
#include <stdlib.h>
#include <string.h>

static _Thread_local npcc_generators *current; /* of the call of compiled code that runs, if it has any */

/* numpy.random is looked for where it is imported already: without it there are no generators. */
static PyTypeObject *types[2];

static int find_types(void) {
  if (types[0])
    return 1;
  PyObject *modules = PyImport_GetModuleDict();
  PyObject *module = PyDict_GetItemString(modules, "numpy.random"); /* borrowed */
  if (!module)
    return 0;
  PyObject *generator = PyObject_GetAttrString(module, "Generator"),
           *state = PyObject_GetAttrString(module, "RandomState");
  if (!generator || !state) {
    PyErr_Clear(); /* it is being imported */
    Py_XDECREF(generator);
    Py_XDECREF(state);
    return 0;
  }
  types[NPCC_RANDOM_STATE] = (PyTypeObject *)state;
  types[NPCC_RANDOM_GENERATOR] = (PyTypeObject *)generator;
  return 1;
}

int npcc_generator_class_of(PyObject *object) {
  if (find_types())
    for (int class = 0; class < 2; ++class)
      if (Py_TYPE(object) == types[class])
        return class;
  return -1;
}

/* numpy.random's own RandomState. New reference. */
static PyObject *global_state(void) {
  PyObject *module = PyImport_ImportModule("numpy.random.mtrand");
  PyObject *state = module ? PyObject_GetAttrString(module, "_rand") : NULL;
  Py_XDECREF(module);
  return state;
}

static int read_gauss(npcc_held_generator *held) {
  PyObject *method = PyObject_GetAttrString(held->object, "get_state");
  PyObject *args = PyTuple_New(0), *keywords = Py_BuildValue("{s:O}", "legacy", Py_False);
  held->state = method && args && keywords ? PyObject_Call(method, args, keywords) : NULL;
  Py_XDECREF(method);
  Py_XDECREF(args);
  Py_XDECREF(keywords);
  if (!held->state)
    return -1;
  PyObject *has_gauss = PyDict_GetItemString(held->state, "has_gauss"),
           *gauss = PyDict_GetItemString(held->state, "gauss");
  held->handle.has_gauss = has_gauss && PyObject_IsTrue(has_gauss) == 1;
  held->handle.gauss = gauss ? PyFloat_AsDouble(gauss) : 0;
  return PyErr_Occurred() ? -1 : 0;
}

/* The bit generators that the runtime can go on from on a GPU: those whose states lie in memory as it knows them, which a new one of the class shows when
 * the class is first met. */
static const char *const known_bits[] = {"", "MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64"}; /* npcc_bits_kind */
static PyTypeObject *bits_types[6];
static int32_t bits_kinds[6];

static int32_t bits_kind_of(PyObject *bits) {
  PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(bits), "__name__");
  int32_t kind = 0;
  for (int32_t k = 1; name && k < 6; ++k)
    if (PyUnicode_CompareWithASCIIString(name, known_bits[k]) == 0)
      kind = k;
  Py_XDECREF(name);
  if (kind && bits_types[kind] != Py_TYPE(bits)) {
    PyObject *fresh = PyObject_CallFunction((PyObject *)Py_TYPE(bits), "i", 7),
             *capsule = fresh ? PyObject_GetAttrString(fresh, "capsule") : NULL;
    void *source = capsule ? PyCapsule_GetPointer(capsule, "BitGenerator") : NULL;
    bits_kinds[kind] = source && npcc_rt_reads_bits(source, kind) ? kind : NPCC_BITS_OTHER;
    bits_types[kind] = Py_TYPE(bits);
    Py_XDECREF(capsule);
    Py_XDECREF(fresh);
    PyErr_Clear();
  }
  return bits_kinds[kind];
}

static npcc_generator *spawn(void *parent);

static int open_generator(npcc_generators *call, npcc_held_generator *held, PyObject *object) {
  memset(held, 0, sizeof *held);
  held->call = call;
  held->handle.spawn = spawn;
  held->handle.object = held;
  held->object = Py_NewRef(object);
  PyObject *bits = PyObject_GetAttrString(object, "_bit_generator");
  PyObject *capsule = bits ? PyObject_GetAttrString(bits, "capsule") : NULL;
  held->lock = capsule ? PyObject_GetAttrString(bits, "lock") : NULL;
  held->handle.bits = held->lock ? PyCapsule_GetPointer(capsule, "BitGenerator") : NULL;
  if (held->handle.bits)
    held->handle.bits_kind = bits_kind_of(bits);
  Py_XDECREF(capsule);
  Py_XDECREF(bits);
  return held->handle.bits ? 0 : -1;
}

static void forget(npcc_held_generator *held) {
  Py_XDECREF(held->object);
  Py_XDECREF(held->lock);
  Py_XDECREF(held->state);
}

/* Generator.spawn(1), during the call: NumPy counts the children of a SeedSequence. */
static npcc_generator *spawn(void *object) {
  npcc_held_generator *parent = object, *child = malloc(sizeof *child);
  if (!child)
    return NULL;
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *children = PyObject_CallMethod(parent->object, "spawn", "i", 1),
           *one = children ? PySequence_GetItem(children, 0) : NULL;
  if (one && !open_generator(parent->call, child, one)) {
    child->next = parent->call->children;
    parent->call->children = child;
  } else {
    if (one)
      forget(child);
    free(child);
    child = NULL;
    PyErr_Clear();
  }
  Py_XDECREF(one);
  Py_XDECREF(children);
  PyGILState_Release(state);
  return child ? &child->handle : NULL;
}

/* The generator's handle: each object has one, so that what one name of it draws another name's draws come after. */
static npcc_generator *hold(npcc_generators *generators, PyObject *object) {
  for (int32_t k = 0; k < generators->count; ++k)
    if (generators->held[k].object == object)
      return &generators->held[k].handle;
  npcc_held_generator *held = &generators->held[generators->count];
  int failed = open_generator(generators, held, object);
  ++generators->count;
  return failed ? NULL : &held->handle;
}

static int call_lock(PyObject *lock, const char *method) {
  PyObject *done = PyObject_CallMethod(lock, method, NULL);
  Py_XDECREF(done);
  return done ? 0 : -1;
}

/* In one order for all calls, so that two threads cannot wait for each other; two generators of one bit generator have
 * one lock. */
static int take_locks(npcc_generators *generators) {
  int32_t lock_count = 0;
  for (int32_t k = 0; k < generators->count; ++k) {
    PyObject *lock = generators->held[k].lock;
    int32_t at = lock_count, place = 0;
    while (place < lock_count && generators->locks[place] < lock)
      ++place;
    if (place < lock_count && generators->locks[place] == lock)
      continue;
    for (; at > place; --at)
      generators->locks[at] = generators->locks[at - 1];
    generators->locks[place] = lock;
    ++lock_count;
  }
  for (; generators->locked_count < lock_count; ++generators->locked_count)
    if (call_lock(generators->locks[generators->locked_count], "acquire"))
      return -1;
  return 0;
}

static void close_generators(npcc_generators *generators) {
  while (generators->locked_count > 0)
    if (call_lock(generators->locks[--generators->locked_count], "release"))
      PyErr_Clear();
  for (int32_t k = 0; k < generators->count; ++k)
    forget(&generators->held[k]);
  while (generators->children) {
    npcc_held_generator *child = generators->children;
    generators->children = child->next;
    forget(child);
    free(child);
  }
  free(generators->held);
  free(generators->locks);
  free(generators->captured);
}

static int hold_all(npcc_generators *generators, PyObject *captured, const npcc_function *function,
                    const npcc_argument *arguments, int32_t argument_count, npcc_value *values) {
  for (int32_t k = 0; k < generators->captured_count; ++k) {
    PyObject *object = captured ? Py_XNewRef(PyTuple_GetItem(captured, k)) : global_state();
    generators->captured[k] = object ? hold(generators, object) : NULL;
    Py_XDECREF(object);
    if (!generators->captured[k])
      return -1;
  }
  int32_t next = 0; /* the parameters of the compiled function, which lacks constants */
  for (int32_t k = 0; k < argument_count; ++k) {
    int kind = arguments[k].key & 3;
    if (kind != NPCC_GENERATOR)
      continue;
    while (next < function->param_count && function->params[next].kind != NPCC_GENERATOR)
      ++next;
    if (!(values[next++].g = hold(generators, arguments[k].object)))
      return -1;
  }
  if (take_locks(generators))
    return -1;
  for (int32_t k = 0; k < generators->count; ++k)
    if (npcc_generator_class_of(generators->held[k].object) == NPCC_RANDOM_STATE && read_gauss(&generators->held[k]))
      return -1;
  return 0;
}

int npcc_hold_generators(npcc_generators *generators, PyObject *captured, const npcc_function *function,
                         const npcc_argument *arguments, int32_t argument_count, npcc_value *values) {
  memset(generators, 0, sizeof *generators);
  int32_t most = generators->captured_count = function->generator_count;
  for (int32_t k = 0; k < argument_count; ++k)
    most += (arguments[k].key & 3) == NPCC_GENERATOR;
  if (!most)
    return 0;
  generators->held = calloc((size_t)most, sizeof *generators->held);
  generators->locks = calloc((size_t)most, sizeof *generators->locks);
  generators->captured = calloc((size_t)most, sizeof *generators->captured);
  int failed = !generators->held || !generators->locks || !generators->captured;
  if (failed)
    PyErr_NoMemory();
  if (failed || hold_all(generators, captured, function, arguments, argument_count, values)) {
    PyObject *pending[3];
    PyErr_Fetch(&pending[0], &pending[1], &pending[2]);
    close_generators(generators);
    PyErr_Restore(pending[0], pending[1], pending[2]);
    return -1;
  }
  generators->outer = current;
  current = generators;
  return 0;
}

/* The normal number that is kept for the next draw, where it is another than when the call began. The rest of the state
 * is in place. */
static int write_gauss(const npcc_held_generator *held) {
  PyObject *had = PyDict_GetItemString(held->state, "has_gauss"), *was = PyDict_GetItemString(held->state, "gauss");
  if ((PyObject_IsTrue(had) == 1) == held->handle.has_gauss && PyFloat_AsDouble(was) == held->handle.gauss)
    return 0;
  npcc_held_generator now;
  memset(&now, 0, sizeof now);
  now.object = held->object;
  if (read_gauss(&now))
    return -1;
  PyObject *has_gauss = PyLong_FromLong(held->handle.has_gauss), *gauss = PyFloat_FromDouble(held->handle.gauss),
           *done = NULL;
  if (has_gauss && gauss && !PyDict_SetItemString(now.state, "has_gauss", has_gauss) &&
      !PyDict_SetItemString(now.state, "gauss", gauss))
    done = PyObject_CallMethod(held->object, "set_state", "O", now.state);
  Py_XDECREF(has_gauss);
  Py_XDECREF(gauss);
  Py_XDECREF(done);
  Py_DECREF(now.state);
  return done ? 0 : -1;
}

int npcc_share_generators(void) {
  for (int32_t k = 0; current && k < current->count; ++k)
    if (current->held[k].state && write_gauss(&current->held[k]))
      return -1;
  return 0;
}

int npcc_take_back_generators(void) {
  for (int32_t k = 0; current && k < current->count; ++k) {
    npcc_held_generator *held = &current->held[k];
    if (!held->state)
      continue;
    Py_DECREF(held->state);
    if (read_gauss(held))
      return -1;
  }
  return 0;
}

int npcc_let_go_generators(npcc_generators *generators) {
  int failed = 0;
  if (generators->held)
    current = generators->outer;
  for (int32_t k = 0; k < generators->count; ++k)
    if (generators->held[k].state && write_gauss(&generators->held[k]))
      failed = -1;
  if (!generators->held)
    return 0;
  PyObject *pending[3];
  PyErr_Fetch(&pending[0], &pending[1], &pending[2]);
  close_generators(generators);
  PyErr_Restore(pending[0], pending[1], pending[2]);
  return failed;
}
